/** Whether a run has taken an edge, from the outcomes of the nodes at its ends. */
import { START } from '../../graph/definition.ts';
import { fallBack } from '../../graph/handles.ts';
import type { EdgeEnds } from './binding.ts';
import type { NodeRun } from './run-board.ts';

type Outcome = Pick<NodeRun, 'status' | 'handle'> | undefined;
type EdgeState = '' | 'taken' | 'skipped';

/** All edges of a graph by their ends: a look through the list for each edge would cost the square of their number. */
export interface EdgeIndex {
  /** The handles that have edges, by the node that they leave. */
  readonly handles: ReadonlyMap<string, ReadonlySet<string>>;
  /** The number of edges that arrive, by their target. */
  readonly arrivals: ReadonlyMap<string, number>;
}

export function indexEdges(edges: readonly Omit<EdgeEnds, 'id'>[]): EdgeIndex {
  const handles = new Map<string, Set<string>>();
  const arrivals = new Map<string, number>();
  for (const { source, target, handle } of edges) {
    handles.set(source, (handles.get(source) ?? new Set()).add(handle));
    arrivals.set(target, (arrivals.get(target) ?? 0) + 1);
  }
  return { handles, arrivals };
}

const ENDED: readonly string[] = ['completed', 'reused', 'failed', 'skipped'];

/**
 * Tells of an edge with a condition, whose values the page does not have, what its target tells: a node that was passed over
 * was not reached, and one that ran was reached by its only edge.
 */
function readCondition(target: Outcome, isOnly: boolean): EdgeState {
  if (target === undefined) return '';
  if (target.status === 'skipped' && (target.handle ?? null) === null) return 'skipped';
  return isOnly ? 'taken' : '';
}

/**
 * Finds whether an edge was `taken` or `skipped`; neither while the run has not reached it, or where that is not known. A
 * failure that was handled and a disabled node take edges, too.
 * @param findNode the outcome of a node; undefined where the run has not been
 * @param index of all edges of the graph: a handle without edges falls back to others
 */
export function findEdgeState(
  findNode: (nodeId: string) => Outcome,
  { source, target, handle, isConditional }: Omit<EdgeEnds, 'id'>,
  { handles, arrivals }: EdgeIndex,
): EdgeState {
  if (source !== START) {
    const from = findNode(source);
    if (from === undefined || !ENDED.includes(from.status)) return '';
    if (from.handle === undefined) return from.status === 'skipped' ? 'skipped' : '';
    if (from.handle === null) return 'skipped';
    const left = fallBack(from.handle, (one) => handles.get(source)?.has(one) === true);
    if (left !== handle) return 'skipped';
  } else if (!isConditional) return findNode(target) === undefined ? '' : 'taken';
  if (!isConditional) return 'taken';
  return readCondition(findNode(target), arrivals.get(target) === 1);
}
