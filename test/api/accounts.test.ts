/**
 * A first sign-in would make two accounts or none, or a person would act in an organization that they do not belong
 * to.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hello, startApi, type ApiServer } from '../support/api-server.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApi({ MANAGED_LLM_BASE_URL: 'http://127.0.0.1:9/v1', MANAGED_LLM_MODEL: 'stand-in' });
});
afterAll(() => api.close());

const count = async (statement: string, ...params: unknown[]): Promise<number> => {
  const [row] = await api.deps.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${statement}`, params);
  return row?.n ?? -1;
};

test('SEC-J23: twenty first requests make one account', async () => {
  const token = await api.identity.mint({ sub: 'twenty' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.call('GET', '/auth/me', { token })));
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  const userId: string = answers[0]!.body.id;
  expect(await count(`users WHERE subject = 'twenty'`)).toBe(1);
  expect(await count(`memberships WHERE user_id = $1 AND role = 'owner'`, userId)).toBe(1);
  expect(await count('workflows WHERE creator_id = $1', userId)).toBe(1);
  expect(await count('deployments WHERE deployed_by = $1 AND is_live', userId)).toBe(1);
});

test('the starter workflow is deployed, valid, and named in no finding', async () => {
  const tenant = await api.tenant();
  const [summary] = (await tenant.call('GET', '/workflows')).body.workflows;
  const starter = (await tenant.call('GET', `/workflows/${summary.id}`)).body;
  expect(starter.problems).toEqual([]);
  expect(starter.live_deployment_id).not.toBeNull();
  expect(starter.input.text).toMatch(/\w/);
  const types = starter.workflow_schema.nodes.map((node: { type: string }) => node.type);
  expect(new Set(types)).toEqual(new Set(['transformer', 'guardrails', 'llm', 'function', 'conditional']));
});

test('an account is found again by its subject, whatever its address is now', async () => {
  const first = await api.call('GET', '/auth/me', {
    token: await api.identity.mint({ sub: 's', email: 'Old@Example.Test ' }),
  });
  const later = await api.call('GET', '/auth/me', {
    token: await api.identity.mint({ sub: 's', email: 'new@example.test' }),
  });
  expect(first.body.email).toBe('old@example.test');
  expect(later.body).toEqual({ ...first.body, email: 'new@example.test' });
});

test('the first organization is named after the part of the address before its @, or after all of one without', async () => {
  const nameOrganization = async (email: string): Promise<string> => {
    const token = await api.identity.mint({ sub: `named ${email}`, email });
    const { body } = await api.call('GET', '/auth/me/organizations', { token });
    return body.organizations[0].name;
  };
  expect(await nameOrganization('Ada@example.test')).toBe("ada's organization");
  expect(await nameOrganization('grace')).toBe("grace's organization");
  expect(await nameOrganization('@example.test')).toBe("Personal's organization");
});

test('invitations become memberships only for a verified address, and only its own', async () => {
  const owner = await api.tenant();
  const invite = (email: string) =>
    owner.call('POST', `/organizations/${owner.org}/invitations`, { body: { email, role: 'admin' } });
  for (const email of ['verified@example.test', 'unverified@example.test', 'dot@example.test']) {
    expect((await invite(email)).status).toBe(201);
  }
  const organizations = async (claims: Record<string, unknown>): Promise<string[]> => {
    const token = await api.identity.mint(claims);
    const { body } = await api.call('GET', '/auth/me/organizations', { token });
    return body.organizations.map((row: { id: string }) => row.id);
  };
  expect(await organizations({ email: 'Verified@Example.Test' })).toContain(owner.org);
  expect(await organizations({ email: 'unverified@example.test', email_verified: false })).not.toContain(
    owner.org,
  );
  expect(await organizations({ email: 'd\u043et@example.test' })).not.toContain(owner.org);
});

test('invitations accept only admin, and only into the organization of the header', async () => {
  const owner = await api.tenant();
  const path = `/organizations/${owner.org}/invitations`;
  for (const role of ['member', 'owner']) {
    const answer = await owner.call('POST', path, { body: { email: 'a@example.test', role } });
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'role']]);
  }
});

test('SEC-J26: an inactive user is 403, by token and by key', async () => {
  const tenant = await api.tenant();
  const { key } = (await tenant.call('POST', '/api-keys', { body: { name: 'x' } })).body;
  await api.deps.db.query(
    'UPDATE users SET is_active = false WHERE id IN (SELECT user_id FROM memberships WHERE organization_id = $1)',
    [tenant.org],
  );
  for (const token of [tenant.token, key]) {
    const answer = await tenant.call('GET', '/workflows', { token });
    expect([answer.status, answer.body]).toEqual([403, { detail: 'User is inactive' }]);
  }
});

test('the role claim is a user-level role and opens no organization', async () => {
  const owner = await api.tenant();
  const token = await api.identity.mint({ metadata: { role: 'owner' } });
  expect((await api.call('GET', '/auth/me', { token })).body.role).toBe('OWNER');
  expect((await api.call('GET', '/workflows', { token, org: owner.org })).status).toBe(403);
});

test('SEC-T04: the organization header must be a UUID and may be written in capitals', async () => {
  const tenant = await api.tenant();
  const wrong = await tenant.call('GET', '/workflows', { org: 'not-a-uuid' });
  expect([wrong.status, wrong.body]).toEqual([400, { detail: 'Invalid X-Organization-ID format' }]);
  expect((await tenant.call('GET', '/workflows', { org: tenant.org.toUpperCase() })).status).toBe(200);
});

test('organizations of one name have different slugs, and each owner acts in its own', async () => {
  const tenant = await api.tenant();
  const made = await Promise.all(
    Array.from({ length: 5 }, () =>
      tenant.call('POST', '/organizations', { body: { name: 'Same Náme & Co' } }),
    ),
  );
  expect(made.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201]);
  const slugs = made.map((answer): string => answer.body.slug);
  expect(new Set(slugs).size).toBe(5);
  for (const slug of slugs) expect(slug).toMatch(/^same-na-me-co-[0-9a-f]{10}$/);
  const org: string = made[0]!.body.id;
  const created = await tenant.call('POST', '/workflows', {
    org,
    body: { name: 'x', workflow_schema: hello() },
  });
  expect(created.body.organization_id).toBe(org);
});

test('chats are listed newest first by cursor, the caller`s own only', async () => {
  const tenant = await api.tenant();
  const other = await api.tenant();
  await api.deps.db.query(
    `INSERT INTO chats (organization_id, user_id, thread_id, kind, title, updated_at)
     SELECT m.organization_id, m.user_id, 't' || n, 'assistant', 'chat ' || n, timestamptz '2026-01-01' + (n / 2) * interval '1 day'
     FROM memberships m, generate_series(1, 5) n WHERE m.organization_id = $1`,
    [tenant.org],
  );
  const titles: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await tenant.call('GET', `/assistant/chats?limit=2${query}`);
    titles.push(...body.items.map((item: { title: string }) => item.title));
    cursor = body.next_cursor;
    if (cursor !== null) {
      const stolen = await other.call('GET', `/assistant/chats?cursor=${cursor}`);
      expect([stolen.status, stolen.body]).toEqual([400, { detail: 'Invalid cursor' }]);
    }
  } while (cursor !== null);
  expect(titles).toHaveLength(5);
  expect(new Set(titles).size).toBe(5);
  expect(titles.at(-1)).toBe('chat 1');
  expect((await other.call('GET', '/assistant/chats')).body).toEqual({ items: [], next_cursor: null });
  expect((await tenant.call('GET', '/composer/chats')).body.items).toEqual([]);
});

test('a first sign-in leaves a credential of the managed model and a default Composer model', async () => {
  const tenant = await api.tenant();
  const { credentials } = (await tenant.call('GET', '/credentials')).body;
  expect(credentials).toMatchObject([
    { name: 'Managed model', integration: 'managed', auth_type: 'managed', status: 'active', masked: {} },
  ]);
  const { settings } = (await tenant.call('GET', `/organizations/${tenant.org}`)).body;
  expect(settings).toEqual({ composer: { model: 'stand-in' } });
  const tested = await tenant.call('POST', `/credentials/${credentials[0].credential_id}/test`);
  expect([tested.status, tested.body.status]).toEqual([200, 'active']);
  // A definition may name it wherever a model's account goes.
  const node = { id: 'm', type: 'llm', name: 'M', position: { x: 0, y: 0 } };
  const config = { provider: 'openai', model: 'stand-in', credential_id: credentials[0].credential_id };
  const definition = { ...hello(), nodes: [{ ...node, data: { config: { ...config, prompt: 'x' } } }] };
  const made = await tenant.call('POST', '/workflows', { body: { name: 'x', workflow_schema: definition } });
  expect(made.status).toBe(201);
});

test('the Composer asks the model of the settings', async () => {
  const tenant = await api.tenant();
  const body = { settings: { composer: { model: 'another' } } };
  await tenant.call('PATCH', `/organizations/${tenant.org}`, { body });
  const { run_id: runId } = (await tenant.call('POST', '/composer/chat', { body: { message: 'x' } })).body;
  const [run] = await api.deps.db.query<{ model: string }>(
    `SELECT input ->> 'model' AS model FROM runs WHERE run_id = $1`,
    [runId],
  );
  expect(run?.model).toBe('another');
});
