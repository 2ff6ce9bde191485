/** Some request would crash the API or get an answer that a client cannot read. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { compile } from '../../src/language/graph/schedule/plan.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { Route } from '../../src/platform/http/route.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { kindRules } from '../../src/language/nodes/registry.ts';
import { hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { makeBase } from '../support/knowledge.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { everyKind } from './every-kind.ts';
import { mutated, mutation, oddValue } from './mutations.ts';
import { sendHostile, type Hostile, type Reply } from './send.ts';
import { unlimited } from './unlimited.ts';

let api: ApiServer;
let tenant: Tenant;
let workflow: string;
let deployment: string;
let base: string;
let models: ModelServer;

beforeAll(async () => {
  models = await startModelServer();
  api = await startApi({
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    MANAGED_EMBEDDING_BASE_URL: models.baseUrl,
    MANAGED_EMBEDDING_MODEL: 'm',
    OAUTH_CLIENTS:
      '{"github":{"client_id":"c","client_secret":"s"},"slack":{"client_id":"c","client_secret":"s"}}',
  });
  tenant = await api.tenant();
  await unlimited(api);
  workflow = (await tenant.call('POST', '/workflows', { body: { name: 'x', workflow_schema: hello() } })).body
    .id;
  deployment = (await tenant.call('POST', `/workflows/${workflow}/deploy`)).body.id;
  base = await makeBase(tenant);
});
afterAll(async () => {
  await api.close();
  await models.close();
});
afterEach(async () => {
  expect((await api.call('GET', '/system/health')).body).toMatchObject({ status: 'healthy' });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

/** What any answer must be: no fault of the server, and JSON that says why something was refused. */
function expectReadable(row: Pick<Route, 'method' | 'path'>, sent: Hostile, reply: Reply): void {
  const told = `${row.method} ${sent.path.slice(0, 200)} ${String(sent.body).slice(0, 500)}: ${reply.status} ${reply.text.slice(0, 300)}`;
  if (reply.status === 501) expect(reply.text, told).toContain('not available in this version');
  else expect(reply.status, told).toBeLessThan(500);
  if (reply.status < 400) return;
  // A person reads the answer of an answer link.
  if (row.path.startsWith('/answers/') && reply.text.startsWith('<!doctype html>')) return;
  expect(reply.headers['content-type'], told).toMatch(/^application\/json/);
  const said: unknown = JSON.parse(reply.text);
  // Clients of OpenAI and of MCP read errors in their own protocol's shape; a path that is no route has none.
  const hasOwnShape = /^\/(?:openai|mcp)\b/.test(row.path) && reply.text !== '{"detail":"Not Found"}';
  if (hasOwnShape) expect(said, told).toHaveProperty('error.message');
  // The billing gate alone answers flat, without `detail` (SPEC API-errors).
  else if (typeof said === 'object' && said !== null && 'layer' in said)
    expect(said, told).toHaveProperty('code');
  else expect(said, told).toHaveProperty('detail');
}

const segment = fc.oneof(
  fc.uuid(),
  fc
    .string({ unit: 'binary', maxLength: 20 })
    .map((text) => Buffer.from(text).toString('latin1'))
    .map(encodeURIComponent),
  fc.constantFrom(
    '%',
    '%0',
    '%00',
    '%ff',
    '%2e%2e%2f',
    '%c0%ae',
    ';x=1',
    "'",
    '__proto__',
    'live',
    '*',
    ':x',
  ),
);

const query = fc.oneof(
  { weight: 1, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom(
            'page',
            'page_size',
            'limit',
            'offset',
            'status',
            'search',
            'cursor',
            'after_seq',
            'workflow_id',
            'x',
            '__proto__',
          ),
          fc.oneof(
            fc.constantFrom('0', '1', '100', '-1', '1e3', '9'.repeat(30), '', 'null', "'"),
            fc.string({ unit: 'binary', maxLength: 20 }),
          ),
        ),
        { maxLength: 4 },
      )
      .map(
        (pairs) =>
          `?${pairs.map(([key, value]) => `${key}=${encodeURIComponent(Buffer.from(value).toString())}`).join('&')}`,
      ),
  },
  { weight: 1, arbitrary: fc.constantFrom('?', '?%', '?%ff=%fe', '?a[b]=1', '?&&&', '?page=1&page=2', '?=') },
);

