/**
 * How an effectful node ends: its step, the state that it changes and its events, written together, fenced by the
 * step's attempt. What is written once is the outcome, whatever is repeated.
 */
import { ApplicationFailure } from '@temporalio/activity';
import type { Sql } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import { endStepAlone } from '../ledger/step-alone.ts';
import { lockStep } from '../ledger/steps.ts';
import type { StepRow } from '../ledger/steps.ts';
import { NodeError } from '../../nodes/kind.ts';
import type { NodeResult, NodeWarning } from '../../nodes/kind.ts';
import type { NodeOutcome, NodeTask } from './protocol.ts';
import { spentAttempts } from './attempts.ts';
import type { Opened } from './attempts.ts';
import { concludeFailure, concludeSuccess } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import { outlastTrouble } from './database-trouble.ts';
import { GONE, endStep } from './end-step.ts';
import type { EngineDeps } from './engine-deps.ts';
import { concludeStep, successOf } from './fold.ts';
import type { MeteredExecution } from './metering.ts';
import { ExecutionScope, loadForEnd, openRun, readsAtEnd } from './run-context.ts';
import type { RunContext } from './run-context.ts';

/** What the end of a node means; changes the step that it is given. May throw a NodeError: the node fails with it. */
type Decide = (context: RunContext, step: StepRow, credits: number) => Conclusion;

/** An attempt whose work is done. */
export interface Worked {
  /** As it was during the work: without a lock. */
  readonly context: RunContext;
  readonly execution: MeteredExecution;
  readonly step: StepRow;
  readonly warnings: readonly NodeWarning[];
}

/** Ends the node with what its work came to. */
export async function succeed(
  deps: EngineDeps,
  task: NodeTask,
  worked: Worked,
  result: NodeResult,
  durationMs: number,
): Promise<NodeOutcome> {
  const { execution } = worked;
  if (result.outcome !== 'completed') {
    return fail(deps, task, execution, new NodeError('internal_error', 'An activity node can only complete'));
  }
  const success = successOf(result);
  const warnings = [...success.warnings, ...worked.warnings];
  const decide: Decide = (context, step, credits) => {
    const scope = new ExecutionScope(context, execution);
    step.input = success.input;
    step.usage = success.usage as JsonObject | null;
    step.logs = success.logs.length === 0 ? null : [...success.logs];
    return concludeSuccess(context, execution, scope, { ...success, warnings, credits }, durationMs);
  };
  return (await concludeAlone(deps, worked, decide)) ?? conclude(deps, task, execution, decide);
}

/**
 * Ends an attempt in one statement, when its end neither reads the state nor changes anything beside the step.
 * @returns null when it takes a transaction: nothing was written then
 */
async function concludeAlone(deps: EngineDeps, worked: Worked, decide: Decide): Promise<NodeOutcome | null> {
  const { context, execution, step } = worked;
  const isPlain = execution.item !== null || !readsAtEnd(context, execution.node);
  if (!isPlain || !execution.meter.isIdle(execution)) return null;
  let conclusion: Conclusion;
  try {
    conclusion = decide(context, step, 0);
  } catch {
    // The transaction comes to the same error, and writes it down.
    return null;
  }
  concludeStep(step, conclusion);
  const { organizationId } = context.segment;
  const isWritten = await outlastTrouble(() =>
    endStepAlone(deps.db, organizationId, step, conclusion.events),
  );
  return isWritten ? conclusion.outcome : null;
}

/** Ends the node as failed, whatever attempts are left. */
export function fail(
  deps: EngineDeps,
  task: NodeTask,
  execution: MeteredExecution,
  error: NodeError,
): Promise<NodeOutcome> {
  return conclude(deps, task, execution, (context, step) =>
    concludeFailure(
      context,
      execution,
      new ExecutionScope(context, execution),
      error,
      spentAttempts(step) + 1,
    ),
  );
}

/** Writes the end of a node in one transaction: step, state, events. Fenced by the step's attempt. */
export async function conclude(
  deps: EngineDeps,
  task: NodeTask,
  execution: MeteredExecution,
  decide: (...args: Parameters<Decide>) => Conclusion | Promise<Conclusion>,
): Promise<NodeOutcome> {
  const ended = await outlastTrouble(() =>
    deps.db.transaction(async (tx: Sql) => {
      const context = await openRun(tx, deps.plans, task, true);
      if (context?.segment.status !== 'running') return null;
      const step = await lockStep(tx, task.runPk, task.nodeId, task.visit, task.itemIndex);
      if (step === null || step.attempt !== execution.attempt) return null;
      if (step.outcome !== null)
        return { outcome: step.outcome as unknown as NodeOutcome, error: step.error };
      await loadForEnd(context, execution.node);
      const credits = await execution.meter.record(tx, context.segment, execution);
      const { outcome, error } = await endStep(context, execution, step, () =>
        decide(context, step, credits),
      );
      return { outcome, error };
    }),
  );
  if (ended === null) return GONE;
  if (ended.error !== null) throw failed(ended.error, ended.outcome);
  return ended.outcome;
}

/** The outcome of a node that has ended already. @throws ApplicationFailure as its first end did */
export function settledAlready({
  outcome,
  step,
}: Pick<Opened & { kind: 'settled' }, 'outcome' | 'step'>): NodeOutcome {
  if (outcome.failed) throw failed(step.error, outcome);
  return outcome;
}

/** The failure that ends the activity for good; the interpreter reads the outcome from its details. */
function failed(error: JsonObject | null, outcome: NodeOutcome): ApplicationFailure {
  const word = (name: string): string => (typeof error?.[name] === 'string' ? error[name] : 'failed');
  return ApplicationFailure.nonRetryable(word('message'), word('code'), outcome);
}
