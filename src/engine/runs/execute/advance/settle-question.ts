/**
 * Settles questions. An answer, or the expiry of a question, is the end of a node that only asks, and the end or the next attempt of
 * one that paused in the middle of its work (attempt/pause.ts). A question is taken once, with the advance that settles it.
 */
import { moveTurns } from '../../ledger/write/agent-records.ts';
import type { NewEvent } from '../../ledger/write/events.ts';
import type { InterruptRow } from '../../ledger/questions/questions.ts';
import { settleEffects } from '../../ledger/write/effects.ts';
import { copyStep, forgetSent, lockStep, spentAttempts, type StepRow } from '../../ledger/write/steps.ts';
import { writeSteps } from '../../ledger/write/write-steps.ts';
import type { Question } from '../../../../language/nodes/kind.ts';
import { raiseAsAnswered, settleBudgetLimit } from '../attempt/budget-limit.ts';
import { concludeFailure, concludeStep, toNodeError, type Conclusion } from '../../walk/conclusion.ts';
import { settleConfirmation } from '../attempt/confirm.ts';
import { createStep } from '../../walk/step.ts';
import { loadStateFor, type NodeExecution, ExecutionScope } from '../../walk/context.ts';
import { settleUnknownEffect } from '../attempt/unknown-effect.ts';
import type { RunContext, RunScope } from '../context.ts';
import { buildQuestionFields, buildResolvedEvent, concludeQuestion } from './questions.ts';

/**
 * Settles a question of a paused execution.
 * @returns how the execution ends; null: its work begins again, in another attempt
 * @throws NodeError, which fails the execution
 */
type Settle = (scope: RunScope, row: InterruptRow, timedOut: boolean) => Conclusion | null;

/** By kind; a question of another kind is all the work of its node. */
const PAUSES: Partial<Record<Question['kind'], Settle>> = {
  unknown_effect: settleUnknownEffect,
  effect_approval: settleConfirmation,
  budget_limit: settleBudgetLimit,
};

/** The step and the events that the advance writes. */
interface SettledQuestion {
  readonly step: StepRow;
  readonly events: readonly NewEvent[];
  /** Null: the execution goes on. */
  readonly conclusion: Conclusion | null;
}

/** A claimed answer, or an expired question. */
interface Answered {
  readonly row: InterruptRow;
  readonly timedOut: boolean;
}

/**
 * Settles a question in the caller's transaction.
 * @param execution that of the question, in a step that is new
 * @returns null when the step of a paused execution is gone
 */
export async function settleQuestion(
  context: RunContext,
  execution: NodeExecution,
  answered: Answered,
): Promise<SettledQuestion | null> {
  const { row } = answered;
  const { node, visit } = execution;
  const before = await lockStep(context.sql, { runPk: row.run_pk, nodeId: node.id, visit, itemIndex: -1 });
  const own = { ...execution, position: before?.position ?? 0 };
  await loadStateFor(context, node);
  const settle = PAUSES[row.question.kind];
  // An answer that came before the segment paused ends the step of the question; a later one ends a step of the new segment.
  const isSameSegment = before?.run_pk === context.segment.runPk;
  if (settle === undefined)
    return endQuestion(context, own, { ...answered, step: isSameSegment ? before : null });
  if (before === null) return null;
  const step = isSameSegment ? before : await takeOver(context, own, before);
  return settlePause(
    context,
    { ...own, stepId: step.step_id, attempt: step.attempt },
    { ...answered, step, settle },
  );
}

/** @param answered `step`: that of the question, in this segment; null: a new one is created */
function endQuestion(
  context: RunContext,
  execution: NodeExecution,
  { row, timedOut, step: asked }: Answered & { readonly step: StepRow | null },
): SettledQuestion {
  const own = asked === null ? execution : { ...execution, stepId: asked.step_id };
  const conclusion = concludeQuestion(new ExecutionScope(context, own), row, timedOut);
  const step = asked ?? createStep(context, own);
  step.input = buildQuestionFields(row);
  concludeStep(step, conclusion, context.clock.now());
  return { step, events: [buildResolvedEvent(row, own, timedOut), ...conclusion.events], conclusion };
}

/** In a new segment a new step goes on, with the attempts of the paused one. */
async function takeOver(context: RunContext, execution: NodeExecution, before: StepRow): Promise<StepRow> {
  await forgetSent(context.sql, before.step_id);
  const { attempt, attempts, input, sent_at, usage, tool_calls } = before;
  const step = { ...createStep(context, execution), attempt, attempts, input, sent_at, usage, tool_calls };
  if (step.node_type === 'agent') {
    // Its turns belong to the step.
    await writeSteps(context.sql, context.segment, { steps: [step] });
    await moveTurns(context.sql, before.step_id, step.step_id);
  }
  return step;
}

function judgeSettled(conclusion: Conclusion | null): 'not_sent' | 'settled' | 'given_up' {
  if (conclusion === null) return 'not_sent';
  return conclusion.status === 'failed' ? 'given_up' : 'settled';
}

async function settlePause(
  context: RunContext,
  execution: NodeExecution,
  { row, timedOut, step, settle }: Answered & { readonly step: StepRow; readonly settle: Settle },
): Promise<SettledQuestion> {
  const resolved = buildResolvedEvent(row, execution, timedOut);
  let conclusion: Conclusion | null;
  try {
    conclusion = settle(new ExecutionScope(context, execution), row, timedOut);
  } catch (error) {
    const fresh = new ExecutionScope(context, execution);
    conclusion = concludeFailure(fresh, toNodeError(error), spentAttempts(step));
  }
  if (row.question.kind === 'unknown_effect') await settleEffects(context.sql, row, judgeSettled(conclusion));
  if (conclusion === null) {
    if (row.question.kind === 'budget_limit') await raiseAsAnswered(context.sql, row);
    // Nothing is sent until its next attempt sends: a worker that is lost before leaves no second question.
    await forgetSent(context.sql, step.step_id);
    return { step: { ...step, status: 'running', sent_at: null }, events: [resolved], conclusion };
  }
  // The attempt has ended before, in its own way.
  const { attempts } = copyStep(step);
  concludeStep(step, conclusion, context.clock.now());
  return { step: { ...step, attempts }, events: [resolved, ...conclusion.events], conclusion };
}
