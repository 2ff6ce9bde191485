/** Judges what ended an attempt before its work was done: the run, another attempt, or the execution itself. */
import { isTransientDatabaseError } from '../../../db/transient-error.ts';
import type { PlanNode } from '../../../graph/plan.ts';
import { NodeError } from '../../../nodes/kind.ts';
import { closeAttempt as endCurrent, spentAttempts, type StepRow } from '../../ledger/steps.ts';
import { writeSteps } from '../../ledger/write-steps.ts';
import { buildRetryEvent } from '../frames.ts';
import type { AttemptEnd } from '../host.ts';
import type { NodeOutcome } from '../protocol.ts';
import { toNodeError, buildErrorFields } from './conclusion.ts';
import { FENCED, endWithError, withLockedAttempt, type Fenced } from './end.ts';
import type { Attempt, MeteredExecution } from './execution.ts';
import type { LiveWork } from './live.ts';

/** What a failure says: nothing of the work itself, or that the work has failed. */
type Judgement =
  | { readonly kind: 'cancelled' }
  | Fenced
  | Extract<AttemptEnd<never>, { kind: 'released' }>
  | { readonly kind: 'failed'; readonly error: NodeError };

/** Judges what was thrown by work. @param late what it failed with when its time was over */
function judge(
  { control }: Pick<Attempt, 'control'>,
  live: LiveWork,
  { thrown, late }: { readonly thrown: unknown; readonly late: () => NodeError },
): Judgement {
  if (control.isCancelled) return { kind: 'cancelled' };
  if (live.isFenced) return FENCED;
  if (control.signal.aborted)
    return { kind: 'released', code: 'attempt_abandoned', message: 'The worker stops' };
  if (!(thrown instanceof NodeError) && isTransientDatabaseError(thrown))
    return { kind: 'released', code: 'database_unavailable', message: 'The database cannot be reached' };
  const error = live.timedOut && !(thrown instanceof NodeError) ? late() : toNodeError(thrown);
  return { kind: 'failed', error };
}

/** Ends an attempt whose work has thrown. */
export async function endWithThrown(
  attempt: Attempt,
  live: LiveWork,
  thrown: unknown,
): Promise<AttemptEnd<NodeOutcome> | Fenced> {
  const { deps, task, execution } = attempt;
  const late = (): NodeError => {
    const what = execution.toolCall === undefined ? 'node' : 'tool';
    const message = `The ${what} did not end within ${execution.node.policy.timeoutMs} ms`;
    return new NodeError('timeout', message, { retryable: true });
  };
  const judged = judge(attempt, live, { thrown, late });
  if (judged.kind !== 'failed') {
    // The attempt stays open: the next one decides by its record.
    await recordAbandoned(attempt);
    return judged;
  }
  const { error } = judged;
  if (error.code === 'internal_error')
    deps.log.error({ thrown, run_pk: task.runPk, node_id: task.nodeId }, 'a node failed unexpectedly');
  const retry = error.retryable ? await scheduleRetry(attempt, error) : null;
  return retry ?? endWithError(attempt, error);
}

/** Writes down what an attempt has used that ends without a record of its own. Never throws. */
async function recordAbandoned({ deps, task, execution }: Attempt): Promise<void> {
  await execution.meter.recordAbandoned(deps.db, task, execution).catch((err: unknown) => {
    const { runPk, nodeId } = task;
    deps.log.warn({ err, run_pk: runPk, node_id: nodeId }, 'the usage of an attempt was not recorded');
  });
}

/** How long the next attempt waits after `spent` of them, in ms: the node's backoff, or what the other side asked for. */
function delayBefore({ retry, policy }: PlanNode, spent: number, error: NodeError): number {
  const backoff = retry.initialIntervalMs * retry.backoffCoefficient ** (spent - 1);
  // No server holds a run longer than the node itself may take.
  const asked = Math.min(error.retryAfterMs ?? 0, policy.timeoutMs);
  return Math.round(Math.max(Math.min(backoff, retry.maxIntervalMs), asked));
}

/** How long the next attempt waits, in ms; null: none is left, or what was sent may not be sent again. */
function waitAfter(step: StepRow, execution: MeteredExecution, error: NodeError): number | null {
  if (step.effect === 'at_most_once' && step.sent_at !== null) return null;
  const { retry } = execution.node;
  const spent = spentAttempts(step, execution.retriesSince) + 1;
  return spent >= retry.maxAttempts ? null : delayBefore(execution.node, spent, error);
}

/** Records the failed attempt and tells of the next. @returns null when there is none */
async function scheduleRetry(
  attempt: Attempt,
  error: NodeError,
): Promise<AttemptEnd<NodeOutcome> | Fenced | null> {
  const { deps, execution } = attempt;
  return withLockedAttempt(attempt, async ({ sql, segment }, step) => {
    const delayMs = waitAfter(step, execution, error);
    if (delayMs === null) return null;
    // Recorded once, also when this transaction is repeated because its first answer was lost.
    if (step.attempts.at(-1)?.status === 'running') {
      const fields = buildErrorFields(error, spentAttempts(step, execution.retriesSince) + 1);
      endCurrent(step, { status: 'failed', error: fields }, new Date(deps.clock.now()).toISOString());
      const { code, message, retryable } = fields;
      const told = {
        error: { code: code ?? '', message: message ?? '', retryable: retryable ?? true },
        next_attempt: step.attempt + 1,
        delay_ms: delayMs,
      };
      await execution.meter.record(sql, segment, execution);
      await writeSteps(sql, segment, { steps: [step], events: [buildRetryEvent(execution, told)] });
    }
    return { kind: 'retry', code: error.code, message: error.message, delayMs };
  });
}
