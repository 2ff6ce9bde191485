/** The frames of a run's stream: stored events as they are, and what must be told when they are stored no longer. */
import type { HeartbeatPosition } from '../engine.ts';
import type { Sql } from '../../db/client.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import type { EventRow } from './event-reader.ts';
import { MAX_STEP_VALUE_BYTES, readQuestions, readSteps } from '../ledger/run-record.ts';

const TERMINAL_TYPES: readonly string[] = ['run_completed', 'run_failed', 'run_cancelled', 'run_interrupted'];

/** Comments of the event stream (WHATWG HTML, server-sent events): clients ignore them, proxies see traffic. */
export const PING = ': ping\n\n';
/** Ends a stream whose process goes away. */
export const RECONNECT = ': reconnect\n\n';

export interface StreamedRun {
  readonly runPk: string;
  readonly runId: string;
  readonly rootRunPk: string;
  readonly threadId: string | null;
}

export interface Frame {
  readonly isTerminal: boolean;
  readonly text: string;
}

/** A stored event as a frame: splices the common fields before the stored payload: frames are not parsed on their way. */
export function frameOf(run: StreamedRun, event: EventRow): Frame {
  const common = JSON.stringify({
    type: event.type,
    seq: event.seq,
    run_id: run.runId,
    thread_id: run.threadId,
    timestamp: event.created_at.toISOString(),
  });
  // JSON may be written over several lines; a line break inside a string is always escaped.
  const rest = event.payload
    .replaceAll(/[\r\n]/g, ' ')
    .trim()
    .slice(1);
  const body = rest.trim() === '}' ? `${common.slice(0, -1)}}` : `${common.slice(0, -1)},${rest}`;
  return {
    isTerminal: TERMINAL_TYPES.includes(event.type),
    text: `id: ${event.seq}\ndata: ${body}\n\n`,
  };
}

function madeFrame(run: StreamedRun, type: string, more: JsonObject): string {
  const timestamp = new Date().toISOString();
  return `data: ${JSON.stringify({ type, run_id: run.runId, thread_id: run.threadId, timestamp, ...more })}\n\n`;
}

/** Positions of the nodes at work. */
export function heartbeatFrame(run: StreamedRun, positions: readonly HeartbeatPosition[]): string {
  const nodes = positions.map(({ node_id, attempt, seq, tokens }): JsonObject => ({
    node_id,
    attempt,
    seq,
    tokens,
  }));
  return madeFrame(run, 'heartbeat', { nodes });
}

/** The stream cannot go on; it says nothing about the run. */
export function streamErrorFrame(run: StreamedRun, code: string, message: string): string {
  return madeFrame(run, 'stream_error', { code, message });
}

interface EndedRow {
  status: string;
  last_seq: number;
  output: Json;
  output_truncated: boolean;
  error: JsonObject | null;
  usage: JsonObject | null;
  cancel_reason: string | null;
  handled_error_count: number;
  duration_ms: number;
  resumed_by_run_id: string | null;
}

/** The whole run in one frame, for those who come after its events were deleted. */
async function snapshotFrame(sql: Sql, run: StreamedRun, ended: EndedRow): Promise<string> {
  const [steps, questions] = await Promise.all([
    readSteps(sql, run.runPk),
    readQuestions(sql, run.rootRunPk),
  ]);
  const nodes = steps
    .filter((step) => step.item_index < 0)
    .map((step): JsonObject => {
      const { node_id, step_id, status, attempt, output } = step;
      return { node_id, step_id, status, attempt, output, output_truncated: step.output_truncated };
    });
  const interrupts = questions
    .filter((question) => question.status === 'pending')
    .map(({ id, node_id }): JsonObject => ({ interrupt_id: id, node_id }));
  const seq = Math.max(1, ended.last_seq - 1);
  return madeFrame(run, 'snapshot', {
    seq,
    status: ended.status,
    last_seq: ended.last_seq,
    nodes,
    partial_text: {},
    interrupts,
  });
}

function synthesisedEnd(run: StreamedRun, ended: EndedRow): string {
  const more: JsonObject = {
    seq: Math.max(2, ended.last_seq),
    status: ended.status,
    usage: ended.usage,
    duration_ms: ended.duration_ms,
    handled_error_count: ended.handled_error_count,
  };
  if (ended.status === 'completed')
    Object.assign(more, { output: ended.output, output_truncated: ended.output_truncated });
  if (ended.status === 'failed') more['error'] = ended.error;
  if (ended.status === 'cancelled') more['reason'] = ended.cancel_reason;
  if (ended.resumed_by_run_id !== null) more['resumed_by_run_id'] = ended.resumed_by_run_id;
  return madeFrame(run, `run_${ended.status}`, more);
}

/**
 * The end of a run that has ended, whatever the listener has seen: its terminal frame; a snapshot before it when the
 * events were deleted (retention).
 * @returns null when the run is gone, or still runs
 */
export async function readEnd(sql: Sql, run: StreamedRun): Promise<readonly string[] | null> {
  const stored = await sql.query<EventRow>(
    `SELECT seq, type, payload::text AS payload, created_at FROM run_events
     WHERE run_pk = $1 AND type = ANY($2::text[]) LIMIT 1`,
    [run.runPk, TERMINAL_TYPES],
  );
  const [terminal] = stored;
  if (terminal !== undefined) return [frameOf(run, terminal).text];
  const rows = await sql.query<EndedRow>(
    `SELECT status, last_seq, CASE WHEN octet_length(output::text) <= $2 THEN output END AS output,
            coalesce(octet_length(output::text) > $2, false) AS output_truncated, error, usage, cancel_reason, handled_error_count,
            greatest(0, round(extract(epoch FROM completed_at - coalesce(started_at, created_at)) * 1000))::int AS duration_ms,
            (SELECT s.run_id FROM runs s WHERE s.root_run_pk = r.root_run_pk AND s.resumed_from_run_pk = r.id) AS resumed_by_run_id
     FROM runs r WHERE id = $1 AND status <> 'running'`,
    [run.runPk, MAX_STEP_VALUE_BYTES],
  );
  const [ended] = rows;
  return ended === undefined ? null : [await snapshotFrame(sql, run, ended), synthesisedEnd(run, ended)];
}
