/**
 * Ends the attempts of effectful executions: writes step, state and events together, fenced by the step's attempt. The first end
 * that is written is the outcome; a fenced attempt decides nothing.
 */
import { withSavepoint } from '../../../../base/db/savepoint.ts';
import { isTransientDatabaseError } from '../../../../base/db/transient-error.ts';
import type { Json } from '../../../../language/graph/values/value.ts';
import { NodeError } from '../../../../language/nodes/kind.ts';
import type { NodeResult, NodeWarning } from '../../../../language/nodes/kind.ts';
import { recordEffects, type EffectRow } from '../../ledger/write/effects.ts';
import { copyStep, lockStep, spentAttempts, type StepRow } from '../../ledger/write/steps.ts';
import { writeStep, writeSteps } from '../../ledger/write/write-steps.ts';
import { withLockedRun, type RunContext, type RunScope } from '../context.ts';
import { loadStateForEnd, readsStateAtEnd, ExecutionScope } from '../../walk/context.ts';
import { buildEndEvents, buildStartEvent } from '../../walk/frames.ts';
import { done, type AttemptEnd } from '../host.ts';
import type { NodeOutcome } from '../protocol.ts';
import {
  toNodeError,
  concludeFailure,
  concludeStep,
  concludeSuccess,
  toSuccess,
} from '../../walk/conclusion.ts';
import type { Conclusion } from '../../walk/conclusion.ts';
import type { Attempt } from './execution.ts';
import { recordStart } from './open.ts';
import { outlastOutage } from './outlast-outage.ts';
import { pauseStep, readPauseOutcome, type Pause } from './pause.ts';
import { writeRowOfStep } from './table-write.ts';
import { createInternalError } from '../../walk/internal-error.ts';

/** Another attempt was opened meanwhile; its step decides. */
export interface Fenced {
  readonly kind: 'fenced';
}
export const FENCED: Fenced = { kind: 'fenced' };
const GONE = { kind: 'gone' } as const;

/** Concludes an attempt and changes `step`. A NodeError that it throws fails the node. */
type Conclude = (scope: RunScope, step: StepRow, credits: number) => Conclusion | Promise<Conclusion>;

/** The result of a node's work. */
interface WorkResult {
  readonly result: NodeResult;
  readonly warnings: readonly NodeWarning[];
  readonly durationMs: number;
}

/** Adds the input that work has kept to a result that ends its step. */
export const addInput = (made: NodeResult, input: Json): NodeResult =>
  made.outcome === 'completed' || made.outcome === 'write' ? { ...made, input } : made;

/** Concludes a completed result. @throws NodeError for any other result */
function concludeResult({ result, warnings, durationMs }: WorkResult) {
  return (scope: RunScope, step: StepRow, credits: number): Conclusion => {
    if (result.outcome !== 'completed') throw createInternalError('An activity node can only complete');
    const success = toSuccess(result);
    step.input = success.input;
    step.usage = success.usage;
    step.logs = success.logs.length === 0 ? null : [...success.logs];
    const all = [...success.warnings, ...warnings];
    return concludeSuccess(scope, { ...success, warnings: all, credits }, durationMs);
  };
}

/** A step that ends in the caller's transaction. */
interface EndingStep {
  readonly scope: RunScope;
  readonly step: StepRow;
  readonly credits: number;
}

/** Writes a row with the end of its step; a step that fails after it writes none. @throws NodeError */
async function concludeWrite(
  { effects, execution }: Attempt,
  { result, ...worked }: WorkResult & { readonly result: NodeResult & { readonly outcome: 'write' } },
  { scope, step, credits }: EndingStep,
): Promise<Conclusion> {
  const { context } = scope;
  const { write, input = null } = result;
  step.input = input;
  try {
    const conclusion = await withSavepoint(context.sql, async () => {
      const output = await writeRowOfStep(context, execution.stepId, write);
      const completed = { outcome: 'completed', output, input } as const;
      return concludeResult({ ...worked, result: completed })(scope, step, credits);
    });
    effects.endWrite(null);
    return conclusion;
  } catch (error) {
    effects.endWrite(toNodeError(error).code);
    throw error;
  }
}

