/** The page of a long run would use up the requests of a plan, or show the end of a run late. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PacedRefresh } from '../../../../src/surfaces/web/runs/paced-refresh.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a run with events at any time is read at once and then a dozen times a minute; without events it is not read', () => {
  const reads: boolean[] = [];
  const refresh = new PacedRefresh((isLast) => reads.push(isLast));
  refresh.request();
  expect(reads).toHaveLength(1);
  for (let ms = 0; ms < 120_000; ms += 100) {
    refresh.request();
    vi.advanceTimersByTime(100);
    if (ms === 59_900) expect(reads.length).toBeLessThanOrEqual(18);
  }
  expect(reads.length).toBeLessThanOrEqual(30);
  vi.advanceTimersByTime(10_000);
  const before = reads.length;
  vi.advanceTimersByTime(600_000);
  expect(reads).toHaveLength(before);
  refresh.request();
  expect(reads).toHaveLength(before + 1);
});

test('the end of a run is read at once, and once', () => {
  const reads: boolean[] = [];
  const refresh = new PacedRefresh((isLast) => reads.push(isLast));
  for (let event = 0; event < 5; event += 1) refresh.request();
  refresh.finish();
  vi.advanceTimersByTime(60_000);
  expect(reads).toEqual([false, true]);
  refresh.request();
  refresh.request();
  refresh.dispose();
  vi.advanceTimersByTime(60_000);
  expect(reads).toHaveLength(3);
});
