/**
 * The current segment of a run, locked: the mutex of everything that ends a segment or opens the next one (resume,
 * expiry, cancel, a newer run on the thread).
 */
import type { Sql } from '../../db/client.ts';
import type { RunStatus } from './events.ts';

export interface LockedSegment {
  readonly runPk: string;
  readonly runId: string;
  readonly status: RunStatus;
}

const LOCK = `
  SELECT id AS "runPk", run_id AS "runId", status FROM runs r
  WHERE root_run_pk = $1 AND NOT EXISTS (SELECT 1 FROM runs s WHERE s.root_run_pk = $1 AND s.resumed_from_run_pk = r.id)
  ORDER BY created_at DESC, id DESC LIMIT 1
  FOR NO KEY UPDATE`;

/**
 * Locks the newest segment of an execution until the transaction ends. Who had to wait for the lock may hold a segment
 * that was followed by another meanwhile (the statement's snapshot is older than the lock), so it looks again.
 * @returns null when there is no such execution
 */
export async function lockCurrentSegment(tx: Sql, rootRunPk: string): Promise<LockedSegment | null> {
  for (;;) {
    const [segment] = await tx.query<LockedSegment>(LOCK, [rootRunPk]);
    if (segment === undefined) return null;
    if (!(await isFollowed(tx, rootRunPk, segment.runPk))) return segment;
  }
}

/** True when another segment continues this one. */
export async function isFollowed(sql: Sql, rootRunPk: string, runPk: string): Promise<boolean> {
  const rows = await sql.query(
    'SELECT 1 FROM runs WHERE root_run_pk = $1 AND resumed_from_run_pk = $2 LIMIT 1',
    [rootRunPk, runPk],
  );
  return rows.length > 0;
}
