/** Selects the out-edges of a node by handle. */
import type { PlanEdge, PlanNode } from '../schedule/plan.ts';

/** Handles without a fallback to `default`: without an edge of their own the path ends. */
const STRICT_HANDLES: ReadonlySet<string> = new Set(['error', 'fail', 'else']);

/** True when an out-edge of the node has this handle. */
export function hasHandle(node: PlanNode, edges: readonly PlanEdge[], handle: string): boolean {
  return node.out.some((edge) => edges[edge]?.handle === handle);
}

/**
 * The handle whose edges are taken when a node selects `handle`: `default` if it has no edges and allows the fallback.
 * @param hasEdges whether edges leave the node by a handle
 */
export const fallBack = (handle: string, hasEdges: (handle: string) => boolean): string =>
  hasEdges(handle) || STRICT_HANDLES.has(handle) ? handle : 'default';

/** As `fallBack`, for a node of a plan. */
export const resolveHandle = (node: PlanNode, edges: readonly PlanEdge[], handle: string): string =>
  fallBack(handle, (one) => hasHandle(node, edges, one));
