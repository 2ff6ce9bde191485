/** The segments of a run as the interpreter's activities see them: which one is current, and what it was started with. */
import type { Sql } from '../db/client.ts';
import type { JsonObject } from '../graph/value.ts';
import type { RunStatus } from './events.ts';

export interface Segment {
  readonly organizationId: string;
  readonly rootRunPk: string;
  readonly runPk: string;
  readonly runId: string;
  readonly status: RunStatus;
  readonly threadId: string | null;
  readonly chatId: string | null;
  readonly createdBy: string | null;
  readonly ephemeral: boolean;
  readonly workflowId: string | null;
  readonly workflowName: string;
  readonly triggerType: string;
  readonly definitionHash: string;
  readonly recursionLimit: number;
  readonly batchIntervalMs: number;
  readonly childDepth: number;
  readonly createdAt: Date;
  readonly lastSeq: number;
  readonly handledErrorCount: number;
}

const READ = `
  SELECT organization_id AS "organizationId", root_run_pk AS "rootRunPk", id AS "runPk", run_id AS "runId", status,
         thread_id AS "threadId", chat_id AS "chatId", created_by AS "createdBy", ephemeral,
         workflow_id AS "workflowId", workflow_name AS "workflowName", trigger_type AS "triggerType",
         definition_hash AS "definitionHash",
         coalesce((config->>'recursion_limit')::int, 100) AS "recursionLimit",
         coalesce((config->>'batch_interval_ms')::int, 50) AS "batchIntervalMs",
         child_depth AS "childDepth", created_at AS "createdAt", last_seq AS "lastSeq",
         handled_error_count AS "handledErrorCount"
  FROM runs WHERE root_run_pk = $1 AND organization_id = $2
  ORDER BY created_at DESC, resumed_from_run_pk IS NULL, id LIMIT 1`;

/**
 * The newest segment of a run; with `lock`, its row stays locked until the transaction ends, so that its status
 * cannot change and its events are numbered by this transaction alone.
 */
export async function currentSegment(
  sql: Sql,
  run: { organizationId: string; rootRunPk: string },
  lock: boolean,
): Promise<Segment | null> {
  const rows = await sql.query<Segment>(lock ? `${READ} FOR UPDATE` : READ, [
    run.rootRunPk,
    run.organizationId,
  ]);
  return rows[0] ?? null;
}

/** The inputs of a run's first segment: the workflow's default and the caller's, and both merged. */
export async function runInputs(
  sql: Sql,
  rootRunPk: string,
): Promise<{ workflowInput: JsonObject; runInput: JsonObject; merged: JsonObject }> {
  const rows = await sql.query<{ w: JsonObject | null; r: JsonObject | null; m: JsonObject }>(
    `SELECT config->'workflow_input' AS w, config->'run_input' AS r, input AS m FROM runs WHERE id = $1`,
    [rootRunPk],
  );
  const row = rows[0];
  return { workflowInput: row?.w ?? {}, runInput: row?.r ?? {}, merged: row?.m ?? {} };
}

/**
 * Opens a segment that continues an interrupted one without anybody's answer: a question has expired.
 * @returns the new segment's run_pk; its `run_started` event is written
 */
export async function openExpiredSegment(sql: Sql, from: Segment): Promise<string> {
  const rows = await sql.query<{ id: string }>(
    `WITH opened AS (
       INSERT INTO runs (root_run_pk, organization_id, workflow_id, deployment_id, deployment_version, definition_hash,
         workflow_name, workflow_version, workflow_source, trigger_type, is_ad_hoc, is_private, ephemeral, stream,
         thread_id, chat_id, created_by, config, input, resumed_from_run_pk, parent_run_pk, parent_step_id,
         child_depth, handled_error_count, last_seq, started_at, created_at, last_event_at)
       SELECT root_run_pk, organization_id, workflow_id, deployment_id, deployment_version, definition_hash,
         workflow_name, workflow_version, workflow_source, trigger_type, is_ad_hoc, is_private, ephemeral, stream,
         thread_id, chat_id, created_by, config, input, id, parent_run_pk, parent_step_id,
         child_depth, handled_error_count, 1, clock_timestamp(), clock_timestamp(), clock_timestamp()
       FROM runs WHERE id = $1
       RETURNING *
     ), told AS (
       INSERT INTO run_events (run_pk, seq, type, payload)
       SELECT id, 1, 'run_started', json_build_object('workflow_id', workflow_id, 'workflow_name', workflow_name,
         'workflow_version', workflow_version, 'workflow_source', workflow_source, 'deployment_id', deployment_id,
         'chat_id', chat_id, 'ephemeral', ephemeral, 'reason', 'resume', 'resumed_from_run_id', $2::text)
       FROM opened
     )
     SELECT id FROM opened`,
    [from.runPk, from.runId],
  );
  const opened = rows[0];
  if (opened === undefined) throw new Error(`Run ${from.runPk} is gone`);
  return opened.id;
}
