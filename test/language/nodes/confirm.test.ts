/** A request that people have approved would leave as another one. */
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { listDifferences } from '../../../src/language/nodes/confirm/difference.ts';
import { editEffect, listEditable, viewEffect } from '../../../src/language/nodes/confirm/effect-view.ts';
import { pinTarget } from '../../../src/language/nodes/confirm/pin-target.ts';
import { describeEffect } from '../../../src/language/nodes/confirm/question.ts';
import { readParts, restoreEffect, storeParts } from '../../../src/language/nodes/confirm/stored-effect.ts';
import { NodeError, type NodeKind } from '../../../src/language/nodes/kind.ts';
import { knowledge } from '../../../src/language/nodes/knowledge/knowledge.ts';
import { llm } from '../../../src/language/nodes/llm/llm.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';
import { tool } from '../../../src/language/nodes/tool/tool.ts';
import { nodeCall, type Fakes } from './support/node-call.ts';

const CREDENTIAL = '22222222-2222-4222-8222-222222222222';
const BASE = '33333333-3333-4333-8333-333333333333';
const WORKFLOW = '11111111-1111-4111-8111-111111111111';
const url = 'https://example.com/refunds/{{input.id}}';
const http = (more: JsonObject): JsonObject => ({ kind: 'http', method: 'POST', url, ...more });
const FAKES = {
  roots: { input: { id: 7, amount: 82_000, note: 'ünïcode "quoted" \n \ud800 end', q: 'why' } },
  credentials: () => Promise.resolve({ integration: 'slack', baseUrl: null }),
} satisfies Fakes;

const SENDING: readonly [string, NodeKind, JsonObject][] = [
  [
    'json',
    tool,
    http({
      headers: { authorization: 'Bearer abcdefgh12345678' },
      body: { amount: '{{input.amount}}', note: '{{input.note}}', deep: [1, -0, 1e21, null, { __x: true }] },
    }),
  ],
  ['text', tool, http({ headers: { 'content-type': 'text/plain' }, body: 'Pay {{input.amount}}\u0000\r\n' })],
  [
    'form',
    tool,
    http({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: { amount: '{{input.amount}}', note: 'a b' },
    }),
  ],
  [
    'bytes',
    tool,
    http({ headers: { 'content-type': 'multipart/form-data' }, body: { amount: '{{input.amount}}' } }),
  ],
  ['no body', tool, { kind: 'http', method: 'DELETE', url }],
  [
    'integration',
    tool,
    {
      kind: 'integration',
      integration: 'slack',
      action: 'send_message',
      credential_id: CREDENTIAL,
      parameters: { channel: '#a', text: '{{input.q}}' },
    },
  ],
  [
    'mcp',
    tool,
    {
      kind: 'mcp',
      server_url: 'https://m.example',
      tool: 'x',
      arguments: { base64: 'aGk=', bytes: '{{input.q}}' },
    },
  ],
  ['workflow', tool, { kind: 'workflow', workflow_id: WORKFLOW, input: { amount: '{{input.amount}}' } }],
  ['knowledge', knowledge, { knowledge_base_ids: [BASE], query: '{{input.q}}' }],
  ['llm', llm, { provider: 'managed', model: 'x', messages: [{ role: 'user', content: '{{input.q}}' }] }],
];

async function prepare(kind: NodeKind, config: JsonObject, fakes: Fakes = FAKES) {
  const read = kind.parse(config);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const sender = kind.sender?.(read.config);
  if (sender === undefined) throw new Error('the kind has no sender');
  const call = nodeCall(read.config, fakes);
  return { call, sender, effect: await sender.prepare(call) };
}

