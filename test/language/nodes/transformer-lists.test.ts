/** A group, a join or another shape of a list would mix, lose or invent values, or stall the process. */
import { describe, expect, test } from 'vitest';
import { RenderTooLarge } from '../../../src/language/graph/template/render-budget.ts';
import { transformer } from '../../../src/language/nodes/transformer/transformer.ts';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { NODE_WORK, WorkBudget, WorkLimitExceeded } from '../../../src/language/graph/values/work-budget.ts';
import { UNLIMITED, spendingOf } from '../../support/spending.ts';
import { listProblems, outputOf, runNode, type Fakes } from './support/node-call.ts';
import { turnsDuring } from './support/turns.ts';

const of = (config: object, roots: JsonObject = {}, more: Fakes = {}) =>
  outputOf(transformer, config as JsonObject, { roots, ...more });
const itemsOf = async (config: object, roots: JsonObject = {}) =>
  ((await of(config, roots)) as JsonObject)['items'];
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const MOST = 100_000;

describe('DEF-2.7: group', () => {
  const orders = [
    { customer: 'b', amount: 0.1, at: '2030-02-01T00:30:00+01:00' },
    { customer: 'a', amount: '5', at: '2030-02-02' },
    { customer: 'b', amount: 0.2, at: '2030-02-01T00:00:00Z' },
    { customer: 'b', amount: null, at: null },
  ];
  const group = (values: object[], keys: object | null = { who: '{{item.customer}}' }) => ({
    mode: 'group',
    source: '{{orders}}',
    keys,
    values,
  });

  test('each key has one item, in the order of the first ones, with the values of its items', async () => {
    const values = [
      { name: 'orders', op: 'count' },
      { name: 'paid', op: 'count', of: '{{item.amount}}' },
      { name: 'total', op: 'sum', of: '{{item.amount}}' },
      { name: 'mean', op: 'average', of: '{{item.amount}}' },
      { name: 'first', op: 'min', of: '{{item.at}}' },
      { name: 'last', op: 'max', of: '{{item.at}}' },
      { name: 'some', op: 'first', of: '{{item.amount}}' },
      { name: 'all', op: 'list', of: '{{item.amount}}' },
    ];
    expect(await of(group(values), { orders })).toEqual({
      items: [
        {
          who: 'b',
          orders: 3,
          paid: 2,
          total: 0.3,
          mean: 0.15,
          first: '2030-02-01T00:30:00+01:00',
          last: '2030-02-01T00:00:00Z',
          some: 0.1,
          all: [0.1, 0.2, null],
        },
        {
          who: 'a',
          orders: 1,
          paid: 1,
          total: 5,
          mean: 5,
          first: '2030-02-02',
          last: '2030-02-02',
          some: '5',
          all: ['5'],
        },
      ],
      count: 2,
    });
  });
  test.each([null, {}])('without keys (%j) there is one item, also of an empty list', async (keys) => {
    const values = ['count', 'sum', 'average', 'min', 'first', 'list'].map((op) => ({ name: op, op }));
    expect(await itemsOf(group(values, keys), { orders: [] })).toEqual([
      { count: 0, sum: 0, average: null, min: null, first: null, list: [] },
    ]);
    expect(await itemsOf(group(values, keys), { orders: [3, '4'] })).toEqual([
      { count: 2, sum: 7, average: 3.5, min: 3, first: 3, list: [3, '4'] },
    ]);
  });
  test('with keys an empty list has no item', async () => {
    expect(await itemsOf(group([]), { orders: [] })).toEqual([]);
  });
  test('several keys are one together, and null is a key', async () => {
    const rows = [
      { a: 1, b: null },
      { a: 1, b: 2 },
      { a: 1, b: null },
    ];
    const config = group([{ name: 'n', op: 'count' }], { a: '{{item.a}}', b: '{{item.b}}' });
    expect(await itemsOf(config, { orders: rows })).toEqual([
      { a: 1, b: null, n: 2 },
      { a: 1, b: 2, n: 1 },
    ]);
  });
  test('DEF-2.17: the smallest and largest are those of the order of rules', async () => {
    const values = ['min', 'max'].map((op) => ({ name: op, op }));
    expect(await itemsOf(group(values, null), { orders: ['95', 1000, '100'] })).toEqual([
      { min: '95', max: 1000 },
    ]);
  });
  test('a sum that no number can hold is a text with all its digits, with a warning', async () => {
    const config = group([{ name: 'total', op: 'sum' }], null);
    const run = (rows: Json[]) => runNode(transformer, config as JsonObject, { roots: { orders: rows } });
    expect(await run(['9007199254740992', 1])).toMatchObject({
      output: { items: [{ total: '9007199254740993' }] },
      warnings: [{ code: 'number_as_text', paths: ['items.0.total'] }],
    });
    expect(await run(['9007199254740990', 1])).toMatchObject({
      output: { items: [{ total: 9_007_199_254_740_991 }] },
      warnings: [],
    });
    expect(await run(['1234567890123456.78', 1])).toMatchObject({
      warnings: [{ code: 'number_rounded', paths: ['items.0.total'] }],
    });
  });
  test.each<[string, Json, string]>([
    ['sum', 'many', 'not_a_number'],
    ['average', true, 'not_a_number'],
    ['sum', '9'.repeat(401), 'not_a_number'],
    ['min', [1], 'not_comparable'],
    ['max', { a: 1 }, 'not_comparable'],
  ])('%s of %j fails as %s', async (op, value, code) => {
    await expect(of(group([{ name: 'x', op }], null), { orders: [value] })).rejects.toMatchObject({
      code,
      retryable: false,
    });
  });
  test.each([
    [[{ name: 'who', op: 'count' }], ['invalid_config values.0.name']],
    [
      [
        { name: 'n', op: 'count' },
        { name: 'n', op: 'sum' },
      ],
      ['invalid_config values.1.name'],
    ],
    [[{ name: '__proto__', op: 'count' }], ['invalid_config values.0.name']],
    [[{ name: '', op: 'count' }], ['invalid_config values.0.name']],
    [[{ name: 'n', op: 'median' }], ['invalid_config values.0.op']],
    [numbers(1_000).map((at) => ({ name: `n${at}`, op: 'count' })), []],
    [numbers(1_001).map((at) => ({ name: `n${at}`, op: 'count' })), ['invalid_config values']],
  ])('its values are checked when it is saved, case %#', (values, problems) => {
    expect(listProblems(transformer, group(values) as JsonObject)).toEqual(problems);
  });
});

