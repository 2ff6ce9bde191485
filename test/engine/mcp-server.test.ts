/** If this fails, a program that speaks MCP finds tools of others, gets no output of a workflow, or leaves runs behind. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { MAX_PER_USER } from '../../src/engine/runs/stream/stream-semaphore.ts';
import type { ApiServer, Tenant } from '../support/api-server.ts';
import { chain, END, edge, http, node, START, workflow } from '../support/definitions.ts';
import { startEngineWithRecorder, type EngineWithRecorder } from '../support/engine-with-servers.ts';
import { installConformance, runConformance } from '../support/mcp-conformance.ts';
import { serveEngine, type ServedEngine } from '../support/served-engine.ts';

let served: ServedEngine<EngineWithRecorder>;
let api: ApiServer;
let started: EngineWithRecorder;
let tenant: Tenant;
let url: string;
let apiKey: string;

const greet = (): JsonObject => ({
  ...chain(node('greet', 'transformer', { mode: 'map', fields: { said: 'Hello {{input.name}}' } })),
  input_parameters: [{ name: 'name', type: 'string', required: true, description: 'Whom to greet' }],
});
const ask = (): JsonObject =>
  chain(
    node('ask', 'interrupt', {
      kind: 'approval',
      title: 'Go on?',
      actions: [
        { id: 'yes', label: 'Yes, please' },
        { id: 'no', label: 'No' },
      ],
      form: { type: 'object', properties: { why: { type: 'string' } }, required: ['why'] },
    }),
    node('told', 'transformer', {
      mode: 'map',
      fields: { action: '{{ask.action}}', why: '{{ask.data.why}}' },
    }),
  );

/** @param mcp null: the definition says nothing */
const deploy = (
  name: string,
  definition: JsonObject,
  { mcp = { enabled: true }, by = tenant }: { mcp?: JsonObject | null; by?: Tenant } = {},
): Promise<string> => served.deploy(name, definition, { metadata: mcp === null ? {} : { mcp }, by });

/** Sends a call of a tool as a client that checks nothing. @param params the JSON text of its parameters */
async function post(params: string): Promise<{ result?: JsonObject; error?: { code: number } }> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'Mcp-Protocol-Version': '2025-06-18',
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
  });
  const text = await answer.text();
  return JSON.parse(text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '{}'));
}

type Era = 'auto' | 'legacy';

async function connect(token: string, mode: Era = 'auto', elicits = true): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  const capabilities = elicits ? { elicitation: { form: {} } } : {};
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode } },
  );
  await client.connect(transport);
  return client;
}

beforeAll(async () => {
  served = await serveEngine(startEngineWithRecorder);
  ({ api, started, tenant, url, apiKey } = served);
});
afterAll(() => served.close());

const readRuns = (workflowId: string): Promise<{ run_id: string; status: string }[]> =>
  api.deps.db.query('SELECT run_id, status FROM runs WHERE workflow_id = $1 ORDER BY created_at', [
    workflowId,
  ]);
const textOf = (result: { content?: unknown }): string =>
  (result.content as { text: string }[]).map(({ text }) => text).join('');

