import { expect, test } from 'vitest';
import { transformer } from '../../src/nodes/transformer.ts';
import { outputOf, problemsOf, runNode } from './support/node-call.ts';

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
test('problems name the field', () => {
  expect(problemsOf(transformer, { mode: 'list' })).toEqual(['invalid_config source']);
  expect(
    problemsOf(transformer, {
      mode: 'list',
      source: 1,
      filter: { rules: [{ left: 1, op: 'exec', right: 1 }] },
    }),
  ).toEqual(['invalid_rule filter.rules.0.op']);
});
