/** A program would lose its access with the person who set it up, or reach what its organization did not give it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
let owner: Tenant;
let admin: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  api = await startApi();
  owner = await api.tenant();
  admin = await api.tenant({ email: 'admin@example.test' });
  stranger = await api.tenant();
  await join(admin, 'admin');
});
afterAll(() => api.close());

const idOf = async (tenant: Tenant): Promise<string> => (await tenant.call('GET', '/auth/me')).body.id;

/** Makes a tenant a member of the owner's organization. */
async function join(tenant: Tenant, role: string): Promise<void> {
  await api.deps.db.query('INSERT INTO memberships (user_id, organization_id, role) VALUES ($1, $2, $3)', [
    await idOf(tenant),
    owner.org,
    role,
  ]);
}

/** Acts in the owner's organization. */
const as = (tenant: Tenant, method: string, path: string, body?: unknown): Promise<Answer> =>
  tenant.call(method, path, { org: owner.org, ...(body === undefined ? {} : { body }) });

async function newAccount(
  by: Tenant,
  more: object = {},
): Promise<{ id: string; key: string; keyId: string }> {
  const account = await as(by, 'POST', '/service-accounts', { name: 'CI', ...more });
  expect(account.status, account.text).toBe(201);
  const made = await as(by, 'POST', `/service-accounts/${account.body.id}/keys`, { name: 'deploy' });
  expect(made.status, made.text).toBe(201);
  return { id: account.body.id, key: made.body.key, keyId: made.body.id };
}

const withKey = (key: string, method: string, path: string, more: object = {}): Promise<Answer> =>
  api.call(method, path, { token: key, org: owner.org, ...more });

test("an account's key acts in its organization and in no other, and ends with the person who made it", async () => {
  const { id, key } = await newAccount(admin);
  const made = await withKey(key, 'POST', '/workflows', {
    body: { name: 'x', workflow_schema: { nodes: [], edges: [] } },
  });
  expect(made.status).toBe(201);
  expect(made.body.creator_id).toBe(id);
  expect((await withKey(key, 'GET', '/workflows', { org: stranger.org })).status).toBe(403);
  expect((await withKey(key, 'POST', '/organizations', { body: { name: 'own' } })).status).toBe(403);
  expect((await withKey(key, 'GET', '/organizations')).body.map((one: { id: string }) => one.id)).toEqual([
    owner.org,
  ]);

  const others = await as(owner, 'POST', `/service-accounts/${id}/keys`, { name: 'of somebody who stays' });
  const own = await as(admin, 'POST', '/api-keys', { name: 'own', organization_id: owner.org });
  const left = await as(owner, 'DELETE', `/organizations/${owner.org}/members/${await idOf(admin)}`);
  expect(left.status).toBe(200);
  expect((await api.call('GET', '/workflows', { token: own.body.key, org: owner.org })).status).toBe(401);
  expect((await withKey(key, 'GET', '/workflows')).status).toBe(401);
  expect((await withKey(others.body.key, 'GET', '/workflows')).status).toBe(200);
  const shown = await as(owner, 'GET', `/service-accounts/${id}`);
  expect(shown.body).toMatchObject({ role: 'admin', created_by_email: 'admin@example.test' });
  await join(admin, 'admin');
});

test('accounts are managed by owners and admins of their organization; owner accounts by owners alone', async () => {
  const { id, keyId } = await newAccount(owner, { role: 'owner' });
  for (const [method, path, body] of [
    ['PATCH', `/service-accounts/${id}`, { name: 'mine' }],
    ['DELETE', `/service-accounts/${id}`, undefined],
    ['POST', `/service-accounts/${id}/keys`, { name: 'mine' }],
    ['DELETE', `/service-accounts/${id}/keys/${keyId}`, undefined],
    ['POST', '/service-accounts', { name: 'mine', role: 'owner' }],
  ] as const) {
    const refused = await as(admin, method, path, body);
    expect([path, refused.status, refused.headers.get('x-error-code')]).toEqual([
      path,
      403,
      'owner_role_required',
    ]);
  }
  expect((await stranger.call('GET', `/service-accounts/${id}`)).status).toBe(404);
  expect((await stranger.call('GET', '/service-accounts')).body.total).toBe(0);
  const retired = await api.tenant();
  await join(retired, 'member');
  expect((await as(retired, 'GET', '/service-accounts')).status).toBe(403);
});

