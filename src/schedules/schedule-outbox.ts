/**
 * Schedules that Temporal must hear of. An entry says "look again": whoever delivers it reads the row as it then is, so
 * that entries need no order and repeating one is harmless. Changes to `schedules` add entries by themselves (triggers).
 */
import { cutText } from '../graph/cut-text.ts';
import type { ScheduleOrder } from './schedule-engine.ts';
import type { Sql } from '../db/client.ts';

export interface ToldSchedule {
  readonly scheduleId: string;
  /** Of the entry as it was claimed. */
  readonly version: number;
}

/** Longer than any delivery takes: its three engine calls have a deadline of 2 s each. */
const CLAIM_SECONDS = 10;
const MAX_BACKOFF_SECONDS = 30;

/** Adds an entry, or renews it. */
export async function tellOfSchedule(sql: Sql, scheduleId: string): Promise<void> {
  await sql.query('SELECT tell_of_schedule($1)', [scheduleId]);
}

/** Takes up to `limit` due entries. Nobody else delivers these schedules meanwhile, however often they change. */
export async function claimSchedules(sql: Sql, limit: number): Promise<ToldSchedule[]> {
  return sql.query<ToldSchedule>(
    `WITH due AS (
       SELECT schedule_id FROM schedule_outbox
       WHERE due_at <= now() AND (claimed_until IS NULL OR claimed_until <= now())
       ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE schedule_outbox o SET claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS}), tries = tries + 1
     FROM due WHERE o.schedule_id = due.schedule_id
     RETURNING o.schedule_id AS "scheduleId", o.version`,
    [limit],
  );
}

/** Removes a delivered entry; one that was renewed during the delivery stays, and is due. */
export async function removeTold(sql: Sql, told: ToldSchedule): Promise<void> {
  const removed = await sql.query(
    'DELETE FROM schedule_outbox WHERE schedule_id = $1 AND version = $2 RETURNING 1',
    [told.scheduleId, told.version],
  );
  if (removed.length > 0) return;
  // In a statement of its own, which sees what the deletion had to wait for.
  await sql.query('UPDATE schedule_outbox SET claimed_until = NULL WHERE schedule_id = $1', [
    told.scheduleId,
  ]);
}

/** Puts an entry back: due again after 0.5 s, 1 s, 2 s, ..., then every 30 s. */
export async function retryTold(sql: Sql, told: ToldSchedule, error: string): Promise<void> {
  await sql.query(
    `UPDATE schedule_outbox SET last_error = $2, claimed_until = NULL,
       due_at = now() + make_interval(secs => least(${MAX_BACKOFF_SECONDS}, 0.25 * power(2, least(tries, 10))))
     WHERE schedule_id = $1`,
    [told.scheduleId, cutText(error, 1_000)],
  );
}

const ORDER = `
  s.id AS "scheduleId", s.organization_id AS "organizationId", s.workflow_id AS "workflowId", s.revision,
  s.cron_expression AS "cronExpression", s.timezone, s.enabled, s.overlap_policy AS "overlapPolicy",
  s.catchup_window_seconds AS "catchupWindowSeconds", s.start_at AS "startAt", s.end_at AS "endAt"`;

/** A schedule as Temporal has to know it; null when it is gone. */
export async function readOrder(sql: Sql, scheduleId: string): Promise<ScheduleOrder | null> {
  const rows = await sql.query<ScheduleOrder>(`SELECT ${ORDER} FROM schedules s WHERE s.id = $1`, [
    scheduleId,
  ]);
  return rows[0] ?? null;
}

/**
 * Takes schedules that nobody has compared with Temporal for so long, the longest first. All processes share the work:
 * what one takes counts as compared. Those with an entry are left alone: Temporal has not heard of their change yet.
 */
export async function claimUnchecked(
  sql: Sql,
  olderThanSeconds: number,
  limit: number,
): Promise<ScheduleOrder[]> {
  return sql.query<ScheduleOrder>(
    `UPDATE schedules s SET checked_at = now() FROM (
       SELECT id FROM schedules c
       WHERE checked_at < now() - make_interval(secs => $1)
         AND NOT EXISTS (SELECT 1 FROM schedule_outbox o WHERE o.schedule_id = c.id)
       ORDER BY checked_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
     ) AS due WHERE s.id = due.id RETURNING ${ORDER}`,
    [olderThanSeconds, limit],
  );
}

/** Disables a schedule that Temporal does not take. */
export async function disableRefused(sql: Sql, scheduleId: string, reason: string): Promise<void> {
  await sql.query(
    `UPDATE schedules SET enabled = false, disabled_reason = 'The schedule was refused: ' || left($2, 500) WHERE id = $1`,
    [scheduleId, reason],
  );
}
