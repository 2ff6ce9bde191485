/** The record of one run: its input, its steps, its questions and its output. */
import { MILLICREDITS } from '../../../../platform/billing/plans.ts';
import type { Sql } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import type { InterruptStatus } from '../questions/questions.ts';
import type { Question } from '../../../../language/nodes/kind.ts';
import { ENDED_VISITS, STEP_OUTPUT, VALUES_OF_STEP } from './values.ts';
import { LIST_COLUMNS, readerParams, VISIBLE, type Reader, type RunListRow } from './run-reads.ts';

/** Values of steps above this size are left out of the record (SPEC RUN-4.3); each can be read by itself. */
export const MAX_STEP_VALUE_BYTES = 65_536;
/** The most bytes of all values of steps in one record, and of all values of the state: values beyond it are left out, too. */
export const MAX_RECORD_VALUES_BYTES = 16 * 1024 * 1024;

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
  /** Bytes of the input as JSON, and of the output; null when there is none. */
  input_bytes: number;
  output_bytes: number;
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
         r.is_private, r.thread_id, r.chat_id, r.created_by, coalesce(octet_length(r.input::text), 4) AS input_bytes,
         coalesce(octet_length(r.output::text), 4) AS output_bytes, r.error, r.usage, r.handled_error_count,
         r.cancel_reason, r.rerun_of,
         (SELECT o.id FROM runs o WHERE o.run_id = r.rerun_of) AS rerun_of_run_pk,
         (SELECT b.run_id FROM runs b WHERE b.id = r.resumed_from_run_pk) AS resumed_from_run_id,
         (SELECT p.run_id FROM runs p WHERE p.id = r.parent_run_pk) AS parent_run_id,
         ARRAY(SELECT s.run_id::text FROM runs s
               WHERE s.root_run_pk = r.root_run_pk AND s.resumed_from_run_pk = r.id ORDER BY s.created_at)
           AS resumed_by_run_ids
  FROM runs r WHERE ${VISIBLE} AND r.id = $4 AND NOT r.ephemeral`;

/** Reads a run by its history id; null when the reader may not see one. */
export async function readRecord(sql: Sql, reader: Reader, runPk: string): Promise<RunRecordRow | null> {
  const rows = await sql.query<RunRecordRow>(RECORD, [...readerParams(reader), runPk]);
  return rows[0] ?? null;
}

/** Reads the input or the output of a run as JSON text. */
export async function readRunValue(sql: Sql, runPk: string, column: 'input' | 'output'): Promise<string> {
  const [row] = await sql.query<{ value: string | null }>(
    `SELECT CASE WHEN $2 = 'input' THEN input::text ELSE output::text END AS value FROM runs WHERE id = $1`,
    [runPk, column],
  );
  return row?.value ?? 'null';
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

/** Selects a value, or null with a flag when the page leaves it out or it has grown above the limit. */
const capColumn = (column: string): string => `
  CASE WHEN p.with_${column} AND octet_length(v.${column}::text) <= $5 THEN v.${column} END AS ${column},
  v.${column} IS NOT NULL AND NOT (p.with_${column} AND octet_length(v.${column}::text) <= $5) AS ${column}_truncated`;

/** The error, whose response is a part of the output and is left out with it. */
const ERROR = `CASE WHEN p.with_output THEN s.error ELSE (s.error::jsonb - 'response')::json END AS error`;

/** The columns of a StepRecordRow, in the order of the response. */
const STEP_COLUMNS = `
  s.step_id, s.node_id, s.node_type, s.node_name, s.status, s.depth, s.visit, s.parent_step_id, s.item_index, s.iteration,
  ${capColumn('input')}, ${capColumn('output')}, ${ERROR}, s.error_handled, s.selected_handle, s.warnings, s.usage,
  (SELECT coalesce(sum(u.credits_mc), 0) / ${MILLICREDITS}.0 FROM credit_usage u
   WHERE u.subject_id = s.run_pk AND u.step_id = s.step_id)::float8 AS credits, s.attempt, s.attempts, s.logs, v.tool_calls,
  (SELECT c.run_id FROM runs c WHERE c.id = v.child_run_pk) AS child_run_id, s.reused_from AS reused_from_step_id,
  s.started_at, s.completed_at`;

/** The order of execution. */
export const STEP_ORDER = 'ORDER BY s.position, s.item_index, s.visit, s.turn, s.call';

/** Bytes of a step without its values: at least those of its other fields in the response. */
const STEP_FACTS_BYTES = 1_000;
const sumBytes = (...columns: readonly string[]): string =>
  columns.map((column) => `coalesce(octet_length(${column}::text), 0)`).join(' + ');

/** Bytes of a step as JSON: its input, its output, and everything else. */
export interface StepSize {
  readonly stepId: string;
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly otherBytes: number;
}

/** Reads the sizes of a run's steps in the order of their execution, including items and tool calls. @param stepId null: all */
export async function readStepSizes(
  sql: Sql,
  runPk: string,
  stepId: string | null = null,
): Promise<StepSize[]> {
  return sql.query<StepSize>(
    `SELECT s.step_id AS "stepId", ${sumBytes('v.input')} AS "inputBytes",
            ${sumBytes('v.output', "(s.error->'response')")} AS "outputBytes",
            ${STEP_FACTS_BYTES} + ${sumBytes("(s.error::jsonb - 'response')", 's.warnings', 's.usage', 's.attempts', 's.logs', 'v.tool_calls')} AS "otherBytes"
     FROM run_steps s ${VALUES_OF_STEP} WHERE s.run_pk = $1 AND ($2::uuid IS NULL OR s.step_id = $2) ${STEP_ORDER}`,
    [runPk, stepId],
  );
}

/** A step of a page, and which of its values the page includes. */
interface ListedStep {
  readonly stepId: string;
  readonly withInput: boolean;
  readonly withOutput: boolean;
  /** Bytes of all that the page includes of it. */
  readonly bytes: number;
}

/** Chooses the values to include: none above the limit of a value, and none after a total is reached. */
export function chooseValues(sizes: readonly StepSize[], maxTotal = MAX_RECORD_VALUES_BYTES): ListedStep[] {
  let total = 0;
  const choose = (bytes: number): boolean => {
    if (bytes > MAX_STEP_VALUE_BYTES || total + bytes > maxTotal) return false;
    total += bytes;
    return true;
  };
  return sizes.map(({ stepId, inputBytes, outputBytes, otherBytes }) => {
    const [withInput, withOutput] = [choose(inputBytes), choose(outputBytes)];
    const bytes = otherBytes + (withInput ? inputBytes : 0) + (withOutput ? outputBytes : 0);
    return { stepId, withInput, withOutput, bytes };
  });
}

/** Reads steps of a run in the order of the page. @param maxValueBytes values that have grown above it meanwhile are left out */
export async function readSteps(
  sql: Sql,
  runPk: string,
  {
    page,
    maxValueBytes = MAX_STEP_VALUE_BYTES,
  }: { readonly page: readonly ListedStep[]; readonly maxValueBytes?: number },
): Promise<StepRecordRow[]> {
  return sql.query<StepRecordRow>(
    `SELECT ${STEP_COLUMNS}
     FROM unnest($2::uuid[], $3::boolean[], $4::boolean[]) WITH ORDINALITY AS p(step_id, with_input, with_output, place)
     JOIN run_steps s ON s.step_id = p.step_id ${VALUES_OF_STEP}
     WHERE s.run_pk = $1 ORDER BY p.place`,
    [runPk, ...toColumns(page), maxValueBytes],
  );
}

const toColumns = (page: readonly ListedStep[]): unknown[] => [
  page.map(({ stepId }) => stepId),
  page.map(({ withInput }) => withInput),
  page.map(({ withOutput }) => withOutput),
];

/** A value of the state: a declared field, or the latest output of a node. */
export interface StateSize {
  readonly name: string;
  /** The step of an output; null: a field. */
  readonly stepId: string | null;
  readonly bytes: number;
}

/**
 * Reads the sizes of a run's state: declared fields, and the latest output of each node, which hides a field of the same name.
 * Nodes whose output is above the limit of a step's value are left out.
 */
export async function readStateSizes(sql: Sql, rootRunPk: string): Promise<StateSize[]> {
  const rows = await sql.query<StateSize>(
    `SELECT name, NULL::uuid AS "stepId", octet_length(value::text) AS bytes FROM run_fields WHERE root_run_pk = $1
     UNION ALL
     SELECT name, step_id, coalesce(octet_length(output::text), 4) FROM (
       SELECT DISTINCT ON (node_id) node_id AS name, step_id, ${STEP_OUTPUT} AS output, status, error_handled ${ENDED_VISITS}
       ORDER BY node_id, visit DESC
     ) AS latest
     WHERE status <> 'skipped' AND (status <> 'failed' OR error_handled)
       AND (output IS NULL OR octet_length(output::text) <= $2)`,
    [rootRunPk, MAX_STEP_VALUE_BYTES],
  );
  return [...new Map(rows.map((row) => [row.name, row])).values()];
}

/** Reads values of the state as JSON texts. */
export async function readStateValues(
  sql: Sql,
  rootRunPk: string,
  page: readonly StateSize[],
): Promise<{ readonly name: string; readonly value: string }[]> {
  const names = page.flatMap(({ name, stepId }) => (stepId === null ? [name] : []));
  const stepIds = page.flatMap(({ stepId }) => (stepId === null ? [] : [stepId]));
  return sql.query(
    `SELECT name, value::text AS value FROM run_fields WHERE root_run_pk = $1 AND name = ANY($2::text[])
     UNION ALL
     SELECT node_id, coalesce((${STEP_OUTPUT})::text, 'null') FROM run_steps s
     WHERE root_run_pk = $1 AND step_id = ANY($3::uuid[])`,
    [rootRunPk, names, stepIds],
  );
}

export interface InterruptRecordRow {
  id: string;
  run_id: string;
  node_id: string;
  step_id: string;
  root_run_pk: string;
  visit: number;
  question: Question;
  status: InterruptStatus;
  response: JsonObject | null;
  /** The people who have answered a question that needs several answers. */
  responses: JsonObject[];
  /** The links that were sent to people without an account. */
  links: JsonObject[];
  responded_by: string | null;
  responded_email: string | null;
  responded_at: Date | null;
  resumed_by_run_id: string | null;
  late_call_count: number;
  last_late_call_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
}

interface OpenInterruptRow extends InterruptRecordRow {
  run_pk: string;
  workflow_id: string | null;
  workflow_name: string;
}

/** A question, and its bytes as JSON. */
export interface QuestionSize {
  readonly id: string;
  readonly bytes: number;
}

/** A time in JSON that the database builds. */
const isoMoment = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The columns of an InterruptRecordRow, for a question as `i` and its run as `r`.
 * @param resumedBy the run_id of the segment that continues
 */
const questionColumns = (resumedBy: string): string => `
  i.id, r.run_id, i.node_id, i.step_id, i.root_run_pk, i.visit, i.question, i.status, i.response, i.responded_by, i.responded_email, i.responded_at,
  (SELECT coalesce(json_agg(json_build_object('action', a.action, 'responded_by', a.user_id, 'responded_at',
     ${isoMoment('a.responded_at')}) ORDER BY a.responded_at, a.email), '[]'::json)
   FROM interrupt_responses a WHERE a.interrupt_id = i.id AND a.organization_id = i.organization_id) AS responses,
  (SELECT coalesce(json_agg(json_build_object('channel', l.channel, 'address', l.address, 'sent_at', ${isoMoment('l.sent_at')},
     'sent_count', l.sent_count, 'next_at', CASE WHEN l.due_at < 'infinity' THEN ${isoMoment('l.due_at')} END,
     'error', l.error) ORDER BY l.created_at, l.address), '[]'::json)
   FROM answer_links l WHERE l.interrupt_id = i.id AND l.organization_id = i.organization_id) AS links,
  ${resumedBy} AS resumed_by_run_id, i.late_call_count, i.last_late_call_at, i.expires_at, i.created_at`;

/** Bytes of a question without its texts. */
const QUESTION_FACTS_BYTES = 500;
/** The bytes of a question as `i`. */
export const QUESTION_BYTES = `${QUESTION_FACTS_BYTES} + ${sumBytes('i.question', 'i.response')}`;

/** Reads open questions, newest first, without those that were answered meanwhile. */
export async function readOpenInterrupts(
  sql: Sql,
  reader: Reader,
  ids: readonly string[],
): Promise<OpenInterruptRow[]> {
  return sql.query<OpenInterruptRow>(
    `SELECT ${questionColumns('NULL')}, r.id AS run_pk, r.workflow_id, r.workflow_name
     FROM run_interrupts i JOIN runs r ON r.id = i.run_pk
     WHERE i.organization_id = $1 AND ${VISIBLE} AND i.status = 'pending' AND i.id = ANY($4)
     ORDER BY i.created_at DESC, i.id DESC`,
    [...readerParams(reader), ids],
  );
}

/** Reads the sizes of all questions of a run, oldest first. */
export async function readQuestionSizes(sql: Sql, rootRunPk: string): Promise<QuestionSize[]> {
  return sql.query<QuestionSize>(
    `SELECT i.id, ${QUESTION_BYTES} AS bytes FROM run_interrupts i WHERE i.root_run_pk = $1 ORDER BY i.created_at, i.id`,
    [rootRunPk],
  );
}

/** Reads questions of a run, oldest first. */
export async function readQuestions(
  sql: Sql,
  rootRunPk: string,
  ids: readonly string[],
): Promise<InterruptRecordRow[]> {
  return sql.query<InterruptRecordRow>(
    `SELECT ${questionColumns('(SELECT s.run_id FROM runs s WHERE s.id = i.resume_run_pk)')}
     FROM run_interrupts i JOIN runs r ON r.id = i.run_pk
     WHERE i.root_run_pk = $1 AND i.id = ANY($2) ORDER BY i.created_at, i.id`,
    [rootRunPk, ids],
  );
}
