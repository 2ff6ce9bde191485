/** Ends of node tasks that are not an activity's own: lost workers, maps whose items ended, and child runs. */
import { creditsOfExecution } from '../../billing/usage.ts';
import type { Sql } from '../../db/client.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import { ChildRunRefused, acceptChildRun } from '../accept/child-run.ts';
import { lockStep } from '../ledger/steps.ts';
import { writeSteps } from '../ledger/write-steps.ts';
import type { StepRow } from '../ledger/steps.ts';
import { STEP_OUTPUT } from '../ledger/values.ts';
import { NodeError } from '../../nodes/kind.ts';
import { kindOf } from '../../nodes/registry.ts';
import type { ChildStarted, NodeOutcome, NodeTask } from './protocol.ts';
import { executionOf, openAttempt, spentAttempts } from './attempts.ts';
import type { Opened } from './attempts.ts';
import { MAX_OUTPUT_BYTES, concludeFailure, concludeSuccess, tooLargeOutput } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import type { ExecuteDeps } from './deps.ts';
import { beginStep, concludeItems, failedItem, successOf } from './fold.ts';
import type { ItemResult } from './fold.ts';
import { GONE, endStep } from './node-end.ts';
import { ExecutionScope, SILENT, buildCall, loadFor, loadForEnd, lockRun } from './run-context.ts';
import type { RunContext } from './run-context.ts';

/** Opens the step of a task in one transaction and lets `decide` end it; an ended step gives its outcome again. */
async function settleStep(
  deps: ExecuteDeps,
  task: NodeTask,
  decide: (scope: ExecutionScope, step: StepRow) => Conclusion | Promise<Conclusion>,
): Promise<NodeOutcome> {
  return deps.db.transaction(async (tx) => {
    const context = await lockRun(tx, deps.plans, task);
    if (context?.segment.status !== 'running' || context.segment.runPk !== task.runPk) return GONE;
    const existing = await lockStep(tx, task);
    if (existing?.outcome) return existing.outcome as unknown as NodeOutcome;
    const execution = await executionOf(context, task, existing);
    const step = existing ?? beginStep(context, execution);
    await loadForEnd(context, execution.node);
    const scope = new ExecutionScope(context, execution);
    const conclusion = await endStep(scope, step, () => decide(scope, step));
    return conclusion.outcome;
  });
}

/** The activity of a node ended without an outcome: its worker was lost too often, or it outlived every timeout. */
export function settleLost(deps: ExecuteDeps, task: NodeTask, reason: string): Promise<NodeOutcome> {
  return settleStep(deps, task, (scope, step) => {
    const unknown = step.effect === 'at_most_once' && step.sent_at !== null;
    const error = unknown
      ? new NodeError('outcome_unknown', 'The call was sent, but whether it had its effect is unknown')
      : new NodeError('node_lost', `The node could not be run to an end: ${reason}`);
    return concludeFailure(scope, error, spentAttempts(step) + 1);
  });
}

/**
 * Items are read all at once, so their size is asked first. The database writes JSON with blanks, at most one a character.
 * @throws NodeError `output_too_large`
 */
async function requireSmall(sql: Sql, parentStepId: string): Promise<void> {
  const [row] = await sql.query<{ bytes: number }>(
    `SELECT coalesce(sum(octet_length(output::text)), 0)::float8 AS bytes FROM run_steps WHERE parent_step_id = $1`,
    [parentStepId],
  );
  if ((row?.bytes ?? 0) > 2 * MAX_OUTPUT_BYTES) throw tooLargeOutput();
}

/** All items of a mapped node have ended, or one has failed the node. */
export function settleMap(deps: ExecuteDeps, task: NodeTask): Promise<NodeOutcome> {
  return settleStep(deps, task, async (scope, step) => {
    await requireSmall(scope.context.sql, step.step_id);
    const rows = await scope.context.sql.query<{
      item_index: number;
      output: Json;
      error: JsonObject | null;
      outcome: { failed: boolean } | null;
    }>(
      `SELECT item_index, ${STEP_OUTPUT} AS output, error, outcome FROM run_steps s
       WHERE parent_step_id = $1 ORDER BY item_index`,
      [step.step_id],
    );
    const broken = rows.find((row) => row.outcome?.failed === true);
    if (broken !== undefined) throw failedItem(broken.item_index, broken.error);
    const results: ItemResult[] = rows.map((row) => ({
      index: row.item_index,
      output: row.output,
      error: row.error,
    }));
    return concludeItems(scope, results, Date.now() - Date.parse(step.started_at));
  });
}

