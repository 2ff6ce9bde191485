/** The leases of worker processes, by the database's clock: a worker with a valid lease still holds its attempts. */
import type { Sql } from '../../../../base/db/client.ts';

/**
 * The lifetime of a lease. Less than the 10 s after which Temporal gives an attempt to another worker, so that it can take over
 * immediately; more than any pause of a busy process.
 */
const LEASE_SECONDS = 6;
/** The interval of renewals: a worker may miss three. */
export const LEASE_RENEWAL_MS = 1_500;
/**
 * A renewal later than this has missed one, perhaps because the database was unavailable to all workers. Half of a lease, so
 * that of two workers that lost the database together neither considers the other lost when it returns first.
 */
const STEADY_SECONDS = 3;

/** `unknown`: the lease has expired, but the asking worker has missed renewals itself. */
type HolderState = 'alive' | 'lost' | 'unknown';

const isOlder = (time: string, seconds: number): string =>
  `${time} < clock_timestamp() - interval '${seconds} seconds'`;

/** Renews the lease of a worker, or takes it the first time. */
export async function renewWorkerLease(sql: Sql, workerId: string): Promise<void> {
  await sql.query(
    `INSERT INTO worker_leases AS l (worker_id, since, renewed_at) VALUES ($1, clock_timestamp(), clock_timestamp())
     ON CONFLICT (worker_id) DO UPDATE SET
       since = CASE WHEN ${isOlder('l.renewed_at', STEADY_SECONDS)} THEN clock_timestamp() ELSE l.since END,
       renewed_at = clock_timestamp()`,
    [workerId],
  );
}

/** Releases the lease of a worker: the attempts that it still holds are lost. */
export async function releaseWorkerLease(sql: Sql, workerId: string): Promise<void> {
  await sql.query('DELETE FROM worker_leases WHERE worker_id = $1', [workerId]);
}

/**
 * Judges whether the holder of an attempt still runs it. An expired lease counts only when the asking worker has renewed its own
 * without a gap: while the database is unavailable no worker can renew.
 * @param asking the worker that wants to take over
 */
export async function judgeHolder(
  sql: Sql,
  { asking, holder }: { readonly asking: string; readonly holder: string },
): Promise<HolderState> {
  const [row] = await sql.query<{ state: HolderState }>(
    `SELECT CASE
       WHEN h.worker_id IS NULL THEN 'lost'
       WHEN NOT ${isOlder('h.renewed_at', LEASE_SECONDS)} THEN 'alive'
       WHEN ${isOlder('a.since', LEASE_SECONDS)} AND NOT ${isOlder('a.renewed_at', STEADY_SECONDS)} THEN 'lost'
       ELSE 'unknown' END AS state
     FROM (SELECT 1) AS one
     LEFT JOIN worker_leases h ON h.worker_id = $2
     LEFT JOIN worker_leases a ON a.worker_id = $1`,
    [asking, holder],
  );
  return row?.state ?? 'unknown';
}

/** A worker begins a run, and the next node of one, within a second; after this time without an event, none is there. */
const IDLE_SECONDS = 5;

/**
 * SQL expression on the table `runs` as `r`: whether nobody works on a running run. All of its running steps are held by workers
 * that have stopped; or, where no step is running, nothing has happened for a while.
 */
export const WAITS_FOR_WORKER = `
  (r.status = 'running' AND coalesce(
     (SELECT bool_and(s.held_by IS NOT NULL AND (l.worker_id IS NULL OR ${isOlder('l.renewed_at', LEASE_SECONDS)}))
      FROM run_steps s LEFT JOIN worker_leases l ON l.worker_id = s.held_by
      WHERE s.run_pk = r.id AND s.status = 'running'),
     ${isOlder('r.last_event_at', IDLE_SECONDS)}))`;

/** Deletes the leases of workers that were killed a day ago. */
export async function deleteExpiredWorkerLeases(sql: Sql): Promise<void> {
  await sql.query(`DELETE FROM worker_leases WHERE renewed_at < clock_timestamp() - interval '1 day'`);
}

/** Counts the workers that hold a lease. */
export async function countLivingWorkers(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM worker_leases WHERE NOT ${isOlder('renewed_at', LEASE_SECONDS)}`,
  );
  return row?.count ?? 0;
}
