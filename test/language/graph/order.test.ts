/** A sorted list, a rule and a search filter would disagree about which of two values is larger. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareOrdinals, compareValues, readOrdinal } from '../../../src/language/graph/values/order.ts';
import type { Json } from '../../../src/language/graph/values/value.ts';

const order = (values: readonly Json[]): Json[] =>
  values
    .map((value) => ({ value, ordinal: readOrdinal(value) }))
    .toSorted((a, b) => compareOrdinals(a.ordinal, b.ordinal))
    .map(({ value }) => value);

test.each<[string, Json[]]>([
  [
    'integers beyond 2^53 are ordered by all their digits',
    ['99999999999999999', '1234567890123456788', '1234567890123456789', '10000000000000000000'],
  ],
  ['numbers and numbers kept as text are one sequence', [-3, '-2.5', 0, '9', 10, '9007199254740993', 1e21]],
  ['an exponent orders by its value', ['1e-3', '0.01', 1, '1e2', '1000']],
  [
    'timestamps are ordered by time, whatever their offset',
    ['2030-02-01T00:30:00+01:00', '2030-02-01T00:00:00Z', '2030-02-01T01:00:00.000001Z', '2030-W06-1'],
  ],
  ['texts are ordered by character', ['10 Downing Street', 'Ada', 'ada', 'zoë']],
  [
    'numbers are before timestamps, those before texts, and truth values behind',
    ['10', '2030-01-01', 'ten', false, true],
  ],
])('%s', (_, values) => {
  expect(order(values.toReversed())).toEqual(values);
});

test.each<[Json, Json, number | null]>([
  ['1234567890123456789', '1234567890123456788', 1],
  ['1.50', 1.5, 0],
  ['20300201', '2030-02-01', 0],
  ['2030-02-01', 5, null],
  ['b', 'a', null],
  [null, 1, null],
  [true, false, null],
])('%j against %j is %j', (left, right, expected) => {
  const found = compareValues(left, right);
  expect(found === null ? null : Math.sign(found)).toBe(expected);
});

const anyOrdered = fc.oneof<fc.Arbitrary<Json>[]>(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom<Json>(
    '',
    'a',
    '1a',
    '10',
    '9',
    '1e400',
    '-1e400',
    '1e401',
    '0',
    '-0',
    true,
    null,
    '20300201',
  ),
);

test('the order is total: it is antisymmetric and transitive over values of any type', () => {
  fc.assert(
    fc.property(anyOrdered, anyOrdered, anyOrdered, (...values) => {
      const [a, b, c] = values.map(readOrdinal) as [never, never, never];
      const sign = (left: never, right: never): number => Math.sign(compareOrdinals(left, right));
      expect(sign(a, b) + sign(b, a)).toBe(0);
      if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});

test('a rule that finds an order finds the order of a list', () => {
  fc.assert(
    fc.property(anyOrdered, anyOrdered, (a, b) => {
      const found = compareValues(a, b);
      // A date written as digits alone is a number in a list, for a rule it is also a date.
      if (found !== null && a !== '20300201' && b !== '20300201')
        expect(Math.sign(compareOrdinals(readOrdinal(a), readOrdinal(b)))).toBe(Math.sign(found));
    }),
  );
});
