/** The attempts of one execution, each an event of the history: a failed one carries its error, the wait behind it is a timer. */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/graph/skeleton.ts';
import type { FailureDetails, NodeOutcome, NodeTask, StillRunning } from '../../src/runs/execute/protocol.ts';
import { SUMMARY_LENGTH, summarizeNode } from '../contract.ts';
import type { LocalActivityBudget } from './local-activity-budget.ts';
import {
  formatItem,
  ledgerActivities,
  runNodeActivity,
  runOnSameWorker,
  runShortNode,
} from './activities.ts';

/** A run whose child or activity somebody cancelled by itself goes on; only the run's own cancellation ends the walk. */
export function isOurCancellation(error: unknown): boolean {
  return isCancellation(error) && CancellationScope.current().consideredCancelled;
}

/** The details of a failure that the node's own attempt has caused; null: it says nothing about the node. */
function readFailureDetails(error: unknown): FailureDetails | null {
  const cause = unwrapFailure(error);
  if (!(cause instanceof ApplicationFailure)) return null;
  const [details] = (cause.details ?? []) as [FailureDetails?];
  return details ?? null;
}

/** The failure of an activity; a local activity fails with it itself. */
const unwrapFailure = (error: unknown): unknown => (error instanceof ActivityFailure ? error.cause : error);

/** The outcome that a failed activity carries, or null. */
function readOutcome(error: unknown): NodeOutcome | null {
  const details = readFailureDetails(error);
  return details !== null && 'taken' in details ? details : null;
}

/** The wait before the next attempt that a failed one carries, or null. */
export function readRetryDelay(error: unknown): number | null {
  const details = readFailureDetails(error);
  return details !== null && 'retryInMs' in details ? details.retryInMs : null;
}

/** Why an activity ended without deciding: for the step's error. */
export function readReason(error: unknown): string {
  return (unwrapFailure(error) as Error).message.slice(0, 500);
}

/** A task of which an attempt was made before. */
export const markRepeated = (task: NodeTask): NodeTask => ({ ...task, isRepeated: true });

/** One execution of a node. */
export interface Execution {
  readonly node: SkeletonNode;
  readonly task: NodeTask;
}

/** Waits before the next attempt of an execution: operators read of which node, and which item. */
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
 * Runs an attempt of a short node as a local activity, or goes on with it as an activity. In few promises, as `Slots` does. Only a
 * cancellation of the run is thrown.
 * @param again makes the next attempt
 */
export function runLocalAttempt(
  { node, task }: Execution,
  hosting: LocalActivityBudget,
  again: (execution: Execution) => Promise<NodeOutcome>,
): Promise<NodeOutcome> {
  return hosting
    .runLocal((patienceMs) => runShortNode(node, task, patienceMs))
    .then(
      (result) =>
        'running' in result
          ? hosting.runActivity(() => continueAttempt({ node, task }, result.running))
          : result,
      async (error: unknown) =>
        (await handleFailure({ node, task }, error)) ?? again({ node, task: markRepeated(task) }),
    );
}

/**
 * Goes on with an attempt that has outlived its host, in the process where it is under way. Where that process is gone, or does
 * not take it up, any other decides by the record of the attempt.
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
