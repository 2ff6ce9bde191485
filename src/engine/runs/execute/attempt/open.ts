/**
 * Opens the attempts of effectful executions before anything leaves the process, so that after a crash the next worker decides by
 * the record and the node's effect class (SPEC REL-G3).
 */
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import { NodeError } from '../../../../language/nodes/kind.ts';
import { lockStep, type HeldStep, type StepRow } from '../../ledger/write/steps.ts';
import { closeAttempt, createStep } from '../../walk/step.ts';
import type { NodeExecution } from '../../walk/context.ts';
import { RunValues } from '../../ledger/read/values.ts';
import { judgeHolder } from '../../ledger/write/worker-leases.ts';
import { writeStep, writeSteps } from '../../ledger/write/write-steps.ts';
import { belongsToRunningSegment, withLockedRun, type RunContext } from '../context.ts';
import type { ExecuteDeps } from '../deps.ts';
import { buildNodeEvent, buildRetryEvent, buildStartEvent } from '../../walk/frames.ts';
import { Meter } from '../metering.ts';
import type { NodeOutcome, NodeTask } from '../protocol.ts';
import type { AttemptPlace } from './attempt-place.ts';
import { AttemptEffects, listLostEffects } from '../../walk/effects.ts';
import { buildExecution, type Attempt } from './execution.ts';
import { readPauseOutcome } from './pause.ts';
import type { AttemptControl } from './running-attempts.ts';

/** After this many lost workers another one fails the execution, because it probably kills them. A guess; the error names the number. */
const MAX_LOST = 5;

/** Another worker makes the attempt: the caller waits for its end or its loss. */
export type HeldElsewhere = { readonly kind: 'held' } & HeldStep;

/** The next attempt is not due: the delivery that would have waited for it did not hear of the one before. */
export interface NotDue {
  readonly kind: 'early';
  /** Of the attempt before. */
  readonly code: string;
  readonly message: string;
  readonly delayMs: number;
}

export type AttemptOpening =
  /** This process makes the attempt. */
  | { readonly kind: 'open'; readonly attempt: Attempt }
  /** The execution has ended. */
  | { readonly kind: 'ended'; readonly step: StepRow }
  /** The execution waits for people. */
  | { readonly kind: 'paused'; readonly outcome: NodeOutcome }
  | HeldElsewhere
  | NotDue
  /** No further attempt: an effect may have happened that must not be repeated, or too many workers were lost. */
  | { readonly kind: 'refused'; readonly attempt: Attempt; readonly error: NodeError }
  /** The run has ended. */
  | { readonly kind: 'gone' };

/** A request for an attempt of an execution. */
export interface AttemptRequest {
  readonly deps: ExecuteDeps;
  readonly task: NodeTask;
  readonly control: AttemptControl;
  readonly place: AttemptPlace;
  /** The item of a mapped node, when it is known. */
  readonly item?: NodeExecution['item'];
}

/**
 * Opens the first attempt of a new task: with one write, or with none when the work has no effect.
 * @returns null when the record must be read: it is not the first, or the run does not run
 */
export async function openFirstAttempt(request: AttemptRequest): Promise<AttemptOpening | null> {
  const { deps, task } = request;
  const run = await deps.plans.getForSegment(deps.db, task);
  if (run === null) return { kind: 'gone' };
  const { segment, ready } = run;
  const execution = await buildExecution({ sql: deps.db, ready }, task, { item: request.item ?? null });
  const step = createStep({ segment: task, clock: deps.clock }, execution, deps.worker.workerId);
  const { db: sql, clock, tools } = deps;
  const redaction = deps.plans.getRedaction(segment);
  const { share } = request.place;
  const values = new RunValues(sql, task.rootRunPk, { redaction, share });
  const rules = await deps.rules.get(sql, segment.organizationId);
  const { callbackUrl } = tools;
  const context = { sql, clock, segment, ready, values, redaction, ...rules, callbackUrl };
  const isRecorded = step.effect !== 'pure';
  const attempt = toAttempt(request, { context, execution, step, isRecorded });
  if (isRecorded && !(await recordStart(attempt))) return null;
  return { kind: 'open', attempt };
}

