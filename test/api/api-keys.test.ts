/** A key would open more than it was made for, outlive its revocation, or exceed its rate limit. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const create = (tenant: Tenant, body: object = {}, token: string = tenant.token) =>
  tenant.call('POST', '/api-keys', { token, org: undefined, body: { name: 'x', ...body } });

test('a new key has its record and, this once, itself', async () => {
  const tenant = await api.tenant();
  const made = await create(tenant);
  expect(made.status).toBe(201);
  const { key, ...record } = made.body;
  expect(key).toMatch(/^svc_live_[0-9A-Za-z]{43}$/);
  expect(record).toEqual({
    id: expect.any(String),
    name: 'x',
    key_hint: key.slice(9, 17),
    masked_key: `svc_live_${key.slice(9, 17)}********`,
    organization_id: null,
    expires_at: null,
    is_expired: false,
    is_active: true,
    rate_limit_per_minute: 60,
    last_used_at: null,
    created_at: expect.any(String),
    revoked_at: null,
  });
  const list = await tenant.call('GET', '/api-keys');
  expect(list.body).toEqual({ api_keys: [record], total: 1 });
  expect((await tenant.call('GET', `/api-keys/${record.id}`)).body).toEqual(record);
});

test.each([
  [{ name: '' }, 'string_too_short'],
  [{ name: 'x'.repeat(256) }, 'string_too_long'],
  [{ name: 5 }, 'string_type'],
  [{ name: null }, 'string_type'],
  [{ rate_limit_per_minute: 0 }, 'greater_than_equal'],
  [{ rate_limit_per_minute: 1_001 }, 'less_than_equal'],
  [{ rate_limit_per_minute: 1.5 }, 'int_type'],
  [{ rate_limit_per_minute: '60' }, 'int_type'],
  [{ rate_limit_per_minute: null }, 'int_type'],
  [{ rate_limit_per_minute: true }, 'int_type'],
  [{ rate_limit_per_minute: [60] }, 'int_type'],
  [{ expires_at: 'yesterday' }, 'datetime_parsing'],
  [{ expires_at: '2000-01-01T00:00:00Z' }, 'datetime_future'],
  [{ expires_at: '+300000-01-01T00:00:00Z' }, 'datetime_parsing'],
  [{ organization_id: 'not-a-uuid' }, 'uuid_parsing'],
])('SEC-A24, SEC-A25, SEC-A26: %j is 422 %s', async (body, type) => {
  const tenant = await api.tenant();
  const answer = await create(tenant, body);
  expect(answer.status).toBe(422);
  expect(answer.body.detail[0]).toEqual({
    loc: ['body', Object.keys(body)[0]],
    msg: expect.any(String),
    type,
  });
});

test.each([
  ['2099-02-01', '2099-02-01T00:00:00.000Z'],
  ['2099-02-01T12:30', '2099-02-01T12:30:00.000Z'],
  ['2099-02-01T12:30+05:30', '2099-02-01T07:00:00.000Z'],
  ['20990201T123000Z', '2099-02-01T12:30:00.000Z'],
])('an expiry may be written as %s', async (text, moment) => {
  const made = await create(await api.tenant(), { expires_at: text });
  expect([made.status, made.body.expires_at]).toEqual([201, moment]);
});

test('simultaneous requests stop at ten; a revoked key makes room', async () => {
  const tenant = await api.tenant();
  const answers = await Promise.all(Array.from({ length: 15 }, () => create(tenant)));
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(10);
  const refused = answers.find((answer) => answer.status === 400);
  expect(refused?.body).toEqual({ detail: { code: 'MAX_KEYS_EXCEEDED', message: expect.any(String) } });
  await tenant.call('DELETE', `/api-keys/${answers.find((answer) => answer.status === 201)?.body.id}`);
  expect((await create(tenant)).status).toBe(201);
});

test('a revoked key is refused at once and for good, its record stays', async () => {
  const tenant = await api.tenant();
  const { key, id } = (await create(tenant)).body;
  expect((await tenant.call('GET', '/workflows', { token: key })).status).toBe(200);
  const revoked = await tenant.call('DELETE', `/api-keys/${id}`);
  expect([revoked.status, revoked.body.is_active]).toEqual([200, false]);
  const answer = await tenant.call('GET', '/workflows', { token: key });
  expect([answer.status, answer.body, answer.headers.get('www-authenticate')]).toEqual([
    401,
    { detail: 'Invalid API key' },
    'Bearer',
  ]);
  expect((await tenant.call('DELETE', `/api-keys/${id}`)).body.revoked_at).toBe(revoked.body.revoked_at);
});

test('SEC-A13: an expired key is 401, and its record shows the expiry', async () => {
  const tenant = await api.tenant();
  const { key, id } = (await create(tenant)).body;
  await api.deps.db.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
  const answer = await tenant.call('GET', '/workflows', { token: key });
  expect([answer.status, answer.body]).toEqual([401, { detail: 'API key has expired' }]);
  expect((await tenant.call('GET', `/api-keys/${id}`)).body.is_expired).toBe(true);
});

test.each([`' OR 1=1--`, '%00', 'A'.repeat(10_000), 'a'.repeat(43)])(
  'svc_live_%.20s is no key',
  async (rest) => {
    const answer = await api.call('GET', '/auth/me', { token: `svc_live_${rest}` });
    expect([answer.status, answer.body]).toEqual([401, { detail: 'Invalid API key' }]);
  },
);

test('hint and masked key open nothing', async () => {
  const tenant = await api.tenant();
  const { body } = await create(tenant);
  for (const token of [body.key_hint, body.masked_key, `svc_live_${body.key_hint}`]) {
    expect((await tenant.call('GET', '/workflows', { token })).status).toBe(401);
  }
});

test('SEC-A16, SEC-A17, SEC-A18: a pinned key acts in its organization only, which is checked before membership', async () => {
  const tenant = await api.tenant();
  const second: string = (await tenant.call('POST', '/organizations', { body: { name: 'Second' } })).body.id;
  const { key } = (await create(tenant, { organization_id: tenant.org })).body;
  expect((await tenant.call('GET', '/workflows', { token: key })).status).toBe(200);
  expect((await tenant.call('GET', '/workflows', { token: key, org: undefined })).body).toEqual({
    detail: 'X-Organization-ID header is required',
  });
  for (const org of [second, crypto.randomUUID()]) {
    const answer = await tenant.call('GET', '/workflows', { token: key, org });
    expect([answer.status, answer.body]).toEqual([
      403,
      { detail: 'API key is scoped to a different organization' },
    ]);
  }
  const elsewhere = await tenant.call('POST', '/workflows', {
    token: key,
    body: { name: 'x', workflow_schema: { nodes: [], edges: [] }, organization_id: second },
  });
  expect(elsewhere.status).toBe(403);
});

test('SEC-A20: a key makes no key that may do more than itself', async () => {
  const tenant = await api.tenant();
  const second: string = (await tenant.call('POST', '/organizations', { body: { name: 'Second' } })).body.id;
  const soon = new Date(Date.now() + 60_000).toISOString();
  const later = new Date(Date.now() + 120_000).toISOString();
  const inside = { organization_id: tenant.org, expires_at: soon, rate_limit_per_minute: 70 };
  const { key } = (await create(tenant, inside)).body;
  expect((await create(tenant, inside, key)).status).toBe(201);
  for (const wider of [
    { ...inside, rate_limit_per_minute: 71 },
    { ...inside, rate_limit_per_minute: 1_000 },
    { ...inside, organization_id: second },
    { ...inside, organization_id: null },
    { ...inside, expires_at: later },
    { ...inside, expires_at: null },
  ]) {
    const refused = await create(tenant, wider, key);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([
      403,
      wider.organization_id === tenant.org ? 'api_key_too_wide' : 'api_key_scope',
    ]);
  }
});

test('SEC-A20: a key of fewer requests than the default has to name them for the key that it makes', async () => {
  const tenant = await api.tenant();
  const { key } = (await create(tenant, { rate_limit_per_minute: 59 })).body;
  const refused = await create(tenant, {}, key);
  expect([refused.status, refused.body.detail]).toEqual([
    403,
    'An API key of 59 requests a minute cannot create one of 60',
  ]);
  expect((await create(tenant, { rate_limit_per_minute: 59 }, key)).status).toBe(201);
});

test('SEC-A20: a key revokes no key that may do more than itself', async () => {
  const tenant = await api.tenant();
  const second: string = (await tenant.call('POST', '/organizations', { body: { name: 'Second' } })).body.id;
  const soon = new Date(Date.now() + 600_000).toISOString();
  const inside = { organization_id: tenant.org, expires_at: soon, rate_limit_per_minute: 70 };
  const { key, id } = (await create(tenant, inside)).body;
  const revoke = (target: string) =>
    tenant.call('DELETE', `/api-keys/${target}`, { token: key, org: undefined });
  for (const wider of [
    { ...inside, organization_id: second },
    { ...inside, organization_id: null },
    { ...inside, rate_limit_per_minute: 71 },
    { ...inside, expires_at: new Date(Date.now() + 1_200_000).toISOString() },
    { ...inside, expires_at: null },
  ]) {
    const other = (await create(tenant, wider)).body;
    expect((await revoke(other.id)).status).toBe(403);
    expect((await tenant.call('GET', `/api-keys/${other.id}`)).body.is_active).toBe(true);
  }
  const equal = (await create(tenant, inside)).body;
  expect((await revoke(equal.id)).body.is_active).toBe(false);
  expect((await revoke(id)).body.is_active).toBe(false);
});

test('a pinned key sees and makes only what its organization is about', async () => {
  const tenant = await api.tenant();
  const second: string = (await tenant.call('POST', '/organizations', { body: { name: 'Second' } })).body.id;
  const wide = (await create(tenant)).body;
  const foreign = (await create(tenant, { organization_id: second })).body;
  const { key, id } = (await create(tenant, { organization_id: tenant.org })).body;
  const call = (method: string, path: string, body?: object) =>
    tenant.call(method, path, { token: key, org: undefined, ...(body === undefined ? {} : { body }) });
  const ids = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id);
  expect((await call('POST', '/organizations', { name: 'Third' })).status).toBe(403);
  expect(ids((await call('GET', '/organizations')).body)).toEqual([tenant.org]);
  expect(ids((await call('GET', '/auth/me/organizations')).body.organizations)).toEqual([tenant.org]);
  expect(ids((await call('GET', '/api-keys')).body.api_keys)).toEqual([id]);
  for (const other of [wide.id, foreign.id])
    expect((await call('GET', `/api-keys/${other}`)).status).toBe(403);
  expect((await call('GET', '/auth/me')).status).toBe(200);
  // A key without a pin does all of it.
  const made = await tenant.call('POST', '/organizations', { token: wide.key, body: { name: 'Third' } });
  expect(made.status).toBe(201);
  expect((await tenant.call('GET', '/organizations', { token: wide.key })).body).toHaveLength(3);
});

test('SEC-A21: pinning needs membership', async () => {
  const [tenant, stranger] = await Promise.all([api.tenant(), api.tenant()]);
  const answer = await create(tenant, { organization_id: stranger.org });
  expect([answer.status, answer.body]).toEqual([
    403,
    { detail: `User is not a member of organization ${stranger.org}` },
  ]);
});

test('a key that is read shows its last use, though uses are written once a second', async () => {
  const tenant = await api.tenant();
  const { key, id } = (await create(tenant)).body;
  await tenant.call('GET', '/workflows', { token: key });
  const used = (await tenant.call('GET', `/api-keys/${id}`)).body.last_used_at;
  expect(used).toEqual(expect.any(String));
  await tenant.call('GET', '/workflows', { token: key });
  const [row] = (await tenant.call('GET', '/api-keys')).body.api_keys;
  expect(Date.parse(row.last_used_at)).toBeGreaterThan(Date.parse(used));
});

test('the last use is recorded, a moment later', async () => {
  const tenant = await api.tenant();
  const { key, id } = (await create(tenant)).body;
  await tenant.call('GET', '/workflows', { token: key });
  await api.deps.keyUse.flush();
  const [row] = await api.deps.db.query('SELECT last_used_at, last_used_ip FROM api_keys WHERE id = $1', [
    id,
  ]);
  expect(row).toEqual({ last_used_at: expect.any(Date), last_used_ip: expect.stringContaining('127.0.0.1') });
});

test('a key of ten a minute admits ten of thirty at once; another key and the token go on', async () => {
  const tenant = await api.tenant();
  const narrow: string = (await create(tenant, { rate_limit_per_minute: 10 })).body.key;
  const wide: string = (await create(tenant)).body.key;
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => tenant.call('GET', '/auth/me', { token: narrow })),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10);
  const refused = answers.find((answer) => answer.status === 429);
  expect(refused?.body).toEqual({ detail: 'API key rate limit exceeded' });
  const wait = Number(refused?.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(refused?.headers.get('x-ratelimit-limit')).toBe('10');
  expect(refused?.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(Number(refused?.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 - 2);
  expect((await tenant.call('GET', '/auth/me', { token: wide })).status).toBe(200);
  expect((await tenant.call('GET', '/auth/me')).status).toBe(200);
});

test('the user`s limit spans all keys, and a refusal counts for neither', async () => {
  const tenant = await api.tenant();
  const first: string = (await create(tenant, { rate_limit_per_minute: 1_000 })).body.key;
  const second: string = (await create(tenant, { rate_limit_per_minute: 1_000 })).body.key;
  const { id: userId } = (await tenant.call('GET', '/auth/me', { token: first })).body;
  await api.deps.db.query('SELECT rl_take(ARRAY[$1], ARRAY[1000]) FROM generate_series(1, 299)', [
    `user:${userId}`,
  ]);
  const answer = await tenant.call('GET', '/auth/me', { token: second });
  expect([answer.status, answer.body]).toEqual([
    429,
    { detail: 'User rate limit exceeded (across all API keys)' },
  ]);
  expect(answer.headers.get('x-ratelimit-limit')).toBe('300');
  const [window] = await api.deps.db.query(
    `SELECT (SELECT sum(c) FROM unnest(counts) c) AS used FROM rate_windows WHERE subject = 'key:' || $1`,
    [(await tenant.call('GET', '/api-keys')).body.api_keys[0].id],
  );
  expect(window?.['used'] ?? 0).toBe(0);
});

test('SEC-B01: the window slides: what is 61 seconds old is forgotten, what is 60 is not', async () => {
  const take = async (): Promise<{ exhausted: number; remaining: number; retry_after: number }> => {
    const [row] = await api.deps.db.query<{ exhausted: number; remaining: number; retry_after: number }>(
      `SELECT * FROM rl_take(ARRAY['slide'], ARRAY[2])`,
    );
    if (row === undefined) throw new Error('no row');
    return row;
  };
  const age = (seconds: number) =>
    // Turns the ring and its newest second back together.
    api.deps.db.query(
      `UPDATE rate_windows SET newest = newest - $1,
         counts = (SELECT array_agg(counts[1 + (i + $1) % 61] ORDER BY i) FROM generate_series(0, 60) i)
       WHERE subject = 'slide'`,
      [seconds],
    );
  expect(await take()).toEqual({ exhausted: 0, remaining: 1, retry_after: 0, used: 1 });
  await age(30);
  expect(await take()).toMatchObject({ exhausted: 0, remaining: 0 });
  const full = await take();
  expect(full.exhausted).toBe(1);
  expect(full.retry_after).toBeGreaterThan(15);
  expect(full.retry_after).toBeLessThanOrEqual(31);
  await age(32);
  expect(await take()).toMatchObject({ exhausted: 0, remaining: 0 });
  expect((await take()).exhausted).toBe(1);
});
