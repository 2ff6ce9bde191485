/** A database that is away says nothing about a run: a worker outlasts it. */
import { isTransientDatabaseError } from '../../db/transient-error.ts';

/** A restart of the database is over by then; what lasts longer is left to Temporal's retries. */
const OUTLAST_MS = 10_000;
const PAUSE_MS = 250;

/** Repeats idempotent `work` for some seconds while the database is in trouble: what a node has done is worth it. */
export async function outlastTrouble<T>(work: () => Promise<T>): Promise<T> {
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