/** Ends an execution with the result of its work. */
export async function endWithResult(
  attempt: Attempt,
  worked: WorkResult,
): Promise<AttemptEnd<NodeOutcome> | Fenced> {
  const { result } = worked;
  if (result.outcome === 'write')
    return endAttempt(attempt, (scope, step, credits) =>
      concludeWrite(attempt, { ...worked, result }, { scope, step, credits }),
    );
  const conclude = concludeResult(worked);
  return (await endInOneStatement(attempt, conclude)) ?? endAttempt(attempt, conclude);
}

/** Ends an execution as failed, also with attempts left. @param input of its work; null: that of the step stays */
export function endWithError(
  attempt: Attempt,
  error: NodeError,
  input: Json = null,
): Promise<AttemptEnd<NodeOutcome> | Fenced> {
  return endAttempt(attempt, (scope, step) => {
    step.input = input ?? step.input;
    return concludeFailure(scope, error, spentAttempts(step) + 1);
  });
}

/**
 * Ends an attempt with a question. A repetition opens no second one: the step is paused then, and has a later attempt.
 * @param decide builds the pause from the locked step; null: nothing is written
 * @returns null when `decide` did
 */
export function endWithQuestion(
  attempt: Attempt,
  decide: (scope: RunScope, step: StepRow) => Promise<Pause | null>,
): Promise<AttemptEnd<NodeOutcome> | Fenced | null> {
  const { execution, task } = attempt;
  return withLockedAttempt(attempt, async (context, step) => {
    if (step.outcome !== null) return toAttemptEnd(step);
    const scope = new ExecutionScope(context, execution);
    const pause = await decide(scope, step);
    if (pause === null) return null;
    await execution.meter.record(context.sql, context.segment, execution);
    await pauseStep(scope, step, pause);
    return done(await readPauseOutcome(context.sql, task));
  });
}

/**
 * Ends an attempt in one statement, when its end only changes the step and does not read the state.
 * @returns null when it needs a transaction; nothing was written
 */
async function endInOneStatement(
  attempt: Attempt,
  conclude: ReturnType<typeof concludeResult>,
): Promise<AttemptEnd<NodeOutcome> | null> {
  const { deps, context, execution, control } = attempt;
  const isPlain = execution.item !== null || !readsStateAtEnd(context, execution.node);
  if (!isPlain || !execution.meter.isIdle(execution)) return null;
  const step = copyStep(attempt.step);
  let conclusion: Conclusion;
  try {
    conclusion = conclude(new ExecutionScope(context, execution), step, 0);
  } catch {
    // The transaction gets the same error and records it.
    return null;
  }
  concludeStep(step, conclusion, deps.clock.now());
  const started = attempt.isRecorded ? [] : [buildStartEvent(execution)];
  const events = [...started, ...buildEndEvents(execution, step, conclusion.events)];
  const effects = attempt.effects.list();
  try {
    const options = { clock: deps.clock, signal: control.signal };
    const written = await outlastOutage(options, () =>
      writeStep(deps.db, context.segment, { step, events, effects }),
    );
    return written ? done(conclusion.outcome) : null;
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error;
    return null;
  }
}

/**
 * Ends an attempt with the conclusion of `conclude`. When the database rejects the content, the execution fails: another attempt would repeat the
 * effect and be rejected, too.
 */
export async function endAttempt(
  attempt: Attempt,
  conclude: Conclude,
): Promise<AttemptEnd<NodeOutcome> | Fenced> {
  try {
    return await writeEnd(attempt, conclude);
  } catch (error) {
    const failure = storageFailure(attempt, { what: 'the end of a node', error });
    attempt.effects.endWrite(failure.code);
    return writeEnd(attempt, (scope, step) => concludeFailure(scope, failure, spentAttempts(step) + 1));
  }
}

/** Writes the end of an attempt in one transaction: step, state, events. */
async function writeEnd(attempt: Attempt, conclude: Conclude): Promise<AttemptEnd<NodeOutcome> | Fenced> {
  const { execution } = attempt;
  return withLockedAttempt(attempt, async (context, step) => {
    if (step.outcome !== null) {
      // Another worker has ended it as lost: this one knows what became of its effect.
      const rows = attempt.effects.listSent();
      if (rows.length > 0) await recordEffects(context.sql, context.segment.runPk, rows);
      return toAttemptEnd(step);
    }
    await loadStateForEnd(context, execution.node);
    const credits = await execution.meter.record(context.sql, context.segment, execution);
    const scope = new ExecutionScope(context, execution);
    await endStep(scope, step, {
      conclude: () => conclude(scope, step, credits),
      listEffects: () => attempt.effects.list(),
    });
    return toAttemptEnd(step);
  });
}

