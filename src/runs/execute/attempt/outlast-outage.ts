/** Outlasts a database that is away: that says nothing about a run. */
import type { Clock } from '../../../clock.ts';
import { isTransientDatabaseError } from '../../../db/transient-error.ts';

/**
 * Whoever has the result of a call is the only one who knows it, so it waits longer than a database that fails over takes. What is
 * not written by then is decided by the record.
 */
const OUTLAST_MS = 120_000;
const PAUSE_MS = 250;

/** Repeats idempotent `work` while the database is away, for two minutes. @param signal ends the patience early */
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
      await sleep(clock, PAUSE_MS);
    }
  }
}

/** Waits for so many milliseconds. */
export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.setTimeout(resolve, ms));
