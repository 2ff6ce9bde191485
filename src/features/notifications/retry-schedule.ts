/** Schedules the retries of a delivery: growing delays, for 24 hours after its event. */
import { spreadWait } from '../../base/spread.ts';

/** Longest delay after each failed attempt, the shortest is half; the last one repeats, which makes about 15 attempts in a day. */
const DELAYS_SECONDS = [5, 30, 2 * 60, 10 * 60, 30 * 60, 3_600, 2 * 3_600, 4 * 3_600];
const GIVE_UP_MS = 24 * 3_600_000;
/** Limit for the Retry-After of a receiver. */
const MAX_RETRY_AFTER_SECONDS = 3_600;

interface FailedAttempt {
  /** Of what is delivered: deliveries that fail together do not come back together. */
  readonly id: string;
  /** Attempts so far, this one included. */
  readonly attempts: number;
  readonly createdMs: number;
  readonly nowMs: number;
  /** Retry-After of the response, in seconds; null without one. */
  readonly retryAfterSeconds: number | null;
}

/** Returns when the next attempt is due, in milliseconds since 1970; null when the delivery has failed for good. */
export function computeRetryTime({
  id,
  attempts,
  createdMs,
  nowMs,
  retryAfterSeconds,
}: FailedAttempt): number | null {
  const delay = DELAYS_SECONDS[Math.min(attempts, DELAYS_SECONDS.length) - 1] ?? 0;
  const requested = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  const dueMs = nowMs + spreadWait(delay * 1_000, `${id} ${attempts}`, requested * 1_000);
  return dueMs <= createdMs + GIVE_UP_MS ? dueMs : null;
}
