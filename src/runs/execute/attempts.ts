/**
 * The attempts of an effectful node execution: opened before anything leaves the process, so that after a crash the
 * next worker knows what may have happened and decides by the node's effect class (SPEC REL-G3).
 */
import { randomUUID } from 'node:crypto';
import { isTransientDatabaseError } from '../../db/transient-error.ts';
import type { PlanNode } from '../../graph/plan.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import type { NewEvent } from '../ledger/events.ts';
import type { Segment } from '../ledger/segments.ts';
import { endAttempt, lockStep } from '../ledger/steps.ts';
import type { StepRow } from '../ledger/steps.ts';
import { writeStep, writeSteps } from '../ledger/write-steps.ts';
import { NodeError } from '../../nodes/kind.ts';
import type { NodeOutcome, NodeTask } from './protocol.ts';
import type { ExecuteDeps } from './deps.ts';
import { asNodeError, errorFields } from './conclusion.ts';
import { beginStep } from './fold.ts';
import { nodeEvent } from './frames.ts';
import type { Host, Retry } from './host.ts';
import type { LiveNode, LiveWork } from './live-work.ts';
import type { MeteredExecution } from './metering.ts';
import { outlastOutage } from './outlast-outage.ts';
import type { ReadyPlan } from './plans.ts';
import { lockRun } from './run-context.ts';
import type { NodeExecution, RunContext } from './run-context.ts';

/** Workers that one execution of a node may lose before it is taken for what kills them. */
export const MAX_LOST = 5;

/** An attempt that was opened here: only its own end is written. */
export interface OwnAttempt {
  readonly deps: ExecuteDeps;
  readonly task: NodeTask;
  readonly execution: MeteredExecution;
}

/** An attempt at work. */
export interface NodeAttempt extends OwnAttempt {
  readonly host: Host;
  /** Without a lock. */
  readonly context: RunContext;
}

export type Opened =
  /** Go on: this attempt is ours. */
  | { readonly kind: 'open'; readonly execution: NodeExecution; readonly step: StepRow }
  /** An earlier attempt has ended the node already. */
  | { readonly kind: 'settled'; readonly outcome: NodeOutcome; readonly step: StepRow }
  /** It must not be tried again: an effect may have happened that must not be repeated, or too many workers were lost. */
  | {
      readonly kind: 'unknown';
      readonly execution: NodeExecution;
      readonly step: StepRow;
      readonly error: NodeError;
    }
  /** The run has ended. */
  | { readonly kind: 'gone' };

/**
 * Attempts that counted against the node's own limit: those that ended by themselves.
 * @param since the attempt in which the piece of work began that has the limit: a turn of an agent
 */
export function spentAttempts(step: StepRow, since = 1): number {
  return step.attempts.filter(({ status, attempt }) => status === 'failed' && attempt >= since).length;
}

/** The execution of a task, with its step if there is one already. */
export async function executionOf(
  context: Pick<RunContext, 'sql' | 'ready'>,
  task: NodeTask,
  step: StepRow | null,
): Promise<NodeExecution> {
  const node = context.ready.nodeById.get(task.nodeId);
  if (node === undefined) throw new NodeError('internal_error', `The plan has no node ${task.nodeId}`);
  return {
    node,
    visit: task.visit,
    depth: task.depth,
    position: task.position,
    iteration: task.iteration,
    loop: task.loop,
    stepId: step?.step_id ?? randomUUID(),
    attempt: step?.attempt ?? 1,
    item: task.itemIndex < 0 ? null : await itemOf(context, task),
  };
}

/** An attempt, and the run as it was when the attempt was opened. */
export interface OpenedRun {
  readonly attempt: Opened;
  readonly segment: Segment;
  readonly ready: ReadyPlan;
}

/**
 * Opens the first attempt of a task in one statement, which is how nearly every attempt begins.
 * @returns null when it is not the first, or the run does not run: nothing was written then
 */
export async function openFirstAttempt(deps: ExecuteDeps, task: NodeTask): Promise<OpenedRun | null> {
  const ready = await deps.plans.ofSegment(task);
  if (ready === null) return null;
  const execution = await executionOf({ sql: deps.db, ready }, task, null);
  const step = beginStep({ segment: task }, execution);
  const started = nodeEvent('node_started', execution);
  const segment = await writeStep(deps.db, task, { step, events: [started] });
  return segment === null ? null : { attempt: { kind: 'open', execution, step }, segment, ready };
}

