/** A thousand items that meet a 429 would come back in one moment, and meet it again. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { computeRetryDelay } from '../../../../src/engine/runs/execute/attempt/retry-delay.ts';

const RETRY = { maxAttempts: 9, initialIntervalMs: 1_000, backoffCoefficient: 2, maxIntervalMs: 30_000 };
const POLICY = { timeoutMs: 60_000 };

interface Case {
  readonly stepId?: string;
  readonly attempt?: number;
  readonly spent?: number;
  readonly retryAfterMs?: number;
}

const delayOf = ({ stepId = randomUUID(), attempt = 1, spent = 1, retryAfterMs }: Case): number =>
  computeRetryDelay(
    { retry: RETRY, policy: POLICY },
    { stepId, attempt, spent },
    { retryAfterMs: retryAfterMs ?? null },
  );

/** The delays of 1,000 executions that fail together. */
const delaysOf = (one: Case): number[] => Array.from({ length: 1_000 }, () => delayOf(one));

/** Checks that no tenth of a range has more than a fifth of the delays, and that all are in the range. */
function expectSpread(delays: readonly number[], [from, to]: readonly [number, number]): void {
  const tenths = Array<number>(10).fill(0);
  for (const delay of delays) {
    expect(delay).toBeGreaterThanOrEqual(from);
    expect(delay).toBeLessThanOrEqual(to);
    const tenth = Math.min(9, Math.floor((10 * (delay - from)) / (to - from)));
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  expect(Math.max(...tenths)).toBeLessThan(200);
}

test('DEF-2.13 executions that fail together come back spread over half the backoff', () => {
  expectSpread(delaysOf({}), [500, 1_000]);
  expectSpread(delaysOf({ attempt: 3, spent: 3 }), [2_000, 4_000]);
  expectSpread(delaysOf({ attempt: 9, spent: 9 }), [15_000, 30_000]);
});

test('DEF-2.13 with Retry-After they come back spread behind it, and none earlier', () => {
  expectSpread(delaysOf({ retryAfterMs: 700 }), [700, 1_200]);
  expectSpread(delaysOf({ retryAfterMs: 20_000 }), [20_000, 20_500]);
});

test('DEF-2.13 a Retry-After counts up to the time limit of the node', () => {
  expectSpread(delaysOf({ retryAfterMs: 3_600_000 }), [60_000, 60_500]);
});

test('one attempt has one delay, and the next one of its step another', () => {
  const stepId = randomUUID();
  expect(delayOf({ stepId })).toBe(delayOf({ stepId }));
  // `spent` alone would give every attempt behind a lost one the same part.
  const parts = [1, 2, 3, 4].map((attempt) => delayOf({ stepId, attempt }));
  expect(new Set(parts).size).toBeGreaterThan(1);
});
