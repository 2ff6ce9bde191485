/** If this fails, a person must open a node to learn what it does. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { summarizeNode } from '../../../../src/surfaces/web/canvas/card-summary.ts';
import { listFaces } from '../../../../src/language/nodes/faces.ts';

const rule = (left: string, op: string, right?: number | string): JsonObject => ({
  left,
  op,
  ...(right === undefined ? {} : { right }),
});
const messages = [
  { role: 'system', content: 'Be kind' },
  { role: 'user', content: 'Sum up  {{ input.text }}\nin a line' },
];

test.for<[type: string, config: JsonObject, summary: string]>([
  ['llm', { model: 'gpt-4.1-mini', messages }, 'gpt-4.1-mini · Sum up input.text in a line'],
  ['agent', { model: '', messages: [messages[0]!] }, 'Be kind'],
  [
    'tool',
    { kind: 'http', method: 'POST', url: 'https://key@api.stripe.com/v1/x?y=1' },
    'POST · api.stripe.com',
  ],
  ['tool', { kind: 'http', url: '{{input.url}}' }, 'GET · input.url'],
  ['tool', { kind: 'integration', integration: 'slack', action: 'send_message' }, 'Slack · Send message'],
  ['tool', { kind: 'mcp', tool: 'find', server_url: 'https://mcp.example/x' }, 'find · mcp.example'],
  [
    'conditional',
    {
      mode: 'rules',
      cases: [{ id: 'a', match: 'any', rules: [rule('{{input.n}}', 'gt', 5), rule('{{x}}', 'exists')] }],
    },
    'input.n is greater than 5 or x exists',
  ],
  [
    'conditional',
    { cases: [{ id: 'a', ...rule('{{n}}', 'eq', 'b') }, { id: 'c' }, { id: 'd' }] },
    'n equals b · 2 more cases',
  ],
  [
    'interrupt',
    {
      kind: 'approval',
      title: 'Refund {{n}} €?',
      assignees: { emails: ['ada@a.example'], roles: ['admin'] },
    },
    'Refund n €? · ada@a.example, Admin',
  ],
  ['interrupt', { kind: 'wait', duration_seconds: 90 }, 'Waits 1 min 30 s'],
  ['interrupt', { kind: 'wait', until: '{{input.at}}' }, 'Waits until input.at'],
  ['transformer', { mode: 'map', fields: { name: 1, total: 2 } }, 'Map · name, total'],
  ['transformer', { mode: 'template', template: 'Dear {{a}}' }, 'Template · Dear a'],
  ['function', { code: '', arguments: { text: '' } }, 'JavaScript · text'],
  ['guardrails', { checks: [{ type: 'pii' }, { type: 'max_length' }] }, 'Personal data, Max length'],
  ['knowledge', { query: '{{input.q}}' }, 'input.q'],
])('the card of a node, %s, says what it does: %j', ([type, config, summary]) => {
  expect(summarizeNode({ type, config })).toBe(summary);
});

test('a new node of each kind says something, and a broken one nothing', () => {
  for (const { type, config } of listFaces()) expect(summarizeNode({ type, config }), type).not.toBe('');
  for (const { type } of listFaces())
    for (const config of [
      null,
      [],
      {},
      { cases: [null], messages: [1], checks: 'x', assignees: [], kind: 3 },
    ])
      expect(typeof summarizeNode({ type, config: config as JsonObject })).toBe('string');
  expect(summarizeNode({ type: 'constructor', config: {} })).toBe('');
});
