/** Child runs of sub-workflow nodes and tools: accepts them for the parent, and ends the node or the call with their end. */
import { readExecutionCredits } from '../../billing/usage.ts';
import type { Sql } from '../../db/client.ts';
import { NodeError } from '../../nodes/kind.ts';
import { ChildRunRefused, acceptChildRun } from '../accept/child-run.ts';
import { readChildEnd, type ChildEnd } from '../ledger/child-runs.ts';
import { lockStep, type StepRow } from '../ledger/steps.ts';
import { writeSteps } from '../ledger/write-steps.ts';
import { concludeSuccess, toSuccess } from './attempt/conclusion.ts';
import { createStep, buildExecution, chooseWork } from './attempt/execution.ts';
import {
  ExecutionScope,
  SILENT,
  buildCall,
  belongsToRunningSegment,
  loadStateFor,
  lockRun,
} from './context.ts';
import type { ExecuteDeps } from './deps.ts';
import { buildStartEvent } from './frames.ts';
import {
  GONE_OUTCOME,
  type ChildStarted,
  type ChildWait,
  type NodeOutcome,
  type NodeTask,
} from './protocol.ts';
import { settleFailed, settleStep } from './settle.ts';

/** How long the rendering of an input may take. */
const PREPARE_MS = 30_000;

/** The child to start, or the outcome of a node that has ended or needs none. */
type PreparedChild =
  | { readonly child: ChildStarted; readonly outcome: null }
  | { readonly child: null; readonly outcome: NodeOutcome };

/** Opens the step of a sub-workflow node and accepts its child run; the same execution always gets the same run. */
export async function prepareChild(deps: ExecuteDeps, task: NodeTask): Promise<PreparedChild> {
  const settled = await openStep(deps, task);
  if (settled !== null) return { child: null, outcome: settled };
  try {
    const child = await acceptChild(deps, task);
    return child === null ? { child: null, outcome: GONE_OUTCOME } : { child, outcome: null };
  } catch (error) {
    if (!(error instanceof NodeError) && !(error instanceof ChildRunRefused)) throw error;
    const refused = error instanceof NodeError ? error : new NodeError(error.code, error.message);
    return { child: null, outcome: await settleFailed(deps, task, refused) };
  }
}

/** Records the start of the node before its child may be refused. @returns its outcome when it has one already */
function openStep(deps: ExecuteDeps, task: NodeTask): Promise<NodeOutcome | null> {
  return deps.db.transaction(async (tx) => {
    const context = await lockRun(tx, deps, task);
    if (context === null || !belongsToRunningSegment(context, task)) return GONE_OUTCOME;
    const existing = await lockStep(tx, task);
    if (existing !== null) return existing.outcome;
    const execution = await buildExecution(context, task, {});
    const events = [buildStartEvent(execution)];
    await writeSteps(tx, context.segment, { steps: [createStep(context, execution)], events });
    return null;
  });
}

/** Accepts the child run of an open step. @returns null when the run has ended meanwhile */
function acceptChild(deps: ExecuteDeps, task: NodeTask): Promise<ChildStarted | null> {
  return deps.db.transaction(async (tx) => {
    const context = await lockRun(tx, deps, task);
    const step = await lockStep(tx, task);
    if (context === null || step === null || !belongsToRunningSegment(context, task)) return null;
    const execution = await buildExecution(context, task, { step });
    const { node } = execution;
    await loadStateFor(context, node);
    const scope = new ExecutionScope(context, execution);
    const signal = AbortSignal.timeout(PREPARE_MS);
    const result = await chooseWork(execution)(buildCall(scope, { signal, tools: deps.tools, emit: SILENT }));
    if (result.outcome !== 'child') throw new NodeError('internal_error', 'The node returned no child run');
    const { organizationId, runPk: parentRunPk } = context.segment;
    const accepted = await acceptChildRun(tx, {
      organizationId,
      parentRunPk,
      parentStepId: step.step_id,
      ...result.child,
    });
    const called: StepRow = { ...step, child_run_pk: accepted.runPk, input: result.child.input };
    await writeSteps(tx, context.segment, { steps: [called] });
    return { wait: result.child.wait, timeoutMs: node.policy.timeoutMs, start: accepted.start };
  });
}

/**
 * Ends a sub-workflow node: its child run has ended, runs on (when the node does not wait), or took too long and was cancelled.
 */
export function settleChild(deps: ExecuteDeps, task: NodeTask, wait: ChildWait): Promise<NodeOutcome> {
  return settleStep(deps, task, async (scope, step) => {
    const { sql, clock } = scope.context;
    const { timeoutMs } = scope.execution.node.policy;
    const child = await requireChildEnd(sql, step.child_run_pk, { wait, timeoutMs });
    const output = { data: child.output, run_id: child.runId, status: child.status };
    const tookMs = clock.now() - Date.parse(step.started_at);
    const credits = step.child_run_pk === null ? 0 : await readExecutionCredits(sql, step.child_run_pk);
    const success = { ...toSuccess({ outcome: 'completed', output }), input: step.input, credits };
    return concludeSuccess(scope, success, tookMs);
  });
}

/**
 * Reads the end of a child run, which has not failed.
 * @throws NodeError `child_lost`, `timeout`, the code that the child failed with, or `child_cancelled`
 */
async function requireChildEnd(
  sql: Sql,
  childRunPk: string | null,
  { wait, timeoutMs }: { readonly wait: ChildWait; readonly timeoutMs: number },
): Promise<ChildEnd> {
  const child = childRunPk === null ? null : await readChildEnd(sql, childRunPk);
  if (child === null) throw new NodeError('child_lost', 'The run of the sub-workflow no longer exists');
  // The child may have completed just before its cancellation.
  if (wait === 'timed_out' && child.status !== 'completed')
    throw new NodeError('timeout', `The sub-workflow did not end within ${timeoutMs} ms and was cancelled`);
  if (child.status === 'failed' || child.status === 'cancelled') {
    const why = child.error?.message ?? child.status;
    const code = child.error?.code ?? `child_${child.status}`;
    throw new NodeError(code, `The sub-workflow ${child.status}: ${why}`);
  }
  return child;
}
