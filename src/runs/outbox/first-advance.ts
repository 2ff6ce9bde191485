/**
 * The usual first advance of a run in two statements: what it begins with is read with the claim of its start (outbox.ts),
 * and all that it writes becomes true at once, with the first advances of its organization's other runs of this moment
 * (group-commit.ts). It locks nothing in between: a run that was advanced or ended meanwhile, or that somebody holds, is
 * not written, and is told by that; the transaction that can judge it locks first (segments.ts).
 */
import { PLAN_TABLE } from '../../billing/settlement.ts';
import type { Sql } from '../../db/client.ts';
import { closingFields, wakeListeners, type Closing, type NewEvent } from '../ledger/events.ts';
import { GroupCommit, MAX_SHARED } from '../ledger/group-commit.ts';
import { RUN_INPUTS, SEGMENT_COLUMNS, type RunInputs, type Segment } from '../ledger/segments.ts';
import { STEP_COLUMNS, type StepRow } from '../ledger/steps.ts';
import type { ChangedFields } from '../ledger/values.ts';

/** Larger inputs are not read with others. */
const MAX_INPUT_BYTES = 65_536;

/** What a run begins with, as one JSON value. @param runPk SQL of its run_pk */
export const TO_BEGIN = (runPk: string): string => `
  (SELECT row_to_json(b) FROM (
     SELECT clock_timestamp() AS "beganAt", ${RUN_INPUTS} AS inputs, ${SEGMENT_COLUMNS}
     FROM runs JOIN run_cursors USING (root_run_pk)
     WHERE id = ${runPk} AND id = root_run_pk AND status = 'running' AND advance = 0
       AND pg_column_size(input) <= ${MAX_INPUT_BYTES} AND pg_column_size(config) <= ${MAX_INPUT_BYTES}) AS b)`;

/** A value of TO_BEGIN. */
export interface ToBeginRow extends Omit<Segment, 'createdAt'> {
  readonly inputs: RunInputs;
  readonly beganAt: string;
  readonly createdAt: string;
}

export interface ToBegin {
  readonly segment: Segment;
  readonly inputs: RunInputs;
  /** The database's clock. */
  readonly beganAt: string;
}

/** Null: the run has begun already or has ended, or what it begins with is large. */
export function toBegin(row: ToBeginRow | null): ToBegin | null {
  if (row === null) return null;
  const { inputs, beganAt, createdAt, ...segment } = row;
  return { segment: { ...segment, createdAt: new Date(createdAt) }, inputs, beganAt };
}

/** All that the first advance of a run leaves behind. */
export interface FirstAdvance {
  readonly organizationId: string;
  readonly runPk: string;
  readonly beganAt: string;
  readonly steps: readonly StepRow[];
  readonly fields: ChangedFields;
  readonly events: readonly NewEvent[];
  /** The answer to keep (src/runs/execute/advance.ts), as JSON text. */
  readonly answer: string;
  /** The run ended with it. */
  readonly closing: Closing | null;
}

// Who holds a run or its cursor is about to change it: not waited for, so that runs written together cannot wait for each
// other's holders. The cursor is locked before the run, and accounts last, as everywhere. Rows are looked up by arrays: for
// a join with what is given the planner might read the whole table.
const WRITE = `
  WITH given AS (
    SELECT * FROM json_to_recordset($2::json) AS g(
      run_pk uuid, began_at timestamptz, events int, answer text, status text, frame text, output text,
      output_summary text, handled int)
  ), cursors AS (
    SELECT root_run_pk FROM run_cursors
    WHERE root_run_pk = ANY ((SELECT array_agg(run_pk) FROM given)::uuid[]) AND advance = 0 FOR UPDATE SKIP LOCKED
  ), open AS (
    SELECT id FROM runs
    WHERE id = ANY ((SELECT array_agg(root_run_pk) FROM cursors)::uuid[]) AND organization_id = $1 AND status = 'running'
    FOR NO KEY UPDATE SKIP LOCKED
  ), moved AS (
    UPDATE runs SET
      started_at = coalesce(started_at, began_at), last_event_at = clock_timestamp(),
      last_seq = last_seq + events + CASE WHEN given.status IS NULL THEN 0 ELSE 1 END,
      status = coalesce(given.status, runs.status),
      completed_at = CASE WHEN given.status IS NULL THEN completed_at ELSE clock_timestamp() END,
      output = given.output::json, output_summary = given.output_summary,
      handled_error_count = coalesce(given.handled, handled_error_count)
    FROM given JOIN open ON id = run_pk WHERE runs.id = run_pk
    RETURNING run_pk, given.status, frame, answer, last_seq,
              last_seq - events - CASE WHEN given.status IS NULL THEN 0 ELSE 1 END AS seq_before,
              greatest(0, round(extract(epoch FROM completed_at - started_at) * 1000))::int AS ms
  ), counted AS (
    UPDATE run_cursors SET advance = 1 FROM moved WHERE root_run_pk = run_pk
  ), kept AS (
    INSERT INTO run_advances (root_run_pk, advance, result) SELECT run_pk, 1, answer::json FROM moved
  ), steps AS (
    INSERT INTO run_steps (${STEP_COLUMNS.join(', ')})
    SELECT ${STEP_COLUMNS.map((name) => `s.${name}`).join(', ')}
    FROM moved JOIN json_populate_recordset(NULL::run_steps, $3::json) AS s USING (run_pk)
  ), fields AS (
    INSERT INTO run_fields (root_run_pk, name, value)
    SELECT run_pk, f.name, f.value::json
    FROM moved JOIN unnest($4::uuid[], $5::text[], $6::text[]) AS f(run_pk, name, value) USING (run_pk)
  ), told AS (
    INSERT INTO run_events (run_pk, seq, type, payload)
    SELECT run_pk, seq_before + e.nth, e.type, e.payload::json
    FROM moved JOIN unnest($7::uuid[], $8::int[], $9::text[], $10::text[]) AS e(run_pk, nth, type, payload) USING (run_pk)
    UNION ALL
    -- Spliced as text, as in every closing (events.ts).
    SELECT run_pk, last_seq, 'run_' || status, (left(frame, -1) || ',"duration_ms":' || ms || '}')::json
    FROM moved WHERE status IS NOT NULL
  )
  SELECT array_agg(run_pk) AS written,
         settle_credits(array_agg(run_pk) FILTER (WHERE status IS NOT NULL), $11::jsonb)
  FROM moved`;

