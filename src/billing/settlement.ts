/** The end of what was admitted: reservations released, usage charged, each exactly once. */
import type { Sql } from '../db/client.ts';
import { PLANS } from './plans.ts';

/** The second argument of SQL's `settle_credits(subjects, plans)`. */
export const PLAN_TABLE = JSON.stringify(PLANS);

/**
 * Ends subjects in the caller's transaction. Locks accounts: nothing else may be locked after it, or two transactions
 * could wait for each other.
 */
export async function settle(sql: Sql, subjectIds: readonly string[]): Promise<void> {
  await sql.query('SELECT settle_credits($1::uuid[], $2::jsonb)', [subjectIds, PLAN_TABLE]);
}

const BATCH = 500;

// The reservation of a run appears with it and goes with its end; what is found here was left by something that broke.
const LEFT_BEHIND = `
  WITH running AS (SELECT id FROM runs WHERE status = 'running')
  (SELECT r.subject_id FROM credit_reservations r
   WHERE r.expires_at < now() OR (r.expires_at IS NULL AND r.subject_id NOT IN (SELECT id FROM running))
   ORDER BY r.created_at LIMIT ${BATCH})
  UNION
  (SELECT u.subject_id FROM credit_usage u
   WHERE NOT u.is_settled AND u.created_at < now() - interval '1 minute'
     AND u.subject_id NOT IN (SELECT id FROM running)
     AND NOT EXISTS (SELECT 1 FROM credit_reservations r WHERE r.subject_id = u.subject_id)
   ORDER BY u.created_at LIMIT ${BATCH})`;

/**
 * Settles what nobody settles any more: reservations whose run has ended or never was, leases that ran out, usage of
 * ended work. Harmless to repeat and to run everywhere.
 * @returns how many subjects it settled
 */
export async function settleLeftBehind(sql: Sql): Promise<number> {
  const left = await sql.query<{ subject_id: string }>(LEFT_BEHIND);
  if (left.length > 0)
    await settle(
      sql,
      left.map((row) => row.subject_id),
    );
  return left.length;
}
