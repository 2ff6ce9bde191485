/** A search filter with a mistake would match the wrong documents instead of being refused. */
import { expect, test } from 'vitest';
import { readFilters } from '../../../src/language/graph/template/metadata-filter.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';

test('plain values are equality, objects with an op are that op', () => {
  expect(
    readFilters({ lang: 'en', tags: ['a'], year: { op: 'gte', value: 2024 }, due: { op: 'exists' } }),
  ).toEqual({
    conditions: [
      { key: 'lang', op: 'eq', value: 'en' },
      { key: 'tags', op: 'eq', value: ['a'] },
      { key: 'year', op: 'gte', value: 2024 },
      { key: 'due', op: 'exists', value: true },
    ],
  });
});

test.each<[string, JsonObject, readonly string[]]>([
  ['an object without an op', { a: { b: 1 } }, ['a', 'op']],
  ['an op of a prototype', { a: { op: 'constructor' } }, ['a', 'op']],
  ['in without a list', { a: { op: 'in', value: 'x' } }, ['a', 'value']],
  [
    'in with too many values',
    { a: { op: 'in', value: Array.from({ length: 101 }, () => 1) } },
    ['a', 'value'],
  ],
  ['a comparison with true', { a: { op: 'lt', value: true } }, ['a', 'value']],
  ['a comparison with nothing', { a: { op: 'lt' } }, ['a', 'value']],
  ['contains of a list', { a: { op: 'contains', value: [] } }, ['a', 'value']],
  ['exists of a text', { a: { op: 'exists', value: 'yes' } }, ['a', 'value']],
  ['an empty name', { '': 1 }, ['']],
  ['a long name', { ['n'.repeat(129)]: 1 }, ['n'.repeat(129)]],
])('%s is a problem at its place', (_, filters, path) => {
  expect(readFilters(filters)).toMatchObject({ problem: { path } });
});
