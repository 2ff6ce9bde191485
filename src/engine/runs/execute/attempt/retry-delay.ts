/** Spreads the retries of a node: executions that fail together do not come back together. */
import { spreadWait } from '../../../../base/spread.ts';
import type { PlanNode } from '../../../../language/graph/schedule/plan.ts';
import type { NodeError } from '../../../../language/nodes/kind.ts';

/** A failed attempt of a step. */
interface FailedAttempt {
  readonly stepId: string;
  readonly attempt: number;
  /** Attempts that count against the node's limit, this one included. */
  readonly spent: number;
}

/**
 * Computes the wait before the next attempt, in ms: between half the node's backoff and all of it. A server's Retry-After replaces the
 * half when it is longer, so the wait is never shorter than requested (SPEC DEF-2.13).
 * @returns the same for the same attempt: a repeated transaction must not record another delay
 */
export function computeRetryDelay(
  { retry, policy }: Pick<PlanNode, 'retry'> & { readonly policy: Pick<PlanNode['policy'], 'timeoutMs'> },
  failed: FailedAttempt,
  { retryAfterMs }: Pick<NodeError, 'retryAfterMs'>,
): number {
  const backoff = retry.initialIntervalMs * retry.backoffCoefficient ** (failed.spent - 1);
  // No server holds a run longer than the node itself may take.
  const requested = Math.min(retryAfterMs ?? 0, policy.timeoutMs);
  return spreadWait(Math.min(backoff, retry.maxIntervalMs), `${failed.stepId} ${failed.attempt}`, requested);
}
