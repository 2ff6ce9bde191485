/** One effectful node execution from its start to its outcome: an activity, a child run, or the items of a map. */
import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  executeChild,
  isCancellation,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/graph/skeleton.ts';
import { WORKFLOW_TYPE, temporalWorkflowId } from '../contract.ts';
import type { ChildStarted, InterpretInput, NodeOutcome, NodeTask } from '../contract.ts';
import { bookkeeping, runNodeActivity, summaryOf } from './options.ts';

/** The outcome that a failed activity carries, if the activity itself decided it. */
function outcomeOf(error: unknown): NodeOutcome | null {
  if (!(error instanceof ActivityFailure) || !(error.cause instanceof ApplicationFailure)) return null;
  const [outcome] = (error.cause.details ?? []) as [NodeOutcome?];
  return Array.isArray(outcome?.taken) ? outcome : null;
}

/** Runs one node execution. Only a cancellation of the run is thrown. */
export async function runTask(
  node: SkeletonNode,
  task: NodeTask,
  input: InterpretInput,
): Promise<NodeOutcome> {
  if (node.placement === 'child') return runChild(node, task, input);
  try {
    return await runNodeActivity(node, task, workflowInfo().taskQueue);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return outcomeOf(error) ?? bookkeeping.settleLost(task, reasonOf(error));
  }
}

/** What became of an activity that ended without deciding: for the step's error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return (cause ?? (error as Error)).message.slice(0, 500);
}

async function runChild(node: SkeletonNode, task: NodeTask, input: InterpretInput): Promise<NodeOutcome> {
  const { child, outcome } = await bookkeeping.prepareChild(task);
  if (child === null) {
    if (outcome !== null) return outcome;
    throw ApplicationFailure.nonRetryable('A child run was neither prepared nor refused', 'internal_error');
  }
  const options = childOptions(node, child, input);
  if (!child.wait) {
    await startChild(WORKFLOW_TYPE, options);
    return bookkeeping.settleChild(task);
  }
  try {
    await executeChild(WORKFLOW_TYPE, options);
  } catch (error) {
    // A child that failed has said why in its own row, where settleChild reads it.
    if (isCancellation(error)) throw error;
  }
  return bookkeeping.settleChild(task);
}

function childOptions(node: SkeletonNode, child: ChildStarted, input: InterpretInput) {
  const { start } = child;
  const args: [InterpretInput] = [
    {
      interpreterVersion: 1,
      searchable: input.searchable,
      organizationId: start.organizationId,
      rootRunPk: start.rootRunPk,
    },
  ];
  return {
    args,
    workflowId: temporalWorkflowId(start.organizationId, start.rootRunPk),
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    parentClosePolicy: child.wait ? ParentClosePolicy.REQUEST_CANCEL : ParentClosePolicy.ABANDON,
    staticSummary: `${start.workflowName} · v${start.workflowVersion} · ${summaryOf(node, -1)}`.slice(0, 100),
    memo: { workflow_name: start.workflowName, workflow_version: start.workflowVersion, run_id: start.runId },
  };
}

/**
 * Runs the items of a mapped node, at most `maxConcurrency` at once; the results become the node's output.
 * An item that fails the node keeps further items from starting.
 */
export async function runMap(
  node: SkeletonNode,
  task: NodeTask,
  count: number,
  input: InterpretInput,
): Promise<NodeOutcome> {
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < count && !failed) {
      const itemIndex = next;
      next += 1;
      const outcome = await runTask(node, { ...task, itemIndex }, input);
      if (outcome.failed) failed = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, node.maxConcurrency) }, lane));
  return bookkeeping.settleMap(task);
}
