/** A forged, borrowed or stale token would open the API (SPEC SEC-J). */
import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  base64url,
  CompactEncrypt,
  CompactSign,
  exportSPKI,
  importJWK,
  SignJWT,
  type JWTHeaderParameters,
} from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { APP_URL, signingKey, type SigningKey } from '../support/identity-provider.ts';
import { unlimited } from './unlimited.ts';

let api: ApiServer;
let tenant: Tenant;
let elliptic: SigningKey;
beforeAll(async () => {
  api = await startApi();
  elliptic = await signingKey('elliptic', 'ES256');
  api.identity.publish([api.identity.key.jwk, elliptic.jwk]);
  tenant = await api.tenant();
  await unlimited(api);
});
afterAll(() => api.close());

const me = (token: string): ReturnType<ApiServer['call']> => api.call('GET', '/auth/me', { token });
const part = (value: object): string => base64url.encode(JSON.stringify(value));
const now = (): number => Math.floor(Date.now() / 1000);
const claims = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  iss: api.identity.issuer,
  sub: randomUUID(),
  email: `${randomUUID()}@example.test`,
  azp: APP_URL,
  iat: now(),
  exp: now() + 600,
  ...more,
});
/** A token with a header of the test's choice, signed rightly. */
const signed = (header: Record<string, unknown>, by: SigningKey = api.identity.key): Promise<string> =>
  new SignJWT(claims())
    .setProtectedHeader({ alg: by.alg, kid: by.kid, ...header } as JWTHeaderParameters)
    .sign(by.privateKey);
/** A token that claims HS256 and is "signed" with something public. */
const hmac = (secret: string | Buffer): string => {
  const head = `${part({ alg: 'HS256', kid: 'key-1' })}.${part(claims())}`;
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
};
const publicPem = async (): Promise<string> => {
  const imported = await importJWK(api.identity.key.jwk, 'RS256', { extractable: true });
  if (imported instanceof Uint8Array) throw new Error('an RSA key is no bytes');
  return exportSPKI(imported);
};

test('the tokens below differ from a good one only in what their names say', async () => {
  expect((await me(await signed({}))).status).toBe(200);
  expect((await me(await signed({}, elliptic))).status).toBe(200);
});

test.each<[string, () => Promise<string> | string]>([
  ['SEC-J01: no algorithm', () => `${part({ alg: 'none', kid: 'key-1' })}.${part(claims())}.`],
  [
    'SEC-J01: no algorithm, in other letters',
    () => `${part({ alg: 'nOnE', kid: 'key-1' })}.${part(claims())}.`,
  ],
  ['SEC-J02: HMAC by the public key as PEM', async () => hmac(await publicPem())],
  [
    'SEC-J02: HMAC by the public key as DER',
    async () => hmac(Buffer.from((await publicPem()).replace(/-----[^-]+-----|\s/g, ''), 'base64')),
  ],
  ['SEC-J02: HMAC by the modulus', () => hmac(String(api.identity.key.jwk.n))],
  ['SEC-J03: another key of the set', () => signed({ kid: 'key-1' }, elliptic)],
  [
    'SEC-J03: another algorithm of the same key',
    () => `${part({ alg: 'PS256', kid: 'key-1' })}.${part(claims())}.AAAA`,
  ],
  ['SEC-J06: an issuer with a slash more', () => api.identity.mint({ iss: `${api.identity.issuer}/` })],
  ['SEC-J06: an issuer in capitals', () => api.identity.mint({ iss: api.identity.issuer.toUpperCase() })],
  ['SEC-J06: no issuer', () => api.identity.mint({ iss: undefined })],
  ['SEC-J06: a list of issuers', () => api.identity.mint({ iss: [api.identity.issuer] })],
  ['SEC-J07: an end six seconds ago', () => api.identity.mint({ exp: now() - 6 })],
  ['SEC-J07: no end', () => api.identity.mint({ exp: undefined })],
  ['SEC-J07: an end as text', () => api.identity.mint({ exp: String(now() + 600) })],
  ['SEC-J07: an end beyond all years', () => api.identity.mint({ exp: 1e300 })],
  ['SEC-J09: issued in an hour', () => api.identity.mint({ iat: now() + 3_600 })],
  ['SEC-J13: of another client', () => api.identity.mint({ azp: 'https://evil.example' })],
  ['SEC-J13: of a list of clients', () => api.identity.mint({ azp: [APP_URL] })],
  [
    'SEC-J15: a critical extension that nobody knows',
    () =>
      new CompactSign(Buffer.from(JSON.stringify(claims())))
        .setProtectedHeader({ alg: 'RS256', kid: 'key-1', crit: ['x'], x: 1 })
        .sign(api.identity.key.privateKey, { crit: { x: true } }),
  ],
  [
    'SEC-J15: an unencoded payload',
    async () =>
      (await signed({})).replace(/^[^.]+/, part({ alg: 'RS256', kid: 'key-1', b64: false, crit: ['b64'] })),
  ],
  [
    'SEC-J15: encrypted',
    async () => {
      const target = await importJWK(api.identity.key.jwk, 'RSA-OAEP-256');
      return new CompactEncrypt(Buffer.from(JSON.stringify(claims())))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'key-1' })
        .encrypt(target);
    },
  ],
  [
    'SEC-J15: compressed',
    async () => (await signed({})).replace(/^[^.]+/, part({ alg: 'RS256', kid: 'key-1', zip: 'DEF' })),
  ],
  [
    'SEC-J15: a header that is no object',
    async () => (await signed({})).replace(/^[^.]+/, base64url.encode('[]')),
  ],
])('%s is 401', async (_, make) => {
  const answer = await me(await make());
  expect([answer.status, answer.body]).toEqual([401, { detail: 'Invalid or expired token' }]);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
});

