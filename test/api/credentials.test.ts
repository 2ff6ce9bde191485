/**
 * A stored credential would be shown, used by another organization, or sent to another host (SPEC SEC-T16, SEC-Z05,
 * SEC-Z06).
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/base/config/config.ts';
import { createLog } from '../../src/base/log.ts';
import { requireKeys, rewrapAll } from '../../src/platform/credentials/vault/rotation.ts';
import { Vault } from '../../src/platform/credentials/vault/vault.ts';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { chain, http, node } from '../support/definitions.ts';
import { until } from '../support/runs.ts';
import { startMcpServer, type McpServer } from '../support/mcp-server.ts';
import { sink, type Sink } from '../platform/outbound/support.ts';

const SECRET = 'sk-CANARY-0123456789-tail';
const openai = (data: object = {}): Record<string, unknown> => ({
  name: 'Mine',
  integration: 'openai',
  auth_type: 'api_key',
  data: { api_key: SECRET, ...data },
});

let service: Sink;
let mcp: McpServer;
let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;
const answers: string[] = [];

beforeAll(async () => {
  service = await sink();
  mcp = await startMcpServer([]);
  api = await startApi({ OUTBOUND_ALLOW: `127.0.0.1:${service.port},${mcp.hostPort}` });
  const made = await Promise.all([api.tenant(), api.tenant()]);
  [tenant, stranger] = made;
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise'`);
});
afterAll(async () => {
  await api.close();
  await service.close();
  await mcp.close();
});

async function call(method: string, path: string, body?: unknown, who = tenant): Promise<Answer> {
  const answer = await who.call(method, path, body === undefined ? {} : { body });
  answers.push(answer.text);
  return answer;
}
async function create(body: object = openai()): Promise<string> {
  const answer = await call('POST', '/credentials', body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body.credential_id;
}
const llm = (credentialId: string): ReturnType<typeof chain> =>
  chain(
    node('ask', 'llm', {
      provider: 'openai',
      model: 'm',
      credential_id: credentialId,
      messages: [{ role: 'user', content: 'x' }],
    }),
  );

afterAll(() => {
  expect(answers.length).toBeGreaterThan(10);
  expect(answers.filter((text) => /CANARY|0123456789/.test(text))).toEqual([]);
});

test('SEC-Z06: a credential is shown without its data, its secret masked to four characters', async () => {
  const id = await create(openai({ base_url: 'https://proxy.test/v1' }));
  for (const path of [`/credentials/${id}`, '/credentials']) {
    const { body } = await call('GET', path);
    const shown = path === '/credentials' ? body.credentials[0] : body;
    expect(shown).not.toHaveProperty('data');
    expect(shown).toMatchObject({
      credential_id: id,
      organization_id: tenant.org,
      integration: 'openai',
      auth_type: 'api_key',
      status: 'active',
      masked: { api_key: '****tail', base_url: 'https://proxy.test/v1' },
      allowed_hosts: ['proxy.test'],
    });
  }
});

test('a short secret shows nothing of itself', async () => {
  const { body } = await call('POST', '/credentials', openai({ api_key: 'shortkey' }));
  expect(body.masked).toEqual({ api_key: '****' });
});

test('the database holds no readable secret', async () => {
  await create();
  const rows = await api.deps.db.query(
    'SELECT row_to_json(c)::text AS text, encode(ciphertext, $1) AS raw FROM credentials c',
    ['escape'],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/CANARY/);
});

test.each([
  [{ integration: 'nope' }, ['body', 'integration']],
  [{ auth_type: 'basic' }, ['body', 'auth_type']],
  [{ data: {} }, ['body', 'data', 'api_key']],
  [{ data: { api_key: `${SECRET}\nx: y` } }, ['body', 'data', 'api_key']],
  [{ data: { api_key: 7 } }, ['body', 'data', 'api_key']],
  [{ data: { api_key: SECRET, extra: SECRET } }, ['body', 'data', 'extra']],
  [{ data: { api_key: SECRET, base_url: 'https://u:p@host/' } }, ['body', 'data', 'base_url']],
  [{ data: { api_key: SECRET, base_url: 'file:///x' } }, ['body', 'data', 'base_url']],
  [{ allowed_hosts: ['evil.test'] }, ['body', 'allowed_hosts']],
  [{ allowed_hosts: ['https://x'] }, ['body', 'allowed_hosts', 0]],
  [{ integration: 'http', auth_type: 'bearer', data: { access_token: SECRET } }, ['body', 'allowed_hosts']],
])('%# is 422 and names the field', async (change, loc) => {
  const answer = await call('POST', '/credentials', { ...openai(), ...change });
  expect([answer.status, answer.body.detail[0].loc]).toEqual([422, loc]);
});

test('an HTTP account names its hosts, in one spelling', async () => {
  const { body } = await call('POST', '/credentials', {
    ...openai(),
    integration: 'http',
    auth_type: 'basic',
    data: { username: 'u', password: SECRET },
    allowed_hosts: ['API.example.com', '127.0.0.1:9999'],
  });
  expect(body.allowed_hosts).toEqual(['api.example.com', '127.0.0.1:9999']);
  expect(body.masked).toEqual({ username: 'u', password: '****tail' });
});

test('it belongs to its organization', async () => {
  const id = await create();
  for (const method of ['GET', 'DELETE'])
    expect((await call(method, `/credentials/${id}`, undefined, stranger)).status).toBe(404);
  expect((await call('PATCH', `/credentials/${id}`, { name: 'x' }, stranger)).status).toBe(404);
  expect((await call('GET', '/credentials', undefined, stranger)).body).toEqual({
    credentials: [],
    total: 0,
  });
});

describe('changing', () => {
  test('hosts are added only together with the data', async () => {
    const id = await create();
    const path = `/credentials/${id}`;
    expect((await call('PATCH', path, { allowed_hosts: ['evil.test'] })).status).toBe(422);
    const wider = { allowed_hosts: ['api.openai.com', 'other.test'], data: { api_key: SECRET } };
    expect((await call('PATCH', path, wider)).body.allowed_hosts).toEqual(wider.allowed_hosts);
    const narrower = await call('PATCH', path, { allowed_hosts: ['api.openai.com'] });
    expect(narrower.body.allowed_hosts).toEqual(['api.openai.com']);
  });

  test('data is replaced as a whole: another base takes the key along only if it is sent again', async () => {
    const id = await create();
    const moved = await call('PATCH', `/credentials/${id}`, { data: { base_url: 'https://evil.test/' } });
    expect([moved.status, moved.body.detail[0].loc]).toEqual([422, ['body', 'data', 'api_key']]);
    const { body } = await call('PATCH', `/credentials/${id}`, {
      data: { api_key: `${SECRET}2`, base_url: 'https://new.test/' },
    });
    expect(body).toMatchObject({ allowed_hosts: ['new.test'], masked: { api_key: '****ail2' } });
    const owner = { organizationId: tenant.org, credentialId: id };
    expect((await new Vault(api.deps).find(owner))?.data).toEqual({
      api_key: `${SECRET}2`,
      base_url: 'https://new.test/',
    });
  });

  test('a revoked one is out of use until it gets new data', async () => {
    const id = await create();
    const path = `/credentials/${id}`;
    expect((await call('PATCH', path, { status: 'revoked' })).body.status).toBe('revoked');
    expect((await new Vault(api.deps).find({ organizationId: tenant.org, credentialId: id }))?.state).toBe(
      'revoked',
    );
    expect((await call('PATCH', path, { data: { api_key: SECRET } })).body.status).toBe('active');
  });

  test('an expiry in the past shows it as expired', async () => {
    const id = await create();
    const past = { expires_at: '2020-01-01T00:00:00Z' };
    expect((await call('PATCH', `/credentials/${id}`, past)).body.status).toBe('expired');
  });
});

describe('in definitions', () => {
  test('SEC-T16: a credential of another organization, or of none, is refused at the run and at the deploy', async () => {
    const foreign = await create();
    for (const id of [foreign, crypto.randomUUID()]) {
      const detail = 'Node "ask": credential_id: the credential does not exist';
      const run = await call('POST', '/workflows/run', { workflow: llm(id) }, stranger);
      expect([run.status, run.body]).toEqual([400, { detail }]);
      const saved = await call('POST', '/workflows', { name: 'x', workflow_schema: llm(id) }, stranger);
      const deployed = await call('POST', `/workflows/${saved.body.id}/deploy`, {}, stranger);
      expect([deployed.status, deployed.body]).toEqual([400, { detail }]);
    }
  });

  test('a field of that name in a body is data', async () => {
    const workflow = chain(http('send', 'https://api.example.com/', { body: { credential_id: 'theirs' } }));
    expect((await call('POST', '/workflows/run', { workflow })).status).toBe(200);
  });

  test('a credential in use is not deleted, and the refusal names its users', async () => {
    const id = await create();
    const saved = await call('POST', '/workflows', { name: 'x', workflow_schema: llm(id) });
    expect((await call('POST', `/workflows/${saved.body.id}/deploy`, {})).status).toBe(201);
    expect((await call('GET', `/credentials/${id}`)).body.in_use_by).toEqual({
      workflows: 1,
      knowledge_bases: 0,
    });
    const refused = await call('DELETE', `/credentials/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toMatch(/workflow "Test".*deployment 1\.0\.0 of "Test"/);
    await call('DELETE', `/workflows/${saved.body.id}`);
    expect((await call('DELETE', `/credentials/${id}`)).status).toBe(200);
    expect((await call('GET', `/credentials/${id}`)).status).toBe(404);
  });

  test('a deploy waits for a deletion that is under way, and finds nothing then', async () => {
    const id = await create();
    const saved = await call('POST', '/workflows', { name: 'x', workflow_schema: llm(id) });
    const deployed = await api.deps.db.transaction(async (tx) => {
      await tx.query('DELETE FROM credentials WHERE id = $1', [id]);
      let answered = false;
      const pending = call('POST', `/workflows/${saved.body.id}/deploy`, {}).finally(() => (answered = true));
      const waits = async (): Promise<boolean> =>
        (
          await api.deps.db.query(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).length > 0;
      await until(async () => answered || (await waits()));
      return { pending };
    });
    expect((await deployed.pending).status).toBe(400);
  });
});

describe('a test of a credential', () => {
  test.each([
    [200, true, 'active'],
    [401, false, 'error'],
    [500, false, 'active'],
  ])('that is answered %i', async (status, success, state) => {
    service.answer = (_, response) => response.writeHead(status).end();
    const id = await create(openai({ base_url: `${service.base}/v1` }));
    const { body } = await call('POST', `/credentials/${id}/test`);
    expect(body).toMatchObject({ success, status: state });
    expect(service.heard.at(-1)).toMatchObject({
      method: 'GET',
      url: '/v1/models',
      headers: { authorization: `Bearer ${SECRET}` },
    });
    expect((await call('GET', `/credentials/${id}`)).body.last_tested_at).not.toBeNull();
  });

  test.each([
    [null, true, 'active'],
    [401, false, 'error'],
    [503, false, 'active'],
  ])('of an MCP server that answers %j lists its tools', async (refused, success, state) => {
    mcp.tools = [];
    mcp.refusal = refused === null ? null : { status: refused, headers: {} };
    const id = await create({
      name: 'Orders',
      integration: 'mcp',
      auth_type: 'bearer',
      data: { access_token: SECRET, server_url: mcp.url },
    });
    const { body } = await call('POST', `/credentials/${id}/test`);
    mcp.refusal = null;
    expect(body).toMatchObject({ success, status: state });
    expect(mcp.heard.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  test('does not reach into the network', async () => {
    const id = await create(openai({ base_url: 'http://127.0.0.1:1/v1' }));
    const { body } = await call('POST', `/credentials/${id}/test`);
    expect(body).toMatchObject({ success: false, status: 'active' });
  });
});

describe('the tools of a credential', () => {
  const server = () =>
    create({
      name: 'Orders',
      integration: 'mcp',
      auth_type: 'bearer',
      data: { access_token: SECRET, server_url: mcp.url },
    });

  test("are the server's, without the secret that it may repeat", async () => {
    const inputSchema = { type: 'object', properties: { number: { type: 'string', title: SECRET } } };
    mcp.tools = [{ name: 'find', description: `Finds with ${SECRET}`, inputSchema, answer: () => 500 }];
    const { status, body } = await call('GET', `/credentials/${await server()}/tools`);
    expect([status, body]).toEqual([
      200,
      {
        tools: [
          {
            name: 'find',
            description: 'Finds with ***',
            input_schema: { type: 'object', properties: { number: { type: 'string', title: '***' } } },
          },
        ],
        total: 1,
      },
    ]);
    expect(mcp.heard.find(({ rpc }) => rpc === 'tools/list')?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  test('are asked of MCP servers alone; a server that fails is no fault of the request', async () => {
    expect((await call('GET', `/credentials/${await create()}/tools`)).status).toBe(404);
    mcp.refusal = { status: 401, headers: {} };
    expect((await call('GET', `/credentials/${await server()}/tools`)).status).toBe(502);
    mcp.refusal = { status: 503, headers: {} };
    expect((await call('GET', `/credentials/${await server()}/tools`)).status).toBe(503);
  });
});

describe('the models of a credential', () => {
  const models = async (id: string, who = tenant) =>
    (await call('GET', `/models?credential_id=${id}`, undefined, who)).body;
  const answering = (status: number, text: string) => {
    service.answer = (_, response) => response.writeHead(status).end(text);
  };

  test("are the provider's, asked for once in some minutes, and again when the credential has changed", async () => {
    answering(200, JSON.stringify({ data: [{ id: 'm-2' }, { id: 'm-1', owned_by: 'x' }, { id: SECRET }] }));
    const id = await create(openai({ base_url: `${service.base}/v1` }));
    const before = service.heard.length;
    const list = { models: [{ id: '***' }, { id: 'm-1' }, { id: 'm-2' }], total: 3, reason: null };
    expect(await models(id)).toEqual(list);
    expect(service.heard.at(-1)).toMatchObject({
      url: '/v1/models',
      headers: { authorization: `Bearer ${SECRET}` },
    });
    answering(200, '{"data": []}');
    expect(await models(id)).toEqual(list);
    expect(service.heard.length - before).toBe(1);
    await call('PATCH', `/credentials/${id}`, openai({ base_url: `${service.base}/v2` }));
    expect(await models(id)).toEqual({ models: [], total: 0, reason: null });
    expect(service.heard.at(-1)?.url).toBe('/v2/models');
  });

  test('are an empty list with a reason when the provider lists none', async () => {
    const mine = () => create(openai({ base_url: `${service.base}/v1` }));
    for (const [status, text, reason] of [
      [404, '{}', 'not_listed'],
      [200, '<html>', 'not_listed'],
      [200, '{"data": [{"id": 7}]}', 'not_listed'],
      [401, '', 'refused'],
      [503, '', 'unavailable'],
    ] as const) {
      answering(status, text);
      expect(await models(await mine())).toEqual({ models: [], total: 0, reason });
    }
    const inside = await create(openai({ base_url: 'http://127.0.0.1:1/v1' }));
    expect((await models(inside)).reason).toBe('unavailable');
    const github = { integration: 'github', auth_type: 'bearer', data: { access_token: SECRET } };
    expect((await models(await create({ name: 'Code', ...github }))).reason).toBe('not_listed');
    expect((await call('GET', '/models')).body.reason).toBe('not_configured');
    const foreign = await call('GET', `/models?credential_id=${inside}`, undefined, stranger);
    expect(foreign.status).toBe(404);
  });
});

describe('the catalog', () => {
  test('is listed without schemas of actions, and knows what is connected', async () => {
    await create();
    const { body } = await call('GET', '/integrations');
    expect(body.total).toBe(body.integrations.length);
    const rows = new Map(body.integrations.map((row: { name: string }) => [row.name, row]));
    expect(rows.get('openai')).toMatchObject({ connected: true });
    expect(rows.get('slack')).toMatchObject({ connected: false });
    expect(JSON.stringify(body)).not.toContain('input_schema');
  });
  test.each([
    ['category=ai', ['anthropic', 'elevenlabs', 'openai']],
    ['search=ISSUES', ['github', 'jira']],
    ['category=ai&search=claude', ['anthropic']],
    ['category=nothing', []],
  ])('is filtered by %s', async (query, names) => {
    const { body } = await call('GET', `/integrations?${query}`);
    expect(body.integrations.map(({ name }: { name: string }) => name)).toEqual(names);
  });
  test('has the schemas in the detail', async () => {
    const { body } = await call('GET', '/integrations/slack');
    expect(body.actions[0]).toMatchObject({ name: 'send_message', input_schema: { type: 'object' } });
    expect((await call('GET', '/integrations/nope')).status).toBe(404);
  });
});

describe('keys', () => {
  const k2 = { id: 'k2', key: randomBytes(32) };
  const log = createLog('silent', 'test');
  const rotated = () => ({
    ...api.deps,
    config: { ...api.deps.config, encryptionKeys: [k2, ...api.deps.config.encryptionKeys] },
  });
  const only = () => ({
    ...api.deps,
    config: { ...api.deps.config, encryptionKeys: [k2], env: 'production' as const },
  });
  const keyOf = async (id: string): Promise<unknown> =>
    (await api.deps.db.query('SELECT key_id FROM credentials WHERE id = $1', [id]))[0]?.['key_id'];

  test('SEC-Z05: reading re-wraps, the rest is the job of the operator, and a key in need is missed at the start', async () => {
    const id = await create();
    const owner = { organizationId: tenant.org, credentialId: id };
    expect(await keyOf(id)).toBe('test');
    expect((await new Vault(rotated()).find(owner))?.data).toEqual({ api_key: SECRET });
    expect(await keyOf(id)).toBe('k2');
    await expect(requireKeys(only())).rejects.toThrow(/ENCRYPTION_KEYS.*"test"/);
    await expect(
      requireKeys({ ...only(), config: { ...only().config, env: 'test' }, log }),
    ).resolves.toBeUndefined();
    const done = await rewrapAll(rotated());
    expect(done.rewrapped).toBeGreaterThan(0);
    expect(done.unreadable).toBe(0);
    expect(await rewrapAll(rotated())).toEqual({ rewrapped: 0, unreadable: 0 });
    await expect(requireKeys(only())).resolves.toBeUndefined();
    expect((await new Vault(only()).find(owner))?.data).toEqual({ api_key: SECRET });
  });
});

test('without an encryption key nothing is stored, and the refusal gives the reason', async () => {
  const bare = await startApi({ ENCRYPTION_KEYS: undefined });
  try {
    expect(readConfig({ DATABASE_URL: 'postgres://x' }).encryptionKeys).toEqual([]);
    const answer = await (await bare.tenant()).call('POST', '/credentials', { body: openai() });
    expect([answer.status, answer.body.detail]).toEqual([503, expect.stringContaining('ENCRYPTION_KEYS')]);
  } finally {
    await bare.close();
  }
});
