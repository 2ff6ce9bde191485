/**
 * Decides which nodes may run next, from the states of edges (unknown, taken, skipped), joins, skips and loops. The
 * interpreter and the fold share these functions. They change a Progress in place and iterate in index order, so that the
 * result is deterministic.
 */
import { START_INDEX } from '../definition/definition.ts';
import type { Skeleton, SkeletonNode } from '../definition/skeleton.ts';
import type { WalkCounts } from './walk-counts.ts';

/** `deferred`: not taken, but its loop may run again; undecided until the loop is over. */
export const EDGE = { unknown: 0, taken: 1, skipped: 2, deferred: 3 } as const;
/** `interrupted` waits for a person, `sleeping` for a timer. */
export const NODE = { idle: 0, running: 1, done: 2, skipped: 3, interrupted: 4, sleeping: 5 } as const;

/** Limit of node executions per run: twice the largest definition. */
export const MAX_EXECUTIONS = 20_000;

export interface Timer {
  readonly node: number;
  readonly visit: number;
  readonly fireAtMs: number;
}

/** An execution that its loop overtook while it waited: the advance ends its step and its questions. */
export interface Overtaken {
  readonly node: number;
  readonly visit: number;
}

/** The reason for which scheduling stopped. The step of a failed node has its error. */
export interface Stop {
  readonly reason: 'node_failed' | 'recursion_limit_exceeded' | 'execution_limit_exceeded';
  readonly node: number;
}

export interface Progress {
  readonly edges: number[];
  readonly nodes: number[];
  /** Depth of the latest execution of each node. */
  readonly depths: number[];
  /** The greatest depth of the executions that triggered a node since its last reset. */
  readonly triggers: number[];
  readonly visits: number[];
  readonly iterations: number[];
  /** By loop: 1 when its back edge can no longer be taken. */
  readonly over: number[];
  /** Node indices, ascending. */
  ready: number[];
  timers: Timer[];
  /** Waiting executions that were overtaken since the last advance. */
  overtaken: Overtaken[];
  executions: number;
  stop: Stop | null;
}

/** A walk, with counts if many changes follow. */
interface WalkState {
  readonly graph: Skeleton;
  readonly progress: Progress;
  /** Null: counts are computed from the progress. */
  readonly counts: WalkCounts | null;
}

const zeros = (length: number): number[] => Array.from({ length }, () => 0);

/** Creates the progress of a new run: the entry edges are taken. */
export function createProgress(graph: Skeleton): Progress {
  const progress: Progress = {
    edges: zeros(graph.edges.length),
    nodes: zeros(graph.nodes.length),
    depths: zeros(graph.nodes.length),
    triggers: zeros(graph.nodes.length),
    visits: zeros(graph.nodes.length),
    iterations: zeros(graph.loops.length),
    over: zeros(graph.loops.length),
    ready: [],
    timers: [],
    overtaken: [],
    executions: 0,
    stop: null,
  };
  graph.edges.forEach(([source, target], edge) => {
    if (source !== START_INDEX) return;
    progress.edges[edge] = EDGE.taken;
    if (target >= 0) new Change({ graph, progress, counts: null }).consider(target);
  });
  return progress;
}

/** One execution of a node: its number among the node's executions, its depth, its place in the run. */
export interface Execution {
  readonly visit: number;
  readonly depth: number;
  readonly position: number;
}

/**
 * Starts a ready node.
 * @returns null when a limit stops the run (`progress.stop` says which)
 */
export const startNode = (graph: Skeleton, progress: Progress, node: number): Execution | null =>
  startNodeIn({ graph, progress, counts: null }, node);

/** As `startNode`, with counts. */
export function startNodeIn({ graph, progress, counts }: WalkState, node: number): Execution | null {
  const depth = (progress.triggers[node] ?? 0) + 1;
  if (depth > graph.recursionLimit) {
    progress.stop = { reason: 'recursion_limit_exceeded', node };
    return null;
  }
  if (progress.executions >= MAX_EXECUTIONS) {
    progress.stop = { reason: 'execution_limit_exceeded', node };
    return null;
  }
  if (isReady(progress, node)) progress.ready = progress.ready.toSpliced(findPlace(progress.ready, node), 1);
  counts?.changeNode(progress.nodes[node] ?? NODE.idle, NODE.running);
  progress.nodes[node] = NODE.running;
  progress.depths[node] = depth;
  progress.executions += 1;
  const visit = (progress.visits[node] ?? 0) + 1;
  progress.visits[node] = visit;
  return { visit, depth, position: progress.executions };
}

/** True when the node may run now. */
export const isReady = ({ ready }: Progress, node: number): boolean => ready[findPlace(ready, node)] === node;

/** True when the graph still waits for this execution of the node. */
export function isCurrent(progress: Progress, node: number, visit: number): boolean {
  const state = progress.nodes[node];
  const open = state === NODE.running || state === NODE.interrupted || state === NODE.sleeping;
  return open && progress.visits[node] === visit;
}

/** The end of an execution: its out-edges at positions `taken` are taken, the others are not. */
interface ExecutionEnd {
  readonly node: number;
  readonly visit: number;
  readonly taken: readonly number[];
}

