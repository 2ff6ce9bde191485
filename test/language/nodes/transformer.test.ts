/** A transformation would change, lose or reorder data, or stall the process. */
import { expect, test } from 'vitest';
import { transformer } from '../../../src/language/nodes/transformer/transformer.ts';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { NODE_WORK, WorkBudget, WorkLimitExceeded } from '../../../src/language/graph/values/work-budget.ts';
import { UNLIMITED, spendingOf } from '../../support/spending.ts';
import { outputOf, listProblems, runNode } from './support/node-call.ts';
import { turnsDuring } from './support/turns.ts';

const of = (config: object, roots = {}) => outputOf(transformer, config as never, { roots });

test('map renders its fields and keeps their types', async () => {
  expect(await of({ mode: 'map', fields: { a: '{{in.a}}', t: 'n={{in.a}}' } }, { in: { a: 7 } })).toEqual({
    a: 7,
    t: 'n=7',
  });
});
test('list filters, sorts, limits and selects, with item and index', async () => {
  const rows = [
    { n: 'a', s: 0.6 },
    { n: 'b', s: 0.1 },
    { n: 'c', s: 0.9 },
    { n: 'd', s: 0.7 },
  ];
  const config = {
    mode: 'list',
    source: '{{rows}}',
    filter: { match: 'all', rules: [{ left: '{{item.s}}', op: 'gte', right: 0.5 }] },
    sort: [{ by: 's', order: 'desc' }],
    limit: 2,
    select: '{{item.n}}{{index}}',
  };
  expect(await of(config, { rows })).toEqual({ items: ['c2', 'd3'], count: 2 });
});
test('a sort is stable, goes by several keys and puts what is missing last in both directions', async () => {
  const rows = [{ a: 1, k: 'x' }, { k: 'no' }, { a: 2, k: 'y' }, { a: 1, k: 'b' }, { a: null, k: 'null' }];
  const by = (order: string) =>
    of(
      { mode: 'list', source: '{{rows}}', sort: [{ by: 'a', order }, { by: 'k' }], select: '{{item.k}}' },
      { rows },
    );
  expect(await by('asc')).toEqual({ items: ['b', 'x', 'y', 'no', 'null'], count: 5 });
  expect(await by('desc')).toEqual({ items: ['y', 'b', 'x', 'no', 'null'], count: 5 });
});
test('a list of no array fails', async () => {
  await expect(of({ mode: 'list', source: '{{rows}}' }, { rows: { a: 1 } })).rejects.toMatchObject({
    code: 'not_an_array',
  });
});
test('template gives text or parsed JSON', async () => {
  expect(await of({ mode: 'template', template: 'Hi {{n}}!' }, { n: 7 })).toEqual({ text: 'Hi 7!' });
  expect(
    await of({ mode: 'template', template: '[{{n}}, {{o}}]', parse_as: 'json' }, { n: 7, o: { k: null } }),
  ).toEqual([7, { k: null }]);
  await expect(
    of({ mode: 'template', template: '{{s}}', parse_as: 'json' }, { s: 'no' }),
  ).rejects.toMatchObject({ code: 'invalid_json', retryable: false });
});
test.each(['say "hi"', 'x"},{"name":"admin', '\\', 'a\nb', '7', ''])(
  'SEC-M04: JSON of a template has the shape that its author wrote, with %j in it',
  async (n) => {
    const template = '[{"name": "{{n}}", "v": {{n}}, "{{n}}!": {{o}}}]';
    expect(await of({ mode: 'template', template, parse_as: 'json' }, { n, o: { k: [n] } })).toEqual([
      { name: n, v: n, [`${n}!`]: { k: [n] } },
    ]);
  },
);
test.each(['no json', '{{n}} {{n}}', '[{{n}}{{n}}]', '{ {{n}}: 1 }', '["{{n}}]'])(
  'SEC-M04: the template %s is no JSON, whatever is inserted',
  async (template) => {
    await expect(of({ mode: 'template', template, parse_as: 'json' }, { n: 7 })).rejects.toMatchObject({
      code: 'invalid_json',
    });
  },
);
test('numbers of a JSON template keep their digits, as text, with a warning', async () => {
  const template = '{"id": 9007199254740993, "n": {{n}}}';
  const result = await runNode(
    transformer,
    { mode: 'template', template, parse_as: 'json' },
    { roots: { n: 7 } },
  );
  expect(result).toMatchObject({
    output: { id: '9007199254740993', n: 7 },
    warnings: [{ code: 'number_as_text', paths: ['id'] }],
  });
});
test('a quoted template of a JSON template is a text, and one that stands alone is read as JSON', async () => {
  const json = (template: string, roots: object) =>
    of({ mode: 'template', template, parse_as: 'json' }, roots);
  expect(await json('{"a": "{{n}}", "b": {{n}}}', { n: 7 })).toEqual({ a: '7', b: 7 });
  expect(await json(' {{t}} ', { t: '{"a":[1]}' })).toEqual({ a: [1] });
  expect(await json('{{o}}', { o: { a: 1 } })).toEqual({ a: 1 });
});
test.each([
  ['first_non_null', [null, 2, 3], 2],
  ['first_non_null', [null], null],
  ['concat', [[1], [2, [3]], 4, null], [1, 2, [3], 4]],
  ['deep_merge', [{ x: { p: 1 }, y: [1] }, null, { x: { q: 2 }, y: [2] }], { x: { p: 1, q: 2 }, y: [2] }],
])('merge %s of %j', async (strategy, sources, value) => {
  expect(await of({ mode: 'merge', sources, strategy })).toEqual({ value });
});
test('a deep merge of __proto__ keys pollutes nothing', async () => {
  const evil = JSON.parse('{"__proto__":{"polluted":1},"a":1}') as object;
  await of({ mode: 'merge', sources: [{}, evil, evil], strategy: 'deep_merge' });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const within = (work: WorkBudget, config: object, roots: JsonObject = {}) =>
  outputOf(transformer, config as JsonObject, { roots, work });

test.each<[string, object, (output: Json) => unknown, unknown]>([
  [
    'filters by rules',
    { mode: 'list', source: '{{rows}}', filter: [{ left: '{{item}}', op: 'gte', right: 50 }] },
    (output) => (output as JsonObject)['count'],
    50,
  ],
  [
    'filters by membership',
    { mode: 'list', source: '{{rows}}', filter: [{ left: '{{item}}', op: 'in', right: '{{rows}}' }] },
    (output) => (output as JsonObject)['count'],
    100,
  ],
  [
    'filters by a pattern',
    { mode: 'list', source: '{{texts}}', filter: [{ left: '{{item}}', op: 'matches', right: '9$' }] },
    (output) => (output as JsonObject)['count'],
    10,
  ],
  [
    'sorts',
    { mode: 'list', source: '{{texts}}', sort: [{ by: '', order: 'desc' }], limit: 1 },
    (output) => (output as JsonObject)['items'],
    ['text 99'],
  ],
  [
    'selects',
    { mode: 'list', source: '{{rows}}', select: { id: '{{item}}' }, limit: 2 },
    (output) => (output as JsonObject)['items'],
    [{ id: 0 }, { id: 1 }],
  ],
  [
    'concatenates',
    { mode: 'merge', sources: ['{{rows}}', '{{rows}}'], strategy: 'concat' },
    (output) => ((output as JsonObject)['value'] as Json[]).length,
    200,
  ],
  [
    'merges deeply',
    {
      mode: 'merge',
      sources: numbers(100).map((at) => ({ [`k${at}`]: at, all: { [`k${at}`]: at } })),
      strategy: 'deep_merge',
    },
    (output) => Object.keys(((output as JsonObject)['value'] as JsonObject)['all'] as JsonObject).length,
    100,
  ],
])('SEC-H01: it %s within its steps, and fails with one less', async (_, config, read, expected) => {
  const roots = { rows: numbers(100), texts: numbers(100).map((at) => `text ${at}`) };
  const { enough, tooLittle } = await spendingOf((work) => within(work, config, roots));
  expect(read(await enough())).toEqual(expected);
  await expect(tooLittle()).rejects.toThrow(WorkLimitExceeded);
});

const sources = (count: number): JsonObject[] =>
  numbers(count).map((at) => ({
    [`k${at}`]: at,
    all: { [`k${at}`]: at, last: at },
    same: { deep: { n: at } },
  }));

test.each<[string, (count: number) => object]>([
  ['a deep merge', (count) => ({ mode: 'merge', sources: sources(count), strategy: 'deep_merge' })],
  [
    'a filter',
    (count) => ({ mode: 'list', source: numbers(count), filter: [{ left: '{{item}}', op: 'eq', right: 1 }] }),
  ],
  ['a selection', (count) => ({ mode: 'list', source: numbers(count), select: ['{{item}}', '{{index}}'] })],
])('SEC-H01: %s of twice as much costs twice as much', async (_, config) => {
  const costOf = async (count: number): Promise<number> => {
    const work = new WorkBudget(UNLIMITED);
    await within(work, config(count));
    return work.spent;
  };
  expect((await costOf(4_000)) / (await costOf(2_000))).toBeCloseTo(2, 1);
});

test('a deep merge of thousands of sources is that of two at a time', async () => {
  const given = [
    { a: { x: 1 }, b: 1 },
    { a: 2 },
    { a: { y: 1, z: { p: 1 } }, b: { q: 1 } },
    { a: { z: { r: 2 } }, b: null },
  ];
  const expected = { a: { y: 1, z: { p: 1, r: 2 } }, b: null };
  expect(await of({ mode: 'merge', sources: given, strategy: 'deep_merge' })).toEqual({ value: expected });
  const { value } = (await of({ mode: 'merge', sources: sources(6_000), strategy: 'deep_merge' })) as {
    value: JsonObject;
  };
  expect(Object.keys(value)).toHaveLength(6_002);
  expect(value['same']).toEqual({ deep: { n: 5_999 } });
  expect(value['all']).toMatchObject({ k0: 0, k5999: 5_999, last: 5_999 });
});

test('SEC-H03: a long list lets others have their turn', async () => {
  const rows = numbers(60_000);
  const work = new WorkBudget(NODE_WORK);
  const config = {
    mode: 'list',
    source: '{{rows}}',
    filter: [{ left: '{{item}}', op: 'gte', right: 0 }],
    select: ['{{item}}'],
  };
  const turns = await turnsDuring(() => within(work, config, { rows }));
  expect(work.spent).toBeGreaterThan(5_000_000);
  expect(turns).toBeGreaterThan(work.spent / 1_100_000 - 2);
});

test('problems name the field', () => {
  expect(listProblems(transformer, { mode: 'list' })).toEqual(['invalid_config source']);
  expect(
    listProblems(transformer, {
      mode: 'list',
      source: 1,
      filter: { rules: [{ left: 1, op: 'exec', right: 1 }] },
    }),
  ).toEqual(['invalid_rule filter.rules.0.op']);
});

test.each<[string, Json[], Json]>([
  ['ids of 64 bits', ['999', '1234567890123456788', 7, '1234567890123456789'], '1234567890123456789'],
  [
    'timestamps of several offsets',
    ['2030-02-01T00:30:00+01:00', '2030-02-01T00:00:00Z'],
    '2030-02-01T00:00:00Z',
  ],
  ['numbers kept as text', ['10', '9', '100'], '100'],
])('the newest of %s is the first of a descending list of one', async (_, values, newest) => {
  const rows = values.map((at) => ({ at }));
  const config = { mode: 'list', source: '{{rows}}', sort: [{ by: 'at', order: 'desc' }], limit: 1 };
  expect(await of(config, { rows })).toEqual({ items: [{ at: newest }], count: 1 });
});

test('a sort by what no item has warns, one by what some items have does not', async () => {
  const sorted = (rows: Json[], by = 'created') =>
    runNode(transformer, { mode: 'list', source: rows, sort: [{ by }] } as JsonObject);
  expect(await sorted([{ created_at: 1 }, { created_at: 2 }])).toMatchObject({
    output: { count: 2 },
    warnings: [{ code: 'missing_path', message: 'No item of the list has "created", which it is sorted by' }],
  });
  for (const rows of [[{ created: 1 }, {}], []]) expect(await sorted(rows)).toMatchObject({ warnings: [] });
});

test.each<[string, Json]>([
  ['a list transformer', { items: [1, 2], count: 2 }],
  ['a node with for_each', { results: [1, 2], errors: [], count: 2 }],
  ['a list', [1, 2]],
])('the output of %s means its items where a list belongs', async (_, rows) => {
  expect(await of({ mode: 'list', source: '{{rows}}' }, { rows })).toEqual({ items: [1, 2], count: 2 });
});
test('an object that has items beside other fields is no list', async () => {
  const rows = { items: [1, 2], count: 2, next: 3 };
  await expect(of({ mode: 'list', source: '{{rows}}' }, { rows })).rejects.toMatchObject({
    code: 'not_an_array',
  });
});
