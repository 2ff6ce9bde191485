/**
 * Counts of a walk, updated with each change, so that a replay of many executions does not scan all edges for each of them.
 * A single change is decided from the progress without counts.
 */
import { EDGE, NODE, type Progress } from './schedule.ts';
import type { Skeleton } from '../definition/skeleton.ts';

const isOpen = (state: number): boolean => state === EDGE.unknown || state === EDGE.deferred;
const isBusy = (state: number): boolean => state === NODE.running || state === NODE.sleeping;

export class WalkCounts {
  readonly #graph: Skeleton;
  /** Taken and undecided forward edges into each node. */
  readonly #taken: Int32Array;
  readonly #open: Int32Array;
  /** The loops that an edge leaves, by edge. */
  readonly #loopsLeft = new Map<number, number[]>();
  #deferred = 0;
  #busy = 0;

  constructor(graph: Skeleton, progress: Progress) {
    this.#graph = graph;
    this.#taken = new Int32Array(graph.nodes.length);
    this.#open = new Int32Array(graph.nodes.length);
    graph.edges.forEach((_, edge) => this.#count(edge, progress.edges[edge] ?? EDGE.unknown, 1));
    for (const state of progress.nodes) if (isBusy(state)) this.#busy += 1;
    graph.loops.forEach(({ exits }, loop) => {
      for (const edge of exits) {
        const loops = this.#loopsLeft.get(edge);
        if (loops === undefined) this.#loopsLeft.set(edge, [loop]);
        else loops.push(loop);
      }
    });
  }

  changeEdge(edge: number, before: number, after: number): void {
    this.#count(edge, before, -1);
    this.#count(edge, after, 1);
  }

  changeNode(before: number, after: number): void {
    this.#busy += Number(isBusy(after)) - Number(isBusy(before));
  }

  /** Counts the taken and the undecided edges into a node. */
  countInto(node: number): { readonly taken: number; readonly open: number } {
    return { taken: this.#taken[node] ?? 0, open: this.#open[node] ?? 0 };
  }

  loopsLeft(edge: number): readonly number[] {
    return this.#loopsLeft.get(edge) ?? [];
  }

  get hasDeferred(): boolean {
    return this.#deferred > 0;
  }

  /** True when a node is running or sleeping. */
  get isBusy(): boolean {
    return this.#busy > 0;
  }

  #count(edge: number, state: number, by: number): void {
    const [, target, loop] = this.#graph.edges[edge] ?? [0, -1, -1];
    if (state === EDGE.deferred) this.#deferred += by;
    if (target < 0 || loop >= 0) return;
    if (state === EDGE.taken) this.#taken[target] = (this.#taken[target] ?? 0) + by;
    else if (isOpen(state)) this.#open[target] = (this.#open[target] ?? 0) + by;
  }
}
