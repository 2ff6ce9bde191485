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
import { SUMMARY_LENGTH, summaryOf } from '../contract.ts';
import type { Hosting } from './hosting.ts';
import { itemOf, ledgerActivities, runNodeActivity, runOnSameWorker, runShortNode } from './options.ts';

/** A run whose child or activity somebody cancelled by itself goes on; only the run's own cancellation ends the walk. */
export function isOurCancellation(error: unknown): boolean {
  return isCancellation(error) && CancellationScope.current().consideredCancelled;
}

/** The details of a failure that the node's own attempt has caused; null: it says nothing about the node. */
function detailsOf(error: unknown): FailureDetails | null {
  const cause = causeOf(error);
  if (!(cause instanceof ApplicationFailure)) return null;
  const [details] = (cause.details ?? []) as [FailureDetails?];
  return details ?? null;
}

/** The failure of an activity; a local activity fails with it itself. */
const causeOf = (error: unknown): unknown => (error instanceof ActivityFailure ? error.cause : error);

/** The outcome that a failed activity carries, or null. */
function outcomeOf(error: unknown): NodeOutcome | null {
  const details = detailsOf(error);
  return details !== null && 'taken' in details ? details : null;
}

/** The wait before the next attempt that a failed one carries, or null. */
export function retryOf(error: unknown): number | null {
  const details = detailsOf(error);
  return details !== null && 'retryInMs' in details ? details.retryInMs : null;
}

/** Why an activity ended without deciding: for the step's error. */
export function reasonOf(error: unknown): string {
  return (causeOf(error) as Error).message.slice(0, 500);
}

/** A task of which an attempt was made before. */
export const repeated = (task: NodeTask): NodeTask => ({ ...task, isRepeated: true });

/** One execution of a node. */
export interface Execution {
  readonly node: SkeletonNode;
  readonly task: NodeTask;
}

/** Waits before the next attempt of an execution: operators read of which node, and which item. */
export function waitForRetry({ node, task }: Execution, delayMs: number): Promise<void> {
  const summary = `${summaryOf(node, itemOf(task))}: next attempt`.slice(0, SUMMARY_LENGTH);
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
      const own = attempt === 1 ? task : repeated(task);
      return await runNodeActivity(node, own, { taskQueue, attempt });
    } catch (error) {
      const outcome = await decide({ node, task }, error);
      if (outcome !== null) return outcome;
    }
  }
}

/**
 * Runs an attempt of a short node as a local activity, or goes on with it as an activity. In few promises, as `Slots` does. Only a
 * cancellation of the run is thrown.
 * @param again makes the next attempt
 */
export function runShort(
  { node, task }: Execution,
  hosting: Hosting,
  again: (execution: Execution) => Promise<NodeOutcome>,
): Promise<NodeOutcome> {
  return hosting
    .runShort((patienceMs) => runShortNode(node, task, patienceMs))
    .then(
      (result) =>
        'running' in result ? hosting.runLong(() => goOn({ node, task }, result.running)) : result,
      async (error: unknown) =>
        (await decide({ node, task }, error)) ?? again({ node, task: repeated(task) }),
    );
}

/**
 * Goes on with an attempt that has outlived its host, in the process where it is under way. Where that process is gone, or does
 * not take it up, any other decides by the record of the attempt.
 */
export async function goOn({ node, task }: Execution, running: StillRunning): Promise<NodeOutcome> {
  try {
    return await runOnSameWorker(node, repeated(task), running);
  } catch (error) {
    if (isOurCancellation(error)) throw error;
    const outcome = outcomeOf(error);
    if (outcome !== null) return outcome;
    const delayMs = retryOf(error);
    if (delayMs !== null) await waitForRetry({ node, task }, delayMs);
    return runActivities({ node, task: repeated(task) });
  }
}

/** Decides what follows a failed attempt. @returns the outcome; null when another attempt is to be made, after its wait */
export async function decide({ node, task }: Execution, error: unknown): Promise<NodeOutcome | null> {
  if (isOurCancellation(error)) throw error;
  const outcome = outcomeOf(error);
  if (outcome !== null) return outcome;
  const delayMs = retryOf(error);
  if (delayMs === null) return ledgerActivities.settleLost(task, reasonOf(error));
  await waitForRetry({ node, task }, delayMs);
  return null;
}
