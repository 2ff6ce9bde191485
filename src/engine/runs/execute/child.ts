/** Child runs of sub-workflow nodes and tools: accepts them for the parent, and ends the node or the call with their end. */
import { readExecutionCredits } from '../../../platform/billing/usage.ts';
import type { Tx } from '../../../base/db/client.ts';
import { readErrorResponse } from '../../../language/nodes/error-response.ts';
import { NodeError, type NodeResult } from '../../../language/nodes/kind.ts';
import type { RunRef } from '../engine.ts';
import { ChildRunRefused, acceptChildRun } from '../accept/child-run.ts';
import { LOST, TERMINATED, cancelTree, failTree } from '../ledger/write/cancel.ts';
import { readChildEnd, type ChildEnd } from '../ledger/write/child-runs.ts';
import { readFailureCause } from '../ledger/read/failed-run.ts';
import { readCurrentSegment } from '../ledger/write/segments.ts';
import { lockStep, type StepRow } from '../ledger/write/steps.ts';
import { withValueShare, type ValueShare } from '../ledger/read/value-share.ts';
import { writeSteps } from '../ledger/write/write-steps.ts';
import { buildApprovalPause, findConfirmation } from './attempt/confirm.ts';
import { pauseStep, readPauseOutcome } from './attempt/pause.ts';
import { concludeSuccess, toNodeError, toSuccess } from '../walk/conclusion.ts';
import { chooseAllowedWork } from './agent/held-calls.ts';
import { buildExecution } from './attempt/execution.ts';
import { createStep } from '../walk/step.ts';
import { buildCall, loadStateFor, ExecutionScope } from '../walk/context.ts';
import { redactResult } from '../walk/redact.ts';
import { belongsToRunningSegment, withLockedRun, type RunScope } from './context.ts';
import type { ExecuteDeps } from './deps.ts';
import { listRunBudgets } from './budget.ts';
import { PREPARES_ALONE } from '../walk/folded-call.ts';
import { buildStartEvent } from '../walk/frames.ts';
import {
  GONE_OUTCOME,
  type ChildStarted,
  type ChildWait,
  type NodeOutcome,
  type NodeTask,
} from './protocol.ts';
import { settleFailed, settleStep } from './settle.ts';
import { createInternalError } from '../walk/internal-error.ts';

/** Limit for the rendering of an input. */
const PREPARE_MS = 30_000;

/** The child to start, or the outcome of a node that has ended or needs none. */
type PreparedChild =
  | { readonly child: ChildStarted; readonly outcome: null }
  | { readonly child: null; readonly outcome: NodeOutcome };

const GONE: PreparedChild = { child: null, outcome: GONE_OUTCOME };

/** Opens the step of a sub-workflow node and accepts its child run; the same execution always gets the same run. */
export async function prepareChild(deps: ExecuteDeps, task: NodeTask): Promise<PreparedChild> {
  const settled = await openStep(deps, task);
  if (settled !== null) return { child: null, outcome: settled };
  try {
    const child = await withValueShare(deps, task.organizationId, (share) =>
      acceptChild({ ...deps, share }, task),
    );
    return child;
  } catch (error) {
    if (!(error instanceof NodeError) && !(error instanceof ChildRunRefused)) throw error;
    const refused = error instanceof NodeError ? error : new NodeError(error.code, error.message);
    return { child: null, outcome: await settleFailed(deps, task, refused) };
  }
}

/** Records the start of the node before its child may be refused. @returns its outcome when it has one already */
function openStep(deps: ExecuteDeps, task: NodeTask): Promise<NodeOutcome | null> {
  return withLockedRun(deps, task, async (context) => {
    if (context === null || !belongsToRunningSegment(context, task)) return GONE_OUTCOME;
    const existing = await lockStep(context.sql, task);
    if (existing?.status === 'interrupted') return readPauseOutcome(context.sql, task);
    if (existing !== null) return existing.outcome;
    const execution = await buildExecution(context, task, {});
    const events = [buildStartEvent(execution)];
    await writeSteps(context.sql, context.segment, { steps: [createStep(context, execution)], events });
    return null;
  });
}

