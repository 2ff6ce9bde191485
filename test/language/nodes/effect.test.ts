/** A test of a node would send what nobody has confirmed; preparing would send, or what is sent would not be what was prepared. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import type { NodeType } from '../../../src/language/nodes/faces.ts';
import {
  isChange,
  makeEffect,
  type EffectPattern,
  type PatternOf,
} from '../../../src/language/nodes/effect.ts';
import type { NodeKind } from '../../../src/language/nodes/kind.ts';
import { knowledge } from '../../../src/language/nodes/knowledge/knowledge.ts';
import { llm } from '../../../src/language/nodes/llm/llm.ts';
import { describeEffects } from '../../../src/language/nodes/registry.ts';
import { tool } from '../../../src/language/nodes/tool/tool.ts';
import { admitsTarget } from './support/described.ts';
import { nodeCall, type Fakes } from './support/node-call.ts';

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
  const found = describeEffects(type, config).filter(isChange);
  expect(found.map(({ effect }) => effect)).toEqual(effects);
});

test('REL-confirmed-effects: a sub-workflow sends what its nodes send, of a node and of an agent', () => {
  const target = { workflow_id: WORKFLOW, deployment: 'live' };
  const run = { door: 'run', target, effect: 'idempotent', credential_id: null };
  expect(describeEffects('tool', child)).toEqual([run]);
  expect(describeEffects('agent', agent(child))).toContainEqual(run);
  expect(isChange({ door: 'run', effect: 'idempotent' })).toBe(false);
});

const CREDENTIAL = '22222222-2222-4222-8222-222222222222';
const BASE = '33333333-3333-4333-8333-333333333333';
const from = (...references: string[]): JsonObject => ({ from: references });

test.each<[string, NodeType, JsonObject, readonly JsonObject[]]>([
  [
    'a literal host, as the URL standard writes it',
    'tool',
    http('GET', { url: 'HTTPS://Example.COM:443/{{input.path}}' }),
    [{ method: 'GET', host: 'example.com' }],
  ],
  [
    'an address that is one template',
    'tool',
    http('POST', { url: ' {{classify.data.url}} ' }),
    [{ method: 'POST', host: from('classify.data.url') }],
  ],
  [
    'an action, whose credential may have a server of its own',
    'tool',
    {
      kind: 'integration',
      integration: 'slack',
      action: 'send_message',
      credential_id: CREDENTIAL,
      parameters: { channel: '#a', text: 'x' },
    },
    [{ method: 'POST', host: from('credential') }],
  ],
  [
    'the server of a credential',
    'tool',
    { kind: 'mcp', credential_id: CREDENTIAL, tool: 'x' },
    [{ server: from('credential'), tool: 'x' }],
  ],
  [
    'a search',
    'knowledge',
    { knowledge_base_ids: [BASE], query: '{{input.q}}' },
    [{ knowledge_base_ids: [BASE] }],
  ],
  [
    'a route by a model',
    'conditional',
    {
      mode: 'llm',
      provider: 'managed',
      model: 'x',
      input: 'x',
      cases: [{ id: 'a', description: 'x' }],
      default: 'else',
    },
    [{ provider: 'managed', model: 'x' }],
  ],
  [
    'a route by rules',
    'conditional',
    { cases: [{ id: 'a', rules: [{ left: '1', op: 'eq', right: '1' }] }], default: 'else' },
    [],
  ],
  [
    'checks by a model',
    'guardrails',
    {
      input: 'x',
      provider: 'managed',
      model: 'x',
      checks: [{ type: 'grounding', knowledge_base_ids: [BASE] }],
    },
    [{ provider: 'managed', model: 'x' }, { knowledge_base_ids: [BASE] }],
  ],
  [
    'a question by e-mail and in a channel whose address is a secret',
    'interrupt',
    {
      ...approval,
      assignees: { emails: ['{{input.mail}}'] },
      notify: [
        { kind: 'slack', url: 'https://hooks.slack.com/services/T/B/secret' },
        { kind: 'teams', credential_id: CREDENTIAL },
      ],
    },
    [
      { channel: 'email', address: from('input.mail') },
      { channel: 'slack', address: 'hooks.slack.com' },
      { channel: 'teams', address: from('credential') },
    ],
  ],
])('REL-prepared-effects: %s is described without a run', (_, type, config, targets) => {
  expect(describeEffects(type, config).map(({ target }) => target)).toEqual(targets);
});

const READS = {
  roots: { input: { id: 7, q: 'why', note: 'x' } },
  credentials: () => Promise.resolve({ integration: 'slack', baseUrl: null }),
};

/** One config of each sender; the fakes have no port that sends. */
const SENDING: readonly [string, NodeKind, JsonObject][] = [
  ['http', tool, http('POST', { body: { id: '{{input.id}}' }, query: { token: '{{input.note}}' } })],
  [
    'multipart',
    tool,
    http('PUT', { headers: { 'content-type': 'multipart/form-data' }, body: { id: '{{input.id}}' } }),
  ],
  [
    'integration',
    tool,
    {
      kind: 'integration',
      integration: 'slack',
      action: 'send_message',
      credential_id: CREDENTIAL,
      parameters: { channel: '#a', text: '{{input.note}}' },
    },
  ],
  ['mcp', tool, { kind: 'mcp', server_url: url, tool: 'x', arguments: { id: '{{input.id}}' } }],
  ['workflow', tool, { ...child, input: { id: '{{input.id}}' } }],
  ['knowledge', knowledge, { knowledge_base_ids: [BASE], query: '{{input.q}}' }],
  ['llm', llm, { ...model, messages: [{ role: 'user', content: '{{input.q}}' }] }],
];

