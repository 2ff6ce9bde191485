/** A list that is grouped in a run would have other values than one in a test, or a value that a filter refuses would hold the run. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { END, START, edge, node, rule, transform, workflow } from '../support/definitions.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

test('DEF-2.7: orders are joined, grouped and written without code', async () => {
  const orders = [
    { customer: '1', amount: '1.234,50', due: '2030-03-30T23:30:00Z' },
    { customer: 2, amount: '0,10', due: '2030-04-01' },
    { customer: 1, amount: '0,20', due: '2030-04-02' },
  ];
  const customers = [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ];
  const played = await engine.play(
    workflow(
      [
        node('named', 'transformer', {
          mode: 'join',
          left: '{{input.orders}}',
          right: '{{input.customers}}',
          left_key: '{{item.customer}}',
          right_key: '{{item.id}}',
          select: {
            who: '{{item.right.name}}',
            amount: '{{item.left.amount | parse_number: "de"}}',
            due: '{{item.left.due}}',
          },
        }),
        node('totals', 'transformer', {
          mode: 'group',
          source: '{{named}}',
          keys: { who: '{{item.who}}' },
          values: [
            { name: 'total', op: 'sum', of: '{{item.amount}}' },
            { name: 'due', op: 'min', of: '{{item.due}}' },
          ],
        }),
        node('lines', 'transformer', {
          mode: 'list',
          source: '{{totals}}',
          select:
            '{{item.who | upper}}: {{item.total | currency: "EUR", "de"}} by {{item.due | date: "d MMM", "Europe/Berlin"}}',
        }),
        node('csv', 'transformer', {
          mode: 'format',
          format: 'csv',
          source: '{{totals}}',
          columns: ['who', 'total'],
          delimiter: ';',
          decimal: ',',
        }),
        transform('mail', { text: '{{lines.items | join: "; "}}', file: '{{csv.text}}' }),
      ],
      [
        edge(START, 'named'),
        edge('named', 'totals'),
        edge('totals', 'lines'),
        edge('lines', 'csv'),
        edge('csv', 'mail'),
        edge('mail', END),
      ],
    ),
    { orders, customers },
  );
  expect(played.output).toEqual({
    text: 'ADA: 1.234,70\u00A0€ by 31 Mar; BOB: 0,10\u00A0€ by 1 Apr',
    file: 'who;total\r\nAda;1234,7\r\nBob;0,1\r\n',
  });
});

const BAD = '{{input.text | round}}';
test.each<[string, JsonObject, JsonObject]>([
  ['its config', { config: { mode: 'map', fields: { n: BAD } } }, {}],
  ['its state updates', { state_updates: { n: BAD } }, {}],
  ['the condition behind it', {}, { when: rule(BAD, 'exists') }],
])('DEF-2.18: a value that a filter refuses in %s fails the node', async (_, envelope, more) => {
  const definition = workflow(
    [node('t', 'transformer', { mode: 'map', fields: {} }, envelope), transform('u', {})],
    [edge(START, 't'), { ...edge('t', 'u'), ...more }, edge('u', END)],
  );
  const played = await engine.play({ ...definition, state_schema: { n: {} } }, { text: 'x' });
  expect(played.end).toMatchObject({ type: 'run_failed', error: { code: 'invalid_filter_value' } });
});

test('DEF-2.18: a value that a filter refuses in the output of a run fails the run', async () => {
  const definition = {
    ...workflow([transform('t', {})], [edge(START, 't'), edge('t', END)]),
    config: { output: { n: BAD } },
  };
  const played = await engine.play(definition, { text: 'x' });
  expect(played.end).toMatchObject({ type: 'run_failed' });
});
