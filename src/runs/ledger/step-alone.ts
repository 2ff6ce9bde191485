/**
 * The two writes of the usual node execution, each a statement and a commit: its first attempt begins, its attempt ends.
 * They lock the run, so those of one run at the same moment share both (group-commit.ts). What is not usual (a step that
 * is there already, an attempt that was overtaken, a run that has ended) writes nothing here, and is told by that; the
 * transactions that can judge it lock and read first.
 */
import type { Sql } from '../../db/client.ts';
import { wakeListeners, type NewEvent } from './events.ts';
import { GroupCommit, MAX_SHARED } from './group-commit.ts';
import { SEGMENT_COLUMNS, type Segment } from './segments.ts';
import { STEP_COLUMNS, type StepRow } from './steps.ts';

// The run is locked before the steps, as everywhere. Who had to wait for its lock sees in a step what happened
// meanwhile: an insert meets the committed row, an update judges the newest version.
const OPEN = `
  SELECT * FROM runs WHERE id = $1 AND root_run_pk = $2 AND organization_id = $3 AND status = 'running'
  FOR NO KEY UPDATE`;

// A condition that they all meet: the planner takes the steps for one row then, and looks its step up in the index.
const GIVEN = `json_populate_recordset(NULL::run_steps, $4::json) AS s WHERE s.run_pk = $1`;

/** Numbers the events of the written steps: of one that was not written, no number is used up. */
const tell = (written: string): string => `
  told AS (
    SELECT e.type, e.payload, row_number() OVER (ORDER BY e.ord)::int AS nth
    FROM ${written} JOIN unnest((SELECT $5::uuid[]), (SELECT $6::text[]), (SELECT $7::text[]))
      WITH ORDINALITY AS e(step_id, type, payload, ord) USING (step_id)
  ), moved AS (
    UPDATE runs SET last_seq = last_seq + events.count, last_event_at = clock_timestamp()
    FROM (SELECT count(*)::int FROM told) AS events
    WHERE runs.id = $1 AND EXISTS (SELECT 1 FROM ${written})
    RETURNING last_seq - events.count AS seq_before
  ), added AS (
    INSERT INTO run_events (run_pk, seq, type, payload)
    SELECT $1, moved.seq_before + told.nth, told.type, told.payload::json FROM moved, told
  )`;

const BEGIN = `
  WITH open AS (${OPEN}), begun AS (
    INSERT INTO run_steps (${STEP_COLUMNS.join(', ')})
    SELECT ${STEP_COLUMNS.map((name) => `s.${name}`).join(', ')} FROM open, ${GIVEN}
    ON CONFLICT (run_pk, node_id, visit, item_index) DO NOTHING RETURNING step_id
  ), ${tell('begun')}
  SELECT begun.step_id, ${SEGMENT_COLUMNS} FROM open, begun, moved`;

/** What the end of an attempt changes. `sent_at` is not among it: it is written while the node works. */
const ENDED = [
  'status',
  'attempts',
  'input',
  'output',
  'error',
  'error_handled',
  'selected_handle',
  'warnings',
  'usage',
  'logs',
  'outcome',
  'completed_at',
] as const satisfies readonly (keyof StepRow)[];

const END = `
  WITH open AS (${OPEN}), ended AS (
    UPDATE run_steps SET ${ENDED.map((name) => `${name} = s.${name}`).join(', ')}
    FROM open, (SELECT * FROM ${GIVEN}) AS s
    WHERE run_steps.step_id = s.step_id AND run_steps.run_pk = open.id AND run_steps.attempt = s.attempt
      AND run_steps.status = 'running' AND run_steps.outcome IS NULL
    RETURNING run_steps.step_id
  ), ${tell('ended')}
  SELECT ended.step_id FROM ended, moved`;

/** A step as it is to be, with the events that tell of it; both as JSON text. */
interface StepWrite {
  readonly organizationId: string;
  readonly step: StepRow;
  readonly text: string;
  readonly events: readonly { readonly type: string; readonly payload: string }[];
}

function written(organizationId: string, step: StepRow, events: readonly NewEvent[]): StepWrite {
  const told = events.map(({ type, payload }) => ({ type, payload: JSON.stringify(payload) }));
  return { organizationId, step, text: JSON.stringify(step), events: told };
}

/** Runs a statement on steps of one segment, and wakes its listeners. @returns a row for each step that it wrote */
async function run<Row extends object>(
  sql: Sql,
  statement: string,
  writes: readonly StepWrite[],
): Promise<(Row & { step_id: string })[]> {
  const [first] = writes;
  if (first === undefined) return [];
  const events = writes.flatMap(({ step, events: told }) => told.map((event) => ({ step, ...event })));
  const rows = await sql.query<Row & { step_id: string }>(statement, [
    first.step.run_pk,
    first.step.root_run_pk,
    first.organizationId,
    `[${writes.map(({ text }) => text).join(',')}]`,
    events.map(({ step }) => step.step_id),
    events.map(({ type }) => type),
    events.map(({ payload }) => payload),
  ]);
  if (rows.length > 0) await wakeListeners(sql, first.step.run_pk);
  return rows;
}

async function begin(sql: Sql, writes: readonly StepWrite[]): Promise<(Segment | null)[]> {
  const rows = await run<Segment>(sql, BEGIN, writes);
  const segments = new Map(rows.map(({ step_id: stepId, ...segment }) => [stepId, segment]));
  return writes.map(({ step }) => segments.get(step.step_id) ?? null);
}

async function end(sql: Sql, writes: readonly StepWrite[]): Promise<boolean[]> {
  const rows = await run(sql, END, writes);
  const ended = new Set(rows.map((row) => row.step_id));
  return writes.map(({ step }) => ended.has(step.step_id));
}

// One statement at a time: a second one would only wait for the first.
const begins = new GroupCommit(begin, 1);
const ends = new GroupCommit(end, 1);

const isLarge = ({ text, events }: StepWrite): boolean =>
  events.reduce((sum, event) => sum + event.payload.length, text.length) > MAX_SHARED;
const lockOf = ({ organizationId, step }: StepWrite): string => `${organizationId}/${step.run_pk}`;

/**
 * Begins the first attempt of a step, with the events that tell of it.
 * @returns the segment that it runs in; null when nothing was written: the segment does not run (any more), or the step
 *   is there already
 */
export function beginStepAlone(
  sql: Sql,
  organizationId: string,
  step: StepRow,
  events: readonly NewEvent[],
): Promise<Segment | null> {
  const write = written(organizationId, step, events);
  return begins.write(sql, lockOf(write), write);
}

/**
 * Ends the attempt that `step` is in, with the events that tell of it.
 * @returns false when nothing was written: the segment does not run any more, or the step is in another attempt or has
 *   ended
 */
export async function endStepAlone(
  sql: Sql,
  organizationId: string,
  step: StepRow,
  events: readonly NewEvent[],
): Promise<boolean> {
  const write = written(organizationId, step, events);
  if (!isLarge(write)) return ends.write(sql, lockOf(write), write);
  const [isWritten] = await end(sql, [write]);
  return isWritten === true;
}
