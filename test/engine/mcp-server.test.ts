/** If this fails, a program that speaks MCP finds tools of others, gets no output of a workflow, or leaves runs behind. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/graph/value.ts';
import { MAX_PER_USER } from '../../src/runs/stream/stream-semaphore.ts';
import type { ApiServer, Tenant } from '../support/api-server.ts';
import { chain, http, node } from '../support/definitions.ts';
import { startEngineWithRecorder, type EngineWithRecorder } from '../support/engine-with-servers.ts';
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
    expect(tool?._meta).toEqual({ workflow_id: workflowId });
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
    const result = await other.callTool(call);
    expect([result.isError, textOf(result)]).toEqual([true, 'The run does not exist']);
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