/** Text that may stand in a header: what HTTP itself forbids does not reach the application. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCodePoint(code)),
  maxLength: 40,
});

const HEADERS = [
  'x-organization-id',
  'idempotency-key',
  'content-type',
  'content-encoding',
  'accept',
  'accept-encoding',
  'origin',
  'last-event-id',
  'x-request-id',
  'x-health-api-key',
  'x-forwarded-for',
  'if-none-match',
  'range',
  'x-api-key',
  'cookie',
] as const;

const headers = fc.dictionary(
  fc.constantFrom(...HEADERS),
  fc.oneof(headerText, fc.constantFrom('gzip', 'application/json', 'text/event-stream', '*/*')),
  { maxKeys: 3 },
);

const body = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: oddValue.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }) },
);

/** Bodies that the route would take, to start from. */
const VALID: Readonly<Record<string, object>> = {
  'POST /workflows': {
    name: 'x',
    workflow_schema: hello(),
    tags: ['a'],
    input: { a: 1 },
    config: { recursion_limit: 5 },
  },
  'PATCH /workflows/:workflow_id': {
    name: 'x',
    version: '2.0.0',
    tags: ['b'],
    status: 'active',
    input: {},
    config: {},
  },
  'PUT /workflows/:workflow_id': {
    description: 'x',
    category: 'c',
    visibility: 'private',
    workflow_schema: hello(),
  },
  'POST /workflows/run': {
    workflow: hello(),
    input: { text: 'a' },
    config: { thread_id: 't', recursion_limit: 9, batch_interval_ms: 50 },
    stream: true,
    ephemeral: false,
    is_private: false,
  },
  'POST /workflows/resume/:run_id': {
    responses: [{ interrupt_id: 'i', action: 'approve', data: { a: 1 } }],
    stream: true,
  },
  'POST /workflows/cancel/:run_id': { reason: 'x' },
  'POST /workflows/:workflow_id/deploy': {
    deployment_note: 'x',
    schema_image_url: 'https://example.test/x.png',
  },
  'POST /organizations': { name: 'x' },
  'POST /organizations/:organization_id/invitations': { email: 'a@example.test', role: 'admin' },
  'POST /api-keys': {
    name: 'x',
    expires_at: '2999-01-01T00:00:00Z',
    rate_limit_per_minute: 5,
    organization_id: null,
  },
  'POST /service-accounts': { name: 'x', role: 'admin', rate_limit_per_minute: 5 },
  'POST /service-accounts/:service_account_id/keys': {
    name: 'x',
    expires_at: '2999-01-01T00:00:00Z',
    rate_limit_per_minute: 5,
  },
  'POST /assistant/chat': { message: 'x', llm: { provider: 'openai', model: 'm', credential_id: null } },
  'POST /composer/chat': { message: 'x', workflow_id: null, llm: { provider: 'openai', model: 'm' } },
  'PATCH /assistant/chats/:chat_id': { title: 'x', pinned: true },
  'PATCH /composer/chats/:chat_id': { title: 'x', pinned: false },
  'POST /knowledge-bases': {
    name: 'x',
    description: 'y',
    embedding_config: { dimensions: 8 },
    chunking_config: { chunk_size: 100, chunk_overlap: 10 },
  },
  'PATCH /knowledge-bases/:knowledge_id': { name: 'y', description: 'z', chunking_config: {} },
  'POST /knowledge-bases/:knowledge_id/search': {
    query: 'x',
    top_k: 3,
    min_score: 0.1,
    filters: { lang: 'en', year: { op: 'gte', value: 2024 }, tags: { op: 'in', value: ['a', 1] } },
    include_content: false,
    include_metadata: true,
  },
  'POST /credentials/oauth/start': { integration: 'github', name: 'x', scopes: ['repo'] },
  'POST /credentials/oauth/callback': { state: 'x', code: 'y' },
  'POST /requests': { subject: 'x', message: 'y' },
  'POST /support': { subject: 'x', message: 'y' },
};

const nameOf = (row: Route): string => `${row.method} ${row.path}`;
const rows = allRoutes().map((row) => [nameOf(row), row] as const);

