/**
 * The event log of a run: what its stream shows, numbered without gaps under the run's row lock. An identity column
 * would not do as a cursor: ids commit out of order under concurrent writers and a reader loses rows for ever.
 */
import { PLAN_TABLE } from '../../billing/settlement.ts';
import type { Sql } from '../../db/client.ts';
import { tellAfter } from '../../db/told-after.ts';
import type { JsonObject } from '../../graph/value.ts';

/** Channel of LISTEN/NOTIFY; `heardEvents` reads its messages. */
export const RUN_EVENTS_CHANNEL = 'run_events';
const END_MARK = '!';

/** What a message says: which run has new events, and whether the last of them is its terminal frame. */
export function heardEvents(message: string): { readonly runPk: string; readonly isEnd: boolean } {
  const isEnd = message.endsWith(END_MARK);
  return { runPk: isEnd ? message.slice(0, -END_MARK.length) : message, isEnd };
}

export interface NewEvent {
  readonly type: string;
  /** Everything of the frame but the common fields (type, seq, run_id, thread_id, timestamp). */
  readonly payload: JsonObject;
}

export type RunStatus = 'running' | 'interrupted' | 'completed' | 'failed' | 'cancelled';
export type TerminalStatus = Exclude<RunStatus, 'running'>;

const APPEND = `
  WITH moved AS (
    UPDATE runs SET last_seq = last_seq + $2::int, last_event_at = clock_timestamp()
    WHERE id = $1 AND status = 'running' RETURNING last_seq
  ), added AS (
    INSERT INTO run_events (run_pk, seq, type, payload)
    SELECT $1, moved.last_seq - $2::int + e.ord, e.type, e.payload::json
    FROM moved, unnest($3::text[], $4::text[]) WITH ORDINALITY AS e(type, payload, ord)
  )
  SELECT last_seq FROM moved`;

/** Wakes the listeners of a run once what was written through `sql` is committed. */
export function wakeListeners(sql: Sql, runPk: string, isEnd = false): Promise<void> {
  return tellAfter(sql, RUN_EVENTS_CHANNEL, isEnd ? runPk + END_MARK : runPk);
}

/**
 * Appends events to a running run and wakes its listeners after the commit.
 * @returns the seq of the last event, or null when the run is no longer running (then nothing was written)
 */
export async function appendEvents(
  sql: Sql,
  runPk: string,
  events: readonly NewEvent[],
): Promise<number | null> {
  if (events.length === 0) return null;
  const rows = await sql.query<{ last_seq: number }>(APPEND, [
    runPk,
    events.length,
    events.map((event) => event.type),
    events.map((event) => JSON.stringify(event.payload)),
  ]);
  const [moved] = rows;
  if (moved === undefined) return null;
  await wakeListeners(sql, runPk);
  return moved.last_seq;
}

export interface Closing {
  readonly runPk: string;
  /** The statuses that may be left this way: compare-and-set. */
  readonly from: readonly RunStatus[];
  readonly status: TerminalStatus;
  /** Fields of the terminal frame beside `status` and `duration_ms`. */
  readonly payload: JsonObject;
  readonly output?: unknown;
  readonly outputSummary?: string | null;
  readonly error?: JsonObject | null;
  readonly usage?: JsonObject | null;
  readonly handledErrorCount?: number;
  readonly reason?: string | null;
}

const CLOSE = `
  WITH moved AS (
    UPDATE runs SET
      status = $3, last_seq = last_seq + 1, last_event_at = clock_timestamp(),
      started_at = coalesce(started_at, created_at), completed_at = clock_timestamp(),
      output = $5::json, output_summary = $6, error = $7::json, usage = coalesce($8::json, usage),
      handled_error_count = coalesce($9::int, handled_error_count), cancel_reason = $10
    WHERE id = $1 AND status = ANY($2::text[])
    RETURNING last_seq, greatest(0, round(extract(epoch FROM completed_at - started_at) * 1000))::int AS ms
  ), unasked AS (
    -- A run that waited for an answer has its terminal frame (run_interrupted) already; the row alone changes then.
    SELECT moved.* FROM moved WHERE NOT EXISTS (
      SELECT 1 FROM run_events WHERE run_pk = $1 AND type = 'run_interrupted')
  ), added AS (
    INSERT INTO run_events (run_pk, seq, type, payload)
    SELECT $1, last_seq, 'run_' || $3,
           -- Spliced as text: jsonb would lose the order of the output's keys.
           (left($4::text, -1) || ',"duration_ms":' || ms || '}')::json
    FROM unasked
  )
  SELECT last_seq, ms, settle_credits(ARRAY[$1::uuid], $11::jsonb) FROM moved`;

/**
 * Gives a run its terminal status and its one terminal frame, if it still is in one of `from`, and settles its credits
 * with it. What else must be locked by the caller's transaction must be locked before (billing/settlement.ts).
 * @returns false when it was not: somebody else ended it first, and nothing was written
 */
export function closeRun(sql: Sql, closing: Closing): Promise<boolean> {
  return close(sql, closing, PLAN_TABLE);
}

/** As closeRun, and leaves the settlement to the caller, who has more to close first. */
export function closeUnsettled(sql: Sql, closing: Closing): Promise<boolean> {
  return close(sql, closing, null);
}

const json = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

/** A closing as statements take it; JSON as text. `frame` is the terminal one, but for `duration_ms`. */
export function closingFields(closing: Closing) {
  return {
    status: closing.status,
    frame: JSON.stringify({ status: closing.status, ...closing.payload }),
    output: json(closing.output),
    outputSummary: closing.outputSummary ?? null,
    error: json(closing.error),
    usage: json(closing.usage),
    handledErrorCount: closing.handledErrorCount ?? null,
    reason: closing.reason ?? null,
  };
}

/** @param plans null: `settle_credits` is strict and does nothing then */
async function close(sql: Sql, closing: Closing, plans: string | null): Promise<boolean> {
  const fields = closingFields(closing);
  const rows = await sql.query(CLOSE, [
    closing.runPk,
    closing.from,
    fields.status,
    fields.frame,
    fields.output,
    fields.outputSummary,
    fields.error,
    fields.usage,
    fields.handledErrorCount,
    fields.reason,
    plans,
  ]);
  if (rows.length === 0) return false;
  await wakeListeners(sql, closing.runPk, true);
  return true;
}
