/**
 * A forged or expired token would open the API, or a good one would be refused while the identity provider changes
 * its keys.
 */
import { createHmac } from 'node:crypto';
import { exportSPKI, importJWK } from 'jose';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeySet } from '../../../src/platform/access/jwt.ts';
import { readConfig } from '../../../src/base/config/config.ts';
import {
  APP_URL,
  signingKey,
  startIdentityProvider,
  type IdentityProvider,
} from '../../support/identity-provider.ts';

let provider: IdentityProvider;

const keySet = (more: Record<string, string | undefined> = {}): KeySet =>
  new KeySet(
    readConfig({
      DATABASE_URL: 'postgresql://nobody@127.0.0.1/none',
      AUTH_JWKS_URL: provider.jwksUrl,
      AUTH_ISSUER: provider.issuer,
      APP_URL,
      ...more,
    }),
    pino({ level: 'silent' }),
  );

const REFUSED = 'Invalid or expired token';
const AWAY = 'The identity provider cannot be reached; try again';
const now = (): number => Math.floor(Date.now() / 1000);

beforeEach(async () => {
  provider = await startIdentityProvider();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await provider.stop();
});

test('a good token gives its claims', async () => {
  const token = await provider.mint({ sub: 'u1', email: 'A@b.c', sid: 's1', metadata: { role: 'admin' } });
  expect(await keySet().verify(token)).toEqual({
    subject: 'u1',
    email: 'A@b.c',
    isEmailVerified: true,
    sessionId: 's1',
    role: 'ADMIN',
  });
});

test('ES256 verifies with a key that is published for it', async () => {
  const key = await signingKey('ec', 'ES256');
  provider.publish([provider.key.jwk, key.jwk]);
  expect(await keySet().verify(await provider.mint({ sub: 'u2' }, key))).toMatchObject({ subject: 'u2' });
});

test.each([
  ['expired six seconds ago', { exp: now() - 6 }],
  ['without exp', { exp: undefined }],
  ['with an exp beyond all years', { exp: 1e300 }],
  ['issued in an hour', { iat: now() + 3_600 }],
  ['not valid yet', { nbf: now() + 3_600 }],
  ['of another issuer', { iss: 'http://elsewhere.example' }],
  ['without issuer', { iss: undefined }],
  ['of another client', { azp: 'https://other.example' }],
  ['with a NUL in its sub', { sub: 'a\0b' }],
  ['with an email that is no text', { email: 5 }],
])('a token %s is refused', async (_, claims) => {
  await expect(keySet().verify(await provider.mint(claims))).rejects.toThrow(REFUSED);
});

test.each([
  ['SEC-J09: issued in a minute', { iat: 60 }, true],
  ['SEC-J09: issued a second later', { iat: 61 }, false],
  ['SEC-J09: valid from in a minute on', { nbf: 60 }, true],
  ['SEC-J09: valid from a second later on', { nbf: 61 }, false],
  ['SEC-J07: ended four seconds ago', { exp: -4 }, true],
  ['SEC-J07: ended five seconds ago', { exp: -5 }, false],
])('%s, a token is taken: %s %s, also when it was seen before', async (_, offsets, isTaken) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const at = Object.entries(offsets).map(([claim, seconds]) => [claim, now() + seconds]);
    const token = await provider.mint({ sub: 'u1', ...Object.fromEntries(at) });
    const keys = keySet();
    for (let times = 0; times < 2; times += 1) {
      if (isTaken) expect(await keys.verify(token)).toMatchObject({ subject: 'u1' });
      else await expect(keys.verify(token)).rejects.toThrow(REFUSED);
    }
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['production', false],
  ['staging', false],
  ['development', true],
  ['test', true],
])('SEC-J13: in %s a token without a client passes: %s', async (env, passes) => {
  const servers = {
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    API_KEY_SECRET: 'a'.repeat(32),
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  };
  const token = await provider.mint({ sub: 'u1', azp: undefined });
  const verified = keySet({ APP_ENV: env, ...servers }).verify(token);
  if (passes) expect(await verified).toMatchObject({ subject: 'u1' });
  else await expect(verified).rejects.toThrow(REFUSED);
  // Without the address of the web application there is nothing to compare a client with.
  const anyClient = keySet({ APP_ENV: env, ...servers, APP_URL: undefined });
  expect(await anyClient.verify(token)).toMatchObject({ subject: 'u1' });
});

