/**
 * The two writes of the usual node execution, each a statement and a commit of its own: its first attempt begins, its
 * attempt ends. What is not usual (a step that is there already, an attempt that was overtaken, a run that has ended)
 * writes nothing here, and is told by that; the transactions that can judge it lock and read first.
 */
import type { Sql } from '../db/client.ts';
import { RUN_EVENTS_CHANNEL, type NewEvent } from './events.ts';
import { SEGMENT_COLUMNS, type Segment } from './segments.ts';
import { STEP_COLUMNS, type StepRow } from './steps.ts';

// The run is locked before the step, as everywhere. Who had to wait for its lock sees in the step what happened
// meanwhile: an insert meets the committed row, an update judges the newest version.
const OPEN = `
  SELECT * FROM runs WHERE id = $1 AND root_run_pk = $2 AND organization_id = $3 AND status = 'running'
  FOR NO KEY UPDATE`;

/** Numbers the events of the written step: nothing was written, then no number is used up. */
const tell = (written: string): string => `
  moved AS (
    UPDATE runs SET last_seq = last_seq + $5::int, last_event_at = clock_timestamp()
    FROM ${written} WHERE runs.id = ${written}.run_pk RETURNING runs.last_seq
  ), added AS (
    INSERT INTO run_events (run_pk, seq, type, payload)
    SELECT $1, moved.last_seq - $5::int + e.ord, e.type, e.payload::json
    FROM moved, unnest($6::text[], $7::text[]) WITH ORDINALITY AS e(type, payload, ord)
  ), woken AS (
    SELECT pg_notify('${RUN_EVENTS_CHANNEL}', $1::text) FROM moved
  )`;

const BEGIN = `
  WITH open AS (${OPEN}), begun AS (
    INSERT INTO run_steps (${STEP_COLUMNS.join(', ')})
    SELECT ${STEP_COLUMNS.map((name) => `s.${name}`).join(', ')}
    FROM open, json_populate_record(NULL::run_steps, $4::json) AS s
    ON CONFLICT (run_pk, node_id, visit, item_index) DO NOTHING RETURNING run_pk
  ), ${tell('begun')}
  SELECT ${SEGMENT_COLUMNS} FROM open, woken`;

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
    FROM open, json_populate_record(NULL::run_steps, $4::json) AS s
    WHERE run_steps.step_id = s.step_id AND run_steps.run_pk = open.id AND run_steps.attempt = s.attempt
      AND run_steps.status = 'running' AND run_steps.outcome IS NULL
    RETURNING run_steps.run_pk
  ), ${tell('ended')}
  SELECT 1 FROM woken`;

const params = (organizationId: string, step: StepRow, events: readonly NewEvent[]): unknown[] => [
  step.run_pk,
  step.root_run_pk,
  organizationId,
  JSON.stringify(step),
  events.length,
  events.map((event) => event.type),
  events.map((event) => JSON.stringify(event.payload)),
];

/**
 * Begins the first attempt of a step, with the events that tell of it.
 * @returns the segment that it runs in; null when nothing was written: the segment does not run (any more), or the step
 *   is there already
 */
export async function beginStepAlone(
  sql: Sql,
  organizationId: string,
  step: StepRow,
  events: readonly NewEvent[],
): Promise<Segment | null> {
  const rows = await sql.query<Segment>(BEGIN, params(organizationId, step, events));
  return rows[0] ?? null;
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
  const rows = await sql.query(END, params(organizationId, step, events));
  return rows.length === 1;
}
