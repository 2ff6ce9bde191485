/** A test of a node would send what nobody has confirmed, or ask where nothing is sent. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import type { NodeType } from '../../../src/language/graph/definition/definition.ts';
import { listSends } from '../../../src/language/nodes/registry.ts';

const url = 'https://example.com';
const http = (method: string, more: JsonObject = {}): JsonObject => ({ kind: 'http', method, url, ...more });
const WORKFLOW = '11111111-1111-4111-8111-111111111111';
const child = { kind: 'workflow', workflow_id: WORKFLOW };
const model = { provider: 'managed', model: 'x', messages: [{ role: 'user', content: 'x' }] };
const agent = (...tools: JsonObject[]): JsonObject => ({
  ...model,
  tools: tools.map((tool, at) => ({ name: `t${at}`, ...tool })),
});
const approval = { kind: 'approval', title: 'x', actions: [{ id: 'ok', label: 'OK' }] };

test.each<[string, NodeType, JsonObject, readonly string[]]>([
  ['a POST', 'tool', http('POST'), ['at_most_once']],
  ['a POST that may be repeated', 'tool', http('POST', { effect: 'at_least_once' }), ['at_least_once']],
  ['an idempotent POST', 'tool', http('POST', { idempotent: true }), ['idempotent']],
  ['a PUT', 'tool', http('PUT'), ['idempotent']],
  ['a DELETE', 'tool', http('DELETE'), ['idempotent']],
  ['a GET', 'tool', http('GET'), []],
  ['a HEAD', 'tool', http('HEAD'), []],
  ['a tool of a server', 'tool', { kind: 'mcp', server_url: url, tool: 'x' }, ['at_most_once']],
  ['an agent with tools', 'agent', agent(http('GET'), http('DELETE')), ['idempotent']],
  ['an agent whose tools only read', 'agent', agent(http('GET')), []],
  ['an agent whose tool is not offered', 'agent', agent(http('POST', { usage: 'none' })), []],
  ['a model', 'llm', model, []],
  ['a function', 'function', { code: 'export default () => 1' }, []],
  ['a question to members', 'interrupt', approval, []],
  [
    'a question by e-mail',
    'interrupt',
    { ...approval, assignees: { emails: ['ada@example.com'] } },
    ['at_most_once'],
  ],
  [
    'a question in a channel',
    'interrupt',
    { ...approval, notify: [{ kind: 'slack', url }] },
    ['at_most_once'],
  ],
  [
    'a question that is escalated',
    'interrupt',
    { ...approval, escalate_to: ['ada@example.com'] },
    ['at_most_once'],
  ],
])('REL-confirmed-effects: %s sends as much as its class says', (_, type, config, effects) => {
  expect(listSends(type, config)).toEqual({ effects, children: [] });
});

test('REL-confirmed-effects: a sub-workflow sends what its nodes send, of a node and of an agent', () => {
  const children = [{ workflowId: WORKFLOW, deployment: 'live' }];
  expect(listSends('tool', child)).toEqual({ effects: [], children });
  expect(listSends('agent', agent(child))).toEqual({ effects: [], children });
});
