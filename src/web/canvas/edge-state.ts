/** Whether a run has taken an edge, from the outcomes of the nodes at its ends. */
import { START } from '../../graph/definition.ts';
import type { NodeRun } from './run-board.ts';

const ENDED: readonly string[] = ['completed', 'reused', 'failed'];

/**
 * Finds whether an edge was `taken` or `skipped`; neither while the run has not reached it.
 * @param findNode the outcome of a node; undefined where the run has not been
 */
export function findEdgeState(
  findNode: (nodeId: string) => Pick<NodeRun, 'status' | 'handle'> | undefined,
  { source, target, handle }: { readonly source: string; readonly target: string; readonly handle: string },
): '' | 'taken' | 'skipped' {
  if (source === START) return findNode(target) === undefined ? '' : 'taken';
  const from = findNode(source);
  if (from?.status === 'skipped') return 'skipped';
  if (from === undefined || !ENDED.includes(from.status)) return '';
  const left = from.status === 'failed' ? 'error' : (from.handle ?? 'default');
  return left === handle ? 'taken' : 'skipped';
}
