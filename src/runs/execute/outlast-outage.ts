/** Outlasts a database that is away: that says nothing about a run. */
import { isTransientDatabaseError } from '../../db/transient-error.ts';

/** A restart of the database is over by then; a longer outage is left to another attempt. */
const OUTLAST_MS = 10_000;
const PAUSE_MS = 250;

/** Repeats idempotent `work` while the database is away, for 10 s: what a node has done is worth it. */
export async function outlastOutage<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + OUTLAST_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransientDatabaseError(error) || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
