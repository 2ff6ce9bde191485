/**
 * Runs as tasks (extension io.modelcontextprotocol/tasks of protocol 2026-07-28, SEP-2663). The SDK has no runtime for the
 * extension and passes its methods through. A task is its run: nothing is stored for it, and every process answers for it.
 */
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type InputRequests,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Scope } from '../../platform/access/caller.ts';
import { ApiError } from '../../base/errors.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { cancelByRunId } from '../../engine/runs/accept/cancel.ts';
import { readNewestEvent } from '../../engine/runs/ledger/read/event-reader.ts';
import type { FoundRun } from '../../engine/runs/ledger/read/run-reads.ts';
import { readCurrentSegment } from '../../engine/runs/ledger/write/segments.ts';
import { readEnding } from '../../engine/runs/stream/run-ending.ts';
import type { McpDeps } from './call-tool.ts';
import { canElicit, canFollowTasks, TASKS_EXTENSION } from './client-capabilities.ts';
import { findToolRun } from './find-tool-run.ts';
import { answerQuestions, buildInputRequests, readQuestions } from './open-questions.ts';
import { describeError, presentEnding } from './tool-result.ts';

/** A guess: a person hardly notices it, and a run of an hour is read 1,800 times. */
const POLL_INTERVAL_MS = 2_000;

type TaskState =
  | { readonly status: 'working' | 'cancelled' }
  | { readonly status: 'input_required'; readonly inputRequests: InputRequests }
  | { readonly status: 'completed'; readonly result: JsonObject };

interface TaskFields {
  readonly taskId: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Null: the run stays in the history. */
  readonly ttlMs: null;
  readonly pollIntervalMs: number;
}

/** Describes a new task: a run that has not ended. */
export const describeNewTask = (run: FoundRun, now: number): TaskFields & { status: 'working' } => ({
  taskId: run.runId,
  status: 'working',
  createdAt: run.createdAt.toISOString(),
  lastUpdatedAt: new Date(now).toISOString(),
  ttlMs: null,
  pollIntervalMs: POLL_INTERVAL_MS,
});

/** Tells the node that a running run has reached. */
function describeProgress(event: Awaited<ReturnType<typeof readNewestEvent>>): string {
  if (event === null || event.nodeName === null) return 'The run continues';
  return event.type === 'node_completed' ? `${event.nodeName} is done` : `${event.nodeName} has begun`;
}

/**
 * Reads the state of a task: that of the newest segment of its run. A question that the client cannot show leaves the task working,
 * because somebody else may answer it.
 */
async function readTask(deps: McpDeps, context: ServerContext, run: FoundRun): Promise<JsonObject> {
  const newest = (await readCurrentSegment(deps.db, run, false)) ?? run;
  const event = await readNewestEvent(deps.db, newest.runPk);
  const fields: TaskFields = {
    ...describeNewTask(run, (event?.at ?? newest.createdAt).getTime()),
  };
  const present = (state: TaskState, statusMessage: string): JsonObject => ({
    ...fields,
    ...(state as JsonObject),
    statusMessage,
  });
  const ending = await readEnding(deps.db, newest);
  switch (ending.kind) {
    case 'output':
    case 'run_failed': {
      const result = presentEnding(ending, newest.runId) as JsonObject;
      const message = ending.kind === 'output' ? `Run ${newest.runId} is completed` : ending.message;
      return present({ status: 'completed', result }, message);
    }
    case 'run_cancelled':
      return present({ status: 'cancelled' }, ending.message);
    case 'run_not_ended':
    case 'input_required': {
      const inputRequests = canElicit(context) ? buildInputRequests(await readQuestions(deps, newest)) : {};
      const message = ending.kind === 'input_required' ? ending.message : describeProgress(event);
      return Object.keys(inputRequests).length > 0
        ? present({ status: 'input_required', inputRequests }, message)
        : present({ status: 'working' }, message);
    }
  }
}

/** @throws ProtocolError when the client has not declared the extension, or may not see such a run */
async function requireTask(
  deps: McpDeps,
  scope: Scope,
  { taskId, context }: { readonly taskId: string; readonly context: ServerContext },
): Promise<FoundRun> {
  if (!canFollowTasks(context))
    throw new MissingRequiredClientCapabilityError({
      requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
    });
  const run = await findToolRun(deps, scope, taskId);
  if (run === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task not found');
  return run;
}

/** Answers questions of a task. An answer that came too late is ignored, as the extension wants; an invalid one is an error. */
async function updateTask(
  deps: McpDeps,
  scope: Scope,
  { run, context }: { run: FoundRun; context: ServerContext },
): Promise<void> {
  try {
    await answerQuestions(deps, scope, { run, context, joinsRunning: true });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.failure.shape === 'A' && error.failure.status === 410) return;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, describeError(error));
  }
}

const params = z.looseObject({ taskId: z.string() });

/** Adds the methods of tasks to a server. */
export function serveTasks({ server }: McpServer, deps: McpDeps, scope: Scope): void {
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, context) =>
    readTask(deps, context, await requireTask(deps, scope, { taskId, context })),
  );
  server.setRequestHandler('tasks/update', { params }, async ({ taskId }, context) => {
    await updateTask(deps, scope, { run: await requireTask(deps, scope, { taskId, context }), context });
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }, context) => {
    const run = await requireTask(deps, scope, { taskId, context });
    const { runId } = (await readCurrentSegment(deps.db, run, false)) ?? run;
    await cancelByRunId(deps, scope, { runId, reason: 'The MCP client cancelled the task' });
    return {};
  });
}
