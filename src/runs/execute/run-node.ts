/**
 * One attempt of one effectful node, as a Temporal activity: open the attempt, do the work, conclude. Between the
 * two transactions nothing is locked. What has been concluded is never done again, whatever Temporal repeats.
 */
import { Context } from '@temporalio/activity';
import { RunValues } from '../ledger/values.ts';
import type { NodeResult } from '../../nodes/kind.ts';
import { kindOf } from '../../nodes/registry.ts';
import type { NodeOutcome, NodeTask } from './protocol.ts';
import { openAttempt, openFirstAttempt } from './attempts.ts';
import type { OpenedRun } from './attempts.ts';
import { GONE } from './end-step.ts';
import type { EngineDeps } from './engine-deps.ts';
import { Meter } from './metering.ts';
import type { MeteredExecution } from './metering.ts';
import { attemptNode } from './node-attempt.ts';
import { fail, settledAlready, succeed } from './node-end.ts';
import { openRun } from './run-context.ts';
import type { RunContext } from './run-context.ts';

/** @throws ApplicationFailure: retryable for another attempt, non-retryable with the outcome when the node failed */
export async function runNode(deps: EngineDeps, task: NodeTask): Promise<NodeOutcome> {
  const opened = await open(deps, task);
  if (opened === null || opened.attempt.kind === 'gone') return GONE;
  if (opened.attempt.kind === 'settled') return settledAlready(opened.attempt);
  const meter = new Meter(opened.attempt.execution.node.type);
  const execution: MeteredExecution = { ...opened.attempt.execution, meter };
  if (opened.attempt.kind === 'unknown') return fail(deps, task, execution, opened.attempt.error);

  const { segment, ready } = opened;
  const context: RunContext = {
    sql: deps.db,
    segment,
    ready,
    values: new RunValues(deps.db, task.rootRunPk),
  };
  const { step } = opened.attempt;
  const began = performance.now();
  return attemptNode<NodeResult, NodeOutcome>(
    deps,
    { task, context, execution },
    {
      work: (call) => kindOf(execution.node.type).run(call),
      conclude(result, { warnings }) {
        const durationMs = Math.round(performance.now() - began);
        return succeed(deps, task, { context, execution, step, warnings }, result, durationMs);
      },
      failed: (outcome) => outcome,
    },
  );
}

/** Opens an attempt: the first in one statement, any other in a transaction that looks at those before it. */
async function open(deps: EngineDeps, task: NodeTask): Promise<OpenedRun | null> {
  const isRepeated = Context.current().info.attempt > 1;
  const first = isRepeated ? null : await openFirstAttempt(deps, task);
  if (first !== null) return first;
  return deps.db.transaction(async (tx) => {
    const context = await openRun(tx, deps.plans, task, true);
    if (context === null) return null;
    const attempt = await openAttempt(context, task);
    return { attempt, segment: context.segment, ready: context.ready };
  });
}
