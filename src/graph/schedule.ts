/**
 * Which nodes may run next: the three-state rule over edges (unknown, taken, skipped), joins, skips and loops.
 * The interpreter and the fold share these functions, so a node is scheduled alike wherever it runs. A Progress is
 * changed in place by its owner; it travels as text (progress.ts). Everything iterates in index order: deterministic.
 */
import { START_INDEX } from './definition.ts';
import type { Skeleton, SkeletonNode } from './skeleton.ts';
import type { WalkCounts } from './walk-counts.ts';

/** `deferred`: not taken by a node inside a loop that may still come round; says nothing until the loop is over. */
export const EDGE = { unknown: 0, taken: 1, skipped: 2, deferred: 3 } as const;
/** `asked` waits for a person, `sleeping` for a timer; neither is in flight. */
export const NODE = { idle: 0, running: 1, done: 2, skipped: 3, asked: 4, sleeping: 5 } as const;

/** A hard cap on node executions of one run: two rounds of the largest run that the service promises to carry. */
export const MAX_EXECUTIONS = 20_000;

export interface Timer {
  readonly node: number;
  readonly visit: number;
  readonly fireAtMs: number;
}

/** Why scheduling has stopped. The error of a failed node stands in its step. */
export interface Stop {
  readonly reason: 'node_failed' | 'recursion_limit_exceeded' | 'execution_limit_exceeded';
  readonly node: number;
}

export interface Progress {
  readonly edges: number[];
  readonly nodes: number[];
  /** Depth of the latest execution of each node. */
  readonly depths: number[];
  /** The greatest depth among what has triggered a node since it was last reset. */
  readonly triggers: number[];
  readonly visits: number[];
  readonly iterations: number[];
  /** By loop: 1 when its back edge can no longer be taken. */
  readonly over: number[];
  /** Node indices, ascending. */
  ready: number[];
  timers: Timer[];
  executions: number;
  stop: Stop | null;
}

/** A walk as a change of it sees it. */
export interface WalkState {
  readonly graph: Skeleton;
  readonly progress: Progress;
  /** Null: what has to be known is read from the progress. */
  readonly counts: WalkCounts | null;
}

const zeros = (length: number): number[] => Array.from({ length }, () => 0);

