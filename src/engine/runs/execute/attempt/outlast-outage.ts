/** Outlasts a database outage, which says nothing about a run. */
import type { Clock } from '../../../../base/clock.ts';
import { isTransientDatabaseError } from '../../../../base/db/transient-error.ts';

/**
 * Longer than a restart for maintenance: only this process has the result of its call. After this time the record decides, because
 * an error that looks like an outage may be none.
 */
const OUTLAST_MS = 15 * 60_000;
/** The wait before the next try. */
export const RETRY_MS = 250;

/** Repeats idempotent `work` during a database outage, for a quarter of an hour. @param signal stops the repeats @throws the last error */
export async function outlastOutage<T>(
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const until = clock.monotonic() + OUTLAST_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isOver = signal?.aborted === true || clock.monotonic() > until;
      if (!isTransientDatabaseError(error) || isOver) throw error;
      await sleep(clock, RETRY_MS);
    }
  }
}

/** Waits for `ms` milliseconds. */
export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.setTimeout(resolve, ms));