/**
 * Ends an execution. Does nothing for an execution that is no longer current because its loop started another iteration.
 * @returns the nodes that are now skipped, in index order
 */
export const settleNode = (graph: Skeleton, progress: Progress, end: ExecutionEnd): number[] =>
  settleNodeIn({ graph, progress, counts: null }, end).skipped;

/** Nodes that a change affected: indices, ascending. */
export interface WalkChange {
  readonly skipped: number[];
  /** Nodes that became ready; the next iteration of a loop may have reset one. */
  readonly readied: number[];
}

/** As `settleNode`, with counts. */
export function settleNodeIn(walk: WalkState, { node, visit, taken }: ExecutionEnd): WalkChange {
  const { graph, progress } = walk;
  const change = new Change(walk);
  if (!isCurrent(progress, node, visit)) return change.result();
  change.setNode(node, NODE.done);
  progress.timers = progress.timers.filter((timer) => timer.node !== node || timer.visit !== visit);
  const backEdges: number[] = [];
  const out = graph.nodes[node]?.out ?? [];
  const takenEdges = new Set(taken.map((position) => out[position]));
  // A loop whose back edge is not taken must be over before its exits are decided.
  for (const edge of out) if (!takenEdges.has(edge)) change.endLoop(edge);
  for (const edge of out) {
    const [, target, loop] = graph.edges[edge] ?? [0, 0, -1];
    if (takenEdges.has(edge)) {
      if (loop >= 0) backEdges.push(edge);
      else change.take(edge, target, progress.depths[node] ?? 0);
    } else if (loop < 0) {
      change.miss(edge);
    }
  }
  for (const edge of backEdges) change.repeat(edge, progress.depths[node] ?? 0);
  return change.result();
}

/** True when nothing is ready, running or sleeping: the run waits for people, or is over. */
export function isQuiet(progress: Progress): boolean {
  return (
    progress.ready.length === 0 && !progress.nodes.some((s) => s === NODE.running || s === NODE.sleeping)
  );
}

/**
 * Skips the deferred edges of a quiet run: their loops will never decide them.
 * @returns the nodes that are now skipped; null when there was no such edge
 */
export function resolveDeferred(graph: Skeleton, progress: Progress): number[] | null {
  if (!progress.edges.includes(EDGE.deferred)) return null;
  return resolveDeferredIn({ graph, progress, counts: null }).skipped;
}

/** As `resolveDeferred`, with counts. */
export function resolveDeferredIn(walk: WalkState): WalkChange {
  const { edges, over } = walk.progress;
  const change = new Change(walk);
  over.fill(1);
  for (let edge = 0; edge < edges.length; edge += 1) {
    if (edges[edge] === EDGE.deferred) change.skipEdge(edge);
  }
  return change.result();
}

/** Lists the iterations of all loops by the id of their back edge: the template root `loop`. */
export function listIterations(graph: Skeleton, progress: Progress): Record<string, number> {
  return Object.fromEntries(graph.loopIds.map((id, loop) => [id, progress.iterations[loop] ?? 0]));
}

/** The iteration of the innermost loop around a node; null outside of loops. */
export function findIteration(graph: Skeleton, progress: Progress, node: number): number | null {
  let best: { size: number; iteration: number } | null = null;
  graph.loops.forEach((loop, index) => {
    if (!loop.nodes.includes(node)) return;
    if (best === null || loop.nodes.length < best.size) {
      best = { size: loop.nodes.length, iteration: progress.iterations[index] ?? 0 };
    }
  });
  return (best as { iteration: number } | null)?.iteration ?? null;
}

/** One change of the walk, which spreads over edges and nodes. */
class Change {
  readonly #skipped: number[] = [];
  readonly #readied: number[] = [];
  readonly #graph: Skeleton;
  readonly #progress: Progress;
  readonly #counts: WalkCounts | null;

  constructor({ graph, progress, counts }: WalkState) {
    this.#graph = graph;
    this.#progress = progress;
    this.#counts = counts;
  }

  result(): WalkChange {
    const ascending = (a: number, b: number): number => a - b;
    return { skipped: this.#skipped.toSorted(ascending), readied: this.#readied.toSorted(ascending) };
  }

  setNode(node: number, state: number): void {
    this.#counts?.changeNode(this.#progress.nodes[node] ?? NODE.idle, state);
    this.#progress.nodes[node] = state;
  }

  #setEdge(edge: number, state: number): void {
    this.#counts?.changeEdge(edge, this.#progress.edges[edge] ?? EDGE.unknown, state);
    this.#progress.edges[edge] = state;
  }

  take(edge: number, target: number, depth: number): void {
    this.#setEdge(edge, EDGE.taken);
    if (target < 0) return;
    this.#progress.triggers[target] = Math.max(this.#progress.triggers[target] ?? 0, depth);
    this.consider(target);
  }