test('an account is no member: it is not listed, invited or removed as one, and is no last owner', async () => {
  const { id } = await newAccount(owner, { role: 'owner' });
  const members = await as(owner, 'GET', `/organizations/${owner.org}/members`);
  expect(members.body.members.map((one: { user_id: string }) => one.user_id)).not.toContain(id);
  const path = `/organizations/${owner.org}/members`;
  expect((await as(owner, 'DELETE', `${path}/${id}`)).status).toBe(404);
  const last = await as(owner, 'DELETE', `${path}/${await idOf(owner)}`);
  expect(last.headers.get('x-error-code')).toBe('last_owner');
  const token = await api.identity.mint({ sub: `service-account:${id}` });
  expect((await api.call('GET', '/auth/me', { token })).status).toBe(401);
});

test('a deleted account and a revoked key lose access with the answer', async () => {
  const { id, key, keyId } = await newAccount(owner);
  const second = await as(owner, 'POST', `/service-accounts/${id}/keys`, { name: 'second' });
  const revoked = await as(owner, 'DELETE', `/service-accounts/${id}/keys/${keyId}`);
  expect(revoked.body).toMatchObject({ is_active: false });
  expect((await withKey(key, 'GET', '/workflows')).status).toBe(401);
  expect((await withKey(second.body.key, 'GET', '/workflows')).status).toBe(200);
  expect((await as(owner, 'DELETE', `/service-accounts/${id}`)).status).toBe(200);
  expect((await withKey(second.body.key, 'GET', '/workflows')).status).toBe(401);
  expect((await as(owner, 'GET', `/service-accounts/${id}`)).status).toBe(404);
});

test('limits: its own across its keys, not that of a person; the plan and the operator set the most', async () => {
  const { id, key } = await newAccount(owner, { rate_limit_per_minute: 400 });
  const statuses: number[] = [];
  for (let batch = 0; batch < 41; batch += 1)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 10 }, () => withKey(key, 'GET', '/auth/me')))).map(
        ({ status }) => status,
      ),
    );
  // A person would have been refused after 300; the tests before this one used other accounts.
  expect(statuses.filter((status) => status === 200)).toHaveLength(400);
  const both = await as(owner, 'POST', `/service-accounts/${id}/keys`, { name: 'two' });
  const refused = await api.call('GET', '/auth/me', { token: both.body.key });
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([
    429,
    'service_account_rate_limited',
  ]);

  await api.deps.db.query(`UPDATE organizations SET plan = 'free' WHERE id = $1`, [owner.org]);
  const high = await as(owner, 'POST', '/service-accounts', { name: 'x', rate_limit_per_minute: 301 });
  expect(high.status).toBe(422);
  expect(high.text).toContain('allows a service account 300 requests a minute');
  await api.deps.db.query(
    `UPDATE organizations SET entitlements = '{"service_account": 2, "api": null}' WHERE id = $1`,
    [owner.org],
  );
  const { key: narrow } = await newAccount(owner);
  const some = [];
  for (let n = 0; n < 3; n += 1) some.push((await withKey(narrow, 'GET', '/auth/me')).status);
  expect(some).toEqual([200, 200, 429]);
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise', entitlements = '{}' WHERE id = $1`, [
    owner.org,
  ]);
});

test('SEC-A20: a key makes no key of an account that is wider than itself', async () => {
  const { id } = await newAccount(owner);
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const made = await as(owner, 'POST', '/api-keys', { name: 'short', expires_at: expires });
  const call = (body: object): Promise<Answer> =>
    api.call('POST', `/service-accounts/${id}/keys`, { token: made.body.key, org: owner.org, body });
  expect((await call({ name: 'x' })).headers.get('x-error-code')).toBe('api_key_too_wide');
  expect((await call({ name: 'x', expires_at: expires, rate_limit_per_minute: 60 })).status).toBe(201);
});
