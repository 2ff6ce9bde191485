/** Sliding minutes in the database, exact across processes (the function rl_take of the migrations). */
import { AskedByLock } from './asked-by-lock.ts';
import type { Sql } from './client.ts';
import { sqlStateOf } from './transient-error.ts';

export interface TakenWindow {
  /** 0: admitted. Else the position of the first subject without capacity. */
  readonly exhausted: number;
  readonly retryAfterSeconds: number;
  /** What the full subject (or, when admitted, the first) has in its window. */
  readonly used: number;
}

interface Wish {
  readonly subjects: readonly string[];
  readonly limits: readonly number[];
}

// The function stands in a select list: in FROM it would be called once for all.
const TAKE = `
  SELECT place, (taken).exhausted, (taken).retry_after AS "retryAfterSeconds", (taken).used
  FROM (SELECT place, rl_take($1, $2) AS taken FROM generate_series(1, $3::int) AS place) AS each`;

const LOCK_NOT_AVAILABLE = '55P03';

const windows = new AskedByLock<Wish, TakenWindow>(async (sql, wishes) => {
  const params = [wishes[0]?.subjects, wishes[0]?.limits, wishes.length];
  const take = () => sql.query<TakenWindow & { place: number }>(TAKE, params);
  // rl_take waits a second for a locked window. On a machine that stood still for one, it was over before the holder
  // could go on, for everybody who waited: only who waits in vain twice is told that nothing can be counted.
  return take().catch((error: unknown) => {
    if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) return take();
    throw error;
  });
}, 1);

/**
 * Takes one from each subject's window, or from none. Who asks for the same at the same moment shares a statement: a
 * flood holds one connection, not the pool.
 * @throws when the database cannot count
 */
export async function takeFromWindows(
  sql: Sql,
  subjects: readonly string[],
  limits: readonly number[],
): Promise<TakenWindow> {
  // Only of the same subjects: a statement that takes of a user's window and then of another key could meet one that
  // holds that key and waits for the user.
  const [taken] = await windows.ask(sql, JSON.stringify([subjects, limits]), { subjects, limits });
  if (taken === undefined) throw new Error('rl_take did not answer');
  return taken;
}