/**
 * Runs `work` in a transaction that has locked the run and the step of an attempt. Outlasts a database outage.
 * @returns the result of `work`; `gone` when the run has ended; `fenced` when another attempt has begun
 */
export async function withLockedAttempt<Result>(
  attempt: Attempt,
  work: (context: RunContext, step: StepRow) => Promise<Result>,
): Promise<Result | Fenced | typeof GONE> {
  const { deps, task, execution, control } = attempt;
  const { share } = attempt.place;
  const waitOptions = { clock: deps.clock, signal: control.signal };
  if (!attempt.isRecorded && !(await recordStart(attempt))) return abandon(attempt, FENCED);
  let mayBeRecorded = false;
  const inTransaction = () =>
    withLockedRun({ ...deps, share }, task, async (context) => {
      if (context?.segment.status !== 'running') return GONE;
      const step = await lockStep(context.sql, task);
      if (step === null) return GONE;
      if (step.step_id !== execution.stepId || step.attempt !== execution.attempt) return FENCED;
      // Its commit may succeed without an answer; then the repetition records no usage again.
      mayBeRecorded = true;
      return work(context, step);
    });
  const end = await share.run(() => outlastOutage(waitOptions, inTransaction));
  return mayBeRecorded ? end : abandon(attempt, end);
}

/** Records the usage and the effects of an attempt that ends without a record. @returns `end` */
async function abandon<End>(attempt: Attempt, end: End): Promise<End> {
  await recordAbandoned(attempt);
  return end;
}

/** Records the usage of an attempt that ends undecided, as the providers have charged it, and what it has sent. Never throws. */
export async function recordAbandoned({ deps, task, execution, effects }: Attempt): Promise<void> {
  const { runPk, nodeId } = task;
  const warn =
    (what: string) =>
    (err: unknown): void =>
      deps.log.warn({ err, run_pk: runPk, node_id: nodeId }, `the ${what} of an attempt was not recorded`);
  await execution.meter.recordAbandoned(deps.db, task, execution).catch(warn('usage'));
  const left = effects.listSent().filter(({ outcome }) => outcome !== 'not_sent');
  if (left.length > 0) await recordEffects(deps.db, runPk, left).catch(warn('effect'));
}

/**
 * Ends a step in the caller's transaction, which has locked the run and the step. An error of `conclude` fails the step.
 */
export async function endStep(
  scope: RunScope,
  step: StepRow,
  {
    conclude,
    listEffects,
  }: {
    readonly conclude: () => Conclusion | Promise<Conclusion>;
    /** Called once the step is concluded. */
    readonly listEffects: () => readonly EffectRow[];
  },
): Promise<Conclusion> {
  const { context, execution } = scope;
  let conclusion: Conclusion;
  try {
    conclusion = await conclude();
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error;
    const fresh = new ExecutionScope(context, execution);
    conclusion = concludeFailure(fresh, toNodeError(error), spentAttempts(step) + 1);
  }
  concludeStep(step, conclusion, context.clock.now());
  await writeSteps(context.sql, context.segment, {
    steps: [step],
    fields: context.values.takeChanged(),
    events: buildEndEvents(execution, step, conclusion.events),
    effects: listEffects(),
  });
  return conclusion;
}

/** Logs a rejected write and builds the failure of its node. @param what for the log @throws a transient error unchanged */
export function storageFailure(
  { deps, task }: Pick<Attempt, 'deps' | 'task'>,
  { what, error }: { readonly what: string; readonly error: unknown },
): NodeError {
  if (isTransientDatabaseError(error)) throw error;
  deps.log.error({ thrown: error, run_pk: task.runPk, node_id: task.nodeId }, `${what} cannot be written`);
  return new NodeError('result_not_storable', 'The result of the node cannot be stored');
}

/** Converts the recorded end of a step to the end of its attempt. */
export function toAttemptEnd({
  outcome,
  error,
}: Pick<StepRow, 'outcome' | 'error'>): AttemptEnd<NodeOutcome> {
  if (outcome === null) throw new Error('the step has not ended');
  if (error === null) return done(outcome);
  const read = (name: string): string => (typeof error[name] === 'string' ? error[name] : 'failed');
  return { kind: 'failed', code: read('code'), message: read('message'), outcome };
}
