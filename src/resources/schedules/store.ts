/** The queries of schedules, all within one organization. Triggers of the table tell Temporal of what they change. */
import type { OverlapPolicy, ScheduleRef } from '../../schedules/schedule-engine.ts';
import type { Sql } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { RunListRow } from '../../runs/ledger/run-reads.ts';

/** The fields that the caller decides. */
export interface ScheduleFields {
  readonly name: string;
  readonly cron_expression: string;
  readonly timezone: string;
  readonly input: JsonObject;
  readonly config: JsonObject;
  readonly enabled: boolean;
  readonly overlap_policy: OverlapPolicy;
  readonly catchup_window_seconds: number;
  readonly start_at: Date | null;
  readonly end_at: Date | null;
  readonly max_runs: number | null;
}

export interface ScheduleRow extends ScheduleFields {
  readonly id: string;
  readonly organization_id: string;
  readonly workflow_id: string;
  readonly run_count: number;
  readonly consecutive_failures: number;
  readonly disabled_reason: string | null;
  readonly last_run_at: Date | null;
  readonly last_run_id: string | null;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = `id, organization_id, workflow_id, name, cron_expression, timezone, input, config, enabled,
  overlap_policy, catchup_window_seconds, start_at, end_at, max_runs, run_count, consecutive_failures, disabled_reason,
  last_run_at, last_run_id, created_by, created_at, updated_at`;

const values = (fields: ScheduleFields): unknown[] => [
  fields.name,
  fields.cron_expression,
  fields.timezone,
  JSON.stringify(fields.input),
  JSON.stringify(fields.config),
  fields.enabled,
  fields.overlap_policy,
  fields.catchup_window_seconds,
  fields.start_at,
  fields.end_at,
  fields.max_runs,
];

/** @returns null when the organization has no such workflow */
export async function insertSchedule(
  sql: Sql,
  owner: { readonly organizationId: string; readonly userId: string; readonly workflowId: string },
  fields: ScheduleFields,
): Promise<ScheduleRow | null> {
  const rows = await sql.query<ScheduleRow>(
    `INSERT INTO schedules (organization_id, created_by, workflow_id, name, cron_expression, timezone, input, config,
                            enabled, overlap_policy, catchup_window_seconds, start_at, end_at, max_runs)
     SELECT organization_id, $2, id, $4, $5, $6, $7::json, $8::json, $9, $10, $11, $12, $13, $14
     FROM workflows WHERE organization_id = $1 AND id = $3
     RETURNING ${COLUMNS}`,
    [owner.organizationId, owner.userId, owner.workflowId, ...values(fields)],
  );
  return rows[0] ?? null;
}

/** @param lock takes the row's lock: for reads that a write in the same transaction depends on */
export async function selectSchedule(
  sql: Sql,
  { organizationId, scheduleId }: ScheduleRef,
  lock = false,
): Promise<ScheduleRow | null> {
  const rows = await sql.query<ScheduleRow>(
    `SELECT ${COLUMNS} FROM schedules WHERE id = $1 AND organization_id = $2 ${lock ? 'FOR NO KEY UPDATE' : ''}`,
    [scheduleId, organizationId],
  );
  return rows[0] ?? null;
}

/** Writes the fields of a locked row. Enabling it anew forgets why it was disabled, and the failures before. */
export async function updateSchedule(
  tx: Sql,
  scheduleId: string,
  fields: ScheduleFields,
): Promise<ScheduleRow> {
  const [row] = await tx.query<ScheduleRow>(
    `UPDATE schedules SET name = $2, cron_expression = $3, timezone = $4, input = $5::json, config = $6::json,
       enabled = $7, overlap_policy = $8, catchup_window_seconds = $9, start_at = $10, end_at = $11, max_runs = $12,
       disabled_reason = CASE WHEN $7 THEN NULL ELSE disabled_reason END,
       consecutive_failures = CASE WHEN $7 AND NOT enabled THEN 0 ELSE consecutive_failures END,
       updated_at = clock_timestamp()
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [scheduleId, ...values(fields)],
  );
  if (row === undefined) throw new Error('the locked schedule is gone');
  return row;
}

/** @returns false when the organization has no such schedule */
export async function deleteScheduleRow(
  sql: Sql,
  organizationId: string,
  scheduleId: string,
): Promise<boolean> {
  const rows = await sql.query('DELETE FROM schedules WHERE id = $1 AND organization_id = $2 RETURNING id', [
    scheduleId,
    organizationId,
  ]);
  return rows.length === 1;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Newest first; one row more than `limit` when there is another page. */
export async function listSchedules(
  sql: Sql,
  organizationId: string,
  { workflowId, limit, offset }: Page & { readonly workflowId: string | null },
): Promise<ScheduleRow[]> {
  return sql.query<ScheduleRow>(
    `SELECT ${COLUMNS} FROM schedules WHERE organization_id = $1 AND ($2::uuid IS NULL OR workflow_id = $2)
     ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
    [organizationId, workflowId, limit + 1, offset],
  );
}

export interface ScheduledRunRow extends RunListRow {
  readonly scheduled_at: Date;
}

/** The runs of a schedule with their later segments, newest first; one more than `limit` when there is another page. */
export async function listScheduledRuns(
  sql: Sql,
  organizationId: string,
  { scheduleId, limit, offset }: Page & { readonly scheduleId: string },
): Promise<ScheduledRunRow[]> {
  return sql.query<ScheduledRunRow>(
    `SELECT r.id, r.run_id, r.workflow_id, r.deployment_id, r.trigger_type, r.is_ad_hoc, r.status, r.started_at,
            r.completed_at, r.created_at, r.error->>'message' AS error_message, r.output_summary,
            r.output IS NOT NULL AS has_output, f.scheduled_at
     FROM schedule_firings f JOIN runs r ON r.root_run_pk = f.run_pk
     WHERE r.organization_id = $1 AND f.schedule_id = $2
     ORDER BY r.created_at DESC, r.id DESC LIMIT $3 OFFSET $4`,
    [organizationId, scheduleId, limit + 1, offset],
  );
}