/** Accepts the child run of an open step, or asks people whether it may start. */
function acceptChild(
  deps: ExecuteDeps & { readonly share: ValueShare },
  task: NodeTask,
): Promise<PreparedChild> {
  return withLockedRun(deps, task, async (context) => {
    if (context === null || !belongsToRunningSegment(context, task)) return GONE;
    const { sql, segment } = context;
    const step = await lockStep(sql, task);
    if (step === null) return GONE;
    const execution = await buildExecution(context, task, { step });
    const { node } = execution;
    await loadStateFor(context, node);
    const scope = new ExecutionScope(context, execution);
    const signal = AbortSignal.timeout(PREPARE_MS);
    const confirmed = findConfirmation(deps, { context, execution });
    const work = confirmed === null ? chooseAllowedWork(deps, scope) : confirmed.run.bind(confirmed);
    const made = await renderChild(work, scope, {
      signal,
      tools: deps.tools,
      ...PREPARES_ALONE,
    });
    const result = redactResult(made, context.redaction, scope.redactionWork);
    if (confirmed !== null && result.outcome === 'interrupted') {
      await pauseStep(scope, step, buildApprovalPause(confirmed, result));
      return { child: null, outcome: await readPauseOutcome(sql, task) };
    }
    if (result.outcome !== 'child') throw createInternalError('The node returned no child run');
    const { organizationId, runPk: parentRunPk } = segment;
    const accepted = await acceptChildRun(sql, {
      organizationId,
      parentRunPk,
      parentStepId: step.step_id,
      budgets: listRunBudgets(context),
      ...result.child,
    });
    const called: StepRow = { ...step, child_run_pk: accepted.runPk, input: result.child.input };
    await writeSteps(sql, segment, { steps: [called] });
    const { timeoutMs } = node.policy;
    return { child: { wait: result.child.wait, timeoutMs, start: accepted.start }, outcome: null };
  });
}

/** Renders the child of a node. @throws NodeError, which fails the node */
async function renderChild(
  work: ReturnType<typeof chooseAllowedWork>,
  scope: RunScope,
  live: Parameters<typeof buildCall>[1],
): Promise<NodeResult> {
  try {
    return await work(buildCall(scope, live));
  } catch (error) {
    throw toNodeError(error);
  }
}

/**
 * Ends a sub-workflow node: its child run has ended, runs on (when the node does not wait), took too long and was cancelled, or its
 * execution was terminated; then the child fails here, and the node with it. A child that took too long and has not ended since is
 * cancelled here.
 */
export function settleChild(deps: ExecuteDeps, task: NodeTask, wait: ChildWait): Promise<NodeOutcome> {
  return settleStep(deps, task, async (scope, step) => {
    const { sql, clock, segment } = scope.context;
    const { timeoutMs } = scope.execution.node.policy;
    if (wait !== 'not_awaited' && step.child_run_pk !== null) {
      const run = { organizationId: segment.organizationId, rootRunPk: step.child_run_pk };
      await endOpenChild(sql, run, wait);
    }
    const child = await requireChildEnd(sql, step.child_run_pk, { wait, timeoutMs });
    const output = { data: child.output, run_id: child.runId, status: child.status };
    const tookMs = clock.now() - Date.parse(step.started_at);
    const credits = step.child_run_pk === null ? 0 : await readExecutionCredits(sql, step.child_run_pk);
    const success = { ...toSuccess({ outcome: 'completed', output }), input: step.input, credits };
    return concludeSuccess(scope, success, tookMs);
  });
}

/**
 * Ends the rows of a child run that is still open although nobody waits for it any longer: its execution was terminated or lost, or has
 * not ended since it was cancelled. The caller has locked the run of the parent, so runs are locked from the top, as cancellations do.
 */
async function endOpenChild(tx: Tx, run: RunRef, wait: ChildWait): Promise<void> {
  if (!isOpen((await readChildEnd(tx, run.rootRunPk))?.status)) return;
  const segment = await readCurrentSegment(tx, run, true);
  if (segment === null) return;
  if (wait === 'timed_out') await cancelTree(tx, segment, 'The time limit of its node has passed');
  else await failTree(tx, segment, wait === 'terminated' ? TERMINATED : LOST);
}

const isOpen = (status: string | undefined): boolean => status === 'running' || status === 'interrupted';

/**
 * Reads the end of a child run, which has not failed.
 * @throws NodeError `child_lost`, `timeout`, the code that the child failed with, or `child_cancelled`
 */
async function requireChildEnd(
  sql: Tx,
  childRunPk: string | null,
  { wait, timeoutMs }: { readonly wait: ChildWait; readonly timeoutMs: number },
): Promise<ChildEnd> {
  const child = childRunPk === null ? null : await readChildEnd(sql, childRunPk);
  if (child === null) throw new NodeError('child_lost', 'The run of the sub-workflow no longer exists');
  // The child may have completed just before its cancellation.
  if (wait === 'timed_out' && child.status !== 'completed')
    throw new NodeError(
      'timeout',
      `The sub-workflow timed out after ${timeoutMs / 1_000} s and was cancelled`,
    );
  if (child.status === 'failed' || child.status === 'cancelled') {
    const why = child.error?.message ?? child.status;
    const code = child.error?.code ?? `child_${child.status}`;
    const cause =
      childRunPk === null ? null : await readFailureCause(sql, { rootRunPk: childRunPk }, child.error);
    const response = readErrorResponse(cause);
    const more = { response, status: response?.status };
    throw new NodeError(code, `The sub-workflow ${child.status}: ${why}`, more);
  }
  return child;
}
