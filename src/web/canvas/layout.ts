/** Automatic layout: from boxes and edges to places. It runs in a worker, where thousands of nodes freeze nobody. */
import { graphlib, layout } from '@dagrejs/dagre';
import { GAP_X, GAP_Y, snap, type Box, type Point } from './geometry.ts';

export interface LayoutTask {
  readonly boxes: readonly (Box & { readonly id: string })[];
  readonly edges: readonly { readonly source: string; readonly target: string }[];
}

/** Lays out columns from left to right; the upper left corner of the boxes stays where it was. */
export function layOut({ boxes, edges }: LayoutTask): (Point & { readonly id: string })[] {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', ranksep: GAP_X, nodesep: GAP_Y, ranker: 'tight-tree' });
  graph.setDefaultEdgeLabel(() => ({}));
  // The order in which they are told is the order of rows that dagre begins with: what is above stays above.
  for (const { id, width, height } of boxes.toSorted((a, b) => a.y - b.y)) {
    graph.setNode(id, { width, height });
  }
  const ids = new Set(boxes.map(({ id }) => id));
  for (const { source, target } of edges) {
    if (ids.has(source) && ids.has(target)) graph.setEdge(source, target);
  }
  layout(graph);
  const placed = boxes.map(({ id, width, height }) => {
    const { x, y } = graph.node(id) as Point;
    return { id, x: x - width / 2, y: y - height / 2 };
  });
  const shift = {
    x: Math.min(...boxes.map(({ x }) => x)) - Math.min(...placed.map(({ x }) => x)),
    y: Math.min(...boxes.map(({ y }) => y)) - Math.min(...placed.map(({ y }) => y)),
  };
  return placed.map(({ id, x, y }) => ({ id, ...snap({ x: x + shift.x, y: y + shift.y }) }));
}
