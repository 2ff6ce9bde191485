/** Answers a call of a tool: starts its run, or continues it after a question, and follows it until it ends or becomes a task. */
import { inputRequired, inputResponse, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { Scope } from '../../platform/access/caller.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { cancelByRunId, type CancelDeps } from '../../engine/runs/accept/cancel.ts';
import type { AnswerDeps } from '../../engine/runs/accept/resume.ts';
import { startRun, type StartDeps } from '../../engine/runs/accept/start.ts';
import type { FoundRun } from '../../engine/runs/ledger/read/run-reads.ts';
import { readCurrentSegment } from '../../engine/runs/ledger/write/segments.ts';
import type { FollowDeps } from '../../engine/runs/stream/follow.ts';
import { readFrames, type RunFrame } from '../../engine/runs/stream/read-frames.ts';
import { readEnding } from '../../engine/runs/stream/run-ending.ts';
import { readArguments } from './arguments.ts';
import { canElicit, canFollowTasks } from './client-capabilities.ts';
import { findToolRun } from './find-tool-run.ts';
import { answerQuestions, buildInputRequests, readQuestions } from './open-questions.ts';
import { WaitLimit } from './wait-limit.ts';
import { describeNewTask } from './tasks.ts';
import { presentEnding, presentProblem } from './tool-result.ts';
import type { WorkflowTool } from './tools.ts';

export type McpDeps = StartDeps & AnswerDeps & CancelDeps & FollowDeps;

/** The HTTP request of a call. */
export interface McpHttpRequest {
  readonly scope: Scope;
  readonly authorization: string;
  readonly idempotencyKey: string | null;
}

type ToolReply = CallToolResult | InputRequiredResult;

interface ToolCall extends McpHttpRequest {
  readonly tool: WorkflowTool;
  /** The arguments as they came. */
  readonly input: JsonObject;
  readonly context: ServerContext;
  readonly waitLimit: WaitLimit;
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

/**
 * Replies with the questions of a run, as forms for the client. For a client that cannot show all of them the call becomes a task,
 * which waits until somebody answers; for one without tasks the reply says how to answer.
 */
async function askQuestions(deps: McpDeps, { context }: ToolCall, run: FoundRun): Promise<ToolReply> {
  const questions = await readQuestions(deps, run);
  const canShowAll = questions.length > 0 && questions.every(({ form }) => form !== null);
  if (canElicit(context) && canShowAll)
    return inputRequired({ inputRequests: buildInputRequests(questions), requestState: run.runId });
  if (canFollowTasks(context)) return becomeTask(deps, run);
  return presentEnding(await readEnding(deps.db, run), run.runId);
}

/** Replies with the task as which the run goes on. */
const becomeTask = ({ clock }: McpDeps, run: FoundRun): ToolReply =>
  ({ resultType: 'task', ...describeNewTask(run, clock.now()), content: [] }) as CallToolResult;

/** Reports the progress of a run until its end, until the client leaves, or until the call becomes a task. */
async function reportUntilEnd(deps: McpDeps, call: ToolCall, run: FoundRun): Promise<void> {
  const { context, scope, authorization, waitLimit } = call;
  const stop = AbortSignal.any([context.mcpReq.signal, waitLimit.signal]);
  for await (const frame of readFrames(deps, scope, { run, afterSeq: 0, authorization }, stop)) {
    waitLimit.notice(frame);
    await reportProgress(context, frame);
  }
}

/** Follows a run to its end, or until the call becomes a task. A client that cancels the call cancels the run. */
async function followRun(deps: McpDeps, call: ToolCall, run: FoundRun): Promise<ToolReply> {
  const { context, scope } = call;
  const { signal } = context.mcpReq;
  await reportUntilEnd(deps, call, run);
  if (signal.aborted) {
    await cancelByRunId(deps, scope, { runId: run.runId, reason: 'The MCP client cancelled the call' });
    throw signal.reason;
  }
  const ending = await readEnding(deps.db, run);
  if (ending.kind === 'input_required') return askQuestions(deps, call, run);
  if (ending.kind === 'run_not_ended' && call.waitLimit.signal.aborted) return becomeTask(deps, run);
  return presentEnding(ending, run.runId);
}

/**
 * Starts the run of a call.
 * @returns null when its record is gone already
 * @throws ApiError as readArguments and startRun
 */
async function startToolRun(deps: McpDeps, call: ToolCall): Promise<FoundRun | null> {
  const { scope, tool, input, idempotencyKey } = call;
  const body = {
    workflow_id: tool.workflowId,
    input: readArguments(tool, input),
    config: {},
    stream: true,
    ephemeral: false,
    is_private: false,
  };
  const { run_id: runId } = await startRun(deps, scope, { body, idempotencyKey, chat: null });
  return findToolRun(deps, scope, runId);
}

/** Continues the run of an earlier call with the client's answers. @returns its newest segment; null when there is no such run */
async function continueRun(
  deps: McpDeps,
  { scope, context }: ToolCall,
  runId: string,
): Promise<FoundRun | null> {
  const run = await findToolRun(deps, scope, runId);
  if (run === null) return null;
  const resumed = await answerQuestions(deps, scope, { run, context, joinsRunning: false });
  if (resumed !== null) return findToolRun(deps, scope, resumed);
  // Someone else may have answered in the meantime.
  const newest = await readCurrentSegment(deps.db, run, false);
  return newest === null ? run : findToolRun(deps, scope, newest.runId);
}

/** True when the person at the client declined or cancelled a form. */
const hasDeclined = ({ mcpReq: { inputResponses } }: ServerContext): boolean =>
  Object.keys(inputResponses ?? {}).some((id) => {
    const given = inputResponse(inputResponses, id);
    return given.kind === 'elicit' && given.action !== 'accept';
  });

/** @throws ApiError as startToolRun and resumeRun; ProtocolError for a state that is no run of the caller */
async function answerCall(deps: McpDeps, call: ToolCall): Promise<ToolReply> {
  const state = call.context.mcpReq.requestState<string>();
  const run =
    typeof state === 'string' ? await continueRun(deps, call, state) : await startToolRun(deps, call);
  if (run === null)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'The requestState does not belong to a run that you can see',
    );
  if (run.status === 'interrupted' && hasDeclined(call.context)) {
    const ending = await readEnding(deps.db, run);
    const message = ending.kind === 'output' ? '' : ending.message;
    return presentProblem(`The question stays open. ${message}`, run.runId);
  }
  return followRun(deps, call, run);
}

/**
 * Calls a tool.
 * @returns its output, the questions of its run, a task, or an error that the model may read
 * @throws ApiError as startToolRun and resumeRun; ProtocolError for a state that is no run of the caller
 */
export async function callTool(deps: McpDeps, call: Omit<ToolCall, 'waitLimit'>): Promise<ToolReply> {
  const waitLimit = new WaitLimit(deps.clock, canFollowTasks(call.context));
  try {
    return await answerCall(deps, { ...call, waitLimit });
  } finally {
    waitLimit.close();
  }
}
