/** Counters of a schedule: runs, skipped firings and consecutive failures, which disable it at a limit. */
import type { Sql } from '../../base/db/client.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { parseCron } from '../../language/cron/cron.ts';
import { findLastTime } from '../../language/cron/next-time.ts';
import type { Firing, OverlapPolicy, ScheduleSettings } from './schedule-engine.ts';

/** Consecutive failures that disable a schedule (SPEC RUN-4.4). */
export const MAX_CONSECUTIVE_FAILURES = 20;

export interface LockedSchedule {
  readonly scheduleId: string;
  readonly organizationId: string;
  readonly workflowId: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly config: JsonObject;
  readonly maxRuns: number | null;
  readonly runCount: number;
  readonly overlapPolicy: OverlapPolicy;
  readonly lastSkippedAt: Date | null;
  readonly createdBy: string | null;
  readonly plan: string;
  readonly overrides: Readonly<Record<string, number | null>>;
  readonly isSuspended: boolean;
  readonly workflowName: string;
  readonly workflowVersion: string;
}

/** Locks and reads a schedule, so that its firings are counted one at a time. @returns null when it was deleted */
export async function lockSchedule(
  tx: Sql,
  { organizationId, scheduleId }: { readonly organizationId: string; readonly scheduleId: string },
): Promise<LockedSchedule | null> {
  const rows = await tx.query<LockedSchedule>(
    `SELECT s.id AS "scheduleId", s.organization_id AS "organizationId", s.workflow_id AS "workflowId", s.name, s.input,
            s.config, s.max_runs AS "maxRuns", s.run_count AS "runCount", s.overlap_policy AS "overlapPolicy",
            s.last_skipped_at AS "lastSkippedAt", s.created_by AS "createdBy", o.plan,
            o.entitlements AS overrides, o.is_suspended AS "isSuspended", w.name AS "workflowName",
            coalesce(w.version, '1.0.0') AS "workflowVersion"
     FROM schedules s JOIN organizations o ON o.id = s.organization_id JOIN workflows w ON w.id = s.workflow_id
     WHERE s.id = $1 AND s.organization_id = $2 FOR NO KEY UPDATE OF s`,
    [scheduleId, organizationId],
  );
  return rows[0] ?? null;
}

/** Counts a run; the run that reaches `max_runs` disables the schedule. */
export async function countRun(tx: Sql, scheduleId: string, runId: string): Promise<void> {
  await tx.query(
    `UPDATE schedules SET run_count = run_count + 1, last_run_at = now(), last_run_id = $2,
       enabled = enabled AND run_count + 1 < coalesce(max_runs, 'infinity'::float8),
       disabled_reason = CASE WHEN enabled AND run_count + 1 >= max_runs
         THEN 'The limit of ' || max_runs || ' runs was reached' ELSE disabled_reason END
     WHERE id = $1`,
    [scheduleId, runId],
  );
}

/** Finds an open run of the schedule, which runs or waits for an answer. @returns its run_id; null without one */
export async function findOpenRun(tx: Sql, scheduleId: string): Promise<string | null> {
  const rows = await tx.query<{ runId: string }>(
    `SELECT r.run_id AS "runId" FROM schedule_firings f JOIN newest_segments r ON r.root_run_pk = f.run_pk
     WHERE f.schedule_id = $1 AND NOT f.is_settled AND r.status IN ('running', 'interrupted')
     ORDER BY f.scheduled_at DESC LIMIT 1`,
    [scheduleId],
  );
  return rows[0]?.runId ?? null;
}

/** Counts a skipped firing. @param runId run_id of the open run because of which it was skipped */
export async function countSkip(tx: Sql, { scheduleId, scheduledAt }: Firing, runId: string): Promise<void> {
  await tx.query(
    `UPDATE schedules SET skipped_count = skipped_count + 1, last_skipped_at = $2, last_skipped_run_id = $3
     WHERE id = $1`,
    [scheduleId, scheduledAt, runId],
  );
}

/**
 * Counts the firings that Temporal has dropped since the last comparison. Temporal tells only their number, so the recorded time is
 * the last due time after the newest run; without one, as after a manual trigger, it is now.
 * @param droppedCount Temporal's counter, which starts at zero again when the Schedule is recreated
 */
export async function countDroppedFirings(
  sql: Sql,
  { scheduleId, cronExpression, timezone }: ScheduleSettings,
  { droppedCount, now }: { readonly droppedCount: number; readonly now: Date },
): Promise<void> {
  const [newest] = await sql.query<{ runId: string; scheduledAt: Date }>(
    `SELECT r.run_id AS "runId", f.scheduled_at AS "scheduledAt"
     FROM schedule_firings f JOIN newest_segments r ON r.root_run_pk = f.run_pk
     WHERE f.schedule_id = $1 ORDER BY f.scheduled_at DESC LIMIT 1`,
    [scheduleId],
  );
  const span = newest === undefined ? null : { after: newest.scheduledAt, until: now };
  const due = span === null ? null : findLastTime(parseCron(cronExpression), timezone, span);
  await sql.query(
    `UPDATE schedules SET dropped_count = $2, last_skipped_at = $3, last_skipped_run_id = $4,
       skipped_count = skipped_count + $2 - CASE WHEN $2 > dropped_count THEN dropped_count ELSE 0 END
     WHERE id = $1 AND dropped_count <> $2`,
    [scheduleId, droppedCount, due ?? now, newest?.runId ?? null],
  );
}

/** Shows a firing that could not start as the last run; it does not count as a run. @param runId run_id of its failed record */
export async function setLastRun(tx: Sql, scheduleId: string, runId: string): Promise<void> {
  await tx.query('UPDATE schedules SET last_run_at = now(), last_run_id = $2 WHERE id = $1', [
    scheduleId,
    runId,
  ]);
}

/** Counts a consecutive failure. The last one of the limit disables the schedule, and a trigger enqueues its sync to Temporal. */
export async function countFailure(tx: Sql, scheduleId: string, message: string): Promise<void> {
  await tx.query(
    `UPDATE schedules SET consecutive_failures = consecutive_failures + 1,
       enabled = enabled AND consecutive_failures + 1 < $2,
       disabled_reason = CASE WHEN enabled AND consecutive_failures + 1 >= $2
         THEN 'Disabled after ' || $2::int || ' consecutive failures. The last one: ' || left($3, 500)
         ELSE disabled_reason END
     WHERE id = $1`,
    [scheduleId, MAX_CONSECUTIVE_FAILURES, message],
  );
}

/** Sets the consecutive failures to zero. */
export async function countSuccess(tx: Sql, scheduleId: string): Promise<void> {
  await tx.query('UPDATE schedules SET consecutive_failures = 0 WHERE id = $1 AND consecutive_failures > 0', [
    scheduleId,
  ]);
}
