/** If this fails, a stranger can start runs at a webhook, or the events of a real sender are turned away. */
import { createHmac } from 'node:crypto';
import { sign as signGithub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  decodeStandardSecret,
  verifyRequest,
  type Scheme,
} from '../../../src/features/hooks/verification.ts';
import {
  signature as signatureSchema,
  type Signature,
} from '../../../src/language/nodes/triggers/signature.ts';
import { VERIFICATIONS, type Verification } from '../../../src/language/nodes/triggers/choices.ts';

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
const ADDRESS = 'https://company.example/hooks/abc?v=1';

const verify = (
  verification: Verification,
  secrets: readonly string[],
  { headers, body }: Sent,
  nowMs = NOW_MS,
): string => verifyBy({ verification, signature: null }, secrets, { headers, body }, nowMs);

const verifyBy = (
  scheme: Scheme,
  secrets: readonly string[],
  { headers, body }: Sent,
  nowMs = NOW_MS,
): string =>
  verifyRequest(scheme, secrets, { method: 'POST', url: ADDRESS, headers, body: Buffer.from(body), nowMs });

const mac = (secret: string, text: string, encoding: 'hex' | 'base64', algorithm = 'sha256'): string =>
  createHmac(algorithm, secret).update(text).digest(encoding);

/** A request as the provider's own library signs it, or as its documentation says. */
async function send(
  verification: Exclude<Verification, 'none' | 'slack' | 'hmac' | 'twilio'>,
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
    case 'shopify':
      return { headers: { 'x-shopify-hmac-sha256': mac(secret, BODY, 'base64') }, body: BODY };
    case 'typeform':
      return { headers: { 'typeform-signature': `sha256=${mac(secret, BODY, 'base64')}` }, body: BODY };
    case 'calendly': {
      const signature = mac(secret, `${sentAtSeconds}.${BODY}`, 'hex');
      return { headers: { 'calendly-webhook-signature': `t=${sentAtSeconds},v1=${signature}` }, body: BODY };
    }
    case 'zoom': {
      const signature = `v0=${mac(secret, `v0:${sentAtSeconds}:${BODY}`, 'hex')}`;
      const headers = { 'x-zm-signature': signature, 'x-zm-request-timestamp': String(sentAtSeconds) };
      return { headers, body: BODY };
    }
    case 'gitlab':
      return { headers: { 'x-gitlab-token': secret }, body: BODY };
    case 'telegram':
      return { headers: { 'x-telegram-bot-api-secret-token': secret }, body: BODY };
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
  ['shopify', SECRET, 'another secret'],
  ['typeform', SECRET, 'another secret'],
  ['calendly', SECRET, 'another secret'],
  ['zoom', SECRET, 'another secret'],
] as const;
const UNTIMED: readonly Verification[] = ['github', 'shopify', 'typeform'];
const KNOWN = [
  ['bearer', SECRET, 'another secret'],
  ['basic', 'ada:a password', 'ada:another'],
  ['gitlab', SECRET, 'another secret'],
  ['telegram', SECRET, 'another secret'],
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

describe.each(SIGNED.filter(([verification]) => !UNTIMED.includes(verification)))(
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

test.each(VERIFICATIONS.filter((verification) => verification !== 'none'))(
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

describe('twilio', () => {
  // The example of https://www.twilio.com/docs/usage/security, "Validating requests".
  const form =
    'To=%2B18005551212&Digits=1234&From=%2B12349013030&Caller=%2B12349013030&CallSid=CA1234567890ABCDE';
  const type = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
  const verifyTwilio = (
    body: string,
    headers: object = {},
    url = 'https://mycompany.com/myapp.php?foo=1&bar=2',
  ) =>
    verifyRequest({ verification: 'twilio', signature: null }, ['12345'], {
      method: 'POST',
      url,
      headers: { ...type, 'x-twilio-signature': '0/KCTR6DLpKmkAf8muzZqo1nDgQ=', ...headers },
      body: Buffer.from(body),
      nowMs: NOW_MS,
    });

  test('the example of its documentation passes, at its address and with its fields', () => {
    expect(verifyTwilio(form)).toBe('valid');
    expect(verifyTwilio(form.replace('1234&', '1235&'))).toBe('signature_wrong');
    expect(verifyTwilio(form, {}, 'https://mycompany.com/myapp.php?foo=1')).toBe('signature_wrong');
  });

  test('a body that is no form is not signed, and a form of too many fields is not sorted', () => {
    expect(verifyTwilio(form, { 'content-type': 'application/json' })).toBe('signature_wrong');
    const long = (fields: number): string => Array.from({ length: fields }, () => 'a=').join('&');
    const sign = (fields: number) => ({
      'x-twilio-signature': mac('12345', `${ADDRESS}${'a'.repeat(fields)}`, 'base64', 'sha1'),
    });
    expect(verifyTwilio(long(10_000), sign(10_000), ADDRESS)).toBe('valid');
    expect(verifyTwilio(long(10_001), sign(10_001), ADDRESS)).toBe('signature_wrong');
  });
});

describe('hmac', () => {
  const plain: Signature = { header: 'X-Sig', algorithm: 'sha256', encoding: 'hex', signed: '{body}' };
  test.each<[string, Partial<Signature>, (text: string) => Record<string, string>]>([
    ['the body alone', {}, () => ({ 'x-sig': mac(SECRET, BODY, 'hex') })],
    [
      'method, address and body by SHA-512',
      { algorithm: 'sha512', encoding: 'base64', signed: '{method}{url}{body}' },
      () => ({ 'x-sig': mac(SECRET, `POST${ADDRESS}${BODY}`, 'base64', 'sha512') }),
    ],
    [
      'a time in a header, and words around',
      { signed: 'a:{time}:b:{body}!', time_header: 'X-Time', prefix: 'v9,' },
      () => ({
        'x-time': String(NOW_SECONDS),
        'x-sig': `v9,${mac(SECRET, `a:${NOW_SECONDS}:b:${BODY}!`, 'hex')}`,
      }),
    ],
    [
      'pairs with base64',
      { signed: '{time}{body}', encoding: 'base64', field: 'h', time_field: 'ts' },
      () => ({ 'x-sig': `ts=${NOW_SECONDS}, h=${mac(SECRET, `${NOW_SECONDS}${BODY}`, 'base64')}` }),
    ],
  ])('%s', (_, more, sign) => {
    const signature = { ...plain, ...more };
    expect(signatureSchema.safeParse(signature).error).toBeUndefined();
    const scheme: Scheme = { verification: 'hmac', signature };
    const sent = { headers: sign(BODY), body: BODY };
    expect(verifyBy(scheme, [SECRET], sent)).toBe('valid');
    expect(verifyBy(scheme, ['another'], sent)).toBe('signature_wrong');
    expect(verifyBy(scheme, [SECRET], { ...sent, body: `${BODY} ` })).toBe('signature_wrong');
    expect(verifyBy(scheme, [SECRET], { headers: {}, body: BODY })).toBe('signature_missing');
  });

  test('a row without a signature proves nobody', () => {
    const sent = { headers: { 'x-sig': mac(SECRET, BODY, 'hex') }, body: BODY };
    expect(verifyBy({ verification: 'hmac', signature: null }, [SECRET], sent)).toBe('signature_wrong');
  });

  test.each<[string, Partial<Signature>]>([
    ['no body', { signed: '{url}' }],
    ['an unknown part', { signed: '{body}{secret}' }],
    ['a part twice', { signed: '{body}{body}' }],
    ['a time without its header', { signed: '{time}{body}' }],
    ['a header of a time that is not signed', { time_header: 'x-time' }],
    ['a time in pairs, and the signature not', { signed: '{time}{body}', time_field: 't' }],
  ])('%s is a problem', (_, more) => {
    expect(signatureSchema.safeParse({ ...plain, ...more }).success).toBe(false);
  });
});

test('none lets everything pass', () => {
  expect(verify('none', [], { headers: {}, body: '' })).toBe('valid');
});
