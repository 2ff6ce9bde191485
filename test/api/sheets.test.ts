/** A version could do what its sheet does not say, or a sheet could tell a stranger. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { countInput } from '../../src/engine/runs/accept/worst-case.ts';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { chain, node } from '../support/definitions.ts';

let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  api = await startApi();
  [tenant, stranger] = await Promise.all([api.tenant(), api.tenant()]);
});
afterAll(() => api.close());

const save = async (name: string, definition: JsonObject): Promise<string> => {
  const saved = await tenant.call('POST', '/workflows', {
    body: { name, workflow_schema: { ...definition, metadata: { name } } },
  });
  return saved.body.id;
};
const deploy = async (id: string): Promise<string> =>
  (await tenant.call('POST', `/workflows/${id}/deploy`)).body.id;
const readSheet = (id: string, deployment: string, by = tenant): Promise<Answer> =>
  by.call('GET', `/workflows/${id}/deployments/${deployment}/sheet`);

const request = (id: string, url: string, more: JsonObject = {}): JsonObject =>
  node(id, 'tool', { kind: 'http', method: 'POST', url }, more);
const row = (host: string | JsonObject, ...nodes: string[]): JsonObject => ({
  door: 'http',
  target: { method: 'POST', host },
  effect: 'at_most_once',
  credential_id: null,
  nodes,
  refused_by: null,
  asked_by: null,
  unasked: null,
});

test('API-sheets: a version lists each target once with its nodes, those of sub-workflows as they are live now', async () => {
  const inner = await save('inner', chain(request('send', 'https://inner.example/{{input.id}}')));
  const called = node('call', 'tool', { kind: 'workflow', workflow_id: inner });
  const outer = await save(
    'outer',
    chain(
      request('one', 'https://api.example/a'),
      request('two', 'https://api.example/b'),
      request('free', '{{input.url}}'),
      request('off', 'https://off.example', { disabled: true }),
      called,
    ),
  );
  const version = await deploy(outer);
  const run = {
    door: 'run',
    target: { workflow_id: inner, deployment: 'live' },
    effect: 'idempotent',
    credential_id: null,
    nodes: ['call'],
    refused_by: null,
    asked_by: null,
    unasked: null,
  };
  const own = [row('api.example', 'one', 'two'), row({ from: ['input.url'] }, 'free'), run];
  // Nothing is live: the call fails before it sends.
  const definition_hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
  expect((await readSheet(outer, version)).body).toEqual({
    rows: own,
    trusted_values: [],
    untrusted: [],
    is_complete: true,
    definition_hash,
  });
  await deploy(inner);
  const whole = {
    rows: [...own, row('inner.example', 'call / send')],
    trusted_values: [],
    untrusted: [],
    is_complete: true,
    definition_hash,
  };
  expect((await readSheet(outer, version)).body).toEqual(whole);
  expect((await tenant.call('POST', `/workflows/${outer}/sheet`)).body).toEqual(whole);
  expect((await readSheet(outer, version, stranger)).status).toBe(404);
});

test('API-sheets: a draft may be given; one with errors has no sheet', async () => {
  const id = await save('draft', chain(request('a', 'https://a.example')));
  const ask = (definition: JsonObject): Promise<Answer> =>
    tenant.call('POST', `/workflows/${id}/sheet`, { body: { definition } });
  const other = await ask(chain(request('b', 'https://b.example')));
  expect(other.body.rows).toEqual([row('b.example', 'b')]);
  const nowhere = { body: { definition: chain(request('b', 'https://b.example')) } };
  expect((await tenant.call('POST', `/workflows/${randomUUID()}/sheet`, nowhere)).status).toBe(404);
  const broken = await ask(chain(request('b', '{{input.host}}.example')));
  expect([broken.status, JSON.stringify(broken.body)]).toEqual([
    400,
    expect.stringContaining('must be one template'),
  ]);
});

test('API-sheets: a draft that has changed since its sheet was read is not deployed by the hash of that sheet', async () => {
  const id = await save('seen', chain(request('a', 'https://a.example')));
  const deploy = (hash: string) =>
    tenant.call('POST', `/workflows/${id}/deploy`, { body: { expected_definition_hash: hash } });
  const read = async (): Promise<string> =>
    (await tenant.call('POST', `/workflows/${id}/sheet`)).body.definition_hash as string;
  const seen = await read();
  const workflow_schema = { ...chain(request('b', 'https://b.example')), metadata: { name: 'seen' } };
  expect((await tenant.call('PUT', `/workflows/${id}`, { body: { workflow_schema } })).status).toBe(200);
  const refused = await deploy(seen);
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([409, 'draft_changed']);
  expect((await tenant.call('GET', `/workflows/${id}`)).body.live_deployment_id).toBeNull();
  expect((await deploy(await read())).status).toBe(201);
  expect((await deploy('x')).status).toBe(422);
});

test('API-sheets: a row says which rule refuses it; a target that one workflow may reach and another may not is two rows', async () => {
  const inner = await save('inner', chain(request('send', 'https://both.example')));
  await deploy(inner);
  const called = node('call', 'tool', { kind: 'workflow', workflow_id: inner });
  const outer = await save(
    'outer',
    chain(request('own', 'https://both.example'), request('free', '{{input.url}}'), called),
  );
  const version = await deploy(outer);
  const when = [
    { left: '{{host}}', op: 'neq', right: null },
    { left: '{{workflow_id}}', op: 'eq', right: outer },
  ];
  await tenant.call('POST', '/effect-rules', {
    body: { name: 'Not by the outer', decision: 'refuse', when },
  });
  const refusals = ({ body }: Answer): unknown[] =>
    (body.rows as { nodes: string[]; refused_by: string | null }[]).map((one) => [one.nodes, one.refused_by]);
  const expected = [
    [['own'], 'Not by the outer'],
    // A run decides its host, and asks the rules then.
    [['free'], null],
    [['call'], null],
    [['call / send'], null],
  ];
  expect(refusals(await readSheet(outer, version))).toEqual(expected);
  expect(refusals(await tenant.call('POST', `/workflows/${outer}/sheet`))).toEqual(expected);
});

test('API-sheets: a model says the most that a run may have of it', async () => {
  const llm = (id: string, model: string, most: number | null): JsonObject =>
    node(id, 'llm', {
      provider: 'openai',
      model,
      messages: [{ role: 'user', content: 'Go' }],
      ...(most === null ? {} : { parameters: { max_output_tokens: most } }),
    });
  const nodes = chain(
    llm('a', 'small', 100),
    llm('b', 'small', 300),
    llm('c', 'large', 50),
    llm('d', 'large', null),
  );
  const read = async (config: JsonObject): Promise<unknown[]> => {
    const id = await save('models', nodes);
    const { body } = await tenant.call('POST', `/workflows/${id}/sheet`, {
      body: { definition: { ...nodes, config } },
    });
    return body.rows.map(({ target, model_limits: limits }: Answer['body']) => [
      target.model,
      limits.max_output_tokens_per_call,
      limits.max_calls_per_run,
      limits.max_output_tokens_per_run,
    ]);
  };
  expect(await read({})).toEqual([
    ['small', 300, null, null],
    ['large', null, null, null],
  ]);
  expect(await read({ limits: { max_model_calls: 10 } })).toEqual([
    ['small', 300, 10, 3_000],
    ['large', null, 10, null],
  ]);
});

test('API-sheets: a model says what a budget reserves for its dearest call, where every run asks the same', async () => {
  const llm = (id: string, content: string, more: JsonObject = {}): JsonObject =>
    node(id, 'llm', {
      provider: 'openai',
      model: id,
      messages: [{ role: 'user', content }],
      parameters: { max_output_tokens: 100 },
      ...more,
    });
  const credentialId = randomUUID();
  const agent = {
    provider: 'openai',
    model: 'agent',
    messages: [{ role: 'user', content: 'Go' }],
    tools: [],
  };
  const nodes = chain(
    llm('fixed', 'Go'),
    {
      ...llm('again', 'Go on and on and on'),
      config: { ...(llm('fixed', 'Go on and on and on')['config'] as JsonObject) },
    },
    llm('decided', 'Go to {{input.place}}'),
    llm('remembers', 'Go', { memory: { mode: 'thread' } }),
    llm('corrected', 'Go', { response_format: { type: 'json_object' } }),
    llm('own', 'Go to {{input.place}}', { credential_id: credentialId }),
    llm('longest', 'Go', { parameters: null }),
    node('agent', 'agent', agent),
  );
  const id = await save('costs', nodes);
  const { body } = await tenant.call('POST', `/workflows/${id}/sheet`);
  const costs = (body.rows as Answer['body'][]).map(({ target, model_limits: limits }) => [
    target.model,
    limits.max_input_tokens_per_call,
    limits.max_credits_per_call,
  ]);
  const messages = [{ role: 'user', content: 'Go on and on and on' }] as const;
  const request = { messages, turns: [], responseFormat: null };
  const most = countInput(request);
  const shortest = countInput({ ...request, messages: [{ role: 'user', content: 'Go' }] });
  expect(most).toBeGreaterThan(shortest);
  expect(costs).toEqual([
    ['fixed', most, (most + 3 * 100) / 1_000],
    ['decided', null, null],
    ['remembers', null, null],
    ['corrected', null, null],
    ['own', null, 0],
    ['longest', shortest, (shortest + 3 * api.deps.config.managedMaxOutputTokens) / 1_000],
    ['agent', null, null],
  ]);
});
