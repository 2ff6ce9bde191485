/** Builds the frames of a run's stream: stored events, heartbeats and errors, and a snapshot in place of deleted events. */
import type { Clock } from '../../../base/clock.ts';
import type { EventType } from '../ledger/event-types.ts';
import type { HeartbeatPosition } from '../engine.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import {
  isTerminal,
  readEnded,
  readEndedNodes,
  readPending,
  readTerminalEvent,
  type EndedRun,
  type EventRow,
} from '../ledger/read/event-reader.ts';

/** A comment of the event stream (WHATWG HTML, server-sent events): clients ignore it, proxies keep the connection open. */
export const PING = ': ping\n\n';
/** The last text of a stream whose process stops. */
export const RECONNECT = ': reconnect\n\n';

interface StreamedRun {
  readonly runPk: string;
  readonly runId: string;
  readonly rootRunPk: string;
  readonly threadId: string | null;
}

/** The run of a stream, and the clock for frames that are not stored. */
export interface FrameSource {
  readonly run: StreamedRun;
  readonly clock: Clock;
}

interface Frame {
  readonly isTerminal: boolean;
  readonly text: string;
}

/** Builds the frame of a stored event: splices the common fields before the payload, which is never parsed. */
export function toFrame(run: StreamedRun, event: EventRow): Frame {
  const common = JSON.stringify({
    type: event.type,
    seq: event.seq,
    run_id: run.runId,
    thread_id: run.threadId,
    timestamp: event.created_at.toISOString(),
  });
  // JSON text may have line breaks between tokens; inside strings they are always escaped.
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

/** Builds a frame that is not stored and has no id to continue after. */
function buildFrame({ run, clock }: FrameSource, type: EventType, more: JsonObject): string {
  const timestamp = new Date(clock.now()).toISOString();
  return `data: ${JSON.stringify({ type, run_id: run.runId, thread_id: run.threadId, timestamp, ...more })}\n\n`;
}

/** Builds the heartbeat frame with the positions of running nodes. */
export function buildHeartbeatFrame(source: FrameSource, positions: readonly HeartbeatPosition[]): string {
  const nodes = positions.map(({ node_id, attempt, seq, tokens }): JsonObject => ({
    node_id,
    attempt,
    seq,
    tokens,
  }));
  return buildFrame(source, 'heartbeat', { nodes });
}

/** Builds the frame that ends a stream with an error of the stream, not of the run. */
export function buildErrorFrame(source: FrameSource, code: string, message: string): string {
  return buildFrame(source, 'stream_error', { code, message });
}

/** Builds one frame with the whole run, for clients that connect after its events were deleted. */
async function buildSnapshot(sql: Sql, source: FrameSource, ended: EndedRun): Promise<string> {
  const { run } = source;
  const [nodes, interrupts] = await Promise.all([
    readEndedNodes(sql, run.runPk),
    readPending(sql, run.rootRunPk),
  ]);
  const seq = Math.max(1, ended.last_seq - 1);
  return buildFrame(source, 'snapshot', {
    seq,
    status: ended.status,
    last_seq: ended.last_seq,
    nodes: nodes.map((node): JsonObject => ({ ...node })),
    partial_text: {},
    interrupts: interrupts.map((question): JsonObject => ({ ...question })),
  });
}

function buildEnd(source: FrameSource, ended: EndedRun): string {
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
  return buildFrame(source, `run_${ended.status}`, more);
}

/**
 * Reads the terminal frame of an ended run, preceded by a snapshot when its events were deleted (retention).
 * @returns null when the run was deleted or is still running
 */
export async function readEnd(sql: Sql, source: FrameSource): Promise<readonly string[] | null> {
  const { run } = source;
  const terminal = await readTerminalEvent(sql, run.runPk);
  if (terminal !== null) return [toFrame(run, terminal).text];
  const ended = await readEnded(sql, run.runPk);
  return ended === null ? null : [await buildSnapshot(sql, source, ended), buildEnd(source, ended)];
}
