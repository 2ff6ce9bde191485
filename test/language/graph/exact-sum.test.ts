/** A sum would lose cents or digits of ids, or its parts would grow without a bound. */
import { expect, test } from 'vitest';
import { readDecimal } from '../../../src/language/graph/values/decimal.ts';
import { ExactSum, MAX_DIGITS } from '../../../src/language/graph/values/exact-sum.ts';

function addAll(numbers: readonly (number | string)[]): ExactSum {
  const sum = new ExactSum();
  for (const number of numbers) {
    const decimal = readDecimal(number);
    if (decimal === null || !sum.add(decimal)) throw new Error(`refused: ${String(number)}`);
  }
  return sum;
}

test.each<[readonly (number | string)[], string, string | null]>([
  [[], '0', null],
  [[0.1, 0.2], '0.3', '0.15'],
  [['0.10', '0.20', '+1'], '1.3', '0.43333333333333335'],
  [[-1.5, '1.5'], '0', '0'],
  [['-0.05'], '-0.05', '-0.05'],
  [['9007199254740993', 1], '9007199254740994', '4503599627370497'],
  [['1e3', '1e-3'], '1000.001', '500.0005'],
  [[1, 0, 0], '1', '0.3333333333333333'],
  [[2, 0, 0], '2', '0.6666666666666666'],
  [Array.from({ length: 1_000 }, () => 0.01), '10', '0.01'],
])('the sum of %j is %s and its average %s', (numbers, total, average) => {
  const sum = addAll(numbers);
  expect(sum.total).toBe(total);
  expect(sum.average).toBe(average);
});

test('a number of as many digits as may be is added, a longer one refused', () => {
  const digits = '1'.repeat(MAX_DIGITS);
  expect(addAll([digits]).total).toBe(digits);
  expect(() => addAll([`${digits}1`])).toThrow('refused');
});

test('a number of as many zeros as may be is added, one of more refused', () => {
  expect(addAll([`1e${MAX_DIGITS}`]).total).toBe(`1${'0'.repeat(MAX_DIGITS)}`);
  expect(addAll([`1e-${MAX_DIGITS}`]).total).toBe(`0.${'0'.repeat(MAX_DIGITS - 1)}1`);
  expect(() => addAll([`1e${MAX_DIGITS + 1}`])).toThrow('refused');
  expect(() => addAll([`1e-${MAX_DIGITS + 1}`])).toThrow('refused');
});

test('an average beyond every double keeps its digits', () => {
  const { average } = addAll([`1e${MAX_DIGITS}`, 0, 0]);
  expect(average).toMatch(/^3{400}/);
});