/**
 * Opens the step of a sub-workflow node and accepts its child run.
 * @returns the child to start; or the outcome, when there is none to run or the node has ended already
 */
export async function prepareChild(
  deps: ExecuteDeps,
  task: NodeTask,
): Promise<{ child: ChildStarted | null; outcome: NodeOutcome | null }> {
  try {
    return await deps.db.transaction(async (tx) => {
      const context = await lockRun(tx, deps.plans, task);
      if (context === null) return { child: null, outcome: GONE };
      const opened = await openChildStep(context, task);
      if (opened.kind === 'gone') return { child: null, outcome: GONE };
      if (opened.kind === 'settled') return { child: null, outcome: opened.outcome };
      if (opened.kind === 'unknown') throw opened.error;
      const { execution, step } = opened;
      await loadFor(context, execution.node);
      const scope = new ExecutionScope(context, execution);
      const signal = AbortSignal.timeout(30_000);
      const call = buildCall(scope, { signal, tools: deps.tools, emit: SILENT });
      const result = await kindOf(execution.node.type).run(call);
      if (result.outcome !== 'child')
        throw new NodeError('internal_error', 'The node asked for no child run');
      const accepted = await acceptChildRun(tx, {
        organizationId: context.segment.organizationId,
        parentRunPk: context.segment.runPk,
        parentStepId: step.step_id,
        ...result.child,
      });
      const called: StepRow = { ...step, child_run_pk: accepted.runPk, input: result.child.input };
      await writeSteps(tx, context.segment, { steps: [called] });
      return { child: { wait: result.child.wait, start: accepted.start }, outcome: null };
    });
  } catch (error) {
    if (!(error instanceof NodeError) && !(error instanceof ChildRunRefused)) throw error;
    const refused = error instanceof NodeError ? error : new NodeError(error.code, error.message);
    const outcome = await settleStep(deps, task, (scope, step) =>
      concludeFailure(scope, refused, spentAttempts(step) + 1),
    );
    return { child: null, outcome };
  }
}

/** Opens the step of a sub-workflow. One that has its child is no lost attempt: this call is a repetition. */
async function openChildStep(context: RunContext, task: NodeTask): Promise<Opened> {
  const step = await lockStep(context.sql, task);
  if (!step?.child_run_pk || step.outcome !== null || context.segment.status !== 'running') {
    return openAttempt(context, task);
  }
  const execution = await executionOf(context, task, step);
  return { kind: 'open', execution, step };
}

interface ChildRow {
  run_id: string;
  status: string;
  output: Json;
  error: { code?: string; message?: string } | null;
}

/**
 * How a child run ended: its output stands in its last segment.
 * @throws NodeError `child_lost`, the code that the child failed with, or `child_cancelled`
 */
export async function endOfChild(sql: Sql, childRunPk: string | null): Promise<ChildRow> {
  const rows = await sql.query<ChildRow>(
    `SELECT run_id, status, output, error FROM runs WHERE root_run_pk = $1 ORDER BY created_at DESC LIMIT 1`,
    [childRunPk],
  );
  const [child] = rows;
  if (child === undefined) throw new NodeError('child_lost', 'The run of the sub-workflow is gone');
  if (child.status === 'failed' || child.status === 'cancelled') {
    const why = child.error?.message ?? child.status;
    throw new NodeError(
      child.error?.code ?? `child_${child.status}`,
      `The sub-workflow ${child.status}: ${why}`,
    );
  }
  return child;
}

/** A child run has ended (or runs on, when the node does not wait): its output becomes the node's. */
export function settleChild(deps: ExecuteDeps, task: NodeTask): Promise<NodeOutcome> {
  return settleStep(deps, task, async (scope, step) => {
    const { sql } = scope.context;
    const child = await endOfChild(sql, step.child_run_pk);
    const output = { data: child.output, run_id: child.run_id, status: child.status };
    const took = Date.now() - Date.parse(step.started_at);
    const credits = step.child_run_pk === null ? 0 : await creditsOfExecution(sql, step.child_run_pk);
    const success = { ...successOf({ outcome: 'completed', output }), input: step.input, credits };
    return concludeSuccess(scope, success, took);
  });
}
