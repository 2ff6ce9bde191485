/** Runs the attempts of one execution: each is an activity that carries its own error, the wait between two is a timer. */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  TerminatedFailure,
  isCancellation,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/language/graph/definition/skeleton.ts';
import type {
  FailureDetails,
  NodeOutcome,
  NodeTask,
  StillRunning,
} from '../../src/engine/runs/execute/protocol.ts';
import { MISSING_KEY, SUMMARY_LENGTH, summarizeNode } from '../contract.ts';
import type { LocalActivityBudget } from './local-activity-budget.ts';
import {
  formatItem,
  ledgerActivities,
  runNodeActivity,
  runOnSameWorker,
  runShortNode,
} from './activities.ts';

/** Tells the cancellation of the run from that of a single child or activity, which does not end the walk. */
export function isOurCancellation(error: unknown): boolean {
  return isCancellation(error) && CancellationScope.current().consideredCancelled;
}

/** Tells whether an operator terminated a child, which then could not write its end. */
export const isTermination = (error: unknown): boolean =>
  error instanceof ChildWorkflowFailure && error.cause instanceof TerminatedFailure;

/** Reads the details of a failure that the node's attempt reported; null when the failure says nothing about the node. */
function readFailureDetails(error: unknown): FailureDetails | null {
  const cause = unwrapFailure(error);
  if (!(cause instanceof ApplicationFailure)) return null;
  const [details] = (cause.details ?? []) as [FailureDetails?];
  return details ?? null;
}

/** Unwraps the failure of an activity. A local activity throws it unwrapped. */
const unwrapFailure = (error: unknown): unknown => (error instanceof ActivityFailure ? error.cause : error);

/** Reads the outcome in the details of a failed activity, or null. */
function readOutcome(error: unknown): NodeOutcome | null {
  const details = readFailureDetails(error);
  return details !== null && 'taken' in details ? details : null;
}

/** The wait while a worker lacks a key, which a new deployment brings; Temporal has delivered the activity twenty times by then. */
const KEY_RETRY_MS = 60_000;

/** Reads the wait before the next attempt from a failed one, in ms, or null. */
function readRetryDelay(error: unknown): number | null {
  const cause = unwrapFailure(error);
  // Nothing has begun: the worker could not read its task.
  if (cause instanceof ApplicationFailure && cause.type === MISSING_KEY) return KEY_RETRY_MS;
  const details = readFailureDetails(error);
  return details !== null && 'retryInMs' in details ? details.retryInMs : null;
}

/** Reads why an activity ended without an outcome, for the step's error. */
function readReason(error: unknown): string {
  return (unwrapFailure(error) as Error).message.slice(0, 500);
}

/** Marks a task of which an attempt was made before. */
export const markRepeated = (task: NodeTask): NodeTask => ({ ...task, isRepeated: true });

/** One execution of a node. */
export interface Execution {
  readonly node: SkeletonNode;
  readonly task: NodeTask;
}

/** Waits before the next attempt, with a timer that names the node and the item. */
export function waitForRetry({ node, task }: Execution, delayMs: number): Promise<void> {
  const summary = `${summarizeNode(node, formatItem(task))}: next attempt`.slice(0, SUMMARY_LENGTH);
  return sleep(Math.max(1, delayMs), { summary });
}

/**
 * Runs the attempts of a node as activities, until one has an outcome.
 * @throws a cancellation of the run, and nothing else
 */
export async function runActivities({ node, task }: Execution): Promise<NodeOutcome> {
  const { taskQueue } = workflowInfo();
  for (let attempt = 1; ; attempt += 1) {
    try {
      const own = attempt === 1 ? task : markRepeated(task);
      return await runNodeActivity(node, own, { taskQueue, attempt });
    } catch (error) {
      const outcome = await handleFailure({ node, task }, error);
      if (outcome !== null) return outcome;
    }
  }
}

/**
 * Runs an attempt of a short node as a local activity, and continues it as an activity when it takes longer. Uses few promises, as
 * `Semaphore` does.
 * @param again makes the next attempt
 * @throws a cancellation of the run, and nothing else
 */
export function runLocalAttempt(
  { node, task }: Execution,
  budget: LocalActivityBudget,
  again: (execution: Execution) => Promise<NodeOutcome>,
): Promise<NodeOutcome> {
  return budget
    .runLocal((patienceMs) => runShortNode(node, task, patienceMs))
    .then(
      (result) =>
        'running' in result
          ? budget.runActivity(() => continueAttempt({ node, task }, result.running))
          : result,
      async (error: unknown) =>
        (await handleFailure({ node, task }, error)) ?? again({ node, task: markRepeated(task) }),
    );
}

/**
 * Continues an attempt that has outlived its local activity, in the process that runs it. When that process is gone or does not
 * pick the task up, any other worker decides by the record.
 */
export async function continueAttempt(
  { node, task }: Execution,
  running: StillRunning,
): Promise<NodeOutcome> {
  try {
    return await runOnSameWorker(node, markRepeated(task), running);
  } catch (error) {
    if (isOurCancellation(error)) throw error;
    const outcome = readOutcome(error);
    if (outcome !== null) return outcome;
    const delayMs = readRetryDelay(error);
    if (delayMs !== null) await waitForRetry({ node, task }, delayMs);
    return runActivities({ node, task: markRepeated(task) });
  }
}

/** Decides what follows a failed attempt. @returns the outcome; null when another attempt is to be made, after its wait */
export async function handleFailure({ node, task }: Execution, error: unknown): Promise<NodeOutcome | null> {
  if (isOurCancellation(error)) throw error;
  const outcome = readOutcome(error);
  if (outcome !== null) return outcome;
  const delayMs = readRetryDelay(error);
  if (delayMs === null) return ledgerActivities.settleLost(task, readReason(error));
  await waitForRetry({ node, task }, delayMs);
  return null;
}
