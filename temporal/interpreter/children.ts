/** Runs sub-workflows as child executions, which are cancelled with their parent or at the timeout of their node. */
import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  TemporalFailure,
  executeChild,
  patched,
  sleep,
  startChild,
} from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/language/graph/definition/skeleton.ts';
import type { RunRef } from '../../src/engine/runs/engine.ts';
import type { ChildStarted, ChildWait, NodeOutcome } from '../../src/engine/runs/execute/protocol.ts';
import { WORKFLOW_TYPE, buildChildOptions, summarizeNode, type InterpretInput } from '../contract.ts';
import { isOurCancellation, isTermination, type Execution } from './attempts.ts';
import { ledgerActivities } from './activities.ts';

/** In histories before, a child that ran already counted as lost. */
const FOLLOW_CHILD = 'follow-child';
/** In histories before, a node that had timed out waited for the end of its child, however long that took. */
const ABANDON_CHILD = 'abandon-child';
/** A child that is cancelled at the timeout of its node has this long to end: five times as long as the work of an attempt. */
const CANCELLED_WITHIN_MS = 10_000;
/**
 * Looks at the row of a followed child come after a tenth of the time that it was followed, within these limits: each look is six
 * events of history, and a child may wait for an answer for months.
 */
const LOOK = { firstMs: 1_000, growth: 1.1, lastMs: 3_600_000 };

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
 * Starts a child, awaits its end when the node waits, and cancels it at the timeout of the node. A child that does not end then is
 * abandoned: `settleChild` closes its row, which fences what it does later.
 * @throws a cancellation of the run
 */
export async function runChildWorkflow(
  node: SkeletonNode,
  child: ChildStarted,
  input: InterpretInput,
): Promise<ChildWait> {
  const options = buildOptions(node, child, input);
  if (!child.wait) {
    await startChild(WORKFLOW_TYPE, options).catch((error: unknown) => {
      if (!runsAlready(error)) throw error;
    });
    return 'not_awaited';
  }
  const scope = new CancellationScope({ cancellable: true, timeout: child.timeoutMs });
  const grace = new CancellationScope();
  try {
    const ended = scope.run(() => executeChild(WORKFLOW_TYPE, options));
    await Promise.race([ended, grace.run(() => awaitAbandonment(scope))]);
  } catch (error) {
    // `settleChild` reads the failure of the child from its row.
    if (isOurCancellation(error)) throw error;
    if (scope.consideredCancelled) return 'timed_out';
    if (isTermination(error)) return 'terminated';
    if (runsAlready(error)) return followChild(child);
  } finally {
    grace.cancel();
  }
  return 'ended';
}

/** Waits until a child that was cancelled at its timeout has had its time to end. @throws then, and never returns */
async function awaitAbandonment({ cancelRequested }: CancellationScope): Promise<never> {
  const error = await cancelRequested.catch((cause: unknown) => cause);
  // The row of a run that is cancelled is closed before its children have ended, so they hold nobody.
  if (!CancellationScope.current().consideredCancelled && patched(ABANDON_CHILD)) {
    await sleep(CANCELLED_WITHIN_MS, { summary: 'end of a cancelled sub-workflow' });
    throw error;
  }
  return new Promise(() => undefined);
}

/**
 * Tells whether the execution of a child could not start because it runs: an operator has reset its parent to a time before its
 * start, and Temporal leaves the child alone.
 */
const runsAlready = (error: unknown): boolean =>
  error instanceof TemporalFailure &&
  error.name === 'WorkflowExecutionAlreadyStartedError' &&
  patched(FOLLOW_CHILD);

/** Awaits the end of a child that another execution of its parent has started; cancels it at the timeout of the node. */
async function followChild({ start, timeoutMs }: ChildStarted): Promise<ChildWait> {
  const scope = new CancellationScope({ cancellable: true, timeout: timeoutMs });
  try {
    await scope.run(() => followRun(start));
    return 'ended';
  } catch (error) {
    if (isOurCancellation(error) || !scope.consideredCancelled) throw error;
  }
  await ledgerActivities.askCancellation(start);
  const rest = new CancellationScope({
    cancellable: true,
    ...(patched(ABANDON_CHILD) ? { timeout: CANCELLED_WITHIN_MS } : {}),
  });
  try {
    await rest.run(() => followRun(start));
  } catch (error) {
    if (isOurCancellation(error) || !rest.consideredCancelled) throw error;
  }
  return 'timed_out';
}

/** Awaits the end of a run by its row. */
async function followRun({ organizationId, rootRunPk }: RunRef): Promise<void> {
  const run = { organizationId, rootRunPk };
  let delayMs = LOOK.firstMs;
  while (await ledgerActivities.isRunOpen(run)) {
    await sleep(delayMs, { summary: 'next look at a run that was started before' });
    delayMs = Math.min(delayMs * LOOK.growth, LOOK.lastMs);
  }
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
