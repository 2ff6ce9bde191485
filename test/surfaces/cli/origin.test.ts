/** A person would be told that a value comes from where it does not, or not where it comes from. */
import { expect, test } from 'vitest';
import { traceValue, MAX_TRACED, type ValuePlace } from '../../../src/engine/runs/rehearse/trace-value.ts';
import type { RecordedStep } from '../../../src/engine/runs/rehearse/record.ts';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { listTrace } from '../../../src/surfaces/cli/origin-command.ts';

const step = (nodeId: string, output: Json, more: Partial<RecordedStep> = {}): RecordedStep => ({
  nodeId,
  visit: 1,
  itemIndex: -1,
  status: 'succeeded',
  output,
  error: null,
  handle: 'default',
  taken: [0],
  ...more,
});
const node = (id: string, type: string, config: JsonObject, more: JsonObject = {}): JsonObject => ({
  id,
  type,
  config,
  ...more,
});
const map = (id: string, fields: JsonObject, more: JsonObject = {}) =>
  node(id, 'transformer', { mode: 'map', fields }, more);

const input = { customer: { id: 7 }, text: 'Help' };
const inputs = { workflowInput: null, runInput: input, merged: input };

/** The lines of a trace of a run of these nodes. */
function trace(
  given: { readonly nodes: JsonObject[]; readonly steps: RecordedStep[]; readonly more?: JsonObject },
  place: Partial<ValuePlace>,
): string[] {
  const definition = { nodes: given.nodes, edges: [], ...given.more };
  const whole: ValuePlace = { of: 'output', nodeId: null, visit: 1, itemIndex: -1, path: [], ...place };
  return listTrace(traceValue(definition, { inputs, steps: given.steps }, whole));
}

const orders = {
  nodes: [
    node('get', 'tool', { kind: 'http', url: 'https://crm.example/{{input.customer.id}}' }),
    node('draft', 'llm', { messages: [{ role: 'user', content: '{{input.text}} {{get.data.name}}' }] }),
    map('mail', { to: '{{get.data.mail}}', body: 'Dear {{get.data.name}}, {{draft.content}}' }),
    node('send', 'tool', {
      kind: 'http',
      method: 'POST',
      url: 'https://mail.example',
      body: { to: '{{mail.to}}' },
    }),
  ],
  steps: [
    step('get', { data: { name: 'Ada', mail: 'a@x.example' }, status: 200 }),
    step('draft', { content: 'Hello' }),
    step('mail', { to: 'a@x.example', body: 'Dear Ada, Hello' }),
    step('send', { status: 202 }),
  ],
};

test('a field of a request leads by its own template alone to the response that said it, and to what was asked', () => {
  expect(trace(orders, { of: 'request', nodeId: 'send', path: ['body', 'to'] })).toEqual([
    'request of send at /body/to from {{mail.to}}',
    '  made by mail at /to from {{get.data.mail}} = "a@x.example"',
    '    response to get at /data/mail = "a@x.example"',
    '      input at /customer/id = 7',
  ]);
});

test('a text of several values leads to each, and the same value is followed once', () => {
  expect(trace(orders, { nodeId: 'mail', path: ['body'] })).toEqual([
    'made by mail at /body from Dear {{get.data.name}}, {{draft.content}} = "Dear Ada, Hello"',
    '  response to get at /data/name = "Ada"',
    '    input at /customer/id = 7',
    '  answer of the model of draft at /content = "Hello"',
    '    input at /text = "Help"',
    '    response to get at /data/name = "Ada" (above)',
  ]);
});

test('the output of the run leads to its template, or to the node before its end; a path of one template goes on in what it reads', () => {
  const more = { config: { output: { who: '{{get.data}}' } } };
  expect(trace({ ...orders, more }, { of: 'run', path: ['who', 'mail'] })).toEqual([
    'output of the run at /who/mail from {{get.data}}',
    '  response to get at /data/mail = "a@x.example"',
    '    input at /customer/id = 7',
  ]);
  const edges = [
    { source: 'send', target: '__end__' },
    ...['get', 'draft', 'mail'].map((source) => ({ source, target: 'send' })),
  ];
  expect(trace({ ...orders, more: { edges } }, { of: 'run', path: ['status'] })[1]).toBe(
    '  response to send at /status = 202',
  );
});

test('an item of a map leads to its own execution and item; a state field to the update before the reader; a node that had not run is not there', () => {
  const nodes = [
    node('list', 'function', { arguments: { n: 2 } }, { state_updates: { seen: '{{list}}' } }),
    map(
      'each',
      { v: '{{item.v}}', s: '{{state.seen}}', no: '{{late.x}}' },
      { for_each: { items: '{{list}}' } },
    ),
    map('late', { x: 1 }),
  ];
  const steps = [
    step('list', [{ v: 'a' }, { v: 'b' }]),
    step('each', { v: 'a', s: null, no: null }, { itemIndex: 0 }),
    step('each', { v: 'b', s: null, no: null }, { itemIndex: 1 }),
    step('each', { results: [{ v: 'a' }, { v: 'b' }] }),
    step('late', { x: 1 }),
  ];
  const more = { state_schema: { seen: {} } };
  const at = (path: ValuePlace['path']) => trace({ nodes, steps, more }, { nodeId: 'each', path });
  expect(at(['results', 1, 'v'])).toEqual([
    'made by each (item 1) at /v from {{item.v}} = "b"',
    '  result of the code of list at /1/v = "b"',
  ]);
  expect(at(['results', 0, 's'])).toEqual([
    'made by each (item 0) at /s from {{state.seen}} = null',
    '  state field at /seen from {{list}}',
    '    result of the code of list = [{"v":"a"},{"v":"b"}]',
  ]);
  expect(at(['results', 0, 'no'])[1]).toBe('  not there yet: late at /x');
});

test('of several visits of a node the last one before the reader counts', () => {
  const nodes = [map('n', { v: '{{n.v}}x' })];
  const steps = [1, 2, 3].map((visit) => step('n', { v: 'x'.repeat(visit) }, { visit }));
  expect(trace({ nodes, steps }, { nodeId: 'n', visit: 2, path: ['v'] })).toEqual([
    'made by n (execution 2) at /v from {{n.v}}x = "xx"',
    '  made by n at /v from {{n.v}}x = "x"',
    '    not there yet: n at /v',
  ]);
});

test('a trace of thousands of values stops, and says so', () => {
  const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, `{{input.v${at}}}`]));
  const given = { nodes: [map('wide', fields)], steps: [step('wide', {})] };
  const lines = trace(given, { nodeId: 'wide' });
  expect([lines.length, lines.at(-1)]).toEqual([
    MAX_TRACED + 1,
    'There is more: only the first 200 values are followed',
  ]);
  expect(trace(given, { nodeId: 'other' })).toEqual([]);
});
