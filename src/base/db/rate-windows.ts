/** Sliding minutes in the database, exact across processes (the function rl_take of the migrations). */
import type { Db, SharedWrite } from './client.ts';
import { readSqlState } from './transient-error.ts';

export interface TakenWindow {
  /** 0 when admitted, else the position (from 1) of the first subject at its limit. */
  readonly exhausted: number;
  readonly retryAfterSeconds: number;
  /** Count in the window of the exhausted subject, or of the first subject when admitted. */
  readonly used: number;
}

interface RateRequest {
  readonly subjects: readonly string[];
  readonly limits: readonly number[];
}

// rl_take is in the select list, so that it is called per row; in FROM it would be called once.
const TAKE = `
  SELECT place, (taken).exhausted, (taken).retry_after AS "retryAfterSeconds", (taken).used
  FROM (SELECT place, rl_take($1, $2) AS taken FROM generate_series(1, $3::int) AS place) AS each`;

const LOCK_NOT_AVAILABLE = '55P03';

const TAKE_FROM_WINDOWS: SharedWrite<RateRequest, TakenWindow> = {
  name: 'take from windows',
  maxConcurrent: 1,
  // Statements with different subjects lock windows in different orders, and could deadlock.
  getKey: (request) => JSON.stringify(request),
  async run(sql, requests) {
    const params = [requests[0]?.subjects, requests[0]?.limits, requests.length];
    const take = () => sql.query<TakenWindow & { place: number }>(TAKE, params);
    // rl_take waits one second for a locked window. After a pause of the whole machine every waiter would time out before
    // the holder continues, so the first timeout is retried.
    const rows = await take().catch((error: unknown) => {
      if (readSqlState(error) === LOCK_NOT_AVAILABLE) return take();
      throw error;
    });
    return rows.toSorted((a, b) => a.place - b.place);
  },
};

/**
 * Counts one in each subject's window, or in none. Concurrent calls with the same subjects share a statement, so a flood of
 * requests uses one connection and not the pool.
 * @throws when the database cannot count
 */
export function takeFromWindows(
  db: Pick<Db, 'share'>,
  subjects: readonly string[],
  limits: readonly number[],
): Promise<TakenWindow> {
  return db.share(TAKE_FROM_WINDOWS, { subjects, limits });
}