test.each(SENDING)(
  'REL-approved-effects: %s is restored byte for byte, whatever its templates would render by then',
  async (_, kind, config) => {
    const { call, effect } = await prepare(kind, config);
    const stored = await storeParts(call.identity, effect);
    expect(stored.digest).toBe(await effect.digest());
    const later = await prepare(kind, config, {
      ...FAKES,
      roots: { input: { id: 8, amount: 1, note: '', q: 'how' } },
    });
    const restored = await restoreEffect(later.call, later.sender, stored);
    const write = ({ request, shown, hidden }: typeof effect): string =>
      JSON.stringify([{ ...request, body: null }, shown, hidden]);
    expect(write(restored)).toBe(write(effect));
    const readBody = ({ request }: typeof effect) =>
      (request as { body?: string | Uint8Array | null }).body ?? '';
    expect(Buffer.from(readBody(restored))).toEqual(Buffer.from(readBody(effect)));
    expect(typeof readBody(restored)).toBe(typeof readBody(effect));
    expect(await restored.digest()).toBe(stored.digest);
  },
);

test.each(SENDING)(
  'REL-approved-effects: %s is refused when one byte of it differs',
  async (_, kind, config) => {
    const { call, sender, effect } = await prepare(kind, config);
    const { text, digest } = await storeParts(call.identity, effect);
    const stored = JSON.parse(text) as JsonObject & { request: JsonObject; target: JsonObject };
    const bytes = Buffer.from('other').toString('base64');
    for (const changed of [
      { request: { ...stored.request, more: 'x' } },
      { target: { ...stored.target, more: 'x' } },
      { effect: stored['effect'] === 'pure' ? 'idempotent' : 'pure' },
      { credential_id: WORKFLOW },
      { bytes },
    ]) {
      const forged = { text: JSON.stringify({ ...stored, ...changed }), digest };
      await expect(restoreEffect(call, sender, forged)).rejects.toMatchObject({ code: 'effect_changed' });
    }
    const otherOrganization = { ...call, identity: { ...call.identity, organizationId: 'o2' } };
    await expect(restoreEffect(otherOrganization, sender, { text, digest })).rejects.toMatchObject({
      code: 'effect_changed',
    });
  },
);

test('REL-approved-effects: rules of the organization hold again when an approved request is sent', async () => {
  const [, kind, config] = SENDING[0] ?? ['', tool, {}];
  const { call, effect } = await prepare(kind, config);
  const stored = await storeParts(call.identity, effect);
  const admit = (): never => {
    throw new NodeError('effect_refused', 'no');
  };
  const { sender } = await prepare(kind, config);
  await expect(restoreEffect({ ...call, admit }, sender, stored)).rejects.toMatchObject({
    code: 'effect_refused',
  });
});

const about = async (config: JsonObject, editable: readonly string[], last: Json = null) => {
  const { call, effect } = await prepare(tool, config);
  const { digest } = await storeParts(call.identity, effect);
  const facts = {
    digest,
    credential: null,
    last,
    changes: [],
    rule: null,
    editable,
    redact: (value: Json) => value,
  };
  return { effect, call, ...describeEffect(effect, facts) };
};

test('REL-approved-effects: people see method, address, headers and body, and no secret', async () => {
  const { title, payload, form } = await about(SENDING[0]?.[2] ?? {}, ['body.amount', 'body.nothing']);
  expect(title).toBe('Send POST to example.com?');
  expect(payload).toMatchObject({
    door: 'http',
    request: {
      method: 'POST',
      url: 'https://example.com/refunds/7',
      headers: { authorization: '***' },
      body: { amount: 82_000 },
    },
    difference: null,
  });
  expect(JSON.stringify(payload)).not.toContain('abcdefgh12345678');
  expect(Object.keys(form['properties'] as JsonObject)).toEqual(['body.amount', 'comment', 'digest']);
});