/** Records the start of an attempt. @returns false when the run has ended or another process has started the attempt */
export async function recordStart(attempt: Attempt): Promise<boolean> {
  const { deps, task, step, execution } = attempt;
  const events = [buildStartEvent(execution)];
  attempt.isRecorded = await writeStep(deps.db, task, { step, events });
  return attempt.isRecorded;
}

/** Opens an attempt after it has read the step. */
export async function openAttempt(request: AttemptRequest): Promise<AttemptOpening> {
  const { deps, task } = request;
  const opened = await withLockedRun(deps, task, async (context) =>
    context === null ? ({ kind: 'gone' } as const) : openLocked(request, context),
  );
  return detachFromTransaction(opened, deps);
}

/** As openAttempt, in the caller's transaction, which has locked the run. */
export async function openLocked(request: AttemptRequest, context: RunContext): Promise<AttemptOpening> {
  const { deps, task } = request;
  const { sql, segment } = context;
  if (!belongsToRunningSegment(context, task)) return { kind: 'gone' };
  const step = await lockStep(sql, task);
  const execution = await buildExecution(context, task, { step });
  if (step === null) {
    const started = createStep(context, execution, deps.worker.workerId);
    await writeSteps(sql, segment, { steps: [started], events: [buildStartEvent(execution)] });
    return { kind: 'open', attempt: toAttempt(request, { context, execution, step: started }) };
  }
  if (step.outcome !== null) return { kind: 'ended', step };
  if (step.status === 'interrupted') return { kind: 'paused', outcome: await readPauseOutcome(sql, task) };
  if (step.status !== 'running') return { kind: 'gone' };
  return reopen(request, context, { execution, step });
}

/** Continues the attempt of a step without a holder, in the caller's transaction, which has locked run and step. */
export async function continueAttempt(
  request: AttemptRequest,
  context: RunContext,
  step: StepRow,
): Promise<AttemptOpening> {
  const { deps, task } = request;
  const taken: StepRow = { ...step, held_by: deps.worker.workerId };
  await writeSteps(context.sql, context.segment, { steps: [taken] });
  const execution = await buildExecution(context, task, { step });
  return { kind: 'open', attempt: toAttempt(request, { context, execution, step: taken }) };
}

interface OpenStep {
  readonly execution: NodeExecution;
  readonly step: StepRow;
}

/** Opens another attempt of a step that has not ended, unless one is under way or none is allowed. */
async function reopen(
  request: AttemptRequest,
  context: RunContext,
  { execution, step }: OpenStep,
): Promise<AttemptOpening> {
  const { deps } = request;
  const { sql, segment } = context;
  const isUnderWay = step.attempts.at(-1)?.status === 'running';
  if (isUnderWay && (await isHeldByOther(context, deps, step)))
    return { kind: 'held', stepId: step.step_id, attempt: step.attempt, heldBy: step.held_by };
  const refused = isUnderWay ? findRefusal(step) : null;
  const lost = isUnderWay ? listLostEffects(context, execution, step) : [];
  if (refused !== null) {
    const attempt = toAttempt(request, { context, execution, step });
    attempt.effects.lose(lost);
    return { kind: 'refused', attempt, error: refused };
  }
  const nowMs = deps.clock.now();
  const early = findNotDue(step, nowMs);
  if (early !== null) return early;
  const now = new Date(nowMs).toISOString();
  delete step.attempts.at(-1)?.retry_at;
  if (isUnderWay)
    closeAttempt(
      step,
      { status: 'lost', error: { code: 'worker_lost', message: 'The worker was lost' } },
      now,
    );
  // A pause has counted on already, and has no record.
  step.attempt = Math.max(step.attempt, (step.attempts.at(-1)?.attempt ?? 0) + 1);
  step.held_by = deps.worker.workerId;
  step.sent_at = null;
  step.attempts.push({
    attempt: step.attempt,
    status: 'running',
    started_at: now,
    completed_at: null,
    duration_ms: null,
    error: null,
  });
  const next = { ...execution, attempt: step.attempt };
  const events = isUnderWay ? [buildLossEvent(execution, step)] : [];
  if (step.node_type === 'llm' || step.node_type === 'agent')
    events.push(buildNodeEvent('token_reset', next, { reason: 'retry' }));
  await writeSteps(sql, segment, { steps: [step], events, effects: lost });
  return { kind: 'open', attempt: toAttempt(request, { context, execution: next, step }) };
}

