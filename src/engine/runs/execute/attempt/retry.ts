/** Ends attempts whose work has thrown, and schedules their retries. */
import { isTransientDatabaseError } from '../../../../base/db/transient-error.ts';
import type { Json } from '../../../../language/graph/values/value.ts';
import { NodeError } from '../../../../language/nodes/kind.ts';
import { spentAttempts, type StepRow } from '../../ledger/write/steps.ts';
import { closeAttempt } from '../../walk/step.ts';
import { writeSteps } from '../../ledger/write/write-steps.ts';
import { buildRetryEvent, toFrameError } from '../../walk/frames.ts';
import type { AttemptEnd } from '../host.ts';
import type { NodeOutcome } from '../protocol.ts';
import { buildBudgetPause, type ReachedLimit } from './budget-limit.ts';
import { toNodeError, buildErrorFields } from '../../walk/conclusion.ts';
import {
  FENCED,
  endWithError,
  endWithQuestion,
  recordAbandoned,
  storageFailure,
  withLockedAttempt,
  type Fenced,
} from './end.ts';
import type { Attempt, MeteredExecution } from './execution.ts';
import type { LiveNode } from './live.ts';
import { computeRetryDelay } from './retry-delay.ts';
import type { FailedWork } from '../../walk/redact.ts';
import { asksWhenUnknown, buildUnknownPause } from './unknown-effect.ts';

/**
 * Ends an attempt whose work has thrown: as failed, with a retry, or undecided when the execution was given up.
 * @throws the error of a database outage, which says nothing about the work either
 */
export async function endWithThrown(
  attempt: Attempt,
  live: LiveNode,
  { error: thrown, input }: FailedWork,
): Promise<AttemptEnd<NodeOutcome> | Fenced> {
  const { deps, task, execution } = attempt;
  const undecided = findUndecidedEnd(attempt, live);
  const isOutage = !(thrown instanceof NodeError) && isTransientDatabaseError(thrown);
  if (undecided !== null || isOutage) {
    // The attempt stays open: the next one decides by its record.
    await recordAbandoned(attempt);
    if (undecided !== null) return undecided;
    throw thrown;
  }
  const isLate = live.timedOut && !(thrown instanceof NodeError);
  const error = isLate ? buildTimeoutError(execution) : toNodeError(thrown);
  if (error.code === 'internal_error')
    deps.log.error({ thrown, run_pk: task.runPk, node_id: task.nodeId }, 'a node failed unexpectedly');
  const retry = error.retryable ? await scheduleRetry(attempt, error) : null;
  if (retry !== null) return retry;
  if (error.code === 'budget_exceeded' && live.limit !== null) {
    const asked = await pauseAtLimit(attempt, live.limit);
    if (asked !== null) return asked;
  }
  const isUnknown = isLate || error.code === 'outcome_unknown';
  const paused = isUnknown ? await pauseIfUnknown(attempt, { error, input }) : null;
  return paused ?? endWithError(attempt, error, input);
}

/** Ends an execution that may have no further attempt. */
export async function endRefused(
  attempt: Attempt,
  error: NodeError,
): Promise<AttemptEnd<NodeOutcome> | Fenced> {
  const paused =
    error.code === 'outcome_unknown' ? await pauseIfUnknown(attempt, { error, status: 'lost' }) : null;
  return paused ?? endWithError(attempt, error);
}

/** Asks people about a request without an answer; null when its node does not ask, or the question cannot be stored. */
async function pauseIfUnknown(
  attempt: Attempt,
  { error, input = null, status = 'failed' }: UnknownEnd,
): Promise<AttemptEnd<NodeOutcome> | Fenced | null> {
  if (!asksWhenUnknown(attempt.context, attempt.execution)) return null;
  try {
    return await endWithQuestion(attempt, (scope, step) => {
      step.input = input ?? step.input;
      return buildUnknownPause(scope, step, { error, status });
    });
  } catch (thrown) {
    storageFailure(attempt, { what: 'a question', error: thrown });
    return null;
  }
}

/** Asks people to raise a budget; null when the question cannot be stored. */
async function pauseAtLimit(
  attempt: Attempt,
  limit: ReachedLimit,
): Promise<AttemptEnd<NodeOutcome> | Fenced | null> {
  try {
    return await endWithQuestion(attempt, () => Promise.resolve(buildBudgetPause(limit)));
  } catch (thrown) {
    storageFailure(attempt, { what: 'a question', error: thrown });
    return null;
  }
}

interface UnknownEnd {
  readonly error: NodeError;
  /** Of the work; null: that of the step. */
  readonly input?: Json;
  readonly status?: 'failed' | 'lost';
}

/** Finds why an attempt was given up: a cancellation, a fence, a stop; or null. */
function findUndecidedEnd(
  { control }: Pick<Attempt, 'control'>,
  live: LiveNode,
): AttemptEnd<never> | Fenced | null {
  if (control.isCancelled) return { kind: 'cancelled' };
  if (control.isRunOver) return { kind: 'gone' };
  if (live.isFenced) return FENCED;
  if (control.signal.aborted)
    return { kind: 'released', code: 'attempt_abandoned', message: 'The worker is shutting down' };
  return null;
}

function buildTimeoutError({ node, toolCall }: MeteredExecution): NodeError {
  const what = toolCall === undefined ? 'node' : 'tool';
  const message = `The ${what} timed out after ${node.policy.timeoutMs / 1_000} s`;
  return new NodeError('timeout', message, { retryable: true });
}

/**
 * Computes the wait before the next attempt, in ms; null when none is left, or the sent effect may not be repeated.
 * @param spent attempts that count against the node's limit, this one included
 */
function waitAfter(
  step: StepRow,
  { node }: MeteredExecution,
  { spent, error }: { readonly spent: number; readonly error: NodeError },
): number | null {
  if (step.effect === 'at_most_once' && step.sent_at !== null) return null;
  if (spent >= node.retry.maxAttempts) return null;
  const { step_id: stepId, attempt } = step;
  return computeRetryDelay(node, { stepId, attempt, spent }, error);
}

/** Records the failed attempt and announces the next one. @returns null when there is none */
async function scheduleRetry(
  attempt: Attempt,
  error: NodeError,
): Promise<AttemptEnd<NodeOutcome> | Fenced | null> {
  const { deps, execution } = attempt;
  return withLockedAttempt(attempt, async ({ sql, segment }, step) => {
    // Ended already when this transaction is repeated because the answer to its commit was lost.
    const isOpen = step.attempts.at(-1)?.status === 'running';
    const spent = spentAttempts(step, execution.retriesSince) + (isOpen ? 1 : 0);
    const delayMs = waitAfter(step, execution, { spent, error });
    if (delayMs === null) return null;
    if (isOpen) {
      const fields = buildErrorFields(error, spent);
      const now = deps.clock.now();
      closeAttempt(step, { status: 'failed', error: fields }, new Date(now).toISOString());
      const ended = step.attempts.at(-1);
      if (ended !== undefined) ended.retry_at = new Date(now + delayMs).toISOString();
      const told = {
        error: toFrameError(fields),
        next_attempt: step.attempt + 1,
        delay_ms: delayMs,
      };
      await execution.meter.record(sql, segment, execution);
      await writeSteps(sql, segment, {
        steps: [step],
        events: [buildRetryEvent(execution, told)],
        effects: attempt.effects.list(),
      });
    }
    return { kind: 'retry', code: error.code, message: error.message, delayMs };
  });
}
