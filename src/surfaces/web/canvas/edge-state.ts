/** Finds whether a run has taken an edge, from the outcomes of the nodes at its ends. */
import { START } from '../../../language/graph/definition/definition.ts';
import { fallBack } from '../../../language/graph/definition/handles.ts';
import type { EdgeEnds } from './binding.ts';
import type { NodeRun } from './run-board.ts';

type Outcome = Pick<NodeRun, 'status' | 'handle'> | undefined;
type EdgeState = '' | 'taken' | 'skipped';

/** The edges of a graph by their ends: a scan of all edges for each edge would be quadratic. */
export interface EdgeIndex {
  /** The handles with edges, by the source node. */
  readonly handles: ReadonlyMap<string, ReadonlySet<string>>;
  /** The number of incoming edges, by the target node. */
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
 * Finds the state of an edge with a condition from its target, because the page does not have the values of the condition. A
 * target that was skipped was not reached; one that ran was reached by its only edge.
 */
function findConditionalState(target: Outcome, isOnly: boolean): EdgeState {
  if (target === undefined) return '';
  const isUnreached = target.status === 'skipped' && (target.handle ?? null) === null;
  if (isUnreached) return 'skipped';
  return isOnly ? 'taken' : '';
}

/**
 * Finds whether an edge was `taken` or `skipped`; empty while the run has not reached it, or when that is unknown. A handled
 * failure and a disabled node take edges, too.
 * @param findNode the outcome of a node; undefined when the run has not reached it
 * @param index of all edges: a handle without edges falls back to others
 */
export function findEdgeState(
  findNode: (nodeId: string) => Outcome,
  { source, target, handle, isConditional }: Omit<EdgeEnds, 'id'>,
  { handles, arrivals }: EdgeIndex,
): EdgeState {
  if (source === START) {
    if (!isConditional) return findNode(target) === undefined ? '' : 'taken';
  } else {
    const from = findNode(source);
    if (from === undefined || !ENDED.includes(from.status)) return '';
    if (from.handle === undefined) return from.status === 'skipped' ? 'skipped' : '';
    if (from.handle === null) return 'skipped';
    const taken = fallBack(from.handle, (one) => handles.get(source)?.has(one) === true);
    if (taken !== handle) return 'skipped';
    if (!isConditional) return 'taken';
  }
  return findConditionalState(findNode(target), arrivals.get(target) === 1);
}
