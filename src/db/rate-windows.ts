/** Sliding minutes in the database, exact across processes (the function rl_take of the migrations). */
import type { Db, SharedWrite } from './client.ts';
import { sqlStateOf } from './transient-error.ts';

export interface TakenWindow {
  /** 0: admitted. Else the position of the first subject without capacity. */
  readonly exhausted: number;
  readonly retryAfterSeconds: number;
  /** What the full subject (or, when admitted, the first) has in its window. */
  readonly used: number;
}

interface Taking {
  readonly subjects: readonly string[];
  readonly limits: readonly number[];
}

// The function stands in a select list: in FROM it would be called once for all.
const TAKE = `
  SELECT place, (taken).exhausted, (taken).retry_after AS "retryAfterSeconds", (taken).used
  FROM (SELECT place, rl_take($1, $2) AS taken FROM generate_series(1, $3::int) AS place) AS each`;

const LOCK_NOT_AVAILABLE = '55P03';

const TAKE_FROM_WINDOWS: SharedWrite<Taking, TakenWindow> = {
  name: 'take from windows',
  maxConcurrent: 1,
  // Only of the same subjects: a statement that takes of a user's window and then of another key could meet one that
  // holds that key and waits for the user.
  keyOf: (taking) => JSON.stringify(taking),
  async run(sql, takings) {
    const params = [takings[0]?.subjects, takings[0]?.limits, takings.length];
    const take = () => sql.query<TakenWindow & { place: number }>(TAKE, params);
    // rl_take waits a second for a locked window. On a machine that stood still for one, it was over before the holder
    // could go on, for everybody who waited: only a second wait in vain is reported.
    const rows = await take().catch((error: unknown) => {
      if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) return take();
      throw error;
    });
    return rows.toSorted((a, b) => a.place - b.place);
  },
};

/**
 * Takes one from each subject's window, or from none. Those who take from the same windows at the same moment share a
 * statement: a flood holds one connection, not the pool.
 * @throws when the database cannot count
 */
export function takeFromWindows(
  db: Pick<Db, 'share'>,
  subjects: readonly string[],
  limits: readonly number[],
): Promise<TakenWindow> {
  return db.share(TAKE_FROM_WINDOWS, { subjects, limits });
}
