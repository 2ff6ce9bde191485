/** Answers of an agent's tool calls: what the model is told, what records show, and the events around a call. */
import { storableText } from '../../../graph/storable.ts';
import type { Json, JsonObject } from '../../../graph/value.ts';
import type { NewEvent } from '../../ledger/events.ts';
import type { AgentCallRow } from '../../ledger/agent-records.ts';
import { scrub } from '../../../log.ts';
import type { AskedCall } from '../../../nodes/agent/offer.ts';
import type { NodeError } from '../../../nodes/kind.ts';
import { byteLength, nodeEvent } from '../frames.ts';
import type { NodeExecution } from '../context.ts';

/** What a model is told of a result, and what records keep of it. */
export const MAX_RESULT_BYTES = 32 * 1024;
const MAX_MESSAGE = 2_000;

export type Answer = NonNullable<AgentCallRow['answer']>;

/** What the model asked for with a call. */
export const requestOf = (row: AgentCallRow): AskedCall => row.asked as unknown as AskedCall;

/** A result; one that is too large becomes the beginning of its text. */
export function answerOf(result: Json): Answer {
  if (byteLength(result) <= MAX_RESULT_BYTES) return { result, error: null };
  const text = Buffer.from(typeof result === 'string' ? result : JSON.stringify(result));
  // A character that the cut has split is left out.
  const kept = text
    .subarray(0, MAX_RESULT_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
  return { result: `${kept}… [cut: ${text.length} bytes in all]`, error: null };
}

export function failedAnswer({ code, message }: Pick<NodeError, 'code' | 'message'>): Answer {
  return { result: null, error: { code, message: storableText(scrub(message).slice(0, MAX_MESSAGE)) } };
}

/** The words in which the model hears of a call. */
export function toldOf(answer: Answer | null): { readonly result: string; readonly isError: boolean } {
  const { result, error } = answer ?? failedAnswer({ code: 'no_answer', message: 'There is no answer' });
  if (error !== null) return { result: JSON.stringify({ error }), isError: true };
  return { result: typeof result === 'string' ? result : JSON.stringify(result), isError: false };
}

/** A call as the output and the step list it. */
export function shownCall(row: AgentCallRow): JsonObject {
  const { id, name, arguments: given, text } = requestOf(row);
  const { started_at: began, completed_at: ended } = row;
  return {
    id,
    name,
    arguments: given ?? text,
    result: row.answer?.result ?? null,
    error: row.answer?.error ?? null,
    duration_ms: began === null || ended === null ? null : ended.getTime() - began.getTime(),
  };
}

const callFields = ({ id, name }: AskedCall): JsonObject => ({ tool_call_id: id, name });

export function callStarted(execution: NodeExecution, asked: AskedCall): NewEvent {
  const fields = { ...callFields(asked), phase: 'start', status: 'running', duration_ms: null };
  return nodeEvent('tool_call', execution, fields);
}

/** Another attempt; `isRepeated` when the one before may have had its effect. */
export function callRetried(execution: NodeExecution, asked: AskedCall, isRepeated: boolean): NewEvent {
  const fields = { ...callFields(asked), phase: 'retry', status: 'running', duration_ms: null };
  return nodeEvent('tool_call', execution, { ...fields, possibly_repeated: isRepeated });
}

export function callEnded(
  execution: NodeExecution,
  asked: AskedCall,
  { answer, durationMs }: { readonly answer: Answer; readonly durationMs: number },
): NewEvent {
  const status = answer.error === null ? 'succeeded' : 'failed';
  const fields = { ...callFields(asked), phase: 'end', status, duration_ms: durationMs };
  return nodeEvent('tool_call', execution, fields);
}
