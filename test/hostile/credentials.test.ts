/** A forged, mangled or borrowed credential would open the API (SPEC SEC-A). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { unlimited } from './unlimited.ts';

let api: ApiServer;
/** The same service once more, as a second process beside the first would be: own pool, own caches, one database. */
let other: ApiServer;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  api = await startApi();
  other = await startApi({
    DATABASE_URL: api.deps.config.databaseUrl,
    AUTH_JWKS_URL: api.identity.jwksUrl,
    AUTH_ISSUER: api.identity.issuer,
  });
  tenant = await api.tenant();
  await unlimited(api);
  key = (await create({ rate_limit_per_minute: 1_000 })).body.key;
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const create = (body: object = {}, by: Tenant = tenant): Promise<Answer> =>
  by.call('POST', '/api-keys', { org: undefined, body: { name: 'x', ...body } });
const list = (headers: Record<string, string>): Promise<Answer> =>
  api.call('GET', '/workflows', { org: tenant.org, headers });

const REQUIRED = 'Authentication required. Provide Authorization: Bearer token or X-API-KEY header.';

test.each<[string, () => Record<string, string>, string]>([
  ['SEC-A01: no credential', () => ({}), REQUIRED],
  ['SEC-A02: basic credentials', () => ({ authorization: 'Basic eDp5' }), REQUIRED],
  [
    'SEC-A04: a bad bearer token beside a good key',
    () => ({ authorization: 'Bearer garbage', 'x-api-key': key }),
    'Invalid or expired token',
  ],
  ['SEC-A05: an X-API-KEY without the prefix', () => ({ 'x-api-key': 'abc' }), REQUIRED],
  ['SEC-A06: X-Authorization', () => ({ 'x-authorization': `Bearer ${key}` }), REQUIRED],
  [
    'SEC-A09: the prefix in capitals',
    () => ({ authorization: `Bearer SVC_LIVE_${key.slice(9)}` }),
    'Invalid or expired token',
  ],
  [
    'SEC-A10: SQL behind the prefix',
    () => ({ authorization: "Bearer svc_live_' OR 1=1--" }),
    'Invalid API key',
  ],
  ['SEC-A10: a NUL behind the prefix', () => ({ authorization: 'Bearer svc_live_%00' }), 'Invalid API key'],
  [
    'SEC-A10: ten thousand letters behind the prefix',
    () => ({ authorization: `Bearer svc_live_${'A'.repeat(10_000)}` }),
    'Invalid API key',
  ],
  ['SEC-A10: a key with one letter more', () => ({ 'x-api-key': `${key}A` }), 'Invalid API key'],
  ['SEC-A12: the hint', () => ({ 'x-api-key': `svc_live_${key.slice(9, 17)}` }), 'Invalid API key'],
  [
    'SEC-A12: the masked key',
    () => ({ 'x-api-key': `svc_live_${key.slice(9, 17)}********` }),
    'Invalid API key',
  ],
])('%s is 401', async (_, headers, detail) => {
  const answer = await list(headers());
  expect([answer.status, answer.body, answer.headers.get('www-authenticate')]).toEqual([
    401,
    { detail },
    'Bearer',
  ]);
});

test('SEC-A08: the scheme may be written in any case', async () => {
  expect((await list({ authorization: `bearer ${key}` })).status).toBe(200);
  expect((await list({ authorization: `BEARER   ${key}` })).status).toBe(200);
});

test('SEC-A10: what has not the form of a key is not looked up', async () => {
  const lookups: string[] = [];
  const { db } = api.deps;
  const { batched } = db;
  const watched: typeof batched = (question, lookedUp) => {
    if (question.includes('fingerprint =')) lookups.push(question);
    return batched(question, lookedUp);
  };
  Object.assign(db, { batched: watched });
  await list({ 'x-api-key': `svc_live_${'A'.repeat(44)}` });
  expect(lookups).toEqual([]);
  await list({ 'x-api-key': `svc_live_${'A'.repeat(43)}` });
  expect(lookups).toHaveLength(1);
  Object.assign(db, { batched });
});

test('SEC-A14: a revoked key is dead in every process with the answer that revokes it', async () => {
  for (let round = 0; round < 40; round += 1) {
    const made = await create({ rate_limit_per_minute: 1_000 });
    const ask = (server: ApiServer): Promise<Answer> =>
      server.call('GET', '/auth/me', { token: made.body.key });
    // The other process has seen the key in use: a cache would remember it.
    expect((await ask(other)).status).toBe(200);
    expect((await tenant.call('DELETE', `/api-keys/${made.body.id}`)).status).toBe(200);
    expect((await ask(other)).status).toBe(401);
  }
});

test('SEC-A22: what the server decides about a key is not for the client to say', async () => {
  const stranger = await api.tenant();
  const { body: me } = await stranger.call('GET', '/auth/me');
  const made = await create({
    key: 'svc_live_mine',
    user_id: me.id,
    is_active: true,
    key_hint: 'AAAAAAAA',
    last_used_at: '2020-01-01T00:00:00Z',
  });
  expect(made.status).toBe(201);
  expect(made.body.key).not.toBe('svc_live_mine');
  expect(made.body.key_hint).not.toBe('AAAAAAAA');
  expect(made.body.last_used_at).toBeNull();
  expect(made.body.is_active).toBe(true);
  expect((await stranger.call('GET', '/api-keys')).body.total).toBe(0);
  expect((await stranger.call('GET', `/api-keys/${made.body.id}`)).status).toBe(404);
  expect((await stranger.call('DELETE', `/api-keys/${made.body.id}`)).status).toBe(404);
  await tenant.call('DELETE', `/api-keys/${made.body.id}`);
});

test.each([
  ['SEC-A24: a name with a NUL', '{"name":"a\\u0000"}', 'string_nul'],
  ['SEC-A24: no name', '{}', 'missing'],
  ['SEC-A25: a limit of -1', '{"name":"x","rate_limit_per_minute":-1}', 'greater_than_equal'],
  ['SEC-A25: a limit of 1e309', '{"name":"x","rate_limit_per_minute":1e309}', 'finite_number'],
  ['SEC-A25: a limit of 1e300', '{"name":"x","rate_limit_per_minute":1e300}', 'less_than_equal'],
  [
    'SEC-A26: an expiry that has no date',
    '{"name":"x","expires_at":"2026-02-30T00:00:00Z"}',
    'datetime_parsing',
  ],
  [
    'SEC-A26: an expiry beyond the year 9999',
    '{"name":"x","expires_at":"9999-12-31T23:59:59-23:59"}',
    'datetime_range',
  ],
  [
    'SEC-P14: a limit given twice',
    '{"name":"x","rate_limit_per_minute":5,"rate_limit_per_minute":50000}',
    'less_than_equal',
  ],
])('%s is 422', async (_, raw, type) => {
  const answer = await tenant.call('POST', '/api-keys', { raw });
  expect([answer.status, answer.body.detail[0].type]).toEqual([422, type]);
});

test('SEC-A28: no answer but the creating one has a key in it', async () => {
  const owner = await api.tenant();
  const { body: made } = await create({}, owner);
  for (const path of ['/api-keys', `/api-keys/${made.id}`, '/auth/me', '/auth/me/organizations']) {
    const answer = await owner.call('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(/"key":/);
    expect(answer.text).not.toMatch(/[0-9A-Za-z]{43}/);
  }
  expect((await owner.call('DELETE', `/api-keys/${made.id}`)).text).not.toContain(made.key);
});