describe('DEF-2.7: join', () => {
  const roots = {
    orders: [
      { id: 1, customer: '7' },
      { id: 2, customer: 8 },
      { id: 3, customer: null },
      { id: 4, customer: 7 },
    ],
    customers: [
      { id: 7, name: 'Ada' },
      { id: '9', name: 'Bob' },
      { id: 7, name: 'Ann' },
      { id: null, name: 'Nobody' },
    ],
  };
  const join = (join_type: string, more: object = {}) => ({
    mode: 'join',
    left: '{{orders}}',
    right: '{{customers}}',
    left_key: '{{item.customer}}',
    right_key: '{{item.id}}',
    join_type,
    select: '{{item.left.id}} {{item.right.name}}',
    ...more,
  });

  test.each([
    ['inner', ['1 Ada', '1 Ann', '4 Ada', '4 Ann']],
    ['left', ['1 Ada', '1 Ann', '2 ', '3 ', '4 Ada', '4 Ann']],
    ['full', ['1 Ada', '1 Ann', '2 ', '3 ', '4 Ada', '4 Ann', ' Bob', ' Nobody']],
  ])('%s keeps what its name says; null matches nothing', async (type, items) => {
    expect(await of(join(type), roots)).toEqual({ items, count: items.length });
  });
  test('without a select an item has both sides, and null for one that is missing', async () => {
    const [first, , second] = (await itemsOf(join('left', { select: null }), roots)) as Json[];
    expect(first).toEqual({ left: { id: 1, customer: '7' }, right: { id: 7, name: 'Ada' } });
    expect(second).toEqual({ left: { id: 2, customer: 8 }, right: null });
  });
  test.each<[Json, Json, boolean]>([
    [7, '7', true],
    ['007', '7', false],
    ['1e3', 1000, false],
    [true, 'true', false],
    [[1, 'a'], ['1', 'a'], true],
    [[1, null], [1, null], false],
    [{ a: 1, b: 2 }, { b: '2', a: 1 }, true],
    [[1, 2], ['1,2'], false],
  ])('the keys %j and %j are one: %j', async (left, right, isOne) => {
    const config = join('inner', {
      left: [left],
      right: [right],
      left_key: '{{item}}',
      right_key: '{{item}}',
    });
    expect(await of(config)).toMatchObject({ count: isOne ? 1 : 0 });
  });
  test('a key of as many levels as may be is compared, a deeper one fails', async () => {
    const nest = (levels: number): Json => {
      let value: Json = 1;
      for (let at = 0; at < levels; at += 1) value = [value];
      return value;
    };
    const deep = (levels: number) => of({ mode: 'unique', source: '{{rows}}' }, { rows: [nest(levels)] });
    expect(await deep(64)).toMatchObject({ count: 1 });
    await expect(deep(65)).rejects.toMatchObject({ code: 'invalid_key' });
  });
  test('its product has as many items as a list, and fails with one more', async () => {
    const product = (left: number, right: number) =>
      of(join('inner', { left: numbers(left), right: numbers(right), left_key: 1, right_key: 1, select: 1 }));
    expect(await product(100, 1_000)).toMatchObject({ count: MOST });
    await expect(product(11, 9_091)).rejects.toMatchObject({ code: 'too_many_items' });
  });
  test('SEC-M08: rows that repeat a large item are rendered values, and too many of them fail', async () => {
    const right = ['x'.repeat(100_000)];
    const rows = (count: number) =>
      of({ mode: 'join', left: numbers(count), right, left_key: 1, right_key: 1 });
    expect(await rows(166)).toMatchObject({ count: 166 });
    await expect(rows(167)).rejects.toThrow(RenderTooLarge);
  });
});

