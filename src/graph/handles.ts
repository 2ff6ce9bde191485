/** Which of a node's out-edges a handle selects. */
import type { PlanEdge, PlanNode } from './plan.ts';

/** Handles that stand for themselves: without an edge of their own they lead nowhere. */
const STRICT_HANDLES: ReadonlySet<string> = new Set(['error', 'fail', 'else']);

/** True when an out-edge of the node has this handle. */
export function hasHandle(node: PlanNode, edges: readonly PlanEdge[], handle: string): boolean {
  return node.out.some((edge) => edges[edge]?.handle === handle);
}

/** The handle whose edges are taken when the node has selected `handle`: without an edge of its own, the default. */
export function handleTaken(node: PlanNode, edges: readonly PlanEdge[], handle: string): string {
  return hasHandle(node, edges, handle) || STRICT_HANDLES.has(handle) ? handle : 'default';
}
