/** If this fails, a stranger can start runs at a webhook, or the events of a real sender are turned away. */
import { createHmac } from 'node:crypto';
import { sign as signGithub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  decodeStandardSecret,
  verifyRequest,
  type Verification,
} from '../../../src/features/hooks/verification.ts';

const NOW_MS = Date.UTC(2026, 10, 26, 9, 0, 0);
const NOW_SECONDS = NOW_MS / 1_000;
const BODY = '{"amount": 1.50, "name": "Zoë"}';
/** 24 bytes, as Standard Webhooks demands. */
const STANDARD_SECRET = `whsec_${Buffer.from('a secret of 24 bytes now').toString('base64')}`;
const OTHER_STANDARD = `whsec_${Buffer.from('another one of 24 bytes!').toString('base64')}`;
const SECRET = 'a secret that only two know';

interface Sent {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const verify = (
  verification: Verification,
  secrets: readonly string[],
  { headers, body }: Sent,
  nowMs = NOW_MS,
): string => verifyRequest(verification, secrets, { headers, body: Buffer.from(body), nowMs });

/** A request as the provider's own library signs it. */
async function send(
  verification: Exclude<Verification, 'none' | 'slack'>,
  secret: string,
  sentAtSeconds = NOW_SECONDS,
): Promise<Sent> {
  switch (verification) {
    case 'standard': {
      const signature = new Webhook(secret).sign('msg_1', new Date(sentAtSeconds * 1_000), BODY);
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(sentAtSeconds),
        'webhook-signature': signature,
      };
      return { headers, body: BODY };
    }
    case 'github':
      return { headers: { 'x-hub-signature-256': await signGithub(secret, BODY) }, body: BODY };
    case 'stripe': {
      const stripe = new Stripe('sk_test_of_a_test');
      const header = stripe.webhooks.generateTestHeaderString({
        payload: BODY,
        secret,
        timestamp: sentAtSeconds,
      });
      return { headers: { 'stripe-signature': header }, body: BODY };
    }
    case 'bearer':
      return { headers: { authorization: `Bearer ${secret}` }, body: BODY };
    case 'basic':
      return { headers: { authorization: `Basic ${Buffer.from(secret).toString('base64')}` }, body: BODY };
  }
}

const SIGNED = [
  ['standard', STANDARD_SECRET, OTHER_STANDARD],
  ['github', SECRET, 'another secret'],
  ['stripe', `whsec_${SECRET}`, 'whsec_another'],
] as const;
const KNOWN = [
  ['bearer', SECRET, 'another secret'],
  ['basic', 'ada:a password', 'ada:another'],
] as const;

describe.each([...SIGNED, ...KNOWN])('%s', (verification, secret, other) => {
  test('a request of the sender passes, also with the second of several secrets', async () => {
    const sent = await send(verification, secret);
    expect(verify(verification, [secret], sent)).toBe('valid');
    expect(verify(verification, [other, secret], sent)).toBe('valid');
  });

  test('a request with another secret does not', async () => {
    expect(verify(verification, [secret], await send(verification, other))).toBe('signature_wrong');
  });

  test('a request without its header does not', () => {
    expect(verify(verification, [secret], { headers: {}, body: BODY })).toBe('signature_missing');
  });

  test('a request of another scheme does not', async () => {
    for (const [foreign, foreignSecret] of [...SIGNED, ...KNOWN])
      if (foreign !== verification)
        expect(verify(verification, [secret], await send(foreign, foreignSecret))).not.toBe('valid');
  });
});

describe.each(SIGNED)('the signature of %s', (verification, secret) => {
  test('covers every byte of the body', async () => {
    const { headers, body } = await send(verification, secret);
    for (const changed of [`${body} `, body.replace('1.50', '1.5'), body.replace('ë', 'é'), ''])
      expect(verify(verification, [secret], { headers, body: changed })).toBe('signature_wrong');
  });
});

