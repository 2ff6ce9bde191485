/** Schedules activities: their ids, summaries for operators, timeouts and retries. */
import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/language/graph/definition/skeleton.ts';
import { MAX_PAUSED_MS } from '../../src/engine/runs/execute/protocol.ts';
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
} from '../../src/engine/runs/execute/protocol.ts';
import { isToolCall } from '../../src/engine/runs/execute/protocol.ts';
import { SUMMARY_LENGTH, toNodesTaskQueue, summarizeNode } from '../contract.ts';
import type {
  AgentActivities,
  InterpreterActivities,
  NodeActivities,
  NodeActivityType,
  ShortItemActivities,
  ShortNodeActivities,
} from '../contract.ts';

/** Deliveries of one attempt, for lost workers and minutes of database outage. The step counts the attempts of the node. */
const MAX_DELIVERIES = 20;
/** The attempt itself ends at the node's timeout; Temporal's bound catches only one that cannot, or that waited for a slot. */
const TIMEOUT_GRACE_MS = 60_000;
/** A living process picks up its own attempt immediately. */
const PICKUP_TIMEOUT = '5s';
/** A function may wait for the sandbox, which does not count towards its timeout. */
const getTimeoutMs = ({ type, timeoutMs }: SkeletonNode): number =>
  type === 'function' ? timeoutMs + MAX_PAUSED_MS : timeoutMs;
const LEDGER_OPTIONS = {
  startToCloseTimeout: '30s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' },
} as const;

/** Activities that only use PostgreSQL: idempotent, so they are retried without end. */
export const ledgerActivities = proxyLocalActivities<InterpreterActivities>(LEDGER_OPTIONS);

/** Advances a run. @param nodes the pure nodes that the advance begins with: operators read their names */
export function advanceRun(input: AdvanceInput, nodes: readonly SkeletonNode[]): Promise<AdvanceResult> {
  const [first, ...others] = nodes;
  if (first === undefined) return ledgerActivities.advance(input);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const summary = summarizeNode(first).slice(0, SUMMARY_LENGTH - more.length) + more;
  return proxyLocalActivities<InterpreterActivities>({ ...LEDGER_OPTIONS, summary }).advance(input);
}

/** Formats the item of a task as ` [3]`; empty for a node. */
export const formatItem = ({ itemIndex }: NodeTask): string => (itemIndex < 0 ? '' : ` [${itemIndex}]`);

/**
 * Runs one attempt of a short node as a local activity named after the node's type.
 * @param patienceMs how long it waits for the attempt before it leaves it running
 */
export function runShortNode(node: SkeletonNode, task: NodeTask, patienceMs: number): Promise<ShortResult> {
  const summary = summarizeNode(node, formatItem(task));
  return proxyLocalActivities<ShortNodeActivities>({ ...LEDGER_OPTIONS, summary })[
    node.type as NodeActivityType
  ]({
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
  return proxyLocalActivities<ShortItemActivities>({ ...LEDGER_OPTIONS, summary })[
    node.type as NodeActivityType
  ]({
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

/** Describes the activity of one attempt. @param attempt of the node, from 1: each is its own activity */
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
  const activities = proxyActivities<NodeActivities>(
    toActivityOptions(describeActivity(node, task, attempt), taskQueue),
  );
  return activities[node.type as NodeActivityType](task);
}

/**
 * Continues an attempt in the process that runs it, as an activity that shows when it began. It is not retried: another process
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
  const activities = proxyActivities<NodeActivities>({
    ...toActivityOptions(
      { ...piece, activityId: `${piece.activityId}@${since.slice(11, 23)}`, summary },
      queue,
    ),
    taskQueue: queue,
    scheduleToStartTimeout: PICKUP_TIMEOUT,
    retry: { maximumAttempts: 1 },
  });
  return activities[node.type as NodeActivityType](task);
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
