/** The frames of a run's stream: stored events as they are, and what must be told when they are stored no longer. */
import type { Clock } from '../../clock.ts';
import type { HeartbeatPosition } from '../engine.ts';
import type { Sql } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import {
  isTerminal,
  readEnded,
  readTerminalEvent,
  type EndedRun,
  type EventRow,
} from '../ledger/event-reader.ts';
import { readQuestions, readSteps } from '../ledger/run-record.ts';

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

/** The run of a stream, and the clock that frames are stamped with which nobody has stored. */
export interface FrameSource {
  readonly run: StreamedRun;
  readonly clock: Clock;
}

export interface Frame {
  readonly isTerminal: boolean;
  readonly text: string;
}

/** A stored event as a frame: splices the common fields before the stored payload: frames are not parsed on their way. */
export function toFrame(run: StreamedRun, event: EventRow): Frame {
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
    isTerminal: isTerminal(event.type),
    text: `id: ${event.seq}\ndata: ${body}\n\n`,
  };
}

/** A frame that is not stored, and so has no id to go on after. */
function buildFrame({ run, clock }: FrameSource, type: string, more: JsonObject): string {
  const timestamp = new Date(clock.now()).toISOString();
  return `data: ${JSON.stringify({ type, run_id: run.runId, thread_id: run.threadId, timestamp, ...more })}\n\n`;
}

/** Builds the frame of the positions of nodes at work. */
export function heartbeatFrame(source: FrameSource, positions: readonly HeartbeatPosition[]): string {
  const nodes = positions.map(({ node_id, attempt, seq, tokens }): JsonObject => ({
    node_id,
    attempt,
    seq,
    tokens,
  }));
  return buildFrame(source, 'heartbeat', { nodes });
}

/** The stream cannot go on; it says nothing about the run. */
export function streamErrorFrame(source: FrameSource, code: string, message: string): string {
  return buildFrame(source, 'stream_error', { code, message });
}

/** The whole run in one frame, for those who come after its events were deleted. */
async function snapshotFrame(sql: Sql, source: FrameSource, ended: EndedRun): Promise<string> {
  const { run } = source;
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
  return buildFrame(source, 'snapshot', {
    seq,
    status: ended.status,
    last_seq: ended.last_seq,
    nodes,
    partial_text: {},
    interrupts,
  });
}

function synthesiseEnd(source: FrameSource, ended: EndedRun): string {
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
  return buildFrame(source, `run_${ended.status}`, more);
}

/**
 * The end of a run that has ended, whatever the listener has seen: its terminal frame; a snapshot before it when the
 * events were deleted (retention).
 * @returns null when the run is gone, or still runs
 */
export async function readEnd(sql: Sql, source: FrameSource): Promise<readonly string[] | null> {
  const { run } = source;
  const terminal = await readTerminalEvent(sql, run.runPk);
  if (terminal !== null) return [toFrame(run, terminal).text];
  const ended = await readEnded(sql, run.runPk);
  return ended === null ? null : [await snapshotFrame(sql, source, ended), synthesiseEnd(source, ended)];
}
