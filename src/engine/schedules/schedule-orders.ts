/**
 * Reads schedules for Temporal. Database triggers add an outbox entry for each change of `schedules`; its delivery reads the
 * current row.
 */
import { toEngineZone } from '../../language/cron/next-time.ts';
import type { ScheduleSettings, ScheduleRef } from './schedule-engine.ts';
import type { Sql } from '../../base/db/client.ts';

/** Adds an outbox entry for a schedule whose row did not change. */
export async function enqueueScheduleSync(
  sql: Sql,
  { organizationId, scheduleId }: ScheduleRef,
): Promise<void> {
  await sql.query('SELECT tell_of_schedule($1, $2)', [organizationId, scheduleId]);
}

const ORDER = `
  s.id AS "scheduleId", s.organization_id AS "organizationId", s.workflow_id AS "workflowId", s.revision,
  s.cron_expression AS "cronExpression", s.timezone, s.enabled, s.overlap_policy AS "overlapPolicy",
  s.catchup_window_seconds AS "catchupWindowSeconds", s.start_at AS "startAt", s.end_at AS "endAt"`;

const toEngineOrder = <Row extends ScheduleSettings>(row: Row): Row => ({
  ...row,
  timezone: toEngineZone(row.timezone),
});

/** Reads a schedule for Temporal; null when it was deleted. */
export async function readOrder(
  sql: Sql,
  { organizationId, scheduleId }: ScheduleRef,
): Promise<ScheduleSettings | null> {
  const [row] = await sql.query<ScheduleSettings>(
    `SELECT ${ORDER} FROM schedules s WHERE s.id = $1 AND s.organization_id = $2`,
    [scheduleId, organizationId],
  );
  return row === undefined ? null : toEngineOrder(row);
}

/** A schedule to compare with Temporal. */
interface UncheckedSchedule extends ScheduleSettings {
  /** Temporal's count of dropped firings at the last comparison. */
  readonly droppedCount: number;
}

/**
 * Claims schedules that were not compared with Temporal for `olderThanSeconds`, the oldest first. A claim counts as compared,
 * so processes share the work. Schedules with an outbox entry are skipped: Temporal does not have their change yet.
 */
export async function claimUnchecked(
  sql: Sql,
  olderThanSeconds: number,
  limit: number,
): Promise<UncheckedSchedule[]> {
  const rows = await sql.query<UncheckedSchedule>(
    `UPDATE schedules s SET checked_at = now() FROM (
       SELECT id FROM schedules c
       WHERE checked_at < now() - make_interval(secs => $1)
         AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.subject_id = c.id)
       ORDER BY checked_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
     ) AS due WHERE s.id = due.id RETURNING ${ORDER}, s.dropped_count AS "droppedCount"`,
    [olderThanSeconds, limit],
  );
  return rows.map(toEngineOrder);
}

/** Disables a schedule that Temporal rejects. */
export async function disableRefused(
  sql: Sql,
  { organizationId, scheduleId }: ScheduleRef,
  reason: string,
): Promise<void> {
  await sql.query(
    `UPDATE schedules SET enabled = false, disabled_reason = 'The schedule was rejected: ' || left($3, 500)
     WHERE id = $1 AND organization_id = $2`,
    [scheduleId, organizationId, reason],
  );
}