describe('DEF-2.7: the other shapes', () => {
  test.each<[object, Json[]]>([
    [{ mode: 'unique', by: '{{item.a}}' }, [{ a: 1, b: 'x' }, { b: 'z' }]],
    [{ mode: 'unique' }, [{ a: 1, b: 'x' }, { b: 'z' }, { a: '1', b: 'y' }]],
    [{ mode: 'pick', keep: ['b', 'gone', '__proto__'] }, [{ b: 'x' }, { b: 'z' }, { b: 'x' }, { b: 'y' }]],
    [{ mode: 'rename', names: { a: 'b' } }, [{ b: 1 }, { b: 'z' }, { b: 1 }, { b: '1' }]],
    [
      { mode: 'rename', names: { a: 'b', b: 'a' } },
      [{ b: 1, a: 'x' }, { a: 'z' }, { b: 1, a: 'x' }, { b: '1', a: 'y' }],
    ],
  ])('%j', async (config, items) => {
    const rows = [{ a: 1, b: 'x' }, { b: 'z' }, { b: 'x', a: 1 }, { a: '1', b: 'y' }];
    expect(await of({ ...config, source: '{{rows}}' }, { rows })).toEqual({ items, count: items.length });
  });
  test.each(['pick', 'rename'])('%s of what is no object fails', async (mode) => {
    const config = { mode, source: [{ a: 1 }, 2], keep: ['a'], names: { a: 'b' } };
    await expect(of(config)).rejects.toMatchObject({
      code: 'not_an_object',
      message: expect.stringContaining('Item 1'),
    });
  });
  test.each<[number, number, Json[]]>([
    [5, 2, [[0, 1], [2, 3], [4]]],
    [
      4,
      2,
      [
        [0, 1],
        [2, 3],
      ],
    ],
    [2, 100_000, [[0, 1]]],
    [0, 1, []],
  ])('%i items in chunks of %i', async (count, size, items) => {
    expect(await itemsOf({ mode: 'chunk', source: numbers(count), size })).toEqual(items);
  });
  test.each<[object, Json[]]>([
    [{}, [1, 2, [3, [4]], null, 5]],
    [{ depth: 2 }, [1, 2, 3, [4], null, 5]],
    [{ depth: 64 }, [1, 2, 3, 4, null, 5]],
    [{ select: '{{item[0]}}' }, [1]],
  ])('flatten %j takes lists apart, and leaves null in place of one out', async (more, items) => {
    const rows = [[1, 2, [3, [4]], null], null, [], 5];
    expect(await itemsOf({ mode: 'flatten', source: '{{rows}}', ...more }, { rows })).toEqual(items);
  });
  test('flatten makes as many items as a list has, and fails with one more', async () => {
    const flat = (length: number) =>
      of({ mode: 'flatten', source: '{{rows}}' }, { rows: [numbers(length - 1), [1]] });
    expect(await flat(MOST)).toMatchObject({ count: MOST });
    await expect(flat(MOST + 1)).rejects.toMatchObject({ code: 'too_many_items' });
  });
  test.each(['group', 'unique', 'chunk', 'flatten', 'pick', 'rename'])(
    '%s reads as many items as a list has, and fails with one more',
    async (mode) => {
      const config = { mode, source: '{{rows}}', size: 1_000, keep: ['a'], names: { a: 'b' } };
      const item: Json = mode === 'pick' || mode === 'rename' ? {} : 1;
      const read = (length: number) => of(config, { rows: numbers(length).map(() => item) });
      await expect(read(MOST + 1)).rejects.toMatchObject({ code: 'too_many_items' });
      expect(await read(MOST)).toHaveProperty('count');
      await expect(of(config, { rows: 'no' })).rejects.toMatchObject({ code: 'not_an_array' });
    },
  );
  test.each<[object, string[]]>([
    [{ mode: 'chunk', size: 1 }, []],
    [{ mode: 'chunk', size: 100_000 }, []],
    [{ mode: 'chunk', size: 0 }, ['invalid_config size']],
    [{ mode: 'chunk', size: 100_001 }, ['invalid_config size']],
    [{ mode: 'flatten', depth: 64 }, []],
    [{ mode: 'flatten', depth: 65 }, ['invalid_config depth']],
    [{ mode: 'flatten', depth: 0 }, ['invalid_config depth']],
    [{ mode: 'pick', keep: [] }, ['invalid_config keep']],
    [{ mode: 'pick', keep: numbers(1_000).map(String) }, []],
    [{ mode: 'pick', keep: numbers(1_001).map(String) }, ['invalid_config keep']],
    [{ mode: 'rename', names: { a: 'b', c: 'b' } }, ['invalid_config names.c']],
    [{ mode: 'rename', names: { a: '__proto__' } }, ['invalid_config names.a']],
    [{ mode: 'rename', names: Object.fromEntries(numbers(1_000).map((at) => [`a${at}`, `b${at}`])) }, []],
    [
      { mode: 'rename', names: Object.fromEntries(numbers(1_001).map((at) => [`a${at}`, `b${at}`])) },
      ['invalid_config names'],
    ],
  ])('a config is checked when it is saved, case %#', (config, problems) => {
    expect(listProblems(transformer, { source: [], ...config } as JsonObject)).toEqual(problems);
  });
});

