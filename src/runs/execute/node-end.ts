/**
 * How an effectful node ends: its step, the state that it changes and its events, written together, fenced by the
 * step's attempt. What is written once is the outcome, whatever is repeated.
 */
import type { JsonObject } from '../../graph/value.ts';
import { lockStep } from '../ledger/steps.ts';
import type { StepRow } from '../ledger/steps.ts';
import { writeStep, writeSteps } from '../ledger/write-steps.ts';
import { NodeError } from '../../nodes/kind.ts';
import type { NodeResult, NodeWarning } from '../../nodes/kind.ts';
import type { NodeOutcome, NodeTask } from './protocol.ts';
import { spentAttempts } from './attempts.ts';
import type { NodeAttempt, Opened, OwnAttempt } from './attempts.ts';
import { asNodeError, concludeFailure, concludeSuccess } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import { concludeStep, successOf } from './fold.ts';
import { done } from './host.ts';
import type { AttemptEnd } from './host.ts';
import { isTransientDatabaseError } from '../../db/transient-error.ts';
import { outlastOutage } from './outlast-outage.ts';
import { ExecutionScope, loadForEnd, lockRun, readsAtEnd } from './run-context.ts';

/** The outcome of a task whose run, or whose attempt, nobody waits for any more. */
export const GONE: NodeOutcome = { taken: [], failed: false };

/** What the end of a node means; changes the step that it is given. May throw a NodeError: the node fails with it. */
export type Decide = (scope: ExecutionScope, step: StepRow, credits: number) => Conclusion;

/** Work that is done. */
export interface Worked {
  readonly step: StepRow;
  readonly result: NodeResult;
  readonly warnings: readonly NodeWarning[];
  readonly durationMs: number;
}

/** What the end of a node means whose work is done. @throws NodeError when the work came to what no activity may come to */
export function decideSuccess({ result, warnings, durationMs }: Omit<Worked, 'step'>): Decide {
  return (scope, step, credits) => {
    if (result.outcome !== 'completed')
      throw new NodeError('internal_error', 'An activity node can only complete');
    const success = successOf(result);
    step.input = success.input;
    step.usage = success.usage as JsonObject | null;
    step.logs = success.logs.length === 0 ? null : [...success.logs];
    const all = [...success.warnings, ...warnings];
    return concludeSuccess(scope, { ...success, warnings: all, credits }, durationMs);
  };
}

/** Ends the node with what its work came to. */
export async function succeed(attempt: NodeAttempt, worked: Worked): Promise<AttemptEnd<NodeOutcome>> {
  const decide = decideSuccess(worked);
  const alone = await concludeAlone(attempt, worked.step, decide);
  return alone === null ? conclude(attempt, decide) : done(alone);
}

/**
 * Ends an attempt in one statement, when its end neither reads the state nor changes anything beside the step.
 * @returns null when it takes a transaction: nothing was written then
 */
async function concludeAlone(
  { deps, context, execution }: NodeAttempt,
  step: StepRow,
  decide: Decide,
): Promise<NodeOutcome | null> {
  const isPlain = execution.item !== null || !readsAtEnd(context, execution.node);
  if (!isPlain || !execution.meter.isIdle(execution)) return null;
  let conclusion: Conclusion;
  try {
    conclusion = decide(new ExecutionScope(context, execution), step, 0);
  } catch {
    // The transaction comes to the same error, and writes it down.
    return null;
  }
  concludeStep(step, conclusion);
  const { events } = conclusion;
  const written = await outlastOutage(() => writeStep(deps.db, context.segment, { step, events })).catch(
    (error: unknown) => {
      if (isTransientDatabaseError(error)) throw error;
      return null;
    },
  );
  return written === null ? null : conclusion.outcome;
}

/** Ends the node as failed, whatever attempts are left. */
export function fail(attempt: OwnAttempt, error: NodeError): Promise<AttemptEnd<NodeOutcome>> {
  return conclude(attempt, (scope, step) => concludeFailure(scope, error, spentAttempts(step) + 1));
}

/** What the database has refused to write for what it says. */
export interface Refusal {
  /** In words, for the log. */
  readonly what: string;
  readonly error: unknown;
}

