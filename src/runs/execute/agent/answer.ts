/** What has come of an agent's tool calls: what its model is told, and what its record shows. */
import type { Json, JsonObject } from '../../../graph/value.ts';
import { MAX_RESULT_BYTES, type AgentCallRow } from '../../ledger/agent-records.ts';
import { NodeError } from '../../../nodes/kind.ts';

/** A result; of one that is too large, the beginning of its text. */
function resultOf({ result, beginning, bytes }: AgentCallRow): Json {
  if (beginning === null) return result;
  // A character that the cut has split is left out.
  const kept = Buffer.from(beginning)
    .subarray(0, MAX_RESULT_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
  return `${kept}… [cut: ${bytes} bytes in all]`;
}

function errorOf({ error }: AgentCallRow): JsonObject | null {
  if (error === null) return null;
  const { code = '', message = '' } = error;
  return { code, message };
}

/** The words in which the model hears of a call. @throws NodeError when the call has no end: nothing may be made up */
export function toldOf(row: AgentCallRow): { readonly result: string; readonly isError: boolean } {
  if (!row.hasEnded) throw new NodeError('internal_error', `The call ${row.request.id} has no end`);
  const error = errorOf(row);
  if (error !== null) return { result: JSON.stringify({ error }), isError: true };
  const result = resultOf(row);
  return { result: typeof result === 'string' ? result : JSON.stringify(result), isError: false };
}

/** A call as the output and the step of its agent list it. */
export function shownCall(row: AgentCallRow): JsonObject {
  const { id, name, arguments: given, text } = row.request;
  return {
    id,
    name,
    arguments: given ?? text,
    result: resultOf(row),
    error: errorOf(row),
    duration_ms: row.tookMs,
  };
}
