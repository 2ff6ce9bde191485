/** Rules that an import or the API has made: if this fails, their builder shows none and its next edit deletes them. */
import { expect, test } from 'vitest';
import { readRules } from '../../../../src/language/graph/template/rules.ts';
import type { Json, JsonObject } from '../../../../src/language/graph/values/value.ts';
import { parseSide, showSide } from '../../../../src/surfaces/web/forms/formats.ts';
import { readCase, readCases, readGroup } from '../../../../src/surfaces/web/forms/read-rules.ts';

const rule = { left: '{{input.amount}}', op: 'gt', right: 100 };
const unary = { left: '{{input.name}}', op: 'exists' };
const nested = { match: 'any', rules: [rule, { rules: [unary] }] };

test.each([
  [rule, { match: 'all', rules: [rule] }],
  [[rule, nested], { match: 'all', rules: [rule, nested] }],
  [nested, nested],
  [{ rules: [] }, { rules: [] }],
] as [Json, Json][])('%j is drawn as a group that means the same', (value, group) => {
  expect(readGroup(value)).toEqual(group);
  expect(readRules(readGroup(value))).toEqual(readRules(value));
});

test('nothing is a group without rules', () => {
  expect(readGroup(null)).toEqual({ match: 'all', rules: [] });
});

test.each([
  'always',
  [rule, 7],
  { match: 'none', rules: [rule] },
  { rules: rule },
  { left: 1, op: 'about' },
  { match: 'all', rules: [{ rules: [7] }] },
] as Json[])('%j, of which the builder would lose a part, is not drawn', (value) => {
  expect(readGroup(value)).toBeNull();
});

test('the single rule of a case becomes the first of its group, and what else the case has stays', () => {
  const one = { id: 'big', note: 'x', ...rule };
  expect(readCase(one)).toEqual({ id: 'big', note: 'x', match: 'all', rules: [rule] });
  expect(readRules(readCase(one))).toEqual(readRules(one));
  expect(readCase({ id: 'big', ...nested })).toEqual({ id: 'big', ...nested });
  expect(readCase({ id: 'new', match: 'any' })).toMatchObject({ id: 'new', rules: [] });
  expect(readCase({ id: 'big', left: 1, op: 'about' })).toBeNull();
});

test('cases are drawn where all of them can be, and those of a model by their descriptions', () => {
  const cases: JsonObject[] = [
    { id: 'a', ...rule },
    { id: 'b', description: 'Refunds' },
  ];
  expect(readCases(cases, false)).toEqual(cases);
  expect(readCases(cases, true)).toEqual(cases);
  expect(readCases(null, true)).toEqual([]);
  for (const broken of ['none', [7], [{ left: 1, op: 'exists' }]] as Json[])
    expect(readCases(broken, false)).toBeNull();
  expect(readCases([{ id: 'a', ...rule, op: 'about' }], false)).toBeNull();
  expect(readCases([{ id: 'a', description: { de: 'x' } }], true)).toBeNull();
});

test.each([
  ['["gold", "silver"]', ['gold', 'silver']],
  ['[1, [2], "{{input.tier}}"]', [1, [2], '{{input.tier}}']],
  ['[]', []],
  ['[{{input.tiers}}]', '[{{input.tiers}}]'],
  ['{"a":1}', '{"a":1}'],
  ['null', null],
  ['007', '007'],
] as [string, Json][])('the value %s of a rule is what was typed, and is shown so again', (text, value) => {
  expect(parseSide(text)).toEqual(value);
  expect(showSide(value)).toBe(text);
});