  /** Marks an edge as not taken: deferred while a loop that it leaves may run again, else skipped. */
  miss(edge: number): void {
    if (this.#mayComeRound(edge)) this.#setEdge(edge, EDGE.deferred);
    else this.skipEdge(edge);
  }

  #mayComeRound(edge: number): boolean {
    const { over } = this.#progress;
    if (this.#counts !== null) return this.#counts.loopsLeft(edge).some((loop) => over[loop] === 0);
    return this.#graph.loops.some((loop, index) => over[index] === 0 && loop.exits.includes(edge));
  }

  skipEdge(edge: number): void {
    this.#setEdge(edge, EDGE.skipped);
    const target = this.#graph.edges[edge]?.[1] ?? -1;
    if (target >= 0) this.consider(target);
  }

  /** If `edge` is a back edge, ends its loop: its deferred exits are decided now. */
  endLoop(edge: number): void {
    const index = this.#graph.edges[edge]?.[2] ?? -1;
    const loop = this.#graph.loops[index];
    if (loop === undefined) return;
    this.#progress.over[index] = 1;
    for (const exit of loop.exits) {
      if (this.#progress.edges[exit] === EDGE.deferred) this.miss(exit);
    }
  }

  /** Makes an idle node ready or skipped if its in-edges decide that; skips spread iteratively. */
  consider(first: number): void {
    const queue = [first];
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      const shape = this.#graph.nodes[node];
      if (shape === undefined || this.#progress.nodes[node] !== NODE.idle || isReady(this.#progress, node))
        continue;
      const { taken, open } = this.#counts?.countInto(node) ?? this.#lookInto(shape);
      if (taken > 0 && (open === 0 || shape.join === 'any')) this.#makeReady(node);
      else if (taken === 0 && open === 0) {
        this.setNode(node, NODE.skipped);
        // A skip counts as a visit, so that its step does not share a number with a later execution.
        this.#progress.visits[node] = (this.#progress.visits[node] ?? 0) + 1;
        this.#skipped.push(node);
        this.#skipOut(shape.out, queue);
      }
    }
  }

  /** Counts taken and undecided edges into a node, until the result is clear. */
  #lookInto(shape: SkeletonNode): { readonly taken: number; readonly open: number } {
    let taken = 0;
    let open = 0;
    // From the end, because the last edge is mostly decided last, and one open edge decides a join `all`.
    for (let at = shape.in.length - 1; at >= 0 && (open === 0 || shape.join === 'any'); at -= 1) {
      const state = this.#progress.edges[shape.in[at] ?? -1];
      if (state === EDGE.taken) taken += 1;
      else if (state !== EDGE.skipped) open += 1;
    }
    return { taken, open };
  }

  #makeReady(node: number): void {
    insertSorted(this.#progress.ready, node);
    this.#readied.push(node);
  }

  /** Skips the out-edges of a skipped node and ends its loops. */
  #skipOut(out: readonly number[], queue: number[]): void {
    for (const edge of out) this.endLoop(edge);
    for (const edge of out) {
      const [, target, loop] = this.#graph.edges[edge] ?? [0, -1, -1];
      if (loop >= 0) continue;
      const open = this.#mayComeRound(edge);
      this.#setEdge(edge, open ? EDGE.deferred : EDGE.skipped);
      if (!open && target >= 0) queue.push(target);
    }
  }

  /** Takes a back edge: resets the nodes and edges of its loop and makes its target ready. */
  repeat(edge: number, depth: number): void {
    const [, target, index] = this.#graph.edges[edge] ?? [0, 0, -1];
    const loop = this.#graph.loops[index];
    if (loop === undefined) return;
    const inside = new Set(loop.nodes);
    for (const node of loop.nodes) {
      const state = this.#progress.nodes[node];
      // Work in flight ends by itself; a wait or a question would never.
      if (state === NODE.interrupted || state === NODE.sleeping)
        this.#progress.overtaken.push({ node, visit: this.#progress.visits[node] ?? 0 });
      this.setNode(node, NODE.idle);
      this.#progress.triggers[node] = 0;
    }
    for (const inner of loop.edges) this.#setEdge(inner, EDGE.unknown);
    for (const exit of loop.exits)
      if (this.#progress.edges[exit] === EDGE.deferred) this.#setEdge(exit, EDGE.unknown);
    this.#graph.loops.forEach((other, nested) => {
      const [source, head] = this.#graph.edges[other.edge] ?? [-1, -1];
      if (nested === index || !inside.has(source) || !inside.has(head)) return;
      this.#progress.iterations[nested] = 0;
      this.#progress.over[nested] = 0;
    });
    this.#progress.timers = this.#progress.timers.filter((timer) => !inside.has(timer.node));
    this.#progress.ready = this.#progress.ready.filter((node) => !inside.has(node));
    this.#progress.iterations[index] = (this.#progress.iterations[index] ?? 0) + 1;
    this.#progress.over[index] = 0;
    this.#progress.triggers[target] = depth;
    this.#makeReady(target);
  }
}

/** The index of a node in an ascending list, or the index at which it would be inserted. */
function findPlace(list: readonly number[], node: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? Number.POSITIVE_INFINITY) < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insertSorted(list: number[], node: number): void {
  const at = findPlace(list, node);
  if (list[at] !== node) list.splice(at, 0, node);
}