/** Opens the next attempt of a task, in the caller's transaction (the segment's row is locked). */
export async function openAttempt(context: RunContext, task: NodeTask): Promise<Opened> {
  const { sql, segment } = context;
  if (segment.status !== 'running' || segment.runPk !== task.runPk) return { kind: 'gone' };
  const step = await lockStep(sql, task);
  const base = await executionOf(context, task, step);
  if (step === null) {
    const opened = beginStep(context, base);
    await writeSteps(sql, segment, { steps: [opened], events: [nodeEvent('node_started', base)] });
    return { kind: 'open', execution: base, step: opened };
  }
  if (step.outcome !== null)
    return { kind: 'settled', outcome: step.outcome as unknown as NodeOutcome, step };
  if (step.status !== 'running') return { kind: 'gone' };
  return reopen(context, base, step);
}

async function reopen(context: RunContext, base: NodeExecution, step: StepRow): Promise<Opened> {
  const { sql, segment } = context;
  const last = step.attempts.at(-1);
  const lost = last?.status === 'running';
  if (lost && step.effect === 'at_most_once' && step.sent_at !== null) {
    const message = 'The worker was lost after the call was sent: whether it had its effect is unknown';
    return { kind: 'unknown', execution: base, step, error: new NodeError('outcome_unknown', message) };
  }
  if (lost && step.attempts.filter((attempt) => attempt.status === 'lost').length >= MAX_LOST) {
    const error = new NodeError('node_lost', `The node has lost ${MAX_LOST + 1} workers`);
    return { kind: 'unknown', execution: base, step, error };
  }
  const now = new Date().toISOString();
  if (lost) {
    const error = { code: 'worker_lost', message: 'The worker was lost' };
    endAttempt(step, { status: 'lost', error }, now);
  }
  step.attempt += 1;
  step.sent_at = null;
  step.attempts.push({
    attempt: step.attempt,
    status: 'running',
    started_at: now,
    completed_at: null,
    duration_ms: null,
    error: null,
  });
  const execution = { ...base, attempt: step.attempt };
  const events = [];
  if (lost) {
    const error: JsonObject = { code: 'worker_lost', message: 'The worker was lost', retryable: true };
    // At most once and still here: nothing was sent.
    const repeated = step.effect !== 'pure' && step.effect !== 'at_most_once';
    events.push(
      nodeEvent('node_retry', base, {
        error,
        next_attempt: step.attempt,
        delay_ms: 0,
        possibly_repeated: repeated,
      }),
    );
  }
  if (step.node_type === 'llm' || step.node_type === 'agent') {
    events.push(nodeEvent('token_reset', execution, { reason: 'retry' }));
  }
  await writeSteps(sql, segment, { steps: [step], events });
  return { kind: 'open', execution, step };
}

/** The item of a mapped node's task, from the items that its parent step has recorded. */
async function itemOf(context: Pick<RunContext, 'sql'>, task: NodeTask): Promise<NodeExecution['item']> {
  const rows = await context.sql.query<{ step_id: string; value: Json }>(
    `SELECT step_id, input->'items'->$4::int AS value FROM run_steps
     WHERE run_pk = $1 AND node_id = $2 AND visit = $3 AND item_index = -1`,
    [task.runPk, task.nodeId, task.visit, task.itemIndex],
  );
  const row = rows[0];
  if (row === undefined) throw new NodeError('internal_error', 'The mapped node has no step');
  return { index: task.itemIndex, value: row.value, parentStepId: row.step_id };
}

/** What a failed attempt comes to: the node's end, unless another attempt is to be made or nobody waits for this one. */
export type Failed =
  | Retry
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'ended'; readonly error: NodeError };

/** Failures that say nothing of the work itself: another attempt decides by the record. Null: the work has failed. */
export function retryOf(host: Host, thrown: unknown): Retry | null {
  const retry = { kind: 'retry', delayMs: null } as const;
  if (host.signal.aborted)
    return { ...retry, code: 'attempt_abandoned', message: 'Temporal has given the attempt up' };
  if (!(thrown instanceof NodeError) && isTransientDatabaseError(thrown))
    return { ...retry, code: 'database_unavailable', message: 'The database cannot be reached' };
  return null;
}

/** The error of work that ended by itself. @param late what it failed with when its time was over */
export function errorOf(live: LiveWork, thrown: unknown, late: () => NodeError): NodeError {
  return live.timedOut && !(thrown instanceof NodeError) ? late() : asNodeError(thrown);
}

