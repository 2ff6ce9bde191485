/** An agent would call a tool that it was not offered, with other parameters than were fixed, or beyond its limits. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { agent, takeTurn } from '../../../src/language/nodes/agent/agent.ts';
import type { AgentConfig, AgentHistory } from '../../../src/language/nodes/agent/agent.ts';
import { runAgentTool } from '../../../src/language/nodes/agent/offer.ts';
import { addArguments } from '../../../src/language/nodes/agent/agent-tool.ts';
import type { KnowledgeRequest, ModelReply, ModelRequest } from '../../../src/language/nodes/tools.ts';
import { watchPorts } from './support/described.ts';
import { nodeCall, listProblems, type Fakes } from './support/node-call.ts';

const ID = '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10';
const base = { provider: 'openai', model: 'm', messages: [{ role: 'user', content: 'Hi {{name}}' }] };
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const slack = { kind: 'integration', integration: 'slack', action: 'send_message', credential_id: ID };
const http = { kind: 'http', url: 'https://api.example.com/x', name: 'ask' };
const NOTHING: AgentHistory = { opening: null, turns: [], toolCalls: [] };

async function turn(config: JsonObject, reply: Partial<ModelReply>, past = NOTHING, fakes: Fakes = {}) {
  const read = agent.parse({ ...base, ...config });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const requests: ModelRequest[] = [];
  const model = (request: ModelRequest): Promise<ModelReply> => {
    requests.push(request);
    return Promise.resolve({
      content: '',
      reasoning: null,
      model: 'm',
      finishReason: 'stop',
      usage,
      ...reply,
    });
  };
  const call = nodeCall(read.config as AgentConfig, { roots: { name: 'Ada' }, model, ...fakes });
  const { tools, unforeseen } = watchPorts(call.tools, agent.describe?.(read.config) ?? []);
  const result = await takeTurn({ ...call, tools }, past);
  expect(unforeseen, 'what leaves is described by the config').toEqual([]);
  return { result, request: requests[0] };
}

describe('the config', () => {
  const problems = (...tools: JsonObject[]): string[] => listProblems(agent, { ...base, tools });
  test.each<[string, JsonObject, string]>([
    ['approval', { ...http, approval: 'sometimes' }, 'invalid_config tools.0.approval'],
    ['a search of nothing', { kind: 'knowledge', name: 'k' }, 'invalid_config tools.0.knowledge_base_ids'],
    ['a name that providers refuse', { ...http, name: 'a b' }, 'invalid_config tools.0.name'],
    ['no name', { ...http, name: null }, 'invalid_config tools.0.name'],
    ['a literal body', { ...http, method: 'POST', body: 'x' }, 'invalid_config tools.0.body'],
    ['an unknown action', { ...slack, action: 'x' }, 'unknown_action tools.0.action'],
    ['no credential', { ...slack, credential_id: null }, 'credential_required tools.0.credential_id'],
    [
      'a parameter of no action',
      { ...slack, parameters: { x: 1 } },
      'invalid_parameter tools.0.parameters.x',
    ],
    [
      'a server as a process',
      { kind: 'mcp', tool: 't', command: 'sh', credential_id: ID },
      'stdio_not_allowed tools.0.command',
    ],
  ])('refuses %s', (_, tool, problem) => {
    expect(problems(tool)).toEqual([problem]);
  });
  test('refuses two tools of one name, and limits above the bar', () => {
    expect(problems(http, http)).toEqual(['duplicate_tool_name tools.1.name']);
    expect(listProblems(agent, { ...base, max_iterations: 26 })).toEqual(['invalid_config max_iterations']);
    expect(listProblems(agent, { ...base, max_tool_calls: 65 })).toEqual(['invalid_config max_tool_calls']);
  });
  test('parameters that are missing are left to the model', () => {
    expect(problems(slack)).toEqual([]);
  });
});

describe('the offer', () => {
  test('of an integration is its schema without what is fixed', async () => {
    const tools = [
      { ...slack, parameters: { channel: '#a' } },
      { ...http, usage: 'none' },
    ];
    const { request } = await turn({ tools }, { content: 'ok' });
    expect(request?.messages).toEqual([{ role: 'user', content: 'Hi Ada' }]);
    expect(request?.offer).toMatchObject({ force: null, parallel: true });
    expect(request?.offer?.tools).toHaveLength(1);
    const [offer] = request?.offer?.tools ?? [];
    expect(offer).toMatchObject({ name: 'slack_send_message', description: 'Posts a message to a channel.' });
    expect(Object.keys(offer?.schema['properties'] ?? {})).not.toContain('channel');
    expect(offer?.schema).toMatchObject({ additionalProperties: false, required: ['text'] });
  });

  test("of an MCP tool is its server's schema, which is fetched once", async () => {
    const asked: string[] = [];
    const describeMcp: NonNullable<Fakes['describeMcp']> = ({ tool, credential }) => {
      asked.push(`${tool} ${credential?.credentialId}`);
      return Promise.resolve({
        description: 'Finds',
        inputSchema: { properties: { q: {} }, required: ['q'] },
        fingerprint: 'f1',
      });
    };
    const tools = [{ kind: 'mcp', tool: 'find.it', credential_id: ID }];
    const toolCalls = [{ id: '1', name: 'find_it', arguments: '{"q":1}' }];
    const first = await turn({ tools }, { toolCalls }, NOTHING, { describeMcp });
    expect(first.request?.offer?.tools).toMatchObject([{ name: 'find_it', description: 'Finds' }]);
    expect(first.result).toMatchObject({ kind: 'goes_on', calls: [{ arguments: { q: 1 }, refusal: null }] });
    const past = { ...NOTHING, opening: first.result.opening };
    await turn({ tools }, { content: 'ok' }, past, { describeMcp });
    expect(asked).toEqual([`find.it ${ID}`]);
  });
});

describe('a schema with alternatives at its top is offered without them', () => {
  const text = { type: 'string' };
  const by = (name: string, schema: JsonObject = text): JsonObject => ({
    properties: { [name]: schema },
    required: [name],
  });
  test.each<[string, JsonObject, JsonObject]>([
    [
      'one of several',
      { type: 'object', anyOf: [by('id'), by('name')] },
      { type: 'object', properties: { id: text, name: text }, required: [], additionalProperties: false },
    ],
    [
      'what all choices need',
      {
        oneOf: [
          { ...by('id'), required: ['id', 'n'] },
          { ...by('n'), required: ['n'] },
        ],
      },
      { type: 'object', properties: { id: text, n: text }, required: ['n'], additionalProperties: false },
    ],
    [
      'all of several',
      { properties: { a: text }, required: ['a'], allOf: [by('b')] },
      { type: 'object', properties: { a: text, b: text }, required: ['a', 'b'], additionalProperties: false },
    ],
    [
      'two meanings of one name',
      { anyOf: [by('id'), by('id', { type: 'number' })] },
      { type: 'object', properties: { id: { anyOf: [text, { type: 'number' }] } }, required: ['id'] },
    ],
    [
      'what is defined elsewhere',
      { anyOf: [{ $ref: '#/$defs/a' }, by('id')], $defs: { a: by('x') } },
      { type: 'object', properties: { id: text }, required: [], additionalProperties: true },
    ],
  ])('%s', async (_name, schema, expected) => {
    const tools = [{ ...http, input_schema: schema }];
    const { request } = await turn({ tools }, { content: 'ok' });
    const [offer] = request?.offer?.tools ?? [];
    expect(offer?.schema).toMatchObject(expected);
    expect(Object.keys(offer?.schema ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(anyOf|oneOf|allOf)$/)]),
    );
  });
});

test('the numbers that a model writes for a tool keep their digits, as text', async () => {
  const input_schema = { type: 'object', properties: { id: { type: 'integer' } } };
  const toolCalls = [{ id: '1', name: 'ask', arguments: '{"id":9007199254740993}' }];
  const { result } = await turn({ tools: [{ ...http, input_schema }] }, { toolCalls });
  expect(result).toMatchObject({ calls: [{ arguments: { id: '9007199254740993' }, refusal: null }] });
});
test.each([
  ['__proto__', '__proto__: Unknown field'],
  ['constructor', null],
  ['prototype', null],
])('arguments with the key %s have the refusal %j', async (key, refusal) => {
  const toolCalls = [{ id: '1', name: 'ask', arguments: `{"a":[{"${key}":1}]}` }];
  const { result } = await turn({ tools: [http] }, { toolCalls });
  expect(result).toMatchObject({ calls: [{ refusal }] });
});
test('a model that answers without the tool that it was to call fails the agent, in words', async () => {
  const tools = [{ ...http, usage: 'force' }];
  const ignored = turn({ tools }, { content: 'I would rather not' });
  await expect(ignored).rejects.toMatchObject({
    code: 'tool_not_called',
    message: 'The model answered without calling the required tool ask',
  });
  const toolCalls = [{ id: '1', name: 'ask', arguments: '{}' }];
  const first = await turn({ tools }, { toolCalls });
  expect([first.result.kind, first.request?.offer?.force]).toEqual(['goes_on', 'ask']);
});

test.each([
  ['GET', { query: { fixed: 1, given: '{{_given["given"]}}' } }],
  ['POST', { body: { fixed: 1, given: '{{_given["given"]}}' } }],
])('fixed parameters of a %s stay, whatever the model gives', (method, wanted) => {
  const read = agent.parse({ ...base, tools: [{ ...http, method, parameters: { fixed: 1 } }] });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const [tool] = (read.config as AgentConfig).tools;
  expect(tool === undefined ? null : addArguments(tool.config, ['given', 'fixed'])).toMatchObject(wanted);
});

test('the model of a search is asked for the query alone, and gets what the config has fixed', async () => {
  const search = { kind: 'knowledge', name: 'docs', knowledge_base_ids: [ID], top_k: 2, filters: { a: 1 } };
  const asked: KnowledgeRequest[] = [];
  const toolCalls = [
    { id: '1', name: 'docs', arguments: '{"query": "{{name}}?"}' },
    { id: '2', name: 'docs', arguments: '{"query": "x", "knowledge_base_ids": []}' },
  ];
  const { result, request } = await turn({ tools: [search] }, { toolCalls });
  expect(request?.offer?.tools).toMatchObject([{ name: 'docs', schema: { required: ['query'] } }]);
  expect(Object.keys(request?.offer?.tools[0]?.schema['properties'] ?? {})).toEqual(['query']);
  if (result.kind !== 'goes_on') throw new Error('the agent ended');
  expect(result.calls.map(({ refusal }) => refusal)).toEqual([null, expect.any(String)]);
  const read = agent.parse({ ...base, tools: [search] });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const [tool] = (read.config as AgentConfig).tools;
  if (tool === undefined) throw new Error('there is no tool');
  const call = nodeCall(read.config, {
    roots: { name: 'Ada' },
    knowledge: (given) => (asked.push(given), Promise.resolve([{ content: 'found' }])),
  });
  const answer = await runAgentTool(call, tool.config, result.calls[0]?.arguments ?? {});
  // What a model writes is never read as a template.
  expect(asked).toMatchObject([
    { query: '{{name}}?', knowledgeBaseIds: [ID], topK: 2, filters: { a: 1 }, organizationId: 'o1' },
  ]);
  expect(answer).toMatchObject({ output: { data: { total_matches: 1, context: 'found' } } });
});

describe('the limits', () => {
  const wants = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `${at}`, name: 'ask', arguments: '{}' }));
  const made = (count: number, turns: number): AgentHistory => {
    const calls = wants(count).map((call) => ({ ...call, result: '1', isError: false }));
    const past = { content: '', calls, correction: null, usage, hasRefusal: false };
    const done = Array.from({ length: turns }, (_, at) => (at === 0 ? past : { ...past, calls: [] }));
    const tools = [{ name: 'ask', description: '', schema: {} }];
    return { opening: { own: [], messages: [], tools }, turns: done, toolCalls: wants(count) };
  };

  test('of too many calls in one answer as many are made as the limit has left', async () => {
    const { result } = await turn(
      { tools: [http], max_tool_calls: 5 },
      { toolCalls: wants(10_000) },
      made(2, 1),
    );
    if (result.kind !== 'goes_on') throw new Error('the agent ended');
    expect(result.calls.map(({ id }) => id)).toEqual(['0', '1', '2']);
  });

  test.each([
    ['max_iterations', { max_iterations: 3 }, made(1, 2)],
    ['max_tool_calls', { max_tool_calls: 4 }, made(4, 1)],
  ])('the turn that reaches %s is offered no tools, is told so, and warns', async (limit, config, past) => {
    const { result, request } = await turn({ tools: [http], ...config }, { content: 'So far: 1' }, past);
    expect(request?.offer).toMatchObject({ isClosed: true, force: null });
    expect(request?.turns?.at(-1)?.correction).toMatch(/No tool can be called any more/);
    expect(result).toMatchObject({
      kind: 'final',
      output: { content: 'So far: 1', stop_reason: limit },
      warnings: [{ code: limit, message: expect.stringContaining(limit) }],
    });
  });

  test.each([
    ['max_iterations', { max_iterations: 3 }, made(1, 1)],
    ['max_tool_calls', { max_tool_calls: 4 }, made(3, 1)],
  ])('the turn before %s is a turn as any other', async (_limit, config, past) => {
    const { result, request } = await turn({ tools: [http], ...config }, { content: 'ok' }, past);
    expect(request?.offer).toMatchObject({ isClosed: false });
    expect(request?.turns?.at(-1)?.correction).toBeNull();
    expect(result).toMatchObject({ output: { stop_reason: 'final' }, warnings: [] });
  });

  test('a model that calls tools all the same ends with its text and a warning', async () => {
    const { result } = await turn(
      { tools: [http], max_iterations: 2 },
      { content: 'Hm', toolCalls: wants(1) },
      made(1, 1),
    );
    expect(result).toMatchObject({
      output: { content: 'Hm', stop_reason: 'max_iterations', iterations: 2 },
      warnings: [{ code: 'max_iterations' }],
    });
  });

  test('an agent without tools has no limit to reach', async () => {
    const { result } = await turn({ max_iterations: 1 }, { content: 'ok' });
    expect(result).toMatchObject({ output: { stop_reason: 'final' }, warnings: [] });
    const calling = await turn({ max_iterations: 1 }, { toolCalls: wants(1) });
    expect(calling.result).toMatchObject({ kind: 'final', output: { stop_reason: 'max_iterations' } });
  });

  test('a tool that has to be called and cannot be any more fails the agent before the model is asked', async () => {
    const tools = [http, { ...http, name: 'must', usage: 'force' }];
    const late = turn({ tools, max_iterations: 2 }, { content: 'ok' }, made(1, 1));
    await expect(late).rejects.toMatchObject({
      code: 'tool_not_called',
      message: 'The agent has reached max_iterations without calling the required tool must',
    });
  });
});

test('an answer that the model refuses to give warns', async () => {
  const { result } = await turn({ tools: [http] }, { content: 'I cannot', finishReason: 'refusal' });
  expect(result).toMatchObject({ output: { content: 'I cannot' }, warnings: [{ code: 'model_refused' }] });
});

describe('an answer that was cut', () => {
  test.each(['length', 'content_filter', 'refusal'])('%s is the stop_reason', async (finishReason) => {
    const { result } = await turn({ tools: [http] }, { content: 'Once upon', finishReason });
    expect(result).toMatchObject({
      output: { content: 'Once upon', stop_reason: finishReason },
      warnings: [{ reason: finishReason }],
    });
  });

  test('has no data', async () => {
    const config = { response_format: { type: 'json_object' } };
    const cut = turn(config, { content: '{"a":1}', finishReason: 'length' });
    await expect(cut).rejects.toMatchObject({ code: 'answer_truncated' });
  });

  test.each(['length', 'content_filter'])(
    'in a call (%s) makes the calls before it alone',
    async (reason) => {
      const toolCalls = [
        { id: '1', name: http.name, arguments: '{}' },
        { id: '2', name: http.name, arguments: '' },
      ];
      const { result } = await turn({ tools: [http] }, { toolCalls, finishReason: reason });
      expect(result).toMatchObject({
        kind: 'goes_on',
        calls: [
          { refusal: null },
          { refusal: expect.stringMatching(/cut off in this call/), arguments: null },
        ],
      });
      const whole = await turn({ tools: [http] }, { toolCalls, finishReason: 'tool_calls' });
      expect(whole.result).toMatchObject({ calls: [{ refusal: null }, { refusal: null }] });
    },
  );
});

describe('the parameters of a URL', () => {
  const order = { ...http, url: 'https://api.example.com/orders/{order_id}/{{name}}?as={as}', name: 'order' };
  const call = async (tool: JsonObject, given: JsonObject): Promise<URL> => {
    const toolCalls = [{ id: '1', name: 'order', arguments: JSON.stringify(given) }];
    const { result } = await turn({ tools: [tool] }, { toolCalls });
    if (result.kind !== 'goes_on') throw new Error('the agent ended');
    const read = agent.parse({ ...base, tools: [tool] });
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    const [{ config } = { config: null }] = (read.config as AgentConfig).tools;
    const urls: string[] = [];
    const answer = { status: 200, headers: {}, text: '' };
    const http = (request: { readonly url: string }) => (urls.push(request.url), Promise.resolve(answer));
    await runAgentTool(
      nodeCall(read.config, { roots: { name: 'Ada' }, http }),
      config!,
      result.calls[0]?.arguments ?? {},
    );
    return new URL(urls[0] ?? '');
  };

  test('are filled with the arguments, each as one segment, and the others are the query', async () => {
    const url = await call(order, { order_id: '../a b', as: 'x&y', page: 2 });
    expect(url.pathname).toBe('/orders/..%2Fa%20b/Ada');
    expect([...url.searchParams]).toEqual([
      ['as', 'x&y'],
      ['page', '2'],
    ]);
  });

  test('are filled with fixed values, which the model does not see', async () => {
    const fixed = { ...order, parameters: { order_id: 'A 7', as: '{{name}}' } };
    const { request } = await turn({ tools: [fixed] }, { content: 'ok' });
    expect(request?.offer?.tools[0]?.schema['required'] ?? []).toEqual([]);
    const url = await call(fixed, {});
    expect([url.pathname, url.search]).toEqual(['/orders/A%207/Ada', '?as=Ada']);
  });

  test('are in the offer and required, so that none is left open', async () => {
    const { request } = await turn({ tools: [order] }, { content: 'ok' });
    expect(request?.offer?.tools[0]?.schema).toMatchObject({
      properties: { order_id: { type: 'string' }, as: { type: 'string' } },
      required: ['order_id', 'as'],
    });
    const toolCalls = [{ id: '1', name: 'order', arguments: '{"as":"x"}' }];
    const { result } = await turn({ tools: [order] }, { toolCalls });
    expect(result).toMatchObject({ calls: [{ refusal: expect.stringMatching(/order_id/) }] });
  });
});