test('SEC-J10, SEC-J11: a missing sub and a missing email have words of their own', async () => {
  const of = async (more: Record<string, unknown>): Promise<unknown> =>
    (await me(await api.identity.mint(more))).body;
  for (const sub of [undefined, ''])
    expect(await of({ sub })).toEqual({ detail: 'User ID missing in token' });
  for (const email of [undefined, '', null]) {
    expect(await of({ email })).toEqual({ detail: 'Email not found in token claims' });
  }
});

test('SEC-J05: a flood of unknown key ids asks the provider at most once', async () => {
  const [, payload, signature] = (await signed({})).split('.');
  const before = api.identity.fetches();
  const flood = Array.from(
    { length: 1_000 },
    () => `${part({ alg: 'RS256', kid: randomUUID() })}.${payload}.${signature}`,
  );
  // More connections at once than the queue of a listening socket takes would be a test of the kernel.
  for (let at = 0; at < flood.length; at += 100) {
    const answers = await Promise.all(flood.slice(at, at + 100).map(me));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(100);
  }
  expect(api.identity.fetches() - before).toBeLessThanOrEqual(1);
  expect((await tenant.call('GET', '/auth/me')).status).toBe(200);
});

test('SEC-J14: keys that a token brings along or points at are not looked at', async () => {
  let hits = 0;
  const forger = await signingKey('forged');
  const sink = createServer((_request, response) => {
    hits += 1;
    response.end(JSON.stringify({ keys: [forger.jwk] }));
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/jwks.json`;
  const pointers = { jku: url, x5u: url, jwk: forger.jwk };
  for (const kid of ['forged', 'key-1', url]) {
    expect((await me(await signed({ ...pointers, kid }, forger))).status).toBe(401);
  }
  expect((await me(await signed(pointers))).status).toBe(200);
  expect(hits).toBe(0);
  await new Promise((resolve) => sink.close(resolve));
});

test('SEC-J19: a provider that never answers means 503, and the service goes on', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/jwks.json`;
  const waiting = await startApi({ AUTH_JWKS_URL: url });
  const answer = await waiting.call('GET', '/auth/me', { token: await waiting.identity.mint() });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await waiting.call('GET', '/system/health')).status).toBe(200);
  await waiting.close();
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

test('SEC-J22: no role claim gives a right in an organization', async () => {
  const retired = randomUUID();
  await api.call('GET', '/auth/me', { token: await api.identity.mint({ sub: retired }) });
  await api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role) SELECT id, $1, 'member' FROM users WHERE subject = $2`,
    [tenant.org, retired],
  );
  for (const role of ['OWNER', 'owner', ['ADMIN'], JSON.parse('{"__proto__":{}}')]) {
    const token = await api.identity.mint({ sub: retired, metadata: { role, roles: role, org_role: role } });
    const answer = await api.call('GET', '/composer/chats', { token, org: tenant.org });
    expect([answer.status, answer.body]).toEqual([403, { detail: 'The owner or admin role is required' }]);
  }
});

test('SEC-J25: one address in several spellings is one address; look-alikes are others', async () => {
  const owner = await api.tenant();
  const invited = 'victim@example.com';
  await owner.call('POST', `/organizations/${owner.org}/invitations`, {
    body: { email: invited, role: 'admin' },
  });
  const organizationsOf = async (email: string): Promise<string[]> => {
    const answer = await api.call('GET', '/auth/me/organizations', {
      token: await api.identity.mint({ email }),
    });
    expect(answer.status).toBe(200);
    return answer.body.organizations.map((row: { id: string }) => row.id);
  };
  const lookAlikes = [
    'v\u0131ctim@example.com',
    'victim\uff20example.com',
    'vict\u0456m@example.com',
    'victim@example.com.evil.example',
    'victim@ex\u00e4mple.com',
  ];
  for (const email of lookAlikes) expect(await organizationsOf(email), email).not.toContain(owner.org);
  expect(await organizationsOf(' Victim@Example.com ')).toContain(owner.org);
});
