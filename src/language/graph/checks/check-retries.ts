/** Warns of retries that cannot apply: `max_attempts` of nodes whose failures are final. */
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

/** Reports `max_attempts` above one where it cannot apply. @param policies by node index; null where the config is invalid */
export function checkRetries(examined: CheckContext, policies: readonly (NodePolicy | null)[]): void {
  for (const [at, node] of examined.read.nodes.entries()) {
    const policy = policies[at] ?? null;
    const reason = policy === null || (node.maxAttempts ?? 1) < 2 ? null : findReason(policy);
    if (reason === null) continue;
    addProblem(examined, {
      severity: 'warning',
      code: 'retry_without_effect',
      message: `Node ${quote(node.id)}: max_attempts does not apply: ${reason}`,
      path: ['nodes', node.position, 'retry', 'max_attempts'],
      nodeId: node.id,
    });
  }
}
