/**
 * Pauses an execution in the middle of its work: its attempt ends with a question to people instead of an outcome. The answer ends
 * the execution, or lets its work begin again in another attempt (advance/settle-question.ts).
 */
import type { Sql } from '../../../../base/db/client.ts';
import type { Question } from '../../../../language/nodes/kind.ts';
import { readFirstExpiry, type InterruptRow } from '../../ledger/questions/questions.ts';
import type { StepRow } from '../../ledger/write/steps.ts';
import { closeAttempt, type AttemptEnding } from '../../walk/step.ts';
import { type NodeExecution, ExecutionScope } from '../../walk/context.ts';
import { writeSteps } from '../../ledger/write/write-steps.ts';
import { buildQuestionFields, openQuestion } from '../advance/questions.ts';
import type { RunContext, RunScope } from '../context.ts';
import { buildNodeEvent } from '../../walk/frames.ts';
import type { NodeOutcome, NodeTask } from '../protocol.ts';

/** A question in place of an outcome. */
export interface Pause {
  readonly question: Question;
  /** How the attempt ended, for its record. */
  readonly ended: AttemptEnding;
  /** Keeps what belongs to the question, in the transaction that opens it. */
  readonly keep?: (context: RunContext, row: InterruptRow) => Promise<void>;
}

/**
 * Tells whether an execution can wait for people. Items and tool calls cannot: the walk waits for their node alone; an ephemeral
 * run cannot be resumed.
 */
export const canPause = (
  { segment }: Pick<RunContext, 'segment'>,
  { item, toolCall }: NodeExecution,
): boolean => item === null && toolCall === undefined && !segment.ephemeral;

/** The outcome with which the walk waits for the open questions of an execution. */
export async function readPauseOutcome(sql: Sql, task: NodeTask): Promise<NodeOutcome> {
  const fireAt = await readFirstExpiry(sql, task);
  return { taken: [], failed: false, asked: { fireAtMs: fireAt?.getTime() ?? null } };
}

/** Pauses a step in the caller's transaction, which has locked the run and the step. */
export async function pauseStep(
  { context, execution }: RunScope,
  step: StepRow,
  { question, ended, keep }: Pause,
): Promise<void> {
  const { sql, segment, clock } = context;
  closeAttempt(step, ended, new Date(clock.now()).toISOString());
  step.status = 'interrupted';
  // Fences the attempt, whose worker may live and end it late; and numbers the questions of the execution.
  step.attempt += 1;
  const scope = new ExecutionScope(context, { ...execution, stepId: step.step_id });
  const row = await openQuestion(scope, question, { turn: 0, call: step.attempt });
  await keep?.(context, row);
  const events = [buildNodeEvent('interrupt', scope.execution, buildQuestionFields(row))];
  await writeSteps(sql, segment, { steps: [step], events });
}