test('a role claim that is not one word gives no role', async () => {
  for (const role of [['ADMIN'], { a: 1 }, 'x y', 5]) {
    const token = await provider.mint({ metadata: { role } });
    expect(await keySet().verify(token)).toMatchObject({ role: null });
  }
});

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('neither no algorithm nor the public key as an HMAC secret passes', async () => {
  const [, claims = ''] = (await provider.mint()).split('.');
  const unsigned = `${part({ alg: 'none', kid: 'key-1' })}.${claims}.`;
  await expect(keySet().verify(unsigned)).rejects.toThrow(REFUSED);

  const publicKey = await importJWK(provider.key.jwk, 'RS256', { extractable: true });
  if (publicKey instanceof Uint8Array) throw new Error('an RSA key is no bytes');
  const signed = `${part({ alg: 'HS256', kid: 'key-1' })}.${claims}`;
  const mac = createHmac('sha256', await exportSPKI(publicKey))
    .update(signed)
    .digest('base64url');
  await expect(keySet().verify(`${signed}.${mac}`)).rejects.toThrow(REFUSED);
});

test('SEC-J18: a symmetric key in the set is ignored', async () => {
  const secret = Buffer.alloc(32, 7);
  provider.publish([{ kty: 'oct', kid: 'shared', alg: 'HS256', k: secret.toString('base64url') }]);
  const [, claims = ''] = (await provider.mint()).split('.');
  const signed = `${part({ alg: 'HS256', kid: 'shared' })}.${claims}`;
  const mac = createHmac('sha256', secret).update(signed).digest('base64url');
  await expect(keySet().verify(`${signed}.${mac}`)).rejects.toThrow(REFUSED);
});

test('a key is only good for its own key id', async () => {
  const forger = await signingKey('key-1');
  await expect(keySet().verify(await provider.mint({}, forger))).rejects.toThrow(REFUSED);
});

test.each(['garbage', 'a.b.c', 'eyJhbGciOiJSUzI1NiJ9..', 'x'.repeat(5_000)])(
  '%s is no token',
  async (token) => {
    await expect(keySet().verify(token)).rejects.toThrow(REFUSED);
  },
);

test('the set is fetched once, and a flood of unknown key ids does not change that', async () => {
  const keys = keySet();
  const tokens = await Promise.all(Array.from({ length: 10 }, () => provider.mint()));
  await Promise.all(tokens.map((token) => keys.verify(token)));
  expect(provider.fetches()).toBe(1);
  const stranger = await signingKey('unknown');
  for (let i = 0; i < 20; i += 1) {
    await expect(keys.verify(await provider.mint({}, stranger))).rejects.toThrow(REFUSED);
  }
  expect(provider.fetches()).toBe(1);
});

test('a new key is found after the cooldown; an expired set is renewed, and used on while it cannot be', async () => {
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const keys = keySet();
  await keys.verify(await provider.mint());
  const rotated = await signingKey('key-2');
  provider.publish([provider.key.jwk, rotated.jwk]);
  await expect(keys.verify(await provider.mint({}, rotated))).rejects.toThrow(REFUSED);
  clock += 31_000;
  await keys.verify(await provider.mint({}, rotated));
  expect(provider.fetches()).toBe(2);

  provider.answerWith((response) => response.writeHead(500).end());
  clock += 301_000;
  await keys.verify(await provider.mint());
  expect(provider.fetches()).toBe(3);
  expect(await keys.state()).toBe('stale');
  clock += 3_700_000;
  await expect(keys.verify(await provider.mint())).rejects.toThrow(AWAY);
  expect(await keys.state()).toBe('unreachable');
});

test.each([
  ['answers an error', 500, ''],
  ['answers HTML', 200, '<html></html>'],
  ['answers something else', 200, '{"keys": 5}'],
  ['answers ten megabytes', 200, `{"keys":[],"x":"${'x'.repeat(10_000_000)}"}`],
])('SEC-J19: a provider that %s at the cold start means 503 with Retry-After', async (_, status, body) => {
  provider.answerWith((response) => response.writeHead(status).end(body));
  await expect(keySet().verify(await provider.mint())).rejects.toMatchObject({
    message: AWAY,
    failure: { status: 503 },
    headers: { 'Retry-After': '2' },
  });
});

test('SEC-J19: redirects are not followed', async () => {
  const elsewhere = await startIdentityProvider();
  provider.answerWith((response) => response.writeHead(302, { location: elsewhere.jwksUrl }).end());
  await expect(keySet().verify(await provider.mint())).rejects.toThrow(AWAY);
  expect(elsewhere.fetches()).toBe(0);
  await elsewhere.stop();
});

test('SEC-J21: without key set and issuer every token is refused and nothing is fetched', async () => {
  const keys = keySet({ AUTH_JWKS_URL: undefined, AUTH_ISSUER: undefined });
  await expect(keys.verify(await provider.mint())).rejects.toThrow(REFUSED);
  expect(await keys.state()).toBe('unconfigured');
  expect(provider.fetches()).toBe(0);
});
