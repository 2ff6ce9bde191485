/** The bench would report figures that were not measured, or count a goal as met that was not. */
import { expect, test } from 'vitest';
import { GOALS, judge } from './goals.ts';
import { concurrently, inTurns, median, percentile } from './statistics.ts';

const SOON = { deadline: Number.POSITIVE_INFINITY, tell: () => undefined };

test('percentiles are values that were measured', () => {
  const values = [5, 1, 4, 2, 3];
  expect(median(values)).toBe(3);
  expect(percentile(values, 0.95)).toBe(5);
  expect(percentile(values, 0)).toBe(1);
  expect(() => median([])).toThrow('nothing was measured');
});

test('sides are measured in turns, after a round that is not counted', async () => {
  const order: string[] = [];
  const side = (name: string, value: number) => async (isWarmUp: boolean) => {
    order.push(isWarmUp ? `warm ${name}` : name);
    return [value];
  };
  const found = await inTurns(2, SOON, { a: side('a', 1), b: side('b', 2) });
  expect(order).toEqual(['warm a', 'warm b', 'a', 'b', 'a', 'b']);
  expect(found).toEqual({ a: [1, 1], b: [2, 2] });
});

test('after the deadline one round is counted, for each side', async () => {
  const found = await inTurns(9, { ...SOON, deadline: 0 }, { a: async () => [1], b: async () => [2] });
  expect(found).toEqual({ a: [1], b: [2] });
});

test('work is done as often as asked, and no wider', async () => {
  let open = 0;
  let widest = 0;
  const results = await concurrently(7, 3, async (index) => {
    open += 1;
    widest = Math.max(widest, open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    return index;
  });
  expect(results.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(widest).toBe(3);
});

test('a goal that was not measured is neither met nor missed', () => {
  const [atMost, atLeast] = ['at most', 'at least'].map((is) => GOALS.find((goal) => goal.is === is));
  if (atMost === undefined || atLeast === undefined) throw new Error('a kind of goal is missing');
  const goals = judge({ [atMost.name]: atMost.limit + 1, [atLeast.name]: atLeast.limit + 1 });
  const metOf = (name: string) => goals.find((goal) => goal.name === name)?.met;
  expect(metOf(atMost.name)).toBe(false);
  expect(metOf(atLeast.name)).toBe(true);
  expect(goals.filter((goal) => goal.value === null).every((goal) => goal.met === null)).toBe(true);
});
