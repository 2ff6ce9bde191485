/**
 * Loops of a graph: back edges by depth-first search in definition order, and what each of them repeats.
 * Everything is iterative: a line of 10,000 nodes must not meet the end of the stack.
 */

/** Ends of an edge by node index; negative indices are the virtual nodes and never part of a loop. */
export interface Ends {
  readonly source: number;
  readonly target: number;
}

/** A loop: what lies on a path from the back edge's target to its source. */
export interface PlanLoop {
  readonly edge: number;
  readonly nodes: readonly number[];
  /** Forward edges between nodes of the loop. */
  readonly edges: readonly number[];
  /** Forward edges that leave the loop: not taken says nothing until the loop is over. */
  readonly exits: readonly number[];
}

/** Nodes and edges that all loops together may hold; nested loops multiply, and a plan must stay movable. */
export const MAX_LOOP_MEMBERS = 500_000;

export interface Traversal {
  /** When the search entered and left a node; -1: never reached. */
  readonly entered: readonly number[];
  readonly left: readonly number[];
  /** Edges whose target was still open: they close a cycle. Ascending. */
  readonly backEdges: readonly number[];
}

/** Depth-first search from `roots`, taking edges in the order of `out` (edge indices by node). */
export function depthFirst(
  out: readonly (readonly number[])[],
  edges: readonly Ends[],
  roots: readonly number[],
): Traversal {
  const entered = out.map(() => -1);
  const left = out.map(() => -1);
  const backEdges: number[] = [];
  let clock = 0;
  for (const root of roots) {
    if (entered[root] !== -1) continue;
    entered[root] = clock++;
    const stack = [{ node: root, next: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const index = out[top.node]?.[top.next++];
      if (index === undefined) {
        left[top.node] = clock++;
        stack.pop();
        continue;
      }
      const target = edges[index]?.target ?? -1;
      if (target < 0) continue;
      if (entered[target] === -1) {
        entered[target] = clock++;
        stack.push({ node: target, next: 0 });
      } else if (left[target] === -1) backEdges.push(index);
    }
  }
  return { entered, left, backEdges: backEdges.toSorted((a, b) => a - b) };
}

/** Edge indices by source node, in definition order. */
export function outEdges(nodeCount: number, edges: readonly Ends[]): number[][] {
  return edgesBy(nodeCount, edges, (edge) => edge.source);
}

function edgesBy(nodeCount: number, edges: readonly Ends[], nodeOf: (edge: Ends) => number): number[][] {
  const lists: number[][] = Array.from({ length: nodeCount }, () => []);
  edges.forEach((edge, index) => lists[nodeOf(edge)]?.push(index));
  return lists;
}

/**
 * The loop of every back edge, by edge index; null when they hold more than MAX_LOOP_MEMBERS together.
 * The search starts at the targets of the edges from the virtual start node.
 */
export function findLoops(nodeCount: number, edges: readonly Ends[]): PlanLoop[] | null {
  const out = outEdges(nodeCount, edges);
  const into = edgesBy(nodeCount, edges, (edge) => edge.target);
  const entries = edges.filter((edge) => edge.source < 0 && edge.target >= 0).map((edge) => edge.target);
  const search = depthFirst(out, edges, entries);
  const isBack = new Set(search.backEdges);
  const loops: PlanLoop[] = [];
  let members = 0;
  for (const edge of search.backEdges) {
    const loop = loopOf(edge, { edges, out, into, search, isBack });
    members += loop.nodes.length + loop.edges.length + loop.exits.length;
    if (members > MAX_LOOP_MEMBERS) return null;
    loops.push(loop);
  }
  return loops;
}

interface Searched {
  readonly edges: readonly Ends[];
  readonly out: readonly (readonly number[])[];
  readonly into: readonly (readonly number[])[];
  readonly search: Traversal;
  readonly isBack: ReadonlySet<number>;
}

/**
 * Walks backwards from the back edge's source. Every node on a forward path from its target lies below that target
 * in the search tree (a node left earlier would have carried the source along), and everything below it is reachable
 * from it, so staying inside the target's interval is enough: no second search is needed.
 */
function loopOf(backEdge: number, graph: Searched): PlanLoop {
  const { entered, left } = graph.search;
  const { source, target } = graph.edges[backEdge] ?? { source: -1, target: -1 };
  const from = entered[target] ?? -1;
  const to = left[target] ?? -1;
  const inside = new Set<number>([target, source]);
  // A Set iterates over what is added meanwhile: this is the queue. Nothing forward into the target belongs here.
  for (const node of inside) {
    if (node === target) continue;
    for (const index of graph.into[node] ?? []) {
      const before = graph.edges[index]?.source ?? -1;
      const at = entered[before] ?? -1;
      if (!graph.isBack.has(index) && at >= from && at < to) inside.add(before);
    }
  }
  const nodes = [...inside].toSorted((a, b) => a - b);
  const edges: number[] = [];
  const exits: number[] = [];
  for (const node of nodes) {
    for (const index of graph.out[node] ?? []) {
      if (graph.isBack.has(index)) continue;
      (inside.has(graph.edges[index]?.target ?? -1) ? edges : exits).push(index);
    }
  }
  return { edge: backEdge, nodes, edges, exits };
}
