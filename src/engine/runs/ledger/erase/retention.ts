/** Deletes rows after their retention time, in small batches, so that other writers are not delayed. Times are the database's. */
import type { Sql } from '../../../../base/db/client.ts';

const BATCH = 1_000;

/** Repeats a deletion until it deletes less than a batch. @returns the number of deleted rows */
async function deleteAll(sql: Sql, statement: string): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await sql.query<{ deleted: number }>(
      `WITH gone AS (${statement} RETURNING 1) SELECT count(*) AS deleted FROM gone`,
    );
    const deleted = row?.deleted ?? 0;
    total += deleted;
    if (deleted < BATCH) return total;
  }
}

/** Deletes token events an hour after the end of their run: the output has the whole text. */
export async function deleteExpiredTokens(sql: Sql): Promise<number> {
  return deleteAll(
    sql,
    `DELETE FROM run_events WHERE (run_pk, seq) IN (
       SELECT e.run_pk, e.seq FROM run_events e JOIN runs r ON r.id = e.run_pk
       WHERE e.type IN ('token', 'token_reset') AND e.created_at < now() - interval '1 hour'
         AND r.status <> 'running' AND r.completed_at < now() - interval '1 hour' LIMIT ${BATCH})`,
  );
}

/** Runs whose events one statement deletes. */
const RUN_BATCH = 200;

/**
 * Deletes events 24 hours after the end of their run (SPEC RUN-3.4); the rows of run and steps are kept. A waiting run keeps its
 * events, which have the question. Runs are found by their first event, so that a sweep reads no run whose events are gone.
 */
export async function deleteExpiredEvents(sql: Sql): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await sql.query<{ runs: number; deleted: number }>(
      `WITH due AS MATERIALIZED (
         SELECT e.run_pk FROM run_events e JOIN runs r ON r.id = e.run_pk
         WHERE e.seq = 1 AND e.created_at < now() - interval '24 hours'
           AND r.status <> 'running' AND r.completed_at < now() - interval '24 hours'
           AND NOT EXISTS (SELECT 1 FROM run_interrupts i WHERE i.run_pk = r.id AND i.status = 'pending')
         LIMIT ${RUN_BATCH}
       ), gone AS (
         DELETE FROM run_events WHERE run_pk IN (SELECT run_pk FROM due) RETURNING 1
       )
       SELECT (SELECT count(*) FROM due) AS runs, (SELECT count(*) FROM gone) AS deleted`,
    );
    total += row?.deleted ?? 0;
    if ((row?.runs ?? 0) < RUN_BATCH) return total;
  }
}

/** Deletes idempotency keys after 24 hours (SPEC SRV-idempotency). */
export async function deleteExpiredIdempotencyKeys(sql: Sql): Promise<number> {
  return deleteAll(
    sql,
    `DELETE FROM idempotency_keys WHERE (organization_id, key) IN (
       SELECT organization_id, key FROM idempotency_keys
       WHERE created_at < now() - interval '24 hours' LIMIT ${BATCH})`,
  );
}

/** Deletes answers of callbacks that were kept for nodes which their runs have not reached before their end. */
export async function deleteUnusedCallbackAnswers(sql: Sql): Promise<number> {
  return deleteAll(
    sql,
    `DELETE FROM callback_answers WHERE (root_run_pk, node_id, visit) IN (
       SELECT a.root_run_pk, a.node_id, a.visit FROM callback_answers a JOIN newest_segments r ON r.root_run_pk = a.root_run_pk
       WHERE r.status NOT IN ('running', 'interrupted') LIMIT ${BATCH})`,
  );
}

/** Deletes events of notifications after 7 days, with their deliveries. */
export async function deleteExpiredNotifications(sql: Sql): Promise<number> {
  return deleteAll(
    sql,
    `DELETE FROM notification_events WHERE id IN (
       SELECT id FROM notification_events WHERE created_at < now() - interval '7 days' LIMIT ${BATCH})`,
  );
}

// Requests that have started no run are values of none. Hooks are read by the workflows and organizations that have a retention.
const RUNLESS_DELIVERIES = `
  SELECT d.id FROM hooks h JOIN organizations o ON o.id = h.organization_id
  LEFT JOIN workflow_retention w ON w.workflow_id = h.workflow_id
  CROSS JOIN LATERAL (SELECT coalesce(w.value_retention_days, o.value_retention_days) AS days) AS kept
  JOIN hook_deliveries d ON d.hook_id = h.id AND d.received_at < now() - make_interval(days => kept.days)
  WHERE kept.days < 7 AND d.run_pk IS NULL`;

/** Deletes deliveries of webhooks after 7 days; those without a run after the retention of values, if that is shorter. Runs stay. */
export async function deleteExpiredHookDeliveries(sql: Sql): Promise<number> {
  const runless = await deleteAll(
    sql,
    `DELETE FROM hook_deliveries WHERE id IN (${RUNLESS_DELIVERIES} LIMIT ${BATCH})`,
  );
  const old = await deleteAll(
    sql,
    `DELETE FROM hook_deliveries WHERE id IN (
       SELECT id FROM hook_deliveries WHERE received_at < now() - interval '7 days' LIMIT ${BATCH})`,
  );
  return runless + old;
}