/** The progress of a run that has not begun: the entry edges are taken. */
export function begin(graph: Skeleton): Progress {
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
 * Takes a ready node out to run it.
 * @returns null when a limit stops the run instead (`progress.stop` says which)
 */
export const start = (graph: Skeleton, progress: Progress, node: number): Execution | null =>
  startIn({ graph, progress, counts: null }, node);

/** As `start`. */
export function startIn({ graph, progress, counts }: WalkState, node: number): Execution | null {
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

/** True when this execution of the node is the one that the graph still waits for. */
export function isCurrent(progress: Progress, node: number, visit: number): boolean {
  const state = progress.nodes[node];
  const open = state === NODE.running || state === NODE.asked || state === NODE.sleeping;
  return open && progress.visits[node] === visit;
}

/** The end of an execution: its out-edges at positions `taken` are taken, the others are not. */
export interface ExecutionEnd {
  readonly node: number;
  readonly visit: number;
  readonly taken: readonly number[];
}

/**
 * A node's execution ended. A result that the graph no longer waits for (its loop came round meanwhile) changes nothing.
 * @returns the nodes that are skipped by it, in index order
 */
export const settle = (graph: Skeleton, progress: Progress, end: ExecutionEnd): number[] =>
  settleIn({ graph, progress, counts: null }, end).skipped;

/** What a change has made of nodes: indices, ascending. */
export interface WalkChange {
  readonly skipped: number[];
  /** Those that have become ready; a loop that comes round may have taken one back. */
  readonly readied: number[];
}

/** As `settle`. */
export function settleIn(walk: WalkState, { node, visit, taken }: ExecutionEnd): WalkChange {
  const { graph, progress } = walk;
  const change = new Change(walk);
  if (!isCurrent(progress, node, visit)) return change.result();
  change.setNode(node, NODE.done);
  progress.timers = progress.timers.filter((timer) => timer.node !== node || timer.visit !== visit);
  const backEdges: number[] = [];
  const out = graph.nodes[node]?.out ?? [];
  const takenEdges = new Set(taken.map((position) => out[position]));
  // A loop whose back edge is not taken is over before its exits are judged.
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

/** Nothing is ready, running or sleeping: what is left are questions, or the end. */
export function isQuiet(progress: Progress): boolean {
  return (
    progress.ready.length === 0 && !progress.nodes.some((s) => s === NODE.running || s === NODE.sleeping)
  );
}

/**
 * When a run is quiet, edges that still wait for a loop that will never decide are skipped for good.
 * @returns the nodes skipped by it, or null when there was no such edge
 */
export function resolveDeferred(graph: Skeleton, progress: Progress): number[] | null {
  if (!progress.edges.includes(EDGE.deferred)) return null;
  return resolveDeferredIn({ graph, progress, counts: null }).skipped;
}

/** As `resolveDeferred`, where there is such an edge. */
export function resolveDeferredIn(walk: WalkState): WalkChange {
  const { edges, over } = walk.progress;
  const change = new Change(walk);
  over.fill(1);
  for (let edge = 0; edge < edges.length; edge += 1) {
    if (edges[edge] === EDGE.deferred) change.skipEdge(edge);
  }
  return change.result();
}

/** The iterations of all loops by the id of their back edge: the template root `loop`. */
export function iterationsByLoop(graph: Skeleton, progress: Progress): Record<string, number> {
  return Object.fromEntries(graph.loopIds.map((id, loop) => [id, progress.iterations[loop] ?? 0]));
}

/** The iteration of the innermost loop around a node, or null. */
export function iterationOf(graph: Skeleton, progress: Progress, node: number): number | null {
  let best: { size: number; iteration: number } | null = null;
  graph.loops.forEach((loop, index) => {
    if (!loop.nodes.includes(node)) return;
    if (best === null || loop.nodes.length < best.size) {
      best = { size: loop.nodes.length, iteration: progress.iterations[index] ?? 0 };
    }
  });
  return (best as { iteration: number } | null)?.iteration ?? null;
}

/** One change of the walk: what it does to the edges and nodes behind it. */
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

  /** An edge was not taken. While a loop that it leaves may come round again, that says nothing. */
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

  /** If `edge` is a back edge, its loop is over: exits that were deferred for it are skipped now. */
  endLoop(edge: number): void {
    const index = this.#graph.edges[edge]?.[2] ?? -1;
    const loop = this.#graph.loops[index];
    if (loop === undefined) return;
    this.#progress.over[index] = 1;
    for (const exit of loop.exits) {
      if (this.#progress.edges[exit] === EDGE.deferred) this.miss(exit);
    }
  }

  /** Looks whether an idle node may run now, or is skipped now; skips spread without recursion (long lines). */
  consider(first: number): void {
    const queue = [first];
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      const shape = this.#graph.nodes[node];
      if (shape === undefined || this.#progress.nodes[node] !== NODE.idle || isReady(this.#progress, node))
        continue;
      const { taken, open } = this.#counts?.into(node) ?? this.#lookInto(shape);
      if (taken > 0 && (open === 0 || shape.join === 'any')) this.#makeReady(node);
      else if (taken === 0 && open === 0) {
        this.setNode(node, NODE.skipped);
        // A skip is a visit of its own: its step must not share a number with a later execution.
        this.#progress.visits[node] = (this.#progress.visits[node] ?? 0) + 1;
        this.#skipped.push(node);
        this.#skipOut(shape.out, queue);
      }
    }
  }

  /** Of the edges into a node as many as decide: how many are taken, and of how many nothing is known yet. */
  #lookInto(shape: SkeletonNode): { readonly taken: number; readonly open: number } {
    let taken = 0;
    let open = 0;
    // From the last, which is mostly the last to be decided: one that is open says all of a join that waits for all.
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

  /** The out-edges of a skipped node: none is taken, and its loops are over. */
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

  /** A back edge was taken: what lies on its loop is as if it had never run, and its target runs again. */
  repeat(edge: number, depth: number): void {
    const [, target, index] = this.#graph.edges[edge] ?? [0, 0, -1];
    const loop = this.#graph.loops[index];
    if (loop === undefined) return;
    const inside = new Set(loop.nodes);
    for (const node of loop.nodes) {
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

/** Where a node stands in an ascending list, or would stand. */
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
