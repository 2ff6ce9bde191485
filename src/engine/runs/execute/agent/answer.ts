/** Presents an agent's tool calls to its model and in its record. */
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import { MAX_RESULT_BYTES, type AgentCallRow } from '../../ledger/write/agent-records.ts';
import { boundResponse, readErrorResponse } from '../../../../language/nodes/error-response.ts';
import { createInternalError } from '../../walk/internal-error.ts';

/** Bounds a result: one that is too large becomes the beginning of its text. */
function boundResult({ result, beginning, bytes }: AgentCallRow): Json {
  if (beginning === null) return result;
  // A character that the cut has split is left out.
  const kept = Buffer.from(beginning)
    .subarray(0, MAX_RESULT_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
  return `${kept}… [cut: ${bytes} bytes in all]`;
}

/** Picks what a model can use of an error: headers of a response are left out, and its data is bounded as a result is. */
function pickError({ error }: AgentCallRow): JsonObject | null {
  if (error === null) return null;
  const { code = '', message = '' } = error;
  const response = readErrorResponse(error);
  if (response === null) return { code, message };
  const { status, data, truncated } = boundResponse(response, MAX_RESULT_BYTES);
  return { code, message, response: { status, data, truncated } };
}

/** Builds the answer to a call for the model. @throws NodeError when the call has not ended */
export function presentAnswer(row: AgentCallRow): { readonly result: string; readonly isError: boolean } {
  if (!row.hasEnded) throw createInternalError(`The call ${row.request.id} has no end`);
  const error = pickError(row);
  if (error !== null) return { result: JSON.stringify({ error }), isError: true };
  const result = boundResult(row);
  return { result: typeof result === 'string' ? result : JSON.stringify(result), isError: false };
}

/** Presents a call as the output and the step of its agent list it. */
export function presentCall(row: AgentCallRow): JsonObject {
  const { id, name, arguments: parsed, text } = row.request;
  return {
    id,
    name,
    arguments: parsed ?? text,
    result: boundResult(row),
    error: pickError(row),
    duration_ms: row.tookMs,
  };
}
