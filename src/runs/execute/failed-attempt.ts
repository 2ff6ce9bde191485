/** What a failed attempt of a node comes to: a cancellation, another attempt, or the node's end. */
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { RetryPolicy } from '../../graph/definition.ts';
import { appendEvents } from '../ledger/events.ts';
import { endAttempt, lockStep, writeSteps } from '../ledger/steps.ts';
import { NodeError } from '../../nodes/kind.ts';
import type { NodeOutcome, NodeTask } from './protocol.ts';
import { anotherAttempt } from '../../../temporal/activities/another-attempt.ts';
import { spentAttempts } from './attempts.ts';
import { asNodeError, errorFields } from './conclusion.ts';
import { outlastTrouble } from './database-trouble.ts';
import { GONE } from './end-step.ts';
import type { EngineDeps } from './engine-deps.ts';
import { nodeEvent } from './frames.ts';
import type { LiveNode } from './live-node.ts';
import type { MeteredExecution } from './metering.ts';
import { fail } from './node-end.ts';
import { openRun } from './run-context.ts';
import type { NodeExecution } from './run-context.ts';

/** @throws ApplicationFailure for another attempt, and when the node has failed; CancelledFailure when the run was cancelled */
export async function failAttempt(
  deps: EngineDeps,
  task: NodeTask,
  execution: MeteredExecution,
  live: LiveNode,
  thrown: unknown,
): Promise<NodeOutcome> {
  await live.temporalsWord();
  const { cancellationDetails, cancellationSignal } = Context.current();
  if (cancellationDetails?.cancelRequested || live.isFenced || cancellationSignal.aborted) {
    await execution.meter.recordAbandoned(deps.db, task, execution).catch((err: unknown) => {
      deps.log.warn(
        { err, run_pk: task.runPk, node_id: task.nodeId },
        'the usage of an attempt was not recorded',
      );
    });
  }
  if (cancellationDetails?.cancelRequested) throw new CancelledFailure('The run was cancelled');
  if (live.isFenced) return GONE;
  // The attempt stays open: the next one decides by its record.
  const another = anotherAttempt(thrown);
  if (another !== null) throw another;
  const error = live.timedOut && !(thrown instanceof NodeError) ? timeoutOf(execution) : asNodeError(thrown);
  if (error.code === 'internal_error')
    deps.log.error({ err: thrown, run_pk: task.runPk, node_id: task.nodeId }, 'a node failed unexpectedly');
  const delayMs = error.retryable
    ? await outlastTrouble(() => scheduleRetry(deps, task, execution, error))
    : null;
  if (delayMs === null) return fail(deps, task, execution, error);
  throw ApplicationFailure.create({
    message: error.message,
    type: error.code,
    nonRetryable: false,
    nextRetryDelay: delayMs,
  });
}

function timeoutOf({ node }: NodeExecution): NodeError {
  const message = `The node did not end within ${node.policy.timeoutMs} ms`;
  return new NodeError('timeout', message, { retryable: true });
}

/** How long the next attempt waits after so many: the node's backoff, or what the other side asked for. */
export function delayBefore(retry: RetryPolicy, spent: number, error: NodeError): number {
  const backoff = retry.initialIntervalMs * retry.backoffCoefficient ** (spent - 1);
  return Math.round(Math.max(Math.min(backoff, retry.maxIntervalMs), error.retryAfterMs ?? 0));
}

/**
 * Records the failed attempt and tells of the next.
 * @returns the delay in milliseconds; null when no attempt is left, or what was sent may not be sent again
 */
async function scheduleRetry(
  deps: EngineDeps,
  task: NodeTask,
  execution: MeteredExecution,
  error: NodeError,
): Promise<number | null> {
  return deps.db.transaction(async (tx) => {
    const context = await openRun(tx, deps.plans, task, true);
    const step = await lockStep(tx, task.runPk, task.nodeId, task.visit, task.itemIndex);
    if (context?.segment.status !== 'running' || step === null || step.attempt !== execution.attempt)
      return null;
    if (step.effect === 'at_most_once' && step.sent_at !== null) return null;
    const { retry } = execution.node;
    const spent = spentAttempts(step, execution.retriesSince) + 1;
    if (spent >= retry.maxAttempts) return null;
    const delayMs = delayBefore(retry, spent, error);
    const fields = errorFields(error, spent);
    // Recorded once, also when this transaction is repeated because its first answer was lost.
    if (step.attempts.at(-1)?.status === 'running') {
      await execution.meter.record(tx, context.segment, execution);
    }
    endAttempt(step, 'failed', fields, new Date().toISOString());
    await writeSteps(tx, [step]);
    const { code, message, retryable } = fields;
    await appendEvents(tx, task.runPk, [
      nodeEvent('node_retry', execution, {
        error: { code: code ?? '', message: message ?? '', retryable: retryable ?? true },
        next_attempt: step.attempt + 1,
        delay_ms: delayMs,
      }),
    ]);
    return delayMs;
  });
}
