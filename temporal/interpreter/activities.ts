/** How each kind of work is scheduled on Temporal: names that operators can read, timeouts, retries. */
import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/graph/skeleton.ts';
import { MAX_PAUSED_MS } from '../../src/runs/execute/protocol.ts';
import type {
  AdvanceInput,
  AdvanceResult,
  AgentTurnTask,
  ItemRange,
  ItemRangeResult,
  NodeOutcome,
  NodeTask,
  ShortResult,
  StillRunning,
} from '../../src/runs/execute/protocol.ts';
import { isToolCall } from '../../src/runs/execute/protocol.ts';
import { SUMMARY_LENGTH, toNodesTaskQueue, summarizeNode } from '../contract.ts';
import type {
  AgentActivities,
  InterpreterActivities,
  ShortItemActivities,
  ShortNodeActivities,
} from '../contract.ts';

/** A node's own attempts are counted in its step. These are for lost workers, and outlast a database that is away for minutes. */
const MAX_DELIVERIES = 20;
/** The attempt ends a node at its timeout itself; Temporal's bound only catches one that cannot, or waited for its turn. */
const TIMEOUT_GRACE_MS = 60_000;
/** A process that is alive takes up its own attempt at once. */
const PICKUP_TIMEOUT = '5s';
/** A function may wait for its turn at the sandbox, and its own clock stands still meanwhile. */
const getTimeoutMs = ({ type, timeoutMs }: SkeletonNode): number =>
  type === 'function' ? timeoutMs + MAX_PAUSED_MS : timeoutMs;
const LEDGER_OPTIONS = {
  startToCloseTimeout: '30s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' },
} as const;

/** Work beside PostgreSQL: idempotent, so it is tried for as long as it takes. */
export const ledgerActivities = proxyLocalActivities<InterpreterActivities>(LEDGER_OPTIONS);

/** Advances a run. @param nodes the pure nodes that the advance begins with: operators read their names */
export function advanceRun(input: AdvanceInput, nodes: readonly SkeletonNode[]): Promise<AdvanceResult> {
  const [first, ...others] = nodes;
  if (first === undefined) return ledgerActivities.advance(input);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const summary = summarizeNode(first).slice(0, SUMMARY_LENGTH - more.length) + more;
  return proxyLocalActivities<InterpreterActivities>({ ...LEDGER_OPTIONS, summary }).advance(input);
}

/** `[3]` of an item, nothing of a node. */
export const formatItem = ({ itemIndex }: NodeTask): string => (itemIndex < 0 ? '' : ` [${itemIndex}]`);

/** Types of nodes that are short: agents are not. */
type ShortType = keyof ShortNodeActivities;

/**
 * Runs one attempt of a short node as a local activity named after the node's type.
 * @param patienceMs how long it waits for the attempt before it leaves it running
 */
export function runShortNode(node: SkeletonNode, task: NodeTask, patienceMs: number): Promise<ShortResult> {
  const summary = summarizeNode(node, formatItem(task));
  return proxyLocalActivities<ShortNodeActivities>({ ...LEDGER_OPTIONS, summary })[node.type as ShortType]({
    task,
    patienceMs,
  });
}

/** Runs several items of a short mapped node as one local activity. */
export function runShortItems(
  node: SkeletonNode,
  range: ItemRange,
  patienceMs: number,
): Promise<ItemRangeResult> {
  const summary = summarizeNode(node, ` [${range.first}–${range.end - 1}]`);
  return proxyLocalActivities<ShortItemActivities>({ ...LEDGER_OPTIONS, summary })[node.type as ShortType]({
    task: range,
    patienceMs,
  });
}

interface ActivityDescription {
  readonly activityId: string;
  readonly summary: string;
  readonly timeoutMs: number;
}

function toActivityOptions(
  { activityId, summary, timeoutMs }: ActivityDescription,
  taskQueue: string,
): ActivityOptions {
  return {
    activityId,
    taskQueue: toNodesTaskQueue(taskQueue),
    summary,
    startToCloseTimeout: timeoutMs + TIMEOUT_GRACE_MS,
    heartbeatTimeout: '10s',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: {
      initialInterval: '1s',
      backoffCoefficient: 2,
      maximumInterval: '30s',
      maximumAttempts: MAX_DELIVERIES,
    },
  };
}

function toActivityId(task: NodeTask): string {
  const item = task.itemIndex < 0 ? '' : `[${task.itemIndex}]`;
  const call = isToolCall(task) ? `/${task.turn}.${task.call}` : '';
  return `${task.nodeId}#${task.visit}${item}${call}`;
}

type NodeActivity = (task: NodeTask) => Promise<NodeOutcome>;

/** @param attempt of the node, from 1: its attempts are activities of their own */
const describeActivity = (node: SkeletonNode, task: NodeTask, attempt: number): ActivityDescription => ({
  activityId: attempt === 1 ? toActivityId(task) : `${toActivityId(task)}:${attempt}`,
  summary: summarizeNode(node, formatItem(task)),
  timeoutMs: getTimeoutMs(node),
});

/** Runs one attempt of a node as an activity named after the node's type. */
export function runNodeActivity(
  node: SkeletonNode,
  task: NodeTask,
  { taskQueue, attempt }: { readonly taskQueue: string; readonly attempt: number },
): Promise<NodeOutcome> {
  const activities = proxyActivities<Record<SkeletonNode['type'], NodeActivity>>(
    toActivityOptions(describeActivity(node, task, attempt), taskQueue),
  );
  return activities[node.type](task);
}

/**
 * Goes on with an attempt in the process where it is under way, as an activity that says when it began; once, for another process
 * decides by the record.
 */
export function runOnSameWorker(
  node: SkeletonNode,
  task: NodeTask,
  { queue, since }: StillRunning,
): Promise<NodeOutcome> {
  const began = ` since ${since.slice(11, 23)}`;
  const piece = describeActivity(node, task, 1);
  const summary = piece.summary.slice(0, SUMMARY_LENGTH - began.length) + began;
  const activities = proxyActivities<Record<SkeletonNode['type'], NodeActivity>>({
    ...toActivityOptions(
      { ...piece, activityId: `${piece.activityId}@${since.slice(11, 23)}`, summary },
      queue,
    ),
    taskQueue: queue,
    scheduleToStartTimeout: PICKUP_TIMEOUT,
    retry: { maximumAttempts: 1 },
  });
  return activities[node.type](task);
}

/** Runs one attempt of a turn of an agent. */
export function runTurnActivity(
  node: SkeletonNode,
  task: AgentTurnTask,
  { taskQueue, attempt }: { readonly taskQueue: string; readonly attempt: number },
) {
  const activityId = `${toActivityId(task)}/${task.turn}${attempt === 1 ? '' : `:${attempt}`}`;
  const summary = summarizeNode(node, `${formatItem(task)} turn ${task.turn}`);
  const piece = { activityId, summary, timeoutMs: node.timeoutMs };
  return proxyActivities<AgentActivities>(toActivityOptions(piece, taskQueue)).agent(task);
}
