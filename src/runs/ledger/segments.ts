/** The segments of a run as the interpreter's activities see them: which one is current, and what it was started with. */
import type { Sql } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import { isFollowed } from './current-segment.ts';
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
  /** The run_id of the run that it runs again, or null. */
  readonly rerunOf: string | null;
  readonly createdAt: Date;
  readonly handledErrorCount: number;
}

/** The columns of a Segment, from `runs` or what has its columns. */
export const SEGMENT_COLUMNS = `
  organization_id AS "organizationId", root_run_pk AS "rootRunPk", id AS "runPk", run_id AS "runId", status,
  thread_id AS "threadId", chat_id AS "chatId", created_by AS "createdBy", ephemeral,
  workflow_id AS "workflowId", workflow_name AS "workflowName", trigger_type AS "triggerType",
  definition_hash AS "definitionHash",
  coalesce((config->>'recursion_limit')::int, 100) AS "recursionLimit",
  coalesce((config->>'batch_interval_ms')::int, 50) AS "batchIntervalMs",
  child_depth AS "childDepth", rerun_of AS "rerunOf", created_at AS "createdAt",
  handled_error_count AS "handledErrorCount"`;

/** RunInputs, of a row of `runs`. */
const RUN_INPUTS = `
  json_build_object('workflowInput', runs.config->'workflow_input', 'runInput', runs.config->'run_input',
                    'merged', runs.input)`;

/** A segment by its key; null when the organization has no such segment. */
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

const READ = `
  SELECT ${SEGMENT_COLUMNS}
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
  if (!lock) return (await sql.query<Segment>(READ, [run.rootRunPk, run.organizationId]))[0] ?? null;
  for (;;) {
    const [segment] = await sql.query<Segment>(`${READ} FOR NO KEY UPDATE`, [
      run.rootRunPk,
      run.organizationId,
    ]);
    if (segment === undefined) return null;
    // Only an interrupted segment is followed by another. Who had to wait for its lock may have been overtaken by an
    // answer (the statement's snapshot is older than the lock), so it looks again.
    if (segment.status !== 'interrupted' || !(await isFollowed(sql, run.rootRunPk, segment.runPk)))
      return segment;
  }
}

// The cursor is locked first: nobody else advances the run until the transaction ends.
const toAdvance = (isLocked: boolean): string => `
  WITH cursor AS MATERIALIZED (
    SELECT advance, progress FROM run_cursors WHERE root_run_pk = $1 ${isLocked ? 'FOR UPDATE' : ''}
  ), segment AS (
    SELECT runs.*, CASE WHEN advance = 0 AND status = 'running' THEN ${RUN_INPUTS} END AS inputs
    FROM cursor, runs WHERE root_run_pk = $1 AND organization_id = $2
    ORDER BY created_at DESC, resumed_from_run_pk IS NULL, id LIMIT 1 ${isLocked ? 'FOR NO KEY UPDATE OF runs' : ''}
  )
  SELECT advance, inputs, CASE WHEN advance = 0 THEN progress END AS progress, ${SEGMENT_COLUMNS}
  FROM cursor LEFT JOIN segment ON true`;
const READ_TO_ADVANCE = toAdvance(false);
const LOCK_TO_ADVANCE = toAdvance(true);

/** The inputs of a run: the workflow's default and the caller's, and both merged. */
export interface RunInputs {
  readonly workflowInput: JsonObject | null;
  readonly runInput: JsonObject | null;
  readonly merged: JsonObject;
}

/** A run as an advance of it finds it: its cursor and its newest segment. */
export interface RunToAdvance {
  /** The number of the last advance. */
  readonly advance: number;
  readonly segment: Segment | null;
  /** For the first advance, which begins the run; null for every other, and when the run has ended. */
  readonly inputs: RunInputs | null;
  /** Where the first advance of a rerun begins (graph/progress.ts); null for every other. */
  readonly progress: string | null;
}

type CursorRow = Segment & Omit<RunToAdvance, 'segment'>;

function runOf(row: CursorRow | undefined): RunToAdvance | null {
  if (row === undefined) return null;
  const { advance, inputs, progress, ...segment } = row;
  // A left join without a match: every column is null.
  if ((segment.runPk as string | null) === null)
    return { advance, segment: null, inputs: null, progress: null };
  return { advance, segment, inputs, progress };
}

/** Reads the cursor of a run and its newest segment without a lock. @returns null when there is no such run */
export async function readToAdvance(
  sql: Sql,
  run: { organizationId: string; rootRunPk: string },
): Promise<RunToAdvance | null> {
  const [row] = await sql.query<CursorRow>(READ_TO_ADVANCE, [run.rootRunPk, run.organizationId]);
  return runOf(row);
}

/**
 * Locks the cursor of a run and its newest segment, as currentSegment does.
 * @returns null when there is no such run
 */
export async function lockToAdvance(
  sql: Sql,
  run: { organizationId: string; rootRunPk: string },
): Promise<RunToAdvance | null> {
  const [row] = await sql.query<CursorRow>(LOCK_TO_ADVANCE, [run.rootRunPk, run.organizationId]);
  const locked = runOf(row);
  const segment = locked?.segment ?? null;
  if (locked === null || segment === null) return locked;
  const isOvertaken =
    segment.status === 'interrupted' && (await isFollowed(sql, run.rootRunPk, segment.runPk));
  return isOvertaken ? { ...locked, segment: await currentSegment(sql, run, true) } : locked;
}
