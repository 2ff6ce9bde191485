/** Runs sub-workflows as child executions, which are cancelled with their parent or at the timeout of their node. */
import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  executeChild,
  startChild,
} from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/graph/skeleton.ts';
import type { ChildStarted, ChildWait, NodeOutcome } from '../../src/runs/execute/protocol.ts';
import { WORKFLOW_TYPE, buildChildOptions, summarizeNode, type InterpretInput } from '../contract.ts';
import { isOurCancellation, isTermination, type Execution } from './attempts.ts';
import { ledgerActivities } from './activities.ts';

/** Runs a sub-workflow node. @throws a cancellation of the run */
export async function runChildNode({ node, task }: Execution, input: InterpretInput): Promise<NodeOutcome> {
  const { child, outcome } = await ledgerActivities.prepareChild(task);
  if (child === null) {
    if (outcome !== null) return outcome;
    throw ApplicationFailure.nonRetryable('A child run was neither prepared nor refused', 'internal_error');
  }
  return ledgerActivities.settleChild(task, await runChildWorkflow(node, child, input));
}

/**
 * Starts a child, awaits its end when the node waits, and cancels it at the timeout of the node.
 * @throws a cancellation of the run
 */
export async function runChildWorkflow(
  node: SkeletonNode,
  child: ChildStarted,
  input: InterpretInput,
): Promise<ChildWait> {
  const options = buildOptions(node, child, input);
  if (!child.wait) {
    await startChild(WORKFLOW_TYPE, options);
    return 'not_awaited';
  }
  const scope = new CancellationScope({ cancellable: true, timeout: child.timeoutMs });
  try {
    await scope.run(() => executeChild(WORKFLOW_TYPE, options));
  } catch (error) {
    // `settleChild` reads the failure of the child from its row.
    if (isOurCancellation(error)) throw error;
    if (scope.consideredCancelled) return 'timed_out';
    if (isTermination(error)) return 'terminated';
  }
  return 'ended';
}

function buildOptions(node: SkeletonNode, child: ChildStarted, input: InterpretInput) {
  const { start } = child;
  return {
    ...buildChildOptions(start, input),
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    parentClosePolicy: child.wait ? ParentClosePolicy.REQUEST_CANCEL : ParentClosePolicy.ABANDON,
    staticSummary: `${start.workflowName} · v${start.workflowVersion} · ${summarizeNode(node)}`.slice(0, 100),
  };
}
