/** The end of a node execution, written: its step, the state that it changed, and the events that tell of it. */
import type { StepRow } from '../ledger/steps.ts';
import { writeTogether } from '../ledger/write-together.ts';
import type { NodeOutcome } from './protocol.ts';
import { spentAttempts } from './attempts.ts';
import { asNodeError, concludeFailure } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import { concludeStep } from './fold.ts';
import { ExecutionScope } from './run-context.ts';
import type { NodeExecution, RunContext } from './run-context.ts';

/** What a task answers whose run, or whose attempt, is not waited for any more. */
export const GONE: NodeOutcome = { taken: [], failed: false };

/**
 * Ends a step as `decide` says, in the caller's transaction (the segment's row and the step are locked). What `decide`
 * throws ends the step as failed.
 */
export async function endStep(
  context: RunContext,
  execution: NodeExecution,
  step: StepRow,
  decide: () => Conclusion | Promise<Conclusion>,
): Promise<Conclusion> {
  let conclusion: Conclusion;
  try {
    conclusion = await decide();
  } catch (error) {
    const scope = new ExecutionScope(context, execution);
    conclusion = concludeFailure(context, execution, scope, asNodeError(error), spentAttempts(step) + 1);
  }
  concludeStep(step, conclusion);
  await writeTogether(context.sql, context.segment, {
    steps: [step],
    fields: context.values.takeChanged(),
    events: conclusion.events,
  });
  return conclusion;
}
