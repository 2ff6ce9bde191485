/**
 * Replays a recorded walk without the nodes to rerun and their descendants; returns the progress at which the new run
 * starts.
 */
import { START_INDEX } from '../definition/definition.ts';
import {
  NODE,
  createProgress,
  isCurrent,
  isReady,
  resolveDeferredIn,
  settleNodeIn,
  startNodeIn,
} from './schedule.ts';
import type { Progress, WalkChange } from './schedule.ts';
import type { Skeleton } from '../definition/skeleton.ts';
import { WalkCounts } from './walk-counts.ts';

/** One execution of the earlier walk. */
export interface PastExecution {
  readonly node: number;
  readonly visit: number;
  readonly position: number;
  /** Positions among the out-edges of the node; null: the execution did not end in a way that the walk can continue from. */
  readonly taken: readonly number[] | null;
}

interface RerunChoice {
  /** The executions to rerun: visits by node. */
  readonly chosen: ReadonlyMap<number, number>;
  /** Nodes whose definition changed: none of their executions are kept. */
  readonly changed: ReadonlySet<number>;
}

interface RewalkResult {
  readonly progress: Progress;
  /** Record indices of executions that are kept. */
  readonly kept: readonly number[];
  /** Record indices of executions that could not be kept although no rerun node leads to them. */
  readonly lost: readonly number[];
  /** The skipped visits by node, those of earlier loop iterations included. */
  readonly skipped: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Finds the nodes that edges lead to from `sources`, themselves included. */
export function findReachable(graph: Skeleton, sources: Iterable<number>): Set<number> {
  const reached = new Set(sources);
  // The Set is the queue: iteration visits entries that are added meanwhile.
  for (const node of reached) {
    for (const edge of graph.nodes[node]?.out ?? []) {
      const target = graph.edges[edge]?.[1] ?? START_INDEX;
      if (target >= 0) reached.add(target);
    }
  }
  return reached;
}

/** Replays a record. @param record in the order in which the executions ended; the position of unended ones does not matter */
export function rewalk(graph: Skeleton, record: readonly PastExecution[], anew: RerunChoice): RewalkResult {
  const walk = new Walk(graph, record, anew);
  const kept: number[] = [];
  const dropped: number[] = [];
  record.forEach((execution, index) => {
    if (execution.taken === null) return;
    (walk.end(execution, execution.taken) ? kept : dropped).push(index);
  });
  const again = findReachable(graph, [...anew.chosen.keys(), ...anew.changed]);
  const lost = dropped.filter((index) => {
    const execution = record[index];
    return execution !== undefined && !again.has(execution.node) && !walk.isSkipped(execution);
  });
  const position = kept.reduce((last, index) => Math.max(last, record[index]?.position ?? 0), 0);
  return { progress: walk.rest(position), kept, lost, skipped: walk.skipped };
}

class Walk {
  readonly skipped = new Map<number, Set<number>>();
  readonly #graph: Skeleton;
  readonly #progress: Progress;
  readonly #counts: WalkCounts;
  readonly #anew: RerunChoice;
  /** Executions that the record has, as `node:visit`. */
  readonly #started: ReadonlySet<string>;
  /** Nodes that the replay does not start any more: they follow a node to rerun. */
  readonly #frozen: Set<number>;
  /** Nodes that became ready and were not considered yet. */
  #readied: readonly number[];

  constructor(graph: Skeleton, record: readonly PastExecution[], anew: RerunChoice) {
    this.#graph = graph;
    this.#progress = createProgress(graph);
    this.#counts = new WalkCounts(graph, this.#progress);
    this.#anew = anew;
    this.#started = new Set(record.map(({ node, visit }) => `${node}:${visit}`));
    this.#frozen = new Set(anew.changed);
    this.#readied = this.#progress.ready;
  }

  /** Ends an execution as recorded. @returns false when it follows a node to rerun, or is skipped in this walk */
  end({ node, visit }: PastExecution, taken: readonly number[]): boolean {
    if (this.#anew.changed.has(node)) return false;
    this.#startReady();
    while (visit > (this.#progress.visits[node] ?? 0) && this.#isQuiet() && this.#counts.hasDeferred) {
      this.#note(resolveDeferredIn(this.#state()));
      this.#startReady();
    }
    if (visit > (this.#progress.visits[node] ?? 0)) return false;
    if (this.isSkipped({ node, visit })) return false;
    // An execution that its loop overtook only changes the state, not the walk.
    if (isCurrent(this.#progress, node, visit))
      this.#note(settleNodeIn(this.#state(), { node, visit, taken }));
    return true;
  }

  isSkipped({ node, visit }: Pick<PastExecution, 'node' | 'visit'>): boolean {
    return this.skipped.get(node)?.has(visit) === true;
  }

  #note({ skipped, readied }: WalkChange): void {
    for (const node of skipped) {
      const visits = this.skipped.get(node) ?? new Set();
      this.skipped.set(node, visits.add(this.#progress.visits[node] ?? 0));
    }
    this.#readied = readied;
  }

  #state() {
    return { graph: this.#graph, progress: this.#progress, counts: this.#counts };
  }

  #isQuiet(): boolean {
    return this.#progress.ready.length === 0 && !this.#counts.isBusy;
  }

  /** Starts the ready nodes that the record has. A node that is not started when it becomes ready never is. */
  #startReady(): void {
    const { visits } = this.#progress;
    // The next iteration of a loop may have reset one.
    const readied = this.#readied.filter((node) => isReady(this.#progress, node));
    this.#readied = [];
    for (const node of readied) {
      if (this.#anew.chosen.get(node) === (visits[node] ?? 0) + 1) this.#freeze(node);
    }
    for (const node of readied) {
      if (this.#frozen.has(node) || !this.#started.has(`${node}:${(visits[node] ?? 0) + 1}`)) continue;
      startNodeIn(this.#state(), node);
    }
  }

  /** Freezes a node to rerun and its descendants. Descendants of a frozen node are already frozen. */
  #freeze(first: number): void {
    const queue = [first];
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      if (this.#frozen.has(node)) continue;
      this.#frozen.add(node);
      for (const edge of this.#graph.nodes[node]?.out ?? []) {
        const [, target, loop] = this.#graph.edges[edge] ?? [0, -1, -1];
        if (target >= 0 && loop < 0) queue.push(target);
      }
    }
  }

  /** The progress of the walk; started executions that have not ended are ready again. @param position of the last kept execution */
  rest(position: number): Progress {
    this.#startReady();
    const progress = this.#progress;
    const ready = new Set(progress.ready);
    progress.nodes.forEach((state, node) => {
      if (state !== NODE.running) return;
      progress.nodes[node] = NODE.idle;
      progress.visits[node] = (progress.visits[node] ?? 1) - 1;
      ready.add(node);
    });
    progress.ready = [...ready].toSorted((a, b) => a - b);
    progress.executions = position;
    return progress;
  }
}