/** The row's path with its parameters filled: with the tenant's own objects, or with whatever was drawn. */
function pathOf(row: Route, drawn: readonly string[], isOwn: boolean): string {
  const own: Record<string, string> = {
    workflow_id: workflow,
    deployment_id: deployment,
    organization_id: tenant.org,
    knowledge_id: base,
  };
  let next = 0;
  return row.path.replace(/:(\w+)/g, (_, name: string) => {
    const text = drawn[next++] ?? 'x';
    return isOwn ? (own[name] ?? text) : text;
  });
}

describe.each(rows)('%s', (name, row) => {
  test('takes whatever is sent', async () => {
    const valid = VALID[name];
    const anyBody =
      valid === undefined
        ? body
        : fc.oneof(
            { weight: 1, arbitrary: body },
            {
              weight: 3,
              arbitrary: fc
                .array(mutation, { minLength: 1, maxLength: 3 })
                .map((all) => JSON.stringify(mutated(valid, all))),
            },
          );
    // A live run would keep its stream open; there is none.
    const drawn = fc.record({
      params: fc.array(segment, { minLength: 2, maxLength: 2 }),
      isOwn: fc.boolean(),
      query,
      headers,
      body: anyBody,
    });
    await fc.assert(
      fc.asyncProperty(drawn, async (given) => {
        const sent: Hostile = {
          method: row.method,
          path: pathOf(row, given.params, given.isOwn && row.method !== 'DELETE') + given.query,
          headers: {
            authorization: `Bearer ${tenant.token}`,
            'x-organization-id': tenant.org,
            'content-type': 'application/json',
            ...given.headers,
          },
          body: given.body,
        };
        expectReadable(row, sent, await sendHostile(api.url, sent));
      }),
      { numRuns: 40 },
    );
  });
});

test('unknown paths are 404 or 405, in JSON', async () => {
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'),
      path,
      async (method, unknown) => {
        const sent: Hostile = { method, path: unknown, headers: {}, body: null };
        const reply = await sendHostile(api.url, sent);
        if (method === 'HEAD') expect(reply.status).toBeLessThan(500);
        else expectReadable({ method: 'GET', path: unknown }, sent, reply);
      },
    ),
    { numRuns: 100 },
  );
});

describe('a definition', () => {
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });
  const call = async (method: string, path: string, value: unknown): Promise<Reply> => {
    const sent: Hostile = {
      method,
      path,
      headers: {
        authorization: `Bearer ${tenant.token}`,
        'x-organization-id': tenant.org,
        'content-type': 'application/json',
      },
      body: JSON.stringify(value),
    };
    const reply = await sendHostile(api.url, sent);
    expectReadable({ method: 'POST', path }, sent, reply);
    return reply;
  };

  test('with mutations is saved or refused, deployed or refused, run or refused; what is run compiles', async () => {
    await fc.assert(
      fc.asyncProperty(mutations, async (changes) => {
        const definition = mutated(everyKind, changes);
        await call('POST', '/workflows', { name: 'x', workflow_schema: definition });
        const saved = await call('PATCH', `/workflows/${workflow}`, { workflow_schema: definition });
        if (saved.status === 200) await call('POST', `/workflows/${workflow}/deploy`, {});
        const run = await call('POST', '/workflows/run', { workflow: definition, input: { text: 'x' } });
        if (run.status === 200) compile(definition as JsonObject, kindRules);
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    ['10,000 edges between two nodes', 10_000],
    ['50,001 edges', 50_001],
  ])('of %s is answered', async (_, count) => {
    const edges = Array.from({ length: count }, (__, at) => ({
      id: `e${at}`,
      source: 'hello',
      target: '__end__',
    }));
    const definition = { ...hello(), edges: [{ source: '__start__', target: 'hello' }, ...edges] };
    const made = await call('POST', '/workflows', { name: 'x', workflow_schema: definition });
    expect(made.status).toBe(201);
    const { id } = JSON.parse(made.text) as { id: string };
    await call('PATCH', `/workflows/${id}`, {
      workflow_schema: { ...definition, edges: edges.toReversed() },
    });
    await call('POST', `/workflows/${id}/deploy`, {});
    await call('POST', '/workflows/run', { workflow: definition });
  });
});
