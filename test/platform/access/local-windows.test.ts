/** A client could send more requests than its limit allows, or would be told a wrong time to try again. */
import { expect, test } from 'vitest';
import { LocalWindows } from '../../../src/platform/access/local-windows.ts';

const SECOND = 1_000;

test('admits the limit within any 60 seconds, and tells when the next may come', () => {
  const windows = new LocalWindows();
  const take = (at: number): number => windows.take(['key'], [2], at * SECOND).exhausted;
  expect([take(0), take(59), take(59)]).toEqual([0, 0, 1]);
  expect(windows.take(['key'], [2], 59 * SECOND).retryAfterSeconds).toBe(1);
  expect([take(60), take(61), take(118), take(119)]).toEqual([0, 1, 1, 0]);
});

test('takes from all subjects or from none, and names the first that is full', () => {
  const windows = new LocalWindows();
  const take = (subjects: string[], limits: number[]): number => windows.take(subjects, limits, 0).exhausted;
  expect(take(['key a', 'user'], [9, 2])).toBe(0);
  expect(take(['key b', 'user'], [1, 2])).toBe(0);
  expect(take(['key b', 'user'], [1, 2])).toBe(1);
  expect(take(['key a', 'user'], [9, 2])).toBe(2);
  expect(take(['key a'], [2])).toBe(0);
});

test('a limit of 0 admits nobody', () => {
  expect(new LocalWindows().take(['key'], [0], 0)).toEqual({ exhausted: 1, retryAfterSeconds: 60 });
});

test('forgets who was idle longest when there are too many', () => {
  const windows = new LocalWindows();
  for (let index = 0; index <= 10_000; index += 1) windows.take([`key ${index}`], [1], 0);
  expect(windows.take(['key 0'], [1], 0).exhausted).toBe(0);
  expect(windows.take(['key 9999'], [1], 0).exhausted).toBe(1);
});
