/** What a run says of an edge, from how the nodes at its ends came out. */
import { START } from '../../graph/definition.ts';
import type { NodeRun } from './run-board.ts';

const ENDED: readonly string[] = ['completed', 'reused', 'failed'];

/**
 * `taken`, `skipped`, or nothing while the run has not come to it.
 * @param nodeOf how a node came out; undefined where the run has not come to
 */
export function takenOf(
  nodeOf: (nodeId: string) => Pick<NodeRun, 'status' | 'handle'> | undefined,
  { source, target, handle }: { readonly source: string; readonly target: string; readonly handle: string },
): '' | 'taken' | 'skipped' {
  if (source === START) return nodeOf(target) === undefined ? '' : 'taken';
  const from = nodeOf(source);
  if (from?.status === 'skipped') return 'skipped';
  if (from === undefined || !ENDED.includes(from.status)) return '';
  const left = from.status === 'failed' ? 'error' : (from.handle ?? 'default');
  return left === handle ? 'taken' : 'skipped';
}