/** Judges what was thrown by the work of a node, and records the attempt when another follows. */
export async function failAttempt(attempt: NodeAttempt, live: LiveNode, thrown: unknown): Promise<Failed> {
  const { host } = attempt;
  await live.awaitCancellation();
  if (host.cancelRequested() || live.isFenced || host.signal.aborted) await recordAbandoned(attempt);
  if (host.cancelRequested()) return { kind: 'cancelled' };
  if (live.isFenced) return { kind: 'gone' };
  // The attempt stays open: the next one decides by its record.
  const retry = retryOf(host, thrown);
  if (retry !== null) return retry;
  const error = nodeErrorOf(attempt, live, thrown);
  const delayMs = error.retryable ? await outlastOutage(() => scheduleRetry(attempt, error)) : null;
  if (delayMs === null) return { kind: 'ended', error };
  return { kind: 'retry', code: error.code, message: error.message, delayMs };
}

/** Writes down what an attempt has used that ends without a record of its own. Never throws. */
export async function recordAbandoned({ deps, task, execution }: NodeAttempt): Promise<void> {
  await execution.meter.recordAbandoned(deps.db, task, execution).catch((err: unknown) => {
    const { runPk, nodeId } = task;
    deps.log.warn({ err, run_pk: runPk, node_id: nodeId }, 'the usage of an attempt was not recorded');
  });
}

/** The error of a node's work that ended by itself; one of ours is logged. */
export function nodeErrorOf(
  { deps, task, execution }: NodeAttempt,
  live: LiveNode,
  thrown: unknown,
): NodeError {
  const error = errorOf(live, thrown, () => {
    const message = `The node did not end within ${execution.node.policy.timeoutMs} ms`;
    return new NodeError('timeout', message, { retryable: true });
  });
  if (error.code === 'internal_error') {
    const { runPk, nodeId } = task;
    deps.log.error({ err: thrown, run_pk: runPk, node_id: nodeId }, 'a node failed unexpectedly');
  }
  return error;
}

/** How long the next attempt waits after `spent` of them, in ms: the node's backoff, or what the other side asked for. */
export function delayBefore({ retry, policy }: PlanNode, spent: number, error: NodeError): number {
  const backoff = retry.initialIntervalMs * retry.backoffCoefficient ** (spent - 1);
  // No server holds a run longer than the node itself may take.
  const asked = Math.min(error.retryAfterMs ?? 0, policy.timeoutMs);
  return Math.round(Math.max(Math.min(backoff, retry.maxIntervalMs), asked));
}

/** Another attempt: how long it waits, and the event that tells of it. */
export interface NextAttempt {
  readonly delayMs: number;
  readonly told: NewEvent;
}

/**
 * Ends the current attempt in its step as failed, when another may follow.
 * @param step as it was read under a lock
 * @returns null when no attempt is left, or what was sent may not be sent again: the step is as it was
 */
export function nextAttempt(
  step: StepRow,
  execution: MeteredExecution,
  error: NodeError,
): NextAttempt | null {
  if (!error.retryable || (step.effect === 'at_most_once' && step.sent_at !== null)) return null;
  const { node } = execution;
  const spent = spentAttempts(step, execution.retriesSince) + 1;
  if (spent >= node.retry.maxAttempts) return null;
  const delayMs = delayBefore(node, spent, error);
  const fields = errorFields(error, spent);
  endAttempt(step, { status: 'failed', error: fields }, new Date().toISOString());
  const { code, message, retryable } = fields;
  const told = nodeEvent('node_retry', execution, {
    error: { code: code ?? '', message: message ?? '', retryable: retryable ?? true },
    next_attempt: step.attempt + 1,
    delay_ms: delayMs,
  });
  return { delayMs, told };
}

/**
 * Records the failed attempt and tells of the next.
 * @returns the delay in milliseconds; null when there is none
 */
async function scheduleRetry(
  { deps, task, execution }: OwnAttempt,
  error: NodeError,
): Promise<number | null> {
  return deps.db.transaction(async (tx) => {
    const context = await lockRun(tx, deps.plans, task);
    const step = await lockStep(tx, task);
    if (context?.segment.status !== 'running' || step === null || step.attempt !== execution.attempt)
      return null;
    // Recorded once, also when this transaction is repeated because its first answer was lost.
    const isNew = step.attempts.at(-1)?.status === 'running';
    const next = nextAttempt(step, execution, error);
    if (next === null) return null;
    if (isNew) await execution.meter.record(tx, context.segment, execution);
    await writeSteps(tx, context.segment, { steps: [step], events: [next.told] });
    return next.delayMs;
  });
}