describe.each(['auto', 'legacy'] as const)('a client that negotiates by %s', (mode) => {
  test('finds the workflows that are tools, and gets the output of a run', async () => {
    const name = `Greet ${mode}`;
    const workflowId = await deploy(name, greet());
    await deploy(`Hidden ${mode}`, greet(), { mcp: null });
    await deploy(`Switched off ${mode}`, greet(), { mcp: { enabled: false } });
    const client = await connect(apiKey, mode);
    const { tools } = await client.listTools();
    const names = tools.map((tool) => tool.name);
    expect(names).toContain(`Greet_${mode}`);
    expect(names.filter((each) => /Hidden|Switched/.test(each))).toEqual([]);
    const tool = tools.find((each) => each.name === `Greet_${mode}`);
    expect(tool?._meta).toEqual({ workflow_id: workflowId, sheet: { rows: [], is_complete: true } });
    expect(tool?.annotations).toEqual({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
    expect(tool?.inputSchema).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string', description: 'Whom to greet' } },
      required: ['name'],
    });
    const result = await client.callTool({ name: `Greet_${mode}`, arguments: { name: 'Ada' } });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: '{"said":"Hello Ada"}' }],
      structuredContent: { said: 'Hello Ada' },
    });
    await client.close();
  });

  test('hears of the nodes of the run while it goes on', async () => {
    await deploy(`Progress ${mode}`, greet());
    const client = await connect(apiKey, mode);
    const heard: { progress: number; message?: string | undefined }[] = [];
    const call = { name: `Progress_${mode}`, arguments: { name: 'Ada' } };
    await client.callTool(call, { onprogress: (progress) => heard.push(progress) });
    expect(heard.map(({ message }) => message)).toContain('greet is done');
    const numbers = heard.map(({ progress }) => progress);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    await client.close();
  });

  test('cancels the run with the call', async () => {
    const sleep = chain(node('pause', 'interrupt', { kind: 'wait', duration_seconds: 600 }));
    const workflowId = await deploy(`Sleep ${mode}`, sleep);
    const client = await connect(apiKey, mode);
    const left = new AbortController();
    const call = client.callTool({ name: `Sleep_${mode}` }, { signal: left.signal });
    await expect.poll(async () => (await readRuns(workflowId)).length).toBe(1);
    left.abort(new Error('enough'));
    await expect(call).rejects.toThrow();
    await client.close();
    await expect.poll(async () => (await readRuns(workflowId))[0]?.status).toBe('cancelled');
  });

  test('reads why a run has failed, as a result with an error', async () => {
    await deploy(`Fail ${mode}`, chain(http('call', started.recorder.url(mode, { status: 404 }))));
    const client = await connect(apiKey, mode);
    const result = await client.callTool({ name: `Fail_${mode}` });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^Run [0-9a-f-]{36} failed: /);
    await client.close();
  });
});

describe('a tool whose run asks a person', () => {
  test('asks the user of the client, and goes on with the answer', async () => {
    const workflowId = await deploy('Ask', ask());
    const client = await connect(apiKey);
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return { action: 'accept' as const, content: { action: 'yes', why: 'It is time' } };
    });
    const result = await client.callTool({ name: 'Ask' });
    expect(asked).toMatchObject([{ message: 'Go on?', requestedSchema: { required: ['action', 'why'] } }]);
    expect(result.structuredContent).toEqual({ action: 'yes', why: 'It is time' });
    // Two segments of one run.
    expect((await readRuns(workflowId)).map(({ status }) => status)).toEqual(['interrupted', 'completed']);
    await client.close();
  });

  test('stays open when the user declines', async () => {
    const workflowId = await deploy('Decline', ask());
    const client = await connect(apiKey);
    client.setRequestHandler('elicitation/create', () => ({ action: 'decline' as const }));
    const result = await client.callTool({ name: 'Decline' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/The question stays open.*POST \/workflows\/resume\//);
    expect((await readRuns(workflowId)).map(({ status }) => status)).toEqual(['interrupted']);
    await client.close();
  });

  test.each(['auto', 'legacy'] as const)('tells a client without forms (%s) how to answer', async (mode) => {
    await deploy(`Told ${mode}`, ask());
    const client = await connect(apiKey, mode, false);
    const result = await client.callTool({ name: `Told_${mode}` });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/asks a person \(\S+\): answer with POST \/workflows\/resume\//);
    await client.close();
  });

  test('of another organization cannot be continued', async () => {
    await deploy('Theirs', ask());
    const client = await connect(apiKey, 'auto', false);
    const { _meta: meta } = await client.callTool({ name: 'Theirs' });
    const stranger = await api.tenant();
    await deploy('Mine', ask(), { by: stranger });
    const other = await connect(stranger.token);
    const call = { name: 'Mine', requestState: String(meta?.['run_id']), inputResponses: {} };
    await expect(other.callTool(call)).rejects.toThrow(
      'The requestState does not belong to a run that you can see',
    );
    await Promise.all([client.close(), other.close()]);
  });
});

