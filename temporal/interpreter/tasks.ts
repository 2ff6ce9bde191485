/** One effectful node execution from its start to its outcome: an activity, a child run, or the items of a map. */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  executeChild,
  isCancellation,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/graph/skeleton.ts';
import { WORKFLOW_TYPE, childIdentity, summaryOf } from '../contract.ts';
import type { ChildStarted, NodeOutcome, NodeTask, OpenCall } from '../../src/runs/execute/protocol.ts';
import type { InterpretInput } from '../contract.ts';
import { bookkeeping, runAtHome, runNodeActivity } from './options.ts';

/** The outcome that a failed activity carries, if the activity itself decided it. */
function outcomeOf(error: unknown): NodeOutcome | null {
  if (!(error instanceof ActivityFailure) || !(error.cause instanceof ApplicationFailure)) return null;
  const [outcome] = (error.cause.details ?? []) as [NodeOutcome?];
  return Array.isArray(outcome?.taken) ? outcome : null;
}

/** A child that somebody cancelled by itself is a failed node; only the run's own cancellation ends the walk. */
export function isOurCancellation(error: unknown): boolean {
  return isCancellation(error) && CancellationScope.current().consideredCancelled;
}

/** Runs one node execution. Only a cancellation of the run is thrown. */
export function runTask(node: SkeletonNode, task: NodeTask, input: InterpretInput): Promise<NodeOutcome> {
  if (node.placement === 'child') return runChild(node, task, input);
  return runActivity(node, task).catch((error: unknown) => outcomeOfFailed(task, error));
}

/** Runs one node execution as an activity; rejects with whatever has failed it. */
export function runActivity(node: SkeletonNode, task: NodeTask): Promise<NodeOutcome> {
  return runNodeActivity(node, task, workflowInfo().taskQueue);
}

/**
 * Goes on with a call that an advance has begun, in the process where it is under way. Where that process is gone, or does
 * not take it up, any other decides by the record of the attempt. Rejects with whatever has failed the node.
 */
export async function runCall(node: SkeletonNode, call: OpenCall, home: string): Promise<NodeOutcome> {
  if (call.retryInMs !== null) {
    await sleep(Math.max(1, call.retryInMs));
    return runActivity(node, call);
  }
  try {
    return await runAtHome(node, call, home);
  } catch (error) {
    if (isOurCancellation(error) || outcomeOf(error) !== null) throw error;
    const cause = error instanceof ActivityFailure ? error.cause : undefined;
    const delay = cause instanceof ApplicationFailure ? cause.nextRetryDelay : undefined;
    if (delay) await sleep(delay);
    return runActivity(node, call);
  }
}

/** What became of a node whose activity failed. Only a cancellation of the run is thrown. */
export function outcomeOfFailed(task: NodeTask, error: unknown): NodeOutcome | Promise<NodeOutcome> {
  if (isOurCancellation(error)) throw error;
  return outcomeOf(error) ?? bookkeeping.settleLost(task, reasonOf(error));
}

/** What became of an activity that ended without deciding: for the step's error. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return (cause ?? (error as Error)).message.slice(0, 500);
}

async function runChild(node: SkeletonNode, task: NodeTask, input: InterpretInput): Promise<NodeOutcome> {
  const { child, outcome } = await bookkeeping.prepareChild(task);
  if (child === null) {
    if (outcome !== null) return outcome;
    throw ApplicationFailure.nonRetryable('A child run was neither prepared nor refused', 'internal_error');
  }
  await seeChildThrough(node, child, input);
  return bookkeeping.settleChild(task);
}

/** Starts a child, and waits for its end when the parent does. Only a cancellation of the run is thrown. */
export async function seeChildThrough(
  node: SkeletonNode,
  child: ChildStarted,
  input: InterpretInput,
): Promise<void> {
  const options = childOptions(node, child, input);
  if (!child.wait) {
    await startChild(WORKFLOW_TYPE, options);
    return;
  }
  try {
    await executeChild(WORKFLOW_TYPE, options);
  } catch (error) {
    // A child that failed has said why in its own row, where its end is settled from.
    if (isOurCancellation(error)) throw error;
  }
}

function childOptions(node: SkeletonNode, child: ChildStarted, input: InterpretInput) {
  const { start } = child;
  return {
    ...childIdentity(start, input),
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    parentClosePolicy: child.wait ? ParentClosePolicy.REQUEST_CANCEL : ParentClosePolicy.ABANDON,
    staticSummary: `${start.workflowName} · v${start.workflowVersion} · ${summaryOf(node, -1)}`.slice(0, 100),
  };
}

/** Runs one execution to its outcome. Only a cancellation of the run is thrown. */
export type RunTask = (task: NodeTask) => Promise<NodeOutcome>;

/** The items of a map that are left to start. */
export interface Items {
  /** Of the mapped node. */
  readonly task: NodeTask;
  readonly first: number;
  readonly count: number;
  /** Items before the first that have begun and not ended. */
  readonly begun: readonly OpenCall[];
}

interface ItemRunners {
  readonly runItem: RunTask;
  /** Goes on with an item that has begun. */
  readonly goOn: (call: OpenCall) => Promise<NodeOutcome>;
  /** False: the history is full; items under way end, the others are left to the next history. */
  readonly mayStart: () => boolean;
}

/**
 * Runs the items of a mapped node, at most `maxConcurrency` at once; the results become the node's output.
 * An item that fails the node keeps further items from starting.
 * @returns the outcome, or the first item that was not started
 */
export async function runMap(
  node: SkeletonNode,
  { task, first, count, begun }: Items,
  { runItem, goOn, mayStart }: ItemRunners,
): Promise<NodeOutcome | { readonly next: number }> {
  let next = first;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < count && !failed && mayStart()) {
      const itemIndex = next;
      next += 1;
      const outcome = await runItem({ ...task, itemIndex });
      if (outcome.failed) failed = true;
    }
  };
  const begunLane = async (call: OpenCall): Promise<void> => {
    const outcome = await goOn(call);
    if (outcome.failed) failed = true;
    await lane();
  };
  const free = Math.min(count - first, node.maxConcurrency - begun.length);
  await Promise.all([...begun.map(begunLane), ...Array.from({ length: free }, lane)]);
  return next < count && !failed ? { next } : bookkeeping.settleMap(task);
}
