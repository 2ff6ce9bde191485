/**
 * Finds the loops of a graph: back edges by depth-first search in definition order, and the nodes and edges that each one
 * repeats. The search is iterative: recursion over a chain of 10,000 nodes would overflow the stack.
 */

/** Ends of an edge by node index. Negative indices are virtual nodes; they are never part of a loop. */
interface EdgeEnds {
  readonly source: number;
  readonly target: number;
}

/** A loop: the nodes on paths from the back edge's target to its source. */
export interface PlanLoop {
  readonly edge: number;
  readonly nodes: readonly number[];
  /** Forward edges between nodes of the loop. */
  readonly edges: readonly number[];
  /** Forward edges that leave the loop. If one is not taken, it stays undecided until the loop is over. */
  readonly exits: readonly number[];
}

/** Limit of nodes and edges of all loops together: nested loops multiply, and a plan travels as a payload. */
const MAX_LOOP_MEMBERS = 500_000;

interface Traversal {
  /** Times at which the search entered and left a node; -1: never reached. */
  readonly entered: readonly number[];
  readonly left: readonly number[];
  /** Edges into a node that the search has not left: they close a cycle. Ascending. */
  readonly backEdges: readonly number[];
}

/** Depth-first search from `roots`, taking edges in the order of `out` (edge indices by node). */
export function searchDepthFirst(
  out: readonly (readonly number[])[],
  edges: readonly EdgeEnds[],
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

/** Lists edge indices by source node, in definition order. */
export function listOutEdges(nodeCount: number, edges: readonly EdgeEnds[]): number[][] {
  return groupEdges(nodeCount, edges, (edge) => edge.source);
}

function groupEdges(
  nodeCount: number,
  edges: readonly EdgeEnds[],
  getNode: (edge: EdgeEnds) => number,
): number[][] {
  const lists: number[][] = Array.from({ length: nodeCount }, () => []);
  edges.forEach((edge, index) => lists[getNode(edge)]?.push(index));
  return lists;
}

/**
 * Finds the loop of every back edge; null when the loops have more than MAX_LOOP_MEMBERS nodes and edges together. The
 * search starts at the targets of the edges from the virtual start node.
 */
export function findLoops(nodeCount: number, edges: readonly EdgeEnds[]): PlanLoop[] | null {
  const out = listOutEdges(nodeCount, edges);
  const into = groupEdges(nodeCount, edges, (edge) => edge.target);
  const entries = edges.filter((edge) => edge.source < 0 && edge.target >= 0).map((edge) => edge.target);
  const search = searchDepthFirst(out, edges, entries);
  const isBack = new Set(search.backEdges);
  const loops: PlanLoop[] = [];
  let members = 0;
  for (const edge of search.backEdges) {
    const loop = buildLoop(edge, { edges, out, into, search, isBack });
    members += loop.nodes.length + loop.edges.length + loop.exits.length;
    if (members > MAX_LOOP_MEMBERS) return null;
    loops.push(loop);
  }
  return loops;
}

interface SearchedGraph {
  readonly edges: readonly EdgeEnds[];
  readonly out: readonly (readonly number[])[];
  readonly into: readonly (readonly number[])[];
  readonly search: Traversal;
  readonly isBack: ReadonlySet<number>;
}

/**
 * Walks backwards from the back edge's source. Every node on a forward path from the target lies below the target in the
 * search tree, so comparing entry times replaces a second search.
 */
function buildLoop(backEdge: number, graph: SearchedGraph): PlanLoop {
  const { entered, left } = graph.search;
  const { source, target } = graph.edges[backEdge] ?? { source: -1, target: -1 };
  const from = entered[target] ?? -1;
  const to = left[target] ?? -1;
  const inside = new Set<number>([target, source]);
  // The Set is the queue: iteration visits entries that are added meanwhile. Forward edges into the target do not belong to the loop.
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
