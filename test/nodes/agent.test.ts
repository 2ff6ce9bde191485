import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/graph/value.ts';
import { agent, takeTurn } from '../../src/nodes/agent/agent.ts';
import type { AgentConfig, AgentPast } from '../../src/nodes/agent/agent.ts';
import { runAgentTool } from '../../src/nodes/agent/offer.ts';
import { configWith } from '../../src/nodes/agent/agent-tool.ts';
import type { KnowledgeRequest, ModelReply, ModelRequest } from '../../src/nodes/tools.ts';
import { nodeCall, problemsOf, type Fakes } from './support/node-call.ts';

const ID = '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10';
const base = { provider: 'openai', model: 'm', messages: [{ role: 'user', content: 'Hi {{name}}' }] };
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const slack = { kind: 'integration', integration: 'slack', action: 'send_message', credential_id: ID };
const http = { kind: 'http', url: 'https://api.example.com/x', name: 'ask' };
const NOTHING: AgentPast = { opening: null, turns: [], toolCalls: [] };

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
  return { result: await takeTurn(call, past), request: requests[0] };
}

describe('the config', () => {
  const problems = (...tools: JsonObject[]): string[] => problemsOf(agent, { ...base, tools });
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
    expect(problemsOf(agent, { ...base, max_iterations: 26 })).toEqual(['invalid_config max_iterations']);
    expect(problemsOf(agent, { ...base, max_tool_calls: 65 })).toEqual(['invalid_config max_tool_calls']);
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

  test('of an MCP tool is what its server says, and is asked for once', async () => {
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

test('the numbers that a model writes for a tool keep their digits, as text', async () => {
  const input_schema = { type: 'object', properties: { id: { type: 'integer' } } };
  const toolCalls = [{ id: '1', name: 'ask', arguments: '{"id":9007199254740993}' }];
  const { result } = await turn({ tools: [{ ...http, input_schema }] }, { toolCalls });
  expect(result).toMatchObject({ calls: [{ arguments: { id: '9007199254740993' }, refusal: null }] });
});
test.each(['__proto__', 'constructor', 'prototype'])('arguments with the key %s are none', async (key) => {
  const toolCalls = [{ id: '1', name: 'ask', arguments: `{"a":[{"${key}":1}]}` }];
  const { result } = await turn({ tools: [http] }, { toolCalls });
  expect(result).toMatchObject({ calls: [{ refusal: `${key}: Extra inputs are not permitted` }] });
});
test('a model that answers without the tool that it was to call fails the agent, in words', async () => {
  const tools = [{ ...http, usage: 'force' }];
  const ignored = turn({ tools }, { content: 'I would rather not' });
  await expect(ignored).rejects.toMatchObject({
    code: 'tool_not_called',
    message: 'The model answered without calling ask, as it had to',
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
  expect(tool === undefined ? null : configWith(tool.config, ['given', 'fixed'])).toMatchObject(wanted);
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

test('too many calls in one answer are not made, however many there are', async () => {
  const toolCalls = Array.from({ length: 10_000 }, (_, at) => ({
    id: `${at}`,
    name: 'ask',
    arguments: '{}',
  }));
  const { result } = await turn({ tools: [http] }, { toolCalls });
  expect(result).toMatchObject({ kind: 'final', output: { stop_reason: 'max_tool_calls', tool_calls: [] } });
});
