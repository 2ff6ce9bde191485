/** One call of a tool: a run that is started or, after a question, continued, and followed to its end. */
import { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { Scope } from '../access/caller.ts';
import type { ApiError } from '../errors.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../graph/value.ts';
import { cancelByRunId, type CancelDeps } from '../runs/accept/cancel.ts';
import { resumeRun, type AnswerDeps } from '../runs/accept/resume.ts';
import { startRun, type StartDeps } from '../runs/accept/start.ts';
import { readPending } from '../runs/ledger/event-reader.ts';
import { readInterrupts, type StoredInterrupt } from '../runs/ledger/interrupts.ts';
import { findRun, toReader, type FoundRun } from '../runs/ledger/run-reads.ts';
import { readCurrentSegment } from '../runs/ledger/segments.ts';
import type { FollowDeps } from '../runs/stream/follow.ts';
import { readFrames, type RunFrame } from '../runs/stream/read-frames.ts';
import { readEnding } from '../runs/stream/run-ending.ts';
import { buildForm, readContent, type QuestionForm } from './questions.ts';
import type { WorkflowTool } from './tools.ts';

export type McpDeps = StartDeps & AnswerDeps & CancelDeps & FollowDeps;

/** The HTTP request of a call. */
export interface McpRequest {
  readonly scope: Scope;
  readonly authorization: string;
  readonly idempotencyKey: string | null;
}

type ToolReply = CallToolResult | InputRequiredResult;

interface ToolCall extends McpRequest {
  readonly tool: WorkflowTool;
  readonly input: JsonObject;
  readonly context: ServerContext;
}

/** The state of a call is the text of its client. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Names the run in every result, so that programs can look it up. */
const RUN_META = 'run_id';

const buildResult = (text: string, runId: string, more: Partial<CallToolResult> = {}): CallToolResult => ({
  content: [{ type: 'text', text }],
  _meta: { [RUN_META]: runId },
  ...more,
});

/** An error of the call as its result: the model reads it, and may try something else. */
export function describeRefusal({ failure }: ApiError): CallToolResult {
  const text =
    failure.shape === 'D'
      ? `The plan refused the run: ${failure.denial.code}`
      : failure.shape === 'C'
        ? failure.issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
        : typeof failure.detail === 'string'
          ? failure.detail
          : failure.code;
  return { content: [{ type: 'text', text }], isError: true };
}

/** Sends a progress notification for a node that has started or ended, if the client requested progress. */
async function reportProgress(context: ServerContext, frame: RunFrame): Promise<void> {
  const progressToken = context.mcpReq._meta?.progressToken;
  const { type, seq, node_name: name } = frame;
  if (progressToken === undefined || typeof seq !== 'number' || typeof name !== 'string') return;
  if (type !== 'node_started' && type !== 'node_completed') return;
  const message = type === 'node_started' ? `${name} has begun` : `${name} is done`;
  const params = { progressToken, progress: seq, message };
  await context.mcpReq.notify({ method: 'notifications/progress', params });
}

interface AskedQuestion {
  readonly id: string;
  readonly question: StoredInterrupt['question'];
  readonly form: QuestionForm | null;
}

async function readQuestions({ db }: McpDeps, { rootRunPk }: FoundRun): Promise<AskedQuestion[]> {
  const ids = (await readPending(db, rootRunPk)).map(({ interrupt_id: id }) => id);
  const stored = await readInterrupts(db, rootRunPk, ids);
  return [...stored.values()].map(({ interruptId, question }) => ({
    id: interruptId,
    question,
    form: buildForm(question),
  }));
}

/** True when the client supports elicitation forms. */
function canElicit(context: ServerContext): boolean {
  const envelope = (context.mcpReq.envelope ?? {}) as JsonObject;
  return isObject(ownValue(ownValue(envelope, CLIENT_CAPABILITIES_META_KEY), 'elicitation'));
}

/** Asks the questions of a run by forms of the client, or tells how to answer them where it has none. */
async function askQuestions(
  deps: McpDeps,
  { context }: ToolCall,
  run: FoundRun,
  message: string,
): Promise<ToolReply> {
  const questions = await readQuestions(deps, run);
  const forms = questions.flatMap(({ id, form }) => (form === null ? [] : [{ id, form }]));
  if (!canElicit(context) || forms.length < questions.length || forms.length === 0)
    return buildResult(message, run.runId, { isError: true });
  const inputRequests = Object.fromEntries(
    forms.map(({ id, form }) => [id, inputRequired.elicit(form as never)]),
  );
  return inputRequired({ inputRequests, requestState: run.runId });
}

/** Follows a run to its end. A client that cancels the call cancels the run. */
async function followRun(deps: McpDeps, call: ToolCall, run: FoundRun): Promise<ToolReply> {
  const { context, scope, authorization } = call;
  const { signal } = context.mcpReq;
  for await (const frame of readFrames(deps, scope, { run, afterSeq: 0, authorization }, signal))
    await reportProgress(context, frame);
  if (signal.aborted) {
    await cancelByRunId(deps, scope, { runId: run.runId, reason: 'The MCP client cancelled the call' });
    throw signal.reason;
  }
  const ending = await readEnding(deps.db, run);
  if (ending.kind === 'output') return presentOutput(ending.output, run.runId);
  if (ending.kind === 'input_required') return askQuestions(deps, call, run, ending.message);
  return buildResult(ending.message, run.runId, { isError: true });
}

/** Presents an output: a text as it is, everything else as JSON, which an object is as structured content too. */
function presentOutput(output: Json, runId: string): CallToolResult {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return buildResult(text, runId, isObject(output) ? { structuredContent: output } : {});
}

const findToolRun = ({ db }: McpDeps, scope: Scope, runId: Json | undefined): Promise<FoundRun | null> =>
  typeof runId === 'string' && UUID.test(runId) ? findRun(db, toReader(scope), runId) : Promise.resolve(null);

async function startTool(deps: McpDeps, call: ToolCall): Promise<FoundRun | null> {
  const { scope, tool, input, idempotencyKey } = call;
  const body = {
    workflow_id: tool.workflowId,
    input,
    config: {},
    stream: true,
    ephemeral: false,
    is_private: false,
  };
  const { run_id: runId } = await startRun(deps, scope, { body, idempotencyKey, chat: null });
  return findToolRun(deps, scope, runId);
}

/** Gives the answers of the client to the questions of a run. @returns the run that goes on */
async function answerQuestions(deps: McpDeps, call: ToolCall, runId: string): Promise<FoundRun | null> {
  const { scope, context } = call;
  const run = await findToolRun(deps, scope, runId);
  if (run === null) return null;
  const { inputResponses } = context.mcpReq;
  const responses = (await readQuestions(deps, run)).flatMap(({ id, question }) => {
    const given = inputResponse(inputResponses, id);
    const isAnswered = given.kind === 'elicit' && given.action === 'accept';
    return isAnswered
      ? [{ interrupt_id: id, ...readContent(question, (given.content ?? {}) as JsonObject) }]
      : [];
  });
  if (responses.length > 0) {
    const resumed = await resumeRun(deps, scope, { runId, body: { responses } });
    return findToolRun(deps, scope, resumed['run_id']);
  }
  // Someone else may have answered in the meantime.
  const newest = await readCurrentSegment(deps.db, run, false);
  return newest === null ? run : findToolRun(deps, scope, newest.runId);
}

const hasDeclined = ({ mcpReq: { inputResponses } }: ServerContext): boolean =>
  Object.keys(inputResponses ?? {}).some((id) => {
    const given = inputResponse(inputResponses, id);
    return given.kind === 'elicit' && given.action !== 'accept';
  });

/**
 * Calls a tool.
 * @returns its output, the questions of its run, or an error that the model may read
 * @throws ApiError as startRun and resumeRun
 */
export async function callTool(deps: McpDeps, call: ToolCall): Promise<ToolReply> {
  const state = call.context.mcpReq.requestState<string>();
  const run =
    typeof state === 'string' ? await answerQuestions(deps, call, state) : await startTool(deps, call);
  if (run === null) return { content: [{ type: 'text', text: 'The run does not exist' }], isError: true };
  if (run.status === 'interrupted' && hasDeclined(call.context)) {
    const ending = await readEnding(deps.db, run);
    const message = ending.kind === 'output' ? '' : ending.message;
    return buildResult(`The question stays open. ${message}`, run.runId, { isError: true });
  }
  return followRun(deps, call, run);
}