test('tools of one name are told apart by their ids, and a name may be chosen', async () => {
  const twins = [await deploy('Twin', greet()), await deploy('Twin', greet())];
  const mcp = { enabled: true, name: 'pay back!', description: 'Pays money back' };
  await deploy('Refund', greet(), { mcp });
  const client = await connect(apiKey);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...twins.map((id) => `Twin_${id.slice(0, 8)}`), 'pay_back']),
  );
  expect(tools.find(({ name }) => name === 'pay_back')?.description).toBe('Pays money back');
  await client.close();
});

test('a tool tells what its runs may do outside: nothing mild of a change, and a read as such', async () => {
  const ask = (method: string): JsonObject =>
    chain(http('call', 'https://api.example.com/orders', { method }));
  await deploy('Reads orders', ask('GET'));
  await deploy('Changes orders', ask('POST'));
  const client = await connect(apiKey);
  const { tools } = await client.listTools();
  const describe = (name: string) => {
    const { annotations, _meta } = tools.find((tool) => tool.name === name) ?? {};
    return [annotations, (_meta?.['sheet'] as JsonObject | undefined)?.['rows']];
  };
  const row = { door: 'http', nodes: ['call'] };
  expect(describe('Reads_orders')).toEqual([
    { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
    [expect.objectContaining({ ...row, effect: 'pure' })],
  ]);
  expect(describe('Changes_orders')).toEqual([
    { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    [expect.objectContaining({ ...row, target: expect.objectContaining({ method: 'POST' }) })],
  ]);
  await client.close();
});

test('tools of another organization are neither listed nor called', async () => {
  const workflowId = await deploy('Secret', greet());
  const stranger = await api.tenant();
  const client = await connect(stranger.token);
  expect((await client.listTools()).tools).toEqual([]);
  await expect(client.callTool({ name: 'Secret', arguments: { name: 'x' } })).rejects.toThrow(
    'Tool Secret not found',
  );
  expect(await readRuns(workflowId)).toEqual([]);
  await client.close();
});

describe('a call whose arguments do not fit the tool', () => {
  const input_parameters: JsonObject[] = [
    { name: 'name', type: 'string', required: true },
    { name: 'amount', type: 'number' },
    { name: 'count', type: 'integer' },
    { name: 'urgent', type: 'boolean' },
    { name: 'lines', type: 'array' },
    { name: 'customer', type: 'object' },
    { name: 'note', type: 'any' },
    { name: 'greeting', type: 'string', default: 'Hello' },
  ];
  const tool = (): JsonObject => ({
    ...chain(node('say', 'transformer', { mode: 'map', fields: { all: '{{input}}' } })),
    input_parameters,
  });

  test('is an error that the model reads, and starts no run', async () => {
    const workflowId = await deploy('Typed', tool());
    const client = await connect(apiKey);
    const wrong: [JsonObject, string][] = [
      [{}, 'arguments.name: '],
      [{ name: null }, 'arguments.name: '],
      [{ name: 5 }, 'arguments.name: '],
      [{ name: ['Ada'] }, 'arguments.name: '],
      [{ name: 'Ada', amount: '5' }, 'arguments.amount: '],
      [{ name: 'Ada', count: 1.5 }, 'arguments.count: '],
      [{ name: 'Ada', urgent: 'yes' }, 'arguments.urgent: '],
      [{ name: 'Ada', lines: {} }, 'arguments.lines: '],
      [{ name: 'Ada', customer: [] }, 'arguments.customer: '],
      [{ name: 5, amount: '5' }, '; arguments.amount: '],
    ];
    for (const [given, words] of wrong) {
      const result = await client.callTool({ name: 'Typed', arguments: given });
      expect(result.isError, JSON.stringify(given)).toBe(true);
      expect(textOf(result)).toContain(words);
    }
    expect(await readRuns(workflowId)).toEqual([]);
    await client.close();
  });

  test('runs with whatever fits: whole and long numbers, null for what is optional, and what it does not know', async () => {
    await deploy('Fitting', tool());
    const client = await connect(apiKey);
    const given = { name: 'Ada', amount: 2, count: 2, urgent: false, lines: [], customer: {}, note: null };
    const result = await client.callTool({ name: 'Fitting', arguments: { ...given, other: 1 } });
    expect(result.structuredContent).toEqual({ all: { ...given, greeting: 'Hello', other: 1 } });
    const nulls = { name: 'Ada', amount: null, count: null, greeting: null };
    const left = await client.callTool({ name: 'Fitting', arguments: nulls });
    expect(left.structuredContent).toEqual({ all: { name: 'Ada', greeting: 'Hello' } });
    const long = '{"name":"Ada","count":12345678901234567890}';
    const kept = await post(`{"name":"Fitting","arguments":${long}}`);
    expect(kept).toMatchObject({ result: { structuredContent: { all: { name: 'Ada' } } } });
    await client.close();
  });

  test('is an error of the protocol when it is no call at all', async () => {
    const workflowId = await deploy('Formal', tool());
    for (const params of [
      '{"name":5}',
      '{}',
      '{"name":"Formal","arguments":"x"}',
      '{"name":"Formal","arguments":[]}',
    ])
      expect((await post(params)).error?.code, params).toBe(-32_602);
    expect(await readRuns(workflowId)).toEqual([]);
  });
});

test('calls with one idempotency key start one run', async () => {
  const workflowId = await deploy('Once', greet());
  const client = await connect(apiKey);
  const call = {
    name: 'Once',
    arguments: { name: 'Ada' },
    _meta: { idempotency_key: crypto.randomUUID() },
  };
  const [first, again] = [await client.callTool(call), await client.callTool(call)];
  expect(again.structuredContent).toEqual(first.structuredContent);
  expect(await readRuns(workflowId)).toHaveLength(1);
  await client.close();
});

test('without a credential is 401, and says where tokens are issued', async () => {
  const answer = await fetch(`${url}/mcp`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(401);
  const challenge = answer.headers.get('www-authenticate') ?? '';
  const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
  expect(new URL(metadata).pathname).toBe('/.well-known/oauth-protected-resource/mcp');
  for (const path of ['/mcp', ''])
    expect(await (await fetch(`${url}/.well-known/oauth-protected-resource${path}`)).json()).toMatchObject({
      resource: expect.stringMatching(/\/mcp$/),
      authorization_servers: [api.deps.config.auth.issuer],
    });
});

test('too many calls at once are 429, and start nothing', async () => {
  const workflowId = await deploy('Crowded', greet());
  const client = await connect(apiKey);
  const [user] = await api.deps.db.query<{ id: string }>(
    `SELECT user_id AS id FROM memberships WHERE organization_id = $1`,
    [tenant.org],
  );
  const scope = { caller: { userId: user!.id }, organizationId: tenant.org };
  const taken = Array.from({ length: MAX_PER_USER }, () => api.deps.feed.semaphore.acquire(scope as never));
  await expect(client.callTool({ name: 'Crowded', arguments: { name: 'x' } })).rejects.toThrow();
  for (const release of taken) release();
  expect(await readRuns(workflowId)).toEqual([]);
  await client.close();
});

const wait = (seconds: number | string, id = 'wait'): JsonObject =>
  node(id, 'interrupt', { kind: 'wait', duration_seconds: seconds });
const say = (template: string, id = 'say'): JsonObject =>
  node(id, 'transformer', { mode: 'template', template });
/** Its output is the text of the node `say`. */
const spoken = (...nodes: JsonObject[]): JsonObject => ({
  ...chain(...nodes),
  config: { output: '{{say.text}}' },
});
const input = (id: string, ...names: string[]): JsonObject =>
  node(id, 'interrupt', {
    kind: 'input',
    title: `Answer ${id}`,
    form: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
  });
const confirm = (id: string): JsonObject =>
  node(id, 'interrupt', {
    kind: 'input',
    title: 'Delete it?',
    form: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
  });

/** The tools that the suite calls, as far as a workflow can be one. */
const TOOLS: Readonly<Record<string, () => JsonObject>> = {
  greet: () => spoken(say('Hello, {{input.name}}!')),
  // A call is a task after a second of waiting, so a second alone would be a race.
  slow_compute: () => chain(wait('{{input.seconds}}'), wait(2, 'longer'), say('computed')),
  failing_job: () => chain(wait(2), http('call', started.recorder.url('failing', { status: 404 }))),
  confirm_delete: () => chain(wait(2), confirm('ask'), say('deleted')),
  multi_input: () =>
    workflow(
      [wait(2), confirm('first'), confirm('second'), say('both')],
      [
        edge(START, 'wait'),
        edge('wait', 'first'),
        edge('wait', 'second'),
        edge('first', 'say'),
        edge('second', 'say'),
        edge('say', END),
      ],
    ),
  test_tool_with_task: () => chain(input('who', 'name'), wait(2), say('Hello, {{who.data.name}}')),
  test_simple_text: () => spoken(say('This is a simple text response for testing.')),
  test_tool_with_progress: () => chain(say('one'), say('two', 'then')),
  test_error_handling: () => chain(http('call', started.recorder.url('error', { status: 404 }))),
  test_input_required_result_elicitation: () => chain(input('who', 'name'), say('Hello, {{who.data.name}}')),
  test_input_required_result_request_state: () => chain(input('who', 'name'), say('Hello')),
  test_input_required_result_multi_round: () =>
    chain(input('who', 'name'), input('hue', 'color'), say('{{who.data.name}} {{hue.data.color}}')),
  test_input_required_result_tampered_state: () => chain(input('who', 'name'), say('Hello')),
  test_input_required_result_capabilities: () => chain(input('who', 'name'), say('Hello')),
};

const NO_PROMPTS = 'workflows are tools, not prompts';
const NO_RESOURCES = 'workflows are tools, not resources';
const TEXT_ALONE = 'the result of a workflow is a text or JSON';
const NO_HEADERS = 'a workflow has no parameter that is also a header';
const ELICITS_ALONE = 'a workflow asks people, and no model or file system of the client';
const DIAGNOSTIC = 'needs a tool that is there for this check';

/** The checks that fail, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'caching:sep-2549-prompts-list-caching-hints': NO_PROMPTS,
  'caching:sep-2549-resources-list-caching-hints': NO_RESOURCES,
  'caching:sep-2549-resources-templates-list-caching-hints': NO_RESOURCES,
  'completion-complete:completion-complete': NO_PROMPTS,
  'dns-rebinding-protection:localhost-host-rebinding-rejected':
    'is for servers without authentication: a foreign page has no API key',
  'http-custom-header-server-validation:sep-2243-server-decode-base64': NO_HEADERS,
  'http-custom-header-server-validation:sep-2243-server-no-xmcp-tool': NO_HEADERS,
  'http-custom-header-server-validation:sep-2243-server-reject-invalid-param-chars': NO_HEADERS,
  'http-custom-header-server-validation:sep-2243-server-reject-param-mismatch': NO_HEADERS,
  'http-custom-header-server-validation:sep-2243-server-validate-param-match': NO_HEADERS,
  'input-required-result-basic-elicitation:sep-2322-elicitation-incomplete':
    'a question is named by its id, not by the tool',
  'input-required-result-capability-check:sep-2322-respect-client-capabilities': ELICITS_ALONE,
  'input-required-result-basic-list-roots:sep-2322-list-roots-incomplete': ELICITS_ALONE,
  'input-required-result-basic-sampling:sep-2322-sampling-incomplete': ELICITS_ALONE,
  'input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete': ELICITS_ALONE,
  'input-required-result-non-tool-request:sep-2322-non-tool-incomplete': NO_PROMPTS,
  'json-schema-2020-12:json-schema-2020-12-tool-found': 'a workflow describes its parameters without $defs',
  'prompts-get-embedded-resource:prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-simple:prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args:prompts-get-with-args': NO_PROMPTS,
  'prompts-get-with-image:prompts-get-with-image': NO_PROMPTS,
  'prompts-list:prompts-list': NO_PROMPTS,
  'resources-list:resources-list': NO_RESOURCES,
  'resources-read-binary:resources-read-binary': NO_RESOURCES,
  'resources-read-text:resources-read-text': NO_RESOURCES,
  'resources-templates-read:resources-templates-read': NO_RESOURCES,
  'server-stateless:sep-2575-http-server-no-independent-requests-on-stream': DIAGNOSTIC,
  'server-stateless:sep-2575-missing-capability-http-400': DIAGNOSTIC,
  'server-stateless:sep-2575-server-no-log-without-loglevel': DIAGNOSTIC,
  'server-stateless:sep-2575-server-rejects-undeclared-capability': DIAGNOSTIC,
  'tasks-lifecycle:sep-2663-tasks-get-status-failed':
    'a run that fails is a result with an error, never an error of the protocol',
  'tasks-required-task-error:sep-2663-server-returns-missing-capability-when-required':
    'no workflow requires tasks: without them the call waits',
  'tools-call-audio:tools-call-audio': TEXT_ALONE,
  'tools-call-embedded-resource:tools-call-embedded-resource': TEXT_ALONE,
  'tools-call-image:tools-call-image': TEXT_ALONE,
  'tools-call-mixed-content:tools-call-mixed-content': TEXT_ALONE,
};

test('the official conformance suite finds nothing but exceptions with a reason', async ({ skip }) => {
  const program = await installConformance();
  if (program === null) return skip();
  // An organization of its own: some scenarios call any tool that they find.
  const by = await api.tenant();
  for (const [name, define] of Object.entries(TOOLS))
    await deploy(name, define(), { mcp: { enabled: true, name }, by });
  const { scenarios, failed } = await runConformance(program, `${url}/mcp`, by.token);
  expect(scenarios).toBe(50);
  expect(Object.fromEntries(failed)).toEqual(
    Object.fromEntries(Object.keys(EXCEPTIONS).map((check) => [check, expect.any(String)])),
  );
});

test('a task is followed, answered and cancelled by its client, and hidden from others', async () => {
  const body = (method: string, params: JsonObject, token = apiKey): Promise<Response> =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        'Mcp-Name': String(params['taskId'] ?? params['name']),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
            'io.modelcontextprotocol/clientCapabilities': {
              extensions: { 'io.modelcontextprotocol/tasks': {} },
            },
          },
        },
      }),
    });
  interface TaskReply {
    readonly error?: JsonObject;
    readonly result: JsonObject & { readonly taskId: string; readonly result: JsonObject };
  }
  const call = async (method: string, params: JsonObject, token?: string): Promise<TaskReply> =>
    (await body(method, params, token)).json() as Promise<TaskReply>;
  await deploy('Task', spoken(confirm('ask'), say('done')));
  const { result: task } = await call('tools/call', { name: 'Task' });
  expect(task).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
  const { taskId } = task;
  // The client shows no forms: somebody else is to answer, and the task says how.
  await expect
    .poll(async () => (await call('tasks/get', { taskId })).result, { timeout: 20_000 })
    .toMatchObject({ status: 'working', statusMessage: expect.stringContaining('asks a person') });

  const stranger = await api.tenant();
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    expect(await call(method, { taskId, inputResponses: {} }, stranger.token)).toMatchObject({
      error: { code: -32602, message: 'Task not found' },
    });

  const [open] = await api.deps.db.query<{ id: string }>(
    `SELECT i.id FROM run_interrupts i JOIN runs r ON r.id = i.run_pk WHERE r.run_id = $1`,
    [taskId],
  );
  const answer = (content: JsonObject) =>
    call('tasks/update', { taskId, inputResponses: { [open!.id]: { action: 'accept', content } } });
  expect(await answer({ confirm: 'perhaps' })).toMatchObject({ error: { code: -32602 } });
  expect(await answer({ confirm: true })).toMatchObject({ result: { resultType: 'complete' } });
  // The second answer comes too late, which is no error.
  expect(await answer({ confirm: false })).toMatchObject({ result: { resultType: 'complete' } });
  await expect.poll(async () => (await call('tasks/get', { taskId })).result['status']).toBe('completed');
  expect((await call('tasks/get', { taskId })).result.result['content']).toEqual([
    { type: 'text', text: 'done' },
  ]);
});
