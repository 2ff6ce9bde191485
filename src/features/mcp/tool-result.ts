/** The end of a run as the result of a tool. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ApiError } from '../../base/errors.ts';
import { isObject } from '../../language/graph/values/value.ts';
import type { AnswerCut } from '../../engine/runs/ledger/answer-cuts.ts';
import type { RunOutcome } from '../../engine/runs/stream/run-ending.ts';

/** Names the run in every result, so that programs can look it up. */
const RUN_META = 'run_id';
const WARNINGS_META = 'warnings';

const buildResult = (text: string, runId: string, more: Partial<CallToolResult>): CallToolResult => ({
  content: [{ type: 'text', text }],
  _meta: { [RUN_META]: runId },
  ...more,
});

/** Adds what the model at the client must know of an answer that is not whole: it takes the text for all of it otherwise. */
function addCuts(result: CallToolResult, cuts: readonly AnswerCut[]): CallToolResult {
  if (cuts.length === 0) return result;
  const notes = cuts.map(({ node_id: nodeId, message }) => ({
    type: 'text' as const,
    text: `Warning of the node ${nodeId}: ${message}`,
  }));
  const warnings = cuts.map((cut) => ({ ...cut }));
  return {
    ...result,
    content: [...result.content, ...notes],
    _meta: { ...result._meta, [WARNINGS_META]: warnings },
  };
}

/** Presents a sentence about a run as an error that the model reads. */
export const presentProblem = (message: string, runId: string): CallToolResult =>
  buildResult(message, runId, { isError: true });

/** Presents an output: a text as it is, everything else as JSON, which an object is as structured content too. */
export function presentEnding(ending: RunOutcome, runId: string): CallToolResult {
  if (ending.kind !== 'output') return presentProblem(ending.message, runId);
  const { output } = ending;
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  const result = buildResult(text, runId, isObject(output) ? { structuredContent: output } : {});
  return addCuts(result, ending.cuts);
}

/** Describes an error of the API in a sentence. */
export function describeError({ failure }: ApiError): string {
  if (failure.shape === 'D') return `A limit of the plan was reached: ${failure.denial.code}`;
  if (failure.shape === 'C')
    return failure.issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return typeof failure.detail === 'string' ? failure.detail : failure.code;
}

/** Presents a refused start or answer as a result: the model reads it, and may try something else. */
export const presentRefusal = (error: ApiError): CallToolResult => ({
  content: [{ type: 'text', text: describeError(error) }],
  isError: true,
});