/** Finds how long the next attempt has to wait; null when it is due. */
function findNotDue({ attempts }: StepRow, nowMs: number): NotDue | null {
  const { retry_at: dueAt, completed_at: endedAt, error } = attempts.at(-1) ?? {};
  if (dueAt === undefined || !endedAt) return null;
  // A worker whose clock is late waits no longer than the delay.
  const delayMs = Date.parse(dueAt) - Math.max(nowMs, Date.parse(endedAt));
  if (delayMs <= 0) return null;
  const { code, message } = error ?? {};
  return {
    kind: 'early',
    code: typeof code === 'string' ? code : 'failed',
    message: typeof message === 'string' ? message : 'failed',
    delayMs,
  };
}

/** Checks whether another worker makes the attempt. This worker does not: its running attempts are joined before (running-attempts.ts). */
async function isHeldByOther({ sql }: RunContext, { worker }: ExecuteDeps, step: StepRow): Promise<boolean> {
  const { held_by: holder } = step;
  if (holder === null || holder === worker.workerId) return false;
  return (await judgeHolder(sql, { asking: worker.workerId, holder })) !== 'lost';
}

/** Finds why no attempt may follow a lost one; null when one may (SPEC REL-effect-classes). */
function findRefusal(step: StepRow): NodeError | null {
  if (step.effect === 'at_most_once' && step.sent_at !== null) {
    const message = 'The worker was lost. The request was sent, but its outcome is unknown';
    return new NodeError('outcome_unknown', message);
  }
  if (step.attempts.filter(({ status }) => status === 'lost').length < MAX_LOST) return null;
  return new NodeError('node_lost', 'Six workers crashed while running this node');
}

/** Builds the event of a lost attempt that another one follows. */
function buildLossEvent(execution: NodeExecution, step: StepRow) {
  const error: JsonObject = { code: 'worker_lost', message: 'The worker was lost', retryable: true };
  return buildRetryEvent(execution, {
    error,
    next_attempt: step.attempt,
    delay_ms: 0,
    // An at-most-once node gets another attempt only when the lost one had sent nothing.
    possibly_repeated: step.effect !== 'pure' && step.effect !== 'at_most_once',
  });
}

function toAttempt(
  { deps, task, control, place }: AttemptRequest,
  {
    context,
    execution,
    step,
    isRecorded = true,
  }: Pick<Attempt, 'context' | 'step'> & { readonly execution: NodeExecution; readonly isRecorded?: boolean },
): Attempt {
  const meter = new Meter(execution.node.type, context.segment.workflowId);
  const effects = new AttemptEffects(context, execution);
  return {
    deps,
    task,
    control,
    place,
    context,
    execution: { ...execution, meter },
    step,
    effects,
    isRecorded,
  };
}

/** Gives an attempt a context without the transaction that opened it. */
export function detachFromTransaction(
  opened: AttemptOpening,
  { db }: Pick<ExecuteDeps, 'db'>,
): AttemptOpening {
  if (!('attempt' in opened) || opened.kind === 'held') return opened;
  const { context, task, place } = opened.attempt;
  const values = new RunValues(db, task.rootRunPk, { redaction: context.redaction, share: place.share });
  const outside = { ...context, sql: db, values };
  return { ...opened, attempt: { ...opened.attempt, context: outside } };
}