describe.each(SIGNED.filter(([verification]) => verification !== 'github'))(
  'the time in the signature of %s',
  (verification, secret) => {
    test('may be 300 seconds away from the clock, and not one more', async () => {
      const at = async (offset: number): Promise<string> =>
        verify(verification, [secret], await send(verification, secret, NOW_SECONDS + offset));
      expect([await at(-300), await at(300)]).toEqual(['valid', 'valid']);
      expect([await at(-301), await at(301)]).toEqual(['signature_too_old', 'signature_too_old']);
    });

    test('cannot be replaced by a newer one', async () => {
      const { headers, body } = await send(verification, secret, NOW_SECONDS - 1_000);
      const renewed = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          value.replace(String(NOW_SECONDS - 1_000), String(NOW_SECONDS)),
        ]),
      );
      expect(renewed).not.toEqual(headers);
      expect(verify(verification, [secret], { headers: renewed, body })).toBe('signature_wrong');
    });
  },
);

describe('a secret of Standard Webhooks', () => {
  const encode = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64');
  const sign = (key: Buffer): Sent => {
    const mac = createHmac('sha256', key).update(`msg_1.${NOW_SECONDS}.${BODY}`).digest('base64');
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(NOW_SECONDS),
      'webhook-signature': `v1,${mac}`,
    };
    return { headers, body: BODY };
  };

  test.each([
    ['no base64 at all', '********'],
    ['no base64 after its prefix', 'whsec_!!'],
    ['its prefix alone', 'whsec_'],
    ['words', 'a secret that only two know about'],
    ['base64 of URLs', 'whsec_____-_-_____-_-_____-_-_____-_-_'],
    ['base64 with a line break', `${encode(24)}\n`],
    ['base64 without its padding', encode(25).replace(/=+$/, '')],
    ['23 bytes', `whsec_${encode(23)}`],
    ['65 bytes', `whsec_${encode(65)}`],
  ])('that is %s is no key, and nobody can sign with what Buffer makes of it', (_, secret) => {
    expect(decodeStandardSecret(secret)).toBeNull();
    const lenient = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    for (const key of [lenient, Buffer.alloc(0)])
      expect(verify('standard', [secret], sign(key))).toBe('secret_invalid');
  });

  test.each([24, 25, 26, 64])('of %i bytes is a key, with its prefix or without', (bytes) => {
    for (const secret of [encode(bytes), `whsec_${encode(bytes)}`])
      expect(verify('standard', [secret], sign(Buffer.alloc(bytes, 7)))).toBe('valid');
  });

  test('that is no key leaves the others in force, and opens nothing', async () => {
    const secrets = ['whsec_!!', STANDARD_SECRET];
    expect(verify('standard', secrets, await send('standard', STANDARD_SECRET))).toBe('valid');
    expect(verify('standard', secrets, sign(Buffer.alloc(0)))).toBe('signature_wrong');
  });
});

test.each(['standard', 'github', 'stripe', 'slack', 'bearer', 'basic'] as const)(
  '%s without any secret lets nothing pass',
  async (verification) => {
    for (const [scheme, secret] of [...SIGNED, ...KNOWN])
      expect(verify(verification, [], await send(scheme, secret))).not.toBe('valid');
  },
);

describe('slack', () => {
  // The example of https://api.slack.com/authentication/verifying-requests-from-slack.
  const secret = '8f742231b10e8888abcd99yyyzzz85a5';
  const sent: Sent = {
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  };
  const then = 1_531_420_618_000;

  test('the example of its documentation passes at its time, and not today', () => {
    expect(verify('slack', [secret], sent, then)).toBe('valid');
    expect(verify('slack', [secret], sent, then + 301_000)).toBe('signature_too_old');
    expect(verify('slack', ['another'], sent, then)).toBe('signature_wrong');
    expect(verify('slack', [secret], { ...sent, body: `${sent.body}1` }, then)).toBe('signature_wrong');
  });
});

test('none lets everything pass', () => {
  expect(verify('none', [], { headers: {}, body: '' })).toBe('valid');
});