const prepare = (kind: NodeKind, config: JsonObject, fakes: Fakes = READS) => {
  const read = kind.parse(config);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const sender = kind.sender?.(read.config);
  if (sender === undefined) throw new Error('the kind has no sender');
  return sender.prepare(nodeCall(read.config, fakes));
};

test.each(SENDING)(
  'REL-prepared-effects: %s is prepared without sending, the same each time, and as it was described',
  async (_, kind, config) => {
    const [one, two] = [await prepare(kind, config), await prepare(kind, config)];
    expect(await one.digest()).toMatch(/^[0-9a-f]{64}$/);
    expect(await one.digest()).toBe(await two.digest());
    const { digest: _one, ...first } = one;
    const { digest: _two, ...second } = two;
    expect(first).toEqual(second);
    const [{ door, target, effect, credential_id } = {} as EffectPattern] = describeEffects(
      kind.type,
      config,
    );
    expect(one).toMatchObject({ door, effect, credential_id });
    expect(admitsTarget(target, one.target)).toBe(true);
    const roots = { input: { id: 8, q: 'how', note: 'y' } };
    expect(await (await prepare(kind, config, { ...READS, roots })).digest()).not.toBe(await one.digest());
  },
);

test('REL-prepared-effects: the digest of a request is that of its canonical JSON with the organization', async () => {
  const effect = await prepare(tool, http('POST', { body: { b: 1, a: '{{input.note}}' } }));
  const text =
    '{"credential_id":null,"door":"http","effect":"at_most_once","organization_id":"o1","request":' +
    '{"body":"{\\"b\\":1,\\"a\\":\\"x\\"}","headers":{"content-type":"application/json"},"method":"POST","url":"https://example.com/"},' +
    '"target":{"host":"example.com","method":"POST"}}';
  expect(await effect.digest()).toBe(createHash('sha256').update(text).digest('hex'));
});

test('REL-prepared-effects: a secret of the request is not in its copy, and is known to be hidden', async () => {
  const headers = { authorization: 'Bearer abcdefgh12345678' };
  const { shown, hidden } = await prepare(tool, http('GET', { headers }));
  expect(JSON.stringify(shown)).not.toContain('abcdefgh12345678');
  expect(hidden).toContain('abcdefgh12345678');
});

test('REL-prepared-effects: a target that its pattern does not name is a fault of the sender', () => {
  const call = nodeCall({}, READS);
  const sent = { request: { method: 'GET', url, headers: {}, body: null }, shown: {} };
  const make = (host: PatternOf<'http'>['target']['host'], exact: string, method = 'GET') => {
    const pattern = {
      door: 'http',
      target: { method: 'GET', host },
      effect: 'pure',
      credential_id: null,
    } as const;
    return makeEffect(call, pattern, { target: { method, host: exact }, ...sent }).target;
  };
  expect(make('a.example', 'a.example')).toEqual({ method: 'GET', host: 'a.example' });
  expect(make({ from: ['input.url'] }, 'b.example')).toEqual({ method: 'GET', host: 'b.example' });
  expect(() => make('a.example', 'b.example')).toThrow('another host');
  expect(() => make({ from: ['input.url'] }, 'b.example', 'POST')).toThrow('another method');
});