const SHAPES: readonly [string, (count: number) => JsonObject][] = [
  [
    'a group',
    (count) => ({
      mode: 'group',
      source: numbers(count),
      keys: { a: '{{item}}' },
      values: [
        { name: 'sum', op: 'sum' },
        { name: 'max', op: 'max' },
      ],
    }),
  ],
  [
    'a join',
    (count) => ({
      mode: 'join',
      left: numbers(count),
      right: numbers(count).map(String),
      left_key: '{{item}}',
      right_key: '{{item}}',
    }),
  ],
  [
    'a join that keeps all',
    (count) => ({
      mode: 'join',
      left: numbers(count),
      right: numbers(count),
      left_key: '{{item}}',
      right_key: null,
      join_type: 'full',
    }),
  ],
  ['a list of unique items', (count) => ({ mode: 'unique', source: numbers(count) })],
  ['chunks', (count) => ({ mode: 'chunk', source: numbers(count), size: 10 })],
  [
    'a flattened list',
    (count) => ({ mode: 'flatten', source: numbers(count).map((at) => [at, [at]]), depth: 2 }),
  ],
  ['a pick', (count) => ({ mode: 'pick', source: numbers(count).map((a) => ({ a })), keep: ['a', 'b'] })],
  [
    'a renaming',
    (count) => ({ mode: 'rename', source: numbers(count).map((a) => ({ a })), names: { a: 'b' } }),
  ],
];

test.each(SHAPES)('SEC-H01: %s ends within its steps, and fails with one less', async (_, config) => {
  const { enough, tooLittle } = await spendingOf((work) => of(config(100), {}, { work }));
  expect(await enough()).toHaveProperty('items');
  await expect(tooLittle()).rejects.toThrow(WorkLimitExceeded);
});

test.each(SHAPES)('SEC-H01: %s of twice as much costs twice as much', async (_, config) => {
  const costOf = async (count: number): Promise<number> => {
    const work = new WorkBudget(UNLIMITED);
    await of(config(count), {}, { work });
    return work.spent;
  };
  expect((await costOf(4_000)) / (await costOf(2_000))).toBeCloseTo(2, 1);
});

test('SEC-H03: a group and a join of many items let others have their turn', async () => {
  for (const [, config] of SHAPES.slice(0, 2)) {
    const work = new WorkBudget(NODE_WORK);
    const turns = await turnsDuring(() => of(config(20_000), {}, { work }));
    expect(work.spent).toBeGreaterThan(3_000_000);
    expect(turns).toBeGreaterThan(work.spent / 1_200_000 - 2);
  }
});
