/** The leases of worker processes, by the database's clock: which of them is alive, and so still has the attempts that it holds. */
import type { Sql } from '../../db/client.ts';

/**
 * A lease that was not renewed for this long is over. Below the 10 s after which Temporal gives an attempt to another worker,
 * so that the other one can take it over at once; above any pause of a busy process.
 */
const LEASE_SECONDS = 6;
/** A worker renews its lease this often: it may miss three renewals. */
export const LEASE_RENEWAL_MS = 1_500;
/**
 * A renewal that comes later than this has missed one: the database was away, perhaps for all. Half of a lease, so that of two
 * workers that lost the database at once none takes the other for lost: the first to come back would, as its own lease still stands.
 */
const STEADY_SECONDS = 3;

/** `unknown`: the lease is over, but the asking worker has missed renewals of its own meanwhile. */
type HolderState = 'alive' | 'lost' | 'unknown';

const isOlder = (time: string, seconds: number): string =>
  `${time} < clock_timestamp() - interval '${seconds} seconds'`;

/** Renews the lease of a worker; the first time, takes it. */
export async function renewWorkerLease(sql: Sql, workerId: string): Promise<void> {
  await sql.query(
    `INSERT INTO worker_leases AS l (worker_id, since, renewed_at) VALUES ($1, clock_timestamp(), clock_timestamp())
     ON CONFLICT (worker_id) DO UPDATE SET
       since = CASE WHEN ${isOlder('l.renewed_at', STEADY_SECONDS)} THEN clock_timestamp() ELSE l.since END,
       renewed_at = clock_timestamp()`,
    [workerId],
  );
}

/** Gives the lease of a worker up: what it still holds is lost from here on. */
export async function releaseWorkerLease(sql: Sql, workerId: string): Promise<void> {
  await sql.query('DELETE FROM worker_leases WHERE worker_id = $1', [workerId]);
}

/**
 * Judges whether the holder of an attempt still runs it. A lease that is over says so only where the asking worker has renewed
 * its own for as long without missing one: while the database is away nobody can.
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

/** Forgets the leases of workers that were killed a day ago. */
export async function forgetWorkerLeases(sql: Sql): Promise<void> {
  await sql.query(`DELETE FROM worker_leases WHERE renewed_at < clock_timestamp() - interval '1 day'`);
}