/**
 * The failure of a node when the database refuses what it came to: another attempt would repeat the effect and come to the
 * same. @throws the error itself when it says nothing about what was written
 */
export function notStorable(
  { deps, task }: Pick<OwnAttempt, 'deps'> & { readonly task: Pick<NodeTask, 'runPk' | 'nodeId'> },
  { what, error }: Refusal,
): NodeError {
  if (isTransientDatabaseError(error)) throw error;
  deps.log.error({ err: error, run_pk: task.runPk, node_id: task.nodeId }, `${what} cannot be written`);
  return new NodeError('result_not_storable', 'What the node came to cannot be stored');
}

type Ending = (...args: Parameters<Decide>) => Conclusion | Promise<Conclusion>;

/** Writes the end of a node. One that the database refuses for what it says ends the node as failed, at once. */
export async function conclude(attempt: OwnAttempt, decide: Ending): Promise<AttemptEnd<NodeOutcome>> {
  try {
    return await writeEnd(attempt, decide);
  } catch (error) {
    const failure = notStorable(attempt, { what: 'the end of a node', error });
    return writeEnd(attempt, (scope, step) => concludeFailure(scope, failure, spentAttempts(step) + 1));
  }
}

/** Writes the end of a node in one transaction: step, state, events. Fenced by the step's attempt. */
async function writeEnd(
  { deps, task, execution }: OwnAttempt,
  decide: Ending,
): Promise<AttemptEnd<NodeOutcome>> {
  const ended = await outlastOutage(() =>
    deps.db.transaction(async (tx) => {
      const context = await lockRun(tx, deps.plans, task);
      if (context?.segment.status !== 'running') return null;
      const step = await lockStep(tx, task);
      if (step === null || step.attempt !== execution.attempt) return null;
      if (step.outcome !== null)
        return { outcome: step.outcome as unknown as NodeOutcome, error: step.error };
      await loadForEnd(context, execution.node);
      const credits = await execution.meter.record(tx, context.segment, execution);
      const scope = new ExecutionScope(context, execution);
      const { outcome, error } = await endStep(scope, step, () => decide(scope, step, credits));
      return { outcome, error };
    }),
  );
  if (ended === null) return done(GONE);
  return ended.error === null ? done(ended.outcome) : failed(ended.error, ended.outcome);
}

/**
 * Ends a step as `decide` says, in the caller's transaction (the segment's row and the step are locked). What `decide`
 * throws ends the step as failed.
 */
export async function endStep(
  scope: ExecutionScope,
  step: StepRow,
  decide: () => Conclusion | Promise<Conclusion>,
): Promise<Conclusion> {
  const { context } = scope;
  const conclusion = await decideStep(scope, step, decide);
  await writeSteps(context.sql, context.segment, {
    steps: [step],
    fields: context.values.takeChanged(),
    events: conclusion.events,
  });
  return conclusion;
}

/** The same, in the step alone: the caller writes it. */
export async function decideStep(
  scope: ExecutionScope,
  step: StepRow,
  decide: () => Conclusion | Promise<Conclusion>,
): Promise<Conclusion> {
  const { context, execution } = scope;
  let conclusion: Conclusion;
  try {
    conclusion = await decide();
  } catch (error) {
    const anew = new ExecutionScope(context, execution);
    conclusion = concludeFailure(anew, asNodeError(error), spentAttempts(step) + 1);
  }
  concludeStep(step, conclusion);
  return conclusion;
}

/** The end of a node that has ended already: as its first end was. */
export function settledAlready({
  outcome,
  step,
}: Pick<Opened & { kind: 'settled' }, 'outcome' | 'step'>): AttemptEnd<NodeOutcome> {
  return outcome.failed ? failed(step.error, outcome) : done(outcome);
}

function failed(error: JsonObject | null, outcome: NodeOutcome): AttemptEnd<NodeOutcome> {
  const word = (name: string): string => (typeof error?.[name] === 'string' ? error[name] : 'failed');
  return { kind: 'failed', code: word('code'), message: word('message'), outcome };
}
