/**
 * The segments of a run. The newest one is the one that no other resumes (the view newest_segments); `created_at` does not tell,
 * because it is the start of a transaction, before it waited for locks.
 */
import type { Sql } from '../../../../base/db/client.ts';
import type { RunBudget } from '../../../../platform/billing/budgets.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import type { RunRef } from '../../engine.ts';
import type { RunStatus } from './events.ts';

/** One segment of a run. */
export interface SegmentKey extends RunRef {
  readonly runPk: string;
}

export interface Segment extends SegmentKey {
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
  /** The run_id of the run that this is a rerun of; null: none. */
  readonly rerunOf: string | null;
  /** Paths whose values are redacted; null: none. */
  readonly redactedPaths: readonly string[] | null;
  /** The budgets of the runs that have called it, from the top; null: none. */
  readonly callerBudgets: readonly RunBudget[] | null;
  readonly createdAt: Date;
  readonly handledErrorCount: number;
}

/**
 * The limits of a row of `runs`. A build before their columns has written them into `config` alone, of which PostgreSQL parses the
 * whole text, inputs included, to find one key.
 */
export const RUN_LIMITS = `
  coalesce(recursion_limit, (config->>'recursion_limit')::int, 100) AS "recursionLimit",
  coalesce(batch_interval_ms, (config->>'batch_interval_ms')::int, 50) AS "batchIntervalMs"`;

/** The columns of a Segment, for `runs` or a relation with the same columns. */
export const SEGMENT_COLUMNS = `
  organization_id AS "organizationId", root_run_pk AS "rootRunPk", id AS "runPk", run_id AS "runId", status,
  thread_id AS "threadId", chat_id AS "chatId", created_by AS "createdBy", ephemeral,
  workflow_id AS "workflowId", workflow_name AS "workflowName", trigger_type AS "triggerType",
  definition_hash AS "definitionHash",
  ${RUN_LIMITS},
  child_depth AS "childDepth", rerun_of AS "rerunOf", redacted_paths AS "redactedPaths", caller_budgets AS "callerBudgets", created_at AS "createdAt",
  handled_error_count AS "handledErrorCount"`;

/** Reads a segment by its key; null when the organization has no such segment. */
export async function readSegment(
  sql: Sql,
  { organizationId, runPk }: Pick<Segment, 'organizationId' | 'runPk'>,
): Promise<Segment | null> {
  const [segment] = await sql.query<Segment>(
    `SELECT ${SEGMENT_COLUMNS} FROM runs WHERE id = $1 AND organization_id = $2`,
    [runPk, organizationId],
  );
  return segment ?? null;
}

const READ_NEWEST = `SELECT ${SEGMENT_COLUMNS} FROM newest_segments WHERE root_run_pk = $1 AND organization_id = $2`;

/**
 * Reads the newest segment of a run; null when the organization has no such run. With `lock`, its row stays locked until the
 * transaction ends: the mutex of everything that changes its status, numbers its events, or opens the next segment.
 */
export async function readCurrentSegment(
  sql: Sql,
  { rootRunPk, organizationId }: RunRef,
  lock: boolean,
): Promise<Segment | null> {
  const read = lock ? `${READ_NEWEST} FOR NO KEY UPDATE` : READ_NEWEST;
  for (;;) {
    const [segment] = await sql.query<Segment>(read, [rootRunPk, organizationId]);
    if (segment === undefined) return null;
    if (!lock || !(await isResumed(sql, segment))) return segment;
  }
}

/**
 * Checks whether another segment resumes a locked one: a statement that waited for the lock has chosen its row from an older
 * snapshot. Only a waiting segment can be resumed.
 */
async function isResumed(sql: Sql, { runPk, status }: Segment): Promise<boolean> {
  if (status !== 'interrupted') return false;
  const rows = await sql.query('SELECT 1 FROM runs WHERE resumed_from_run_pk = $1', [runPk]);
  return rows.length > 0;
}

// Locks the cursor first, so that no other process advances the run until the transaction ends.
const buildRead = (isLocked: boolean): string => `
  WITH cursor AS MATERIALIZED (
    SELECT advance, progress FROM run_cursors WHERE root_run_pk = $1 ${isLocked ? 'FOR UPDATE' : ''}
  ), segment AS (
    SELECT runs.* FROM cursor, newest_segments AS runs WHERE root_run_pk = $1 AND organization_id = $2
    ${isLocked ? 'FOR NO KEY UPDATE OF runs' : ''}
  )
  SELECT advance, CASE WHEN advance = 0 THEN progress END AS progress, ${SEGMENT_COLUMNS},
         CASE WHEN advance = 0 AND status = 'running' THEN config END AS config,
         CASE WHEN advance = 0 AND status = 'running' THEN input END AS input
  FROM cursor LEFT JOIN segment ON true`;
const READ_TO_ADVANCE = buildRead(false);
const LOCK_TO_ADVANCE = buildRead(true);

/** The inputs of a run: the workflow's default, the caller's, and both merged. */
export interface RunInputs {
  readonly workflowInput: JsonObject | null;
  readonly runInput: JsonObject | null;
  readonly merged: JsonObject;
}

/** The state of a run before an advance: its cursor and its newest segment. */
export interface RunToAdvance {
  /** The number of the last advance. */
  readonly advance: number;
  readonly segment: Segment | null;
  /** The inputs for the first advance; null for any other, and when the run has ended. */
  readonly inputs: RunInputs | null;
  /** The progress at which the first advance of a rerun starts (graph/schedule/progress.ts); null for any other. */
  readonly progress: string | null;
}

type CursorRow = Segment &
  Omit<RunToAdvance, 'segment' | 'inputs'> & {
    readonly config: JsonObject | null;
    readonly input: JsonObject | null;
  };

// The values come whole: to choose from the config, the database would parse all of its text for each choice.
/** Builds the inputs of a run from its row; null without one of them. */
export function toInputs(config: JsonObject | null, merged: JsonObject | null): RunInputs | null {
  if (config === null || merged === null) return null;
  const { workflow_input: workflowInput = null, run_input: runInput = null } = config;
  return {
    workflowInput: workflowInput as JsonObject | null,
    runInput: runInput as JsonObject | null,
    merged,
  };
}

function toRunToAdvance(row: CursorRow | undefined): RunToAdvance | null {
  if (row === undefined) return null;
  const { advance, config, input, progress, ...segment } = row;
  // Without a match of the left join every column is null.
  if ((segment.runPk as string | null) === null)
    return { advance, segment: null, inputs: null, progress: null };
  return { advance, segment, inputs: toInputs(config, input), progress };
}

/** Reads the cursor of a run and its newest segment without a lock; null when there is no such run. */
export async function readToAdvance(
  sql: Sql,
  run: { organizationId: string; rootRunPk: string },
): Promise<RunToAdvance | null> {
  const [row] = await sql.query<CursorRow>(READ_TO_ADVANCE, [run.rootRunPk, run.organizationId]);
  return toRunToAdvance(row);
}

/** Locks the cursor of a run and its newest segment, as readCurrentSegment does; null when there is no such run. */
export async function lockToAdvance(sql: Sql, run: RunRef): Promise<RunToAdvance | null> {
  const [row] = await sql.query<CursorRow>(LOCK_TO_ADVANCE, [run.rootRunPk, run.organizationId]);
  const locked = toRunToAdvance(row);
  const segment = locked?.segment ?? null;
  if (locked === null || segment === null) return locked;
  return (await isResumed(sql, segment))
    ? { ...locked, segment: await readCurrentSegment(sql, run, true) }
    : locked;
}
