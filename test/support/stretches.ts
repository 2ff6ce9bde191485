/** What a test of a stretch stands in for: an activity of Temporal's, and a database that comes between its transactions. */
import type { Db } from '../../src/db/client.ts';
import type { Host } from '../../src/runs/execute/host.ts';

/** An activity that is Temporal's first try. */
export const firstTry: Host = {
  attempt: 1,
  signal: new AbortController().signal,
  cancelRequested: () => false,
  startHeartbeat: () => () => undefined,
  awaitCancellation: () => Promise.resolve(),
};

/** A database that lets `around` see to its transaction `number`; `count` tells how many there were. */
export function meddled(
  db: Db,
  number: number,
  around: <T>(transact: () => Promise<T>) => Promise<T>,
): { readonly db: Db; count(): number } {
  let count = 0;
  const meddle = <T>(transact: () => Promise<T>): Promise<T> => {
    count += 1;
    return count === number ? around(transact) : transact();
  };
  return {
    db: {
      ...db,
      transaction: (work) => meddle(() => db.transaction(work)),
      deferred: (begun, work) => meddle(() => db.deferred(begun, work)),
    },
    count: () => count,
  };
}

/** A database that commits its transaction `number`, and falls silent before it says so. */
export const silenced = (db: Db, number: number): { readonly db: Db; count(): number } =>
  meddled(db, number, async (transact) => {
    await transact();
    throw Object.assign(new Error('Connection terminated'), { code: '08006' });
  });
