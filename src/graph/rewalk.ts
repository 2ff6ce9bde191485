/**
 * A walk made again from the record of an earlier one: what ended there ends here, but for what is to run anew and what
 * came of that. What is left is where the new walk begins.
 */
import { START_INDEX } from './definition.ts';
import { NODE, begin, isCurrent, isReady, resolveDeferredIn, settleIn, startIn } from './schedule.ts';
import type { Progress, WalkChange } from './schedule.ts';
import type { Skeleton } from './skeleton.ts';
import { WalkCounts } from './walk-counts.ts';

/** One execution of the earlier walk. */
export interface PastExecution {
  readonly node: number;
  readonly visit: number;
  readonly position: number;
  /** Positions among the out-edges of the node; null: it has not come to an end that the walk can go on from. */
  readonly taken: readonly number[] | null;
}

export interface Anew {
  /** The executions that run again: visits by node. */
  readonly chosen: ReadonlyMap<number, number>;
  /** Nodes that are not as they were: nothing of them is kept. */
  readonly changed: ReadonlySet<number>;
}

export interface Rewalk {
  readonly progress: Progress;
  /** Positions in the record: what ended there and here. */
  readonly kept: readonly number[];
  /** Positions in the record: what ended there, is reached by nothing that runs anew, and could not be kept. */
  readonly lost: readonly number[];
  /** By node, the visits that are skipped here: those of earlier rounds, too. */
  readonly skipped: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The nodes that edges lead to from `sources`, themselves included. */
export function reachableFrom(graph: Skeleton, sources: Iterable<number>): Set<number> {
  const reached = new Set(sources);
  // A Set iterates over what is added meanwhile: this is the queue.
  for (const node of reached) {
    for (const edge of graph.nodes[node]?.out ?? []) {
      const target = graph.edges[edge]?.[1] ?? START_INDEX;
      if (target >= 0) reached.add(target);
    }
  }
  return reached;
}

/** @param record in the order in which the executions ended; those that did not end anywhere */
export function rewalk(graph: Skeleton, record: readonly PastExecution[], anew: Anew): Rewalk {
  const walk = new Walk(graph, record, anew);
  const kept: number[] = [];
  const dropped: number[] = [];
  record.forEach((execution, index) => {
    if (execution.taken === null) return;
    (walk.end(execution, execution.taken) ? kept : dropped).push(index);
  });
  const again = reachableFrom(graph, [...anew.chosen.keys(), ...anew.changed]);
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
  readonly #anew: Anew;
  /** Executions that were begun, by node and visit. */
  readonly #begun: ReadonlySet<string>;
  /** Nodes that are begun no more: they come after what runs anew. */
  readonly #frozen: Set<number>;
  /** Ready nodes that were not looked at since they became ready. */
  #readied: readonly number[];

  constructor(graph: Skeleton, record: readonly PastExecution[], anew: Anew) {
    this.#graph = graph;
    this.#progress = begin(graph);
    this.#counts = new WalkCounts(graph, this.#progress);
    this.#anew = anew;
    this.#begun = new Set(record.map(({ node, visit }) => `${node}:${visit}`));
    this.#frozen = new Set(anew.changed);
    this.#readied = this.#progress.ready;
  }

  /** An execution ends as it did. @returns false when it came of what runs anew, or is skipped here */
  end({ node, visit }: PastExecution, taken: readonly number[]): boolean {
    if (this.#anew.changed.has(node)) return false;
    this.#launch();
    while (visit > (this.#progress.visits[node] ?? 0) && this.#isQuiet() && this.#counts.hasDeferred) {
      this.#note(resolveDeferredIn(this.#state()));
      this.#launch();
    }
    if (visit > (this.#progress.visits[node] ?? 0)) return false;
    if (this.isSkipped({ node, visit })) return false;
    // The end of what its loop had overtaken changes nothing but the state.
    if (isCurrent(this.#progress, node, visit)) this.#note(settleIn(this.#state(), { node, visit, taken }));
    return true;
  }

  isSkipped({ node, visit }: Pick<PastExecution, 'node' | 'visit'>): boolean {
    return this.skipped.get(node)?.has(visit) === true;
  }

  /** @param change nodes whose newest visit is a skip, and nodes that became ready */
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

  /** Begins what was begun then. A ready node that is not begun when it becomes ready never is. */
  #launch(): void {
    const { visits } = this.#progress;
    // A loop that came round may have taken one back.
    const readied = this.#readied.filter((node) => isReady(this.#progress, node));
    this.#readied = [];
    for (const node of readied) {
      if (this.#anew.chosen.get(node) === (visits[node] ?? 0) + 1) this.#freeze(node);
    }
    for (const node of readied) {
      if (this.#frozen.has(node) || !this.#begun.has(`${node}:${(visits[node] ?? 0) + 1}`)) continue;
      startIn(this.#state(), node);
    }
  }

  /** What comes after a node that runs anew is begun no more. What comes after a frozen node is frozen already. */
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

  /** Where the walk is now: what was begun and has not ended is ready again. @param position of the last that is kept */
  rest(position: number): Progress {
    this.#launch();
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
