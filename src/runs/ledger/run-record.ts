/** The record of one run: its input, its steps, its questions and its output. */
import { MILLICREDITS } from '../../billing/plans.ts';
import type { Sql } from '../../db/client.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import type { InterruptStatus } from './interrupts.ts';
import type { Question } from '../../nodes/kind.ts';
import { ENDED_VISITS, STEP_OUTPUT } from './values.ts';
import { LIST_COLUMNS, readerParams, VISIBLE, type Reader, type RunListRow } from './run-reads.ts';

/** Values of steps above this are left out of the record (SPEC RUN-4.3) and read one by one. */
export const MAX_STEP_VALUE_BYTES = 65_536;

export interface RunRecordRow extends RunListRow {
  root_run_pk: string;
  thread_id: string | null;
  chat_id: string | null;
  workflow_name: string;
  workflow_version: string;
  workflow_source: string;
  deployment_version: string | null;
  is_private: boolean;
  created_by: string | null;
  input: JsonObject;
  output: Json;
  error: JsonObject | null;
  usage: JsonObject | null;
  handled_error_count: number;
  cancel_reason: string | null;
  resumed_from_run_id: string | null;
  resumed_by_run_ids: string[];
  rerun_of: string | null;
  rerun_of_run_pk: string | null;
  parent_run_id: string | null;
}

const RECORD = `
  SELECT ${LIST_COLUMNS}, r.root_run_pk, r.workflow_name, r.workflow_version, r.workflow_source, r.deployment_version,
         r.is_private, r.thread_id, r.chat_id, r.created_by, r.input, r.output, r.error, r.usage, r.handled_error_count,
         r.cancel_reason, r.rerun_of,
         (SELECT o.id FROM runs o WHERE o.run_id = r.rerun_of) AS rerun_of_run_pk,
         (SELECT b.run_id FROM runs b WHERE b.id = r.resumed_from_run_pk) AS resumed_from_run_id,
         (SELECT p.run_id FROM runs p WHERE p.id = r.parent_run_pk) AS parent_run_id,
         ARRAY(SELECT s.run_id::text FROM runs s
               WHERE s.root_run_pk = r.root_run_pk AND s.resumed_from_run_pk = r.id ORDER BY s.created_at)
           AS resumed_by_run_ids
  FROM runs r WHERE ${VISIBLE} AND r.id = $4 AND NOT r.ephemeral`;

/** Reads a run by its history id; null when there is none that the reader may see. */
export async function readRecord(sql: Sql, reader: Reader, runPk: string): Promise<RunRecordRow | null> {
  const rows = await sql.query<RunRecordRow>(RECORD, [...readerParams(reader), runPk]);
  return rows[0] ?? null;
}

export interface StepRecordRow {
  step_id: string;
  node_id: string;
  node_type: string;
  node_name: string;
  visit: number;
  item_index: number;
  parent_step_id: string | null;
  iteration: number | null;
  depth: number;
  status: string;
  attempt: number;
  attempts: Json;
  input: Json;
  input_truncated: boolean;
  output: Json;
  output_truncated: boolean;
  error: JsonObject | null;
  error_handled: boolean;
  selected_handle: string | null;
  warnings: Json;
  usage: JsonObject | null;
  credits: number;
  logs: Json;
  tool_calls: Json;
  child_run_id: string | null;
  reused_from_step_id: string | null;
  started_at: Date | null;
  completed_at: Date | null;
}

/** Selects a value, or null with a flag when it is above the limit that is bound as `bound`. */
const capColumn = (column: string, bound: string): string => `
  CASE WHEN octet_length(v.${column}::text) > ${bound} THEN NULL ELSE v.${column} END AS ${column},
  coalesce(octet_length(v.${column}::text) > ${bound}, false) AS ${column}_truncated`;

/** Steps as `s`, each beside the step that holds its values as `v`: itself, unless it is reused. */
const STEPS = 'run_steps s JOIN run_steps v ON v.step_id = coalesce(s.reused_from, s.step_id)';

/** The columns of a StepRecordRow in the order of the wire. */
const stepColumns = (bound: string): string => `
  s.step_id, s.node_id, s.node_type, s.node_name, s.status, s.depth, s.visit, s.parent_step_id, s.item_index, s.iteration,
  ${capColumn('input', bound)}, ${capColumn('output', bound)}, s.error, s.error_handled, s.selected_handle, s.warnings, s.usage,
  (SELECT coalesce(sum(u.credits_mc), 0) / ${MILLICREDITS}.0 FROM credit_usage u
   WHERE u.subject_id = s.run_pk AND u.step_id = s.step_id)::float8 AS credits, s.attempt, s.attempts, s.logs, v.tool_calls,
  (SELECT c.run_id FROM runs c WHERE c.id = v.child_run_pk) AS child_run_id, s.reused_from AS reused_from_step_id,
  s.started_at, s.completed_at`;

