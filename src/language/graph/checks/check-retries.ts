/** Warns of retries that cannot apply: `max_attempts` of nodes whose failures are final, and waits beyond the time-out. */
import { quote } from '../definition/reader.ts';
import type { NodePolicy } from '../schedule/plan.ts';
import { addProblem, type CheckContext } from './examined.ts';

/** Why the failures of a node are final; null: they are retried. */
function findReason({ placement, isFinalOnceSent }: NodePolicy): string | null {
  if (placement === 'fold') return 'it has no failure that may pass';
  if (placement === 'child')
    return 'a sub-workflow is not run again. Set it on the nodes of the sub-workflow';
  if (isFinalOnceSent !== true) return null;
  return (
    'after an error or a timeout the request may have had its effect, so it is sent again only when nothing was sent, or ' +
    'when the service answers 429 or 503 with Retry-After. Say "idempotent" where the service heeds Idempotency-Key, or "retry_when"'
  );
}

/**
 * Reports `max_attempts` above one where it cannot apply, and a `retry_after` that the node's time-out shortens.
 * @param policies by node index; null where the config is invalid
 */
export function checkRetries(examined: CheckContext, policies: readonly (NodePolicy | null)[]): void {
  for (const [at, node] of examined.read.nodes.entries()) {
    const policy = policies[at] ?? null;
    if (policy === null) continue;
    const warn = (message: string, path: readonly string[]): void =>
      addProblem(examined, {
        severity: 'warning',
        code: 'retry_without_effect',
        message: `Node ${quote(node.id)}: ${message}`,
        path: ['nodes', node.position, ...path],
        nodeId: node.id,
      });
    const reason = (node.maxAttempts ?? 1) < 2 ? null : findReason(policy);
    if (reason !== null) warn(`max_attempts does not apply: ${reason}`, ['retry', 'max_attempts']);
    const boundMs = node.timeoutMs ?? policy.timeoutMs;
    if ((policy.retryAfterMs ?? 0) > boundMs)
      warn(`retry_after is shortened to ${String(boundMs / 1_000)} seconds, the timeout_ms of the node`, [
        'config',
        'retry_after',
      ]);
  }
}