test('REL-approved-effects: a body whose text says more than its fields is shown as text', () => {
  const show = (body: string): Json =>
    viewEffect({
      door: 'http',
      target: { method: 'POST', host: 'a.example' },
      effect: 'at_most_once',
      credential_id: null,
      request: {
        method: 'POST',
        url: 'https://a.example',
        headers: { 'content-type': 'application/json' },
        body,
      },
      shown: {},
      hidden: [],
    })['body'] ?? null;
  expect(show('{ "a" : [1, "x y"] }')).toEqual({ a: [1, 'x y'] });
  for (const body of ['{"a":1,"a":2}', '{"a":12345678901234567890}', '{"a":1.0}'])
    expect(show(body)).toBe(body);
});

test('REL-approved-effects: an edit is another request, and changes nothing but the value', async () => {
  const { effect, call } = await about(SENDING[0]?.[2] ?? {}, []);
  const edited = editEffect(effect, { 'body.amount': 820 });
  expect(edited?.changes).toEqual([{ path: 'body.amount', before: 82_000, after: 820 }]);
  const stored = await storeParts(call.identity, edited?.parts ?? effect);
  expect(stored.digest).not.toBe(await effect.digest());
  const before = (effect.request as { body: string }).body;
  const { request } = readParts(stored.text);
  expect((request as { body: string }).body).toBe(before.replace('"amount":82000', '"amount":820'));
  expect(editEffect(effect, { 'body.amount': 82_000 })).toBeNull();
});

test('REL-approved-effects: only named values that a request has may be edited', async () => {
  const [{ effect: json }, { effect: text }, { effect: bytes }] = await Promise.all([
    about(SENDING[0]?.[2] ?? {}, []),
    about(SENDING[1]?.[2] ?? {}, []),
    about(SENDING[3]?.[2] ?? {}, []),
  ]);
  const named = ['body', 'body.amount', 'body.deep.0', 'url', 'headers.authorization'];
  expect(listEditable(json, named)).toEqual(['body', 'body.amount', 'body.deep.0']);
  expect(listEditable(text, named)).toEqual(['body']);
  expect(listEditable(bytes, named)).toEqual([]);
});

test('REL-approved-effects: the difference to the last request names each value', () => {
  expect(listDifferences({ a: 1, b: [1, { c: 2 }], d: 'x' }, { a: 1, b: [1, { c: 3 }], e: null })).toEqual([
    { path: 'b.1.c', before: 2, after: 3 },
    { path: 'd', before: 'x' },
    { path: 'e', after: null },
  ]);
});

test.each<[string, string, JsonObject, JsonObject, readonly string[]]>([
  ['a tool', 'tool', http({ body: { amount: 1 } }), { editable: ['body.amount'], required_responses: 2 }, []],
  ['an unknown field', 'tool', http({}), { timeout: 3 }, ['invalid_config']],
  ['the address', 'tool', http({}), { editable: ['url'] }, ['path_not_editable']],
  ['a path of another door', 'tool', http({}), { editable: ['arguments.a'] }, ['path_not_editable']],
  ['a function', 'function', { code: 'export default () => 1' }, {}, ['confirm_not_possible']],
  [
    'too many answers',
    'tool',
    http({}),
    { assignees: { user_ids: ['a'] }, required_responses: 2 },
    ['too_few_assignees'],
  ],
])('REL-approved-effects: confirm of %s is checked', (_, type, config, confirm, codes) => {
  expect(kindRules.confirmProblems(type, config, confirm).map(({ code }) => code)).toEqual(codes);
});

test('REL-approved-effects: a server of a credential is named when its request is shown', async () => {
  const config = { kind: 'mcp', credential_id: CREDENTIAL, tool: 'x' };
  const at = (baseUrl: string): Fakes => ({
    credentials: () => Promise.resolve({ integration: 'mcp', baseUrl }),
  });
  const { call, sender, effect } = await prepare(tool, config, at('https://a.example/mcp'));
  const pinned = await pinTarget(call, sender, effect);
  const stored = await storeParts(call.identity, pinned);
  const later = await prepare(tool, config, at('https://b.example/mcp'));
  expect((await restoreEffect(later.call, later.sender, stored)).target).toEqual({
    server: 'https://a.example/mcp',
    tool: 'x',
  });
});