/** Reads the steps of a run in the order of their execution, with items of maps and tool calls; large values are left out. */
export async function readSteps(sql: Sql, runPk: string): Promise<StepRecordRow[]> {
  return sql.query<StepRecordRow>(
    `SELECT ${stepColumns('$2::int')} FROM ${STEPS} WHERE s.run_pk = $1 ORDER BY s.position, s.item_index, s.visit, s.turn, s.call`,
    [runPk, MAX_STEP_VALUE_BYTES],
  );
}

/** Reads one step with its full values; null when the run has no such step. */
export async function readStep(sql: Sql, runPk: string, stepId: string): Promise<StepRecordRow | null> {
  const rows = await sql.query<StepRecordRow>(
    `SELECT ${stepColumns('2147483647')} FROM ${STEPS} WHERE s.run_pk = $1 AND s.step_id = $2`,
    [runPk, stepId],
  );
  return rows[0] ?? null;
}

/**
 * Reads the state of a run: declared fields, and the newest output of each node. Nodes whose output is above the limit of a
 * step's value are missing.
 */
export async function readState(sql: Sql, rootRunPk: string): Promise<{ name: string; value: Json }[]> {
  return sql.query<{ name: string; value: Json }>(
    `SELECT name, value FROM run_fields WHERE root_run_pk = $1
     UNION ALL
     SELECT name, output FROM (
       SELECT DISTINCT ON (node_id) node_id AS name, ${STEP_OUTPUT} AS output, status, error_handled ${ENDED_VISITS}
       ORDER BY node_id, visit DESC
     ) AS latest
     WHERE status <> 'skipped' AND (status <> 'failed' OR error_handled)
       AND (output IS NULL OR octet_length(output::text) <= $2)`,
    [rootRunPk, MAX_STEP_VALUE_BYTES],
  );
}

export interface InterruptRecordRow {
  id: string;
  run_id: string;
  node_id: string;
  step_id: string;
  question: Question;
  status: InterruptStatus;
  response: JsonObject | null;
  responded_by: string | null;
  responded_at: Date | null;
  resumed_by_run_id: string | null;
  expires_at: Date | null;
  created_at: Date;
}

interface OpenInterruptRow extends InterruptRecordRow {
  workflow_id: string | null;
  workflow_name: string;
}

/**
 * Reads open questions of an organization's runs, newest first; one more than `limit` when there is another page.
 * @param role the role of the reader, for those that the reader may answer; null: all
 */
export async function listOpenInterrupts(
  sql: Sql,
  reader: Reader,
  { role, limit, offset }: { readonly role: string | null; readonly limit: number; readonly offset: number },
): Promise<OpenInterruptRow[]> {
  return sql.query<OpenInterruptRow>(
    `SELECT i.id, r.run_id, i.node_id, i.step_id, i.question, i.status, i.response, i.responded_by, i.responded_at,
            NULL AS resumed_by_run_id, i.expires_at, i.created_at, r.workflow_id, r.workflow_name
     FROM run_interrupts i JOIN runs r ON r.id = i.run_pk
     WHERE i.organization_id = $1 AND ${VISIBLE} AND i.status = 'pending' AND NOT coalesce(i.expires_at <= now(), false)
       AND ($4::text IS NULL
            OR (json_array_length(i.question->'assignees'->'roles') = 0
                AND json_array_length(i.question->'assignees'->'user_ids') = 0)
            OR (i.question->'assignees'->'roles')::jsonb ? $4
            OR (i.question->'assignees'->'user_ids')::jsonb ? $2::text)
     ORDER BY i.created_at DESC, i.id DESC LIMIT $5 OFFSET $6`,
    [...readerParams(reader), role, limit + 1, offset],
  );
}

/** Reads all questions of a run, oldest first. */
export async function readQuestions(sql: Sql, rootRunPk: string): Promise<InterruptRecordRow[]> {
  return sql.query<InterruptRecordRow>(
    `SELECT i.id, a.run_id, i.node_id, i.step_id, i.question, i.status, i.response, i.responded_by, i.responded_at,
            (SELECT s.run_id FROM runs s WHERE s.id = i.resume_run_pk) AS resumed_by_run_id, i.expires_at, i.created_at
     FROM run_interrupts i JOIN runs a ON a.id = i.run_pk
     WHERE i.root_run_pk = $1 ORDER BY i.created_at, i.id`,
    [rootRunPk],
  );
}
