/** How each kind of work is scheduled on Temporal: names that operators can read, timeouts, retries. */
import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/graph/skeleton.ts';
import { MAX_PAUSED_MS } from '../../src/runs/execute/protocol.ts';
import { SUMMARY_LENGTH, nodesTaskQueue, summaryOf } from '../contract.ts';
import type {
  AdvanceInput,
  AdvanceResult,
  AgentCall,
  AgentCallTask,
  AgentTurnTask,
  NodeTask,
  OpenCall,
} from '../../src/runs/execute/protocol.ts';
import type { AgentActivities, InterpreterActivities, NodeActivities } from '../contract.ts';

/**
 * Attempts on top of the node's own, which are counted in its step, as are those that lost their worker: enough to
 * outlast a database that is away for five minutes.
 */
const EXTRA_ATTEMPTS = 20;
/** The activity ends a node at its timeout itself; Temporal's bound only catches an activity that cannot. */
const TIMEOUT_GRACE_MS = 15_000;
/** A function may wait for its turn at the sandbox, and its own clock stands still meanwhile. */
const longestOf = ({ type, timeoutMs }: SkeletonNode): number =>
  type === 'function' ? timeoutMs + MAX_PAUSED_MS : timeoutMs;
const BOOKKEEPING = {
  startToCloseTimeout: '30s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' },
} as const;

/** Bookkeeping beside PostgreSQL: idempotent, so it is tried for as long as it takes. */
export const bookkeeping = proxyLocalActivities<InterpreterActivities>(BOOKKEEPING);

/** Advances a run. @param nodes those that the advance begins with, beside what is pure: operators read their names */
export function advanceRun(input: AdvanceInput, nodes: readonly SkeletonNode[]): Promise<AdvanceResult> {
  const [first, ...others] = nodes;
  if (first === undefined) return bookkeeping.advance(input);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const summary = summaryOf(first, -1).slice(0, SUMMARY_LENGTH - more.length) + more;
  return proxyLocalActivities<InterpreterActivities>({ ...BOOKKEEPING, summary }).advance(input);
}

interface Piece {
  readonly activityId: string;
  readonly summary: string;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
}

function options(piece: Piece, taskQueue: string): ActivityOptions {
  return {
    activityId: piece.activityId,
    taskQueue: nodesTaskQueue(taskQueue),
    summary: piece.summary,
    startToCloseTimeout: piece.timeoutMs + TIMEOUT_GRACE_MS,
    heartbeatTimeout: '10s',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: {
      initialInterval: '1s',
      backoffCoefficient: 2,
      maximumInterval: '30s',
      maximumAttempts: piece.maxAttempts + EXTRA_ATTEMPTS,
    },
  };
}

const idOf = (task: NodeTask): string =>
  `${task.nodeId}#${task.visit}${task.itemIndex < 0 ? '' : `[${task.itemIndex}]`}`;

/** Runs one effectful node execution as an activity named after the node's type. */
export function runNodeActivity(node: SkeletonNode, task: NodeTask, taskQueue: string) {
  const piece = {
    activityId: idOf(task),
    summary: summaryOf(node, task.itemIndex),
    timeoutMs: longestOf(node),
    maxAttempts: node.maxAttempts,
  };
  const activities = proxyActivities<Record<SkeletonNode['type'], NodeActivities['llm']>>(
    options(piece, taskQueue),
  );
  return activities[node.type](task);
}

/** A process that is alive takes up what it has begun itself at once. */
const HOME_TAKES_UP_WITHIN = '5s';

/** Goes on with a call of a node in the process where it is under way; once, for another process decides by the record. */
export function runAtHome(node: SkeletonNode, call: OpenCall, home: string) {
  const piece = {
    activityId: idOf(call),
    summary: summaryOf(node, call.itemIndex),
    timeoutMs: longestOf(node),
    maxAttempts: 1,
  };
  const activities = proxyActivities<Record<SkeletonNode['type'], NodeActivities['llm']>>({
    ...options(piece, home),
    taskQueue: home,
    scheduleToStartTimeout: HOME_TAKES_UP_WITHIN,
    retry: { maximumAttempts: 1 },
  });
  return activities[node.type](call);
}

/** Runs one turn of an agent. */
export function runTurnActivity(node: SkeletonNode, task: AgentTurnTask, taskQueue: string) {
  const { timeoutMs, maxAttempts } = node;
  const activityId = `${idOf(task)}/${task.turn}`;
  const piece = { activityId, summary: summaryOf(node, task.itemIndex), timeoutMs, maxAttempts };
  return proxyActivities<AgentActivities>(options(piece, taskQueue)).agent(task);
}

/** Runs one tool call of an agent. */
export function runToolActivity(call: AgentCall, task: AgentCallTask, taskQueue: string) {
  const { name, timeoutMs, maxAttempts } = call;
  const activityId = `${idOf(task)}/${task.turn}.${task.call}`;
  const piece = {
    activityId,
    summary: `Tool · ${name}`.slice(0, SUMMARY_LENGTH),
    timeoutMs,
    maxAttempts,
  };
  return proxyActivities<AgentActivities>(options(piece, taskQueue)).agentTool(task);
}
