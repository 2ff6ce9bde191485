/**
 * The event log of a run, which its stream shows: numbered without gaps under the run's row lock. An identity column would not
 * do as a cursor: ids commit out of order under concurrent writers, and a reader would lose rows.
 */
import { PLAN_TABLE } from '../../../../platform/billing/settlement.ts';
import type { Tx } from '../../../../base/db/client.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import { noteRunEnded } from '../../../../base/observe/run-metrics.ts';
import type { StoredEventType } from '../event-types.ts';
import type { SegmentKey } from './segments.ts';

/** Channel of LISTEN/NOTIFY; `parseEventsNotice` reads its messages. */
export const RUN_EVENTS_CHANNEL = 'run_events';
const END_MARK = '!';

/** Parses a message of the channel: the run with new events, and whether the last of them is its terminal frame. */
export function parseEventsNotice(message: string): { readonly runPk: string; readonly isEnd: boolean } {
  const isEnd = message.endsWith(END_MARK);
  return { runPk: isEnd ? message.slice(0, -END_MARK.length) : message, isEnd };
}

export interface NewEvent {
  readonly type: StoredEventType;
  /** The fields of the frame without the common ones (type, seq, run_id, thread_id, timestamp). */
  readonly payload: JsonObject;
}

export type RunStatus = 'running' | 'interrupted' | 'completed' | 'failed' | 'cancelled';
export type TerminalStatus = Exclude<RunStatus, 'running'>;

/** Wakes the listeners of a run once the writes through `sql` are committed. */
export function wakeListeners(sql: Tx, runPk: string, isEnd = false): void {
  const message = isEnd ? runPk + END_MARK : runPk;
  sql.notifyAfterCommit(RUN_EVENTS_CHANNEL, message, { subject: runPk, isLast: isEnd });
}

/**
 * Appends events to a running run and wakes its listeners after the commit.
 * @returns the seq of the last event; null when the run is not running, and then nothing was written
 */
export async function appendEvents(
  sql: Tx,
  runPk: string,
  events: readonly NewEvent[],
): Promise<number | null> {
  if (events.length === 0) return null;
  const [row] = await sql.query<{ last_seq: number | null }>('SELECT append_events($1, $2, $3) AS last_seq', [
    runPk,
    events.map((event) => event.type),
    events.map((event) => JSON.stringify(event.payload)),
  ]);
  const lastSeq = row?.last_seq ?? null;
  if (lastSeq !== null) wakeListeners(sql, runPk);
  return lastSeq;
}

interface Closing {
  readonly runPk: string;
  /** The statuses from which the run may end (compare-and-set). */
  readonly from: readonly RunStatus[];
  readonly status: TerminalStatus;
  /** Fields of the terminal frame, without `status` and `duration_ms`. */
  readonly payload: JsonObject;
  readonly output?: unknown;
  readonly outputSummary?: string | null;
  readonly error?: JsonObject | null;
  readonly usage?: JsonObject | null;
  readonly handledErrorCount?: number;
  readonly reason?: string | null;
}

/** The end of a segment by an advance; the SQL function close_summed sums the run's usage in the same statement. */
export type SummedClosing = Omit<Closing, 'runPk' | 'usage' | 'handledErrorCount' | 'reason'>;

const SECONDS = `
  (SELECT extract(epoch FROM clock_timestamp() - coalesce(started_at, created_at))::float8 FROM runs WHERE id = $1) AS seconds`;
const CLOSE = `SELECT close_run($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb) AS closed, ${SECONDS}`;
const CLOSE_SUMMED = `SELECT close_summed($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb) AS closed, ${SECONDS}`;

/** The result of a statement that ends a run. */
interface Closed {
  readonly closed: boolean;
  readonly seconds: number | null;
}

/**
 * Ends a run that is in one of the statuses `from`: writes its terminal status and frame, and settles its credits. The caller's
 * transaction must take all other locks before (billing/settlement.ts).
 * @returns false when another writer has ended it first; then nothing was written
 */
export function closeRun(sql: Tx, closing: Closing): Promise<boolean> {
  return close(sql, closing, PLAN_TABLE);
}

/** Ends a segment like `closeRun`; the terminal frame has the usage and the credits of the run. */
export async function closeSummed(
  sql: Tx,
  { runPk, rootRunPk }: SegmentKey,
  closing: SummedClosing,
): Promise<boolean> {
  const { status, frame, output, outputSummary, error } = toClosingParams(closing);
  const [row] = await sql.query<Closed>(CLOSE_SUMMED, [
    runPk,
    rootRunPk,
    closing.from,
    status,
    frame,
    output,
    outputSummary,
    error,
    PLAN_TABLE,
  ]);
  return noteClosed(sql, { runPk, status }, row);
}

/** Ends a run like `closeRun`, without settling its credits: the caller closes more runs before it settles. */
export function closeUnsettled(sql: Tx, closing: Closing): Promise<boolean> {
  return close(sql, closing, null);
}

/** Adds the run_id of the resuming segment to the terminal frame of a paused segment. */
export async function recordResumedBy(
  tx: Tx,
  { runPk, resumedByRunId }: { readonly runPk: string; readonly resumedByRunId: string },
): Promise<void> {
  // Edited as text, as close_run wrote it. There is no frame when the events were deleted.
  await tx.query(
    `UPDATE run_events SET payload = (left(rtrim(payload::text), -1) || ',"resumed_by_run_id":' || to_json($2::uuid) || '}')::json
     WHERE run_pk = $1 AND type = 'run_interrupted'`,
    [runPk, resumedByRunId],
  );
}

const json = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

/**
 * Converts a closing to SQL parameters, with JSON as text. `frame` is the terminal frame without the fields that the statement
 * adds.
 */
export function toClosingParams(closing: SummedClosing) {
  return {
    status: closing.status,
    frame: JSON.stringify({ status: closing.status, ...closing.payload }),
    output: json(closing.output),
    outputSummary: closing.outputSummary ?? null,
    error: json(closing.error),
  };
}

/** @param plans null skips the settlement, because `settle_credits` is strict */
async function close(sql: Tx, closing: Closing, plans: string | null): Promise<boolean> {
  const fields = toClosingParams(closing);
  const [row] = await sql.query<Closed>(CLOSE, [
    closing.runPk,
    closing.from,
    fields.status,
    fields.frame,
    fields.output,
    fields.outputSummary,
    fields.error,
    json(closing.usage),
    closing.handledErrorCount ?? null,
    closing.reason ?? null,
    plans,
  ]);
  return noteClosed(sql, closing, row);
}

/** Wakes the listeners of a run that has ended, and counts it. @returns whether it has */
function noteClosed(sql: Tx, run: Pick<Closing, 'runPk' | 'status'>, row: Closed | undefined): boolean {
  if (row?.closed !== true) return false;
  wakeListeners(sql, run.runPk, true);
  noteRunEnded(run.status, row.seconds ?? 0);
  return true;
}