/** An advance as it is written: JSON text, and what goes into arrays. */
interface Write {
  readonly organizationId: string;
  readonly runPk: string;
  readonly isEnd: boolean;
  readonly given: string;
  readonly steps: string;
  readonly fields: ChangedFields;
  readonly events: readonly { readonly type: string; readonly payload: string }[];
}

function given({ runPk, beganAt, events, answer, closing }: FirstAdvance): object {
  const own = { run_pk: runPk, began_at: beganAt, events: events.length, answer };
  if (closing === null) return own;
  const { status, frame, output, outputSummary, handledErrorCount } = closingFields(closing);
  return { ...own, status, frame, output, output_summary: outputSummary, handled: handledErrorCount };
}

function prepared(advance: FirstAdvance): Write {
  const { organizationId, runPk, steps, fields, events } = advance;
  return {
    organizationId,
    runPk,
    isEnd: advance.closing !== null,
    given: JSON.stringify(given(advance)),
    // Without its brackets: the rows of several advances are one array.
    steps: JSON.stringify(steps).slice(1, -1),
    fields,
    events: events.map(({ type, payload }) => ({ type, payload: JSON.stringify(payload) })),
  };
}

async function write(sql: Sql, writes: readonly Write[]): Promise<boolean[]> {
  const fields = writes.flatMap(({ runPk, fields: { names, values } }) =>
    names.map((name, at) => ({ runPk, name, value: values[at] })),
  );
  const events = writes.flatMap(({ runPk, events: told }) =>
    told.map((event, at) => ({ runPk, nth: at + 1, ...event })),
  );
  const steps = writes.map((one) => one.steps).filter((rows) => rows !== '');
  const [row] = await sql.query<{ written: string[] | null }>(WRITE, [
    writes[0]?.organizationId,
    `[${writes.map((one) => one.given).join(',')}]`,
    `[${steps.join(',')}]`,
    fields.map(({ runPk }) => runPk),
    fields.map(({ name }) => name),
    fields.map(({ value }) => value),
    events.map(({ runPk }) => runPk),
    events.map(({ nth }) => nth),
    events.map(({ type }) => type),
    events.map(({ payload }) => payload),
    PLAN_TABLE,
  ]);
  const written = new Set(row?.written);
  for (const { runPk, isEnd } of writes) if (written.has(runPk)) await wakeListeners(sql, runPk, isEnd);
  return writes.map(({ runPk }) => written.has(runPk));
}

/** Statements of one organization under way. */
const AT_ONCE = 2;
const together = new GroupCommit(write, AT_ONCE);

const sizeOf = (one: Write): number =>
  [one.given, one.steps, ...one.fields.values, ...one.events.map(({ payload }) => payload)].reduce(
    (sum, text) => sum + text.length,
    0,
  );

/**
 * Writes the first advance of a run, which has one segment.
 * @returns false when nothing was written: the run has begun or ended since it was read, or somebody holds it
 */
export async function writeFirst(sql: Sql, advance: FirstAdvance): Promise<boolean> {
  const one = prepared(advance);
  if (sizeOf(one) <= MAX_SHARED) return together.write(sql, one.organizationId, one);
  const [isWritten] = await write(sql, [one]);
  return isWritten === true;
}
