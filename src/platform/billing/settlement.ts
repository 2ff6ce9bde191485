/** Settles admitted work: releases its reservation and charges its usage, each exactly once. */
import type { Sql } from '../../base/db/client.ts';
import { PLANS } from './plans.ts';

/** The second argument of the SQL function `settle_credits(subjects, plans)`. */
export const PLAN_TABLE = JSON.stringify(PLANS);

/**
 * Settles subjects in the caller's transaction. It locks accounts, so the transaction must not lock anything after it: two
 * transactions could deadlock.
 */
export async function settle(sql: Sql, subjectIds: readonly string[]): Promise<void> {
  await sql.query('SELECT settle_credits($1::uuid[], $2::jsonb)', [subjectIds, PLAN_TABLE]);
}

const BATCH = 500;

// A run's reservation is created with the run and released at its end; the rows found here are leftovers of crashes.
const LEFTOVERS = `
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
 * Settles leftovers: reservations without a running run, expired leases, and usage of ended work. Safe to repeat and to run
 * in several processes.
 * @returns the number of settled subjects
 */
export async function settleLeftovers(sql: Sql): Promise<number> {
  const leftovers = await sql.query<{ subject_id: string }>(LEFTOVERS);
  if (leftovers.length > 0)
    await settle(
      sql,
      leftovers.map((row) => row.subject_id),
    );
  return leftovers.length;
}
