/**
 * A run's walk through its graph, as far as the interpreter keeps it in memory: the skeleton, the progress, what is
 * in flight and what has come back. Decides what happens next; starts and waits for nothing itself.
 */
import { decodeProgress, encodeProgress } from '../../src/graph/progress.ts';
import { isQuiet, iterationOf, iterationsByLoop, settle, start } from '../../src/graph/schedule.ts';
import type { Progress } from '../../src/graph/schedule.ts';
import type { Skeleton, SkeletonNode } from '../../src/graph/skeleton.ts';
import type { AdvanceInput, AdvanceResult, InterpretInput, NodeOutcome, NodeTask } from '../contract.ts';

/** Temporal allows 2,000 pending activities; a batch of this size keeps history growth per drain bounded. */
const MAX_IN_FLIGHT = 200;

export interface Launch {
  readonly node: number;
  readonly shape: SkeletonNode;
  readonly task: NodeTask;
  /** Items of a mapped node, or null. */
  readonly count: number | null;
}

interface Returned {
  readonly node: number;
  readonly visit: number;
  readonly outcome: NodeOutcome;
}

export class Walk {
  readonly #input: InterpretInput;
  readonly #returned: Returned[] = [];
  #skeleton: Skeleton | null = null;
  #progress: Progress | null = null;
  #text: string;
  #runPk = '';
  #advances: number;
  #skipped: number[] = [];
  #elapsed: [number, number][] = [];
  #inFlight = 0;
  /** Waits for answers only: nothing to do until a signal or a timer. */
  #paused = false;
  #wanted = true;

  constructor(input: InterpretInput) {
    this.#input = input;
    this.#advances = input.carried?.advances ?? 0;
    this.#text = input.carried?.progress ?? '';
  }

  get inFlight(): number {
    return this.#inFlight;
  }
  get skeleton(): Skeleton | null {
    return this.#skeleton;
  }
  get progress(): Progress | null {
    return this.#progress;
  }
  /** Something has come back, or an advance is due. */
  get hasWork(): boolean {
    return this.#wanted || this.#returned.length > 0;
  }
  /** Nothing is in flight or undelivered: a good place to continue as new. */
  get isAtRest(): boolean {
    return this.#inFlight === 0 && this.#returned.length === 0 && this.#skipped.length === 0;
  }
  get carried(): { advances: number; progress: string } {
    return { advances: this.#advances, progress: this.#text };
  }

  /** An answer may have come in: look. */
  wake(): void {
    this.#wanted = true;
  }

  timerFired(node: number, visit: number): void {
    this.#elapsed.push([node, visit]);
    this.#wanted = true;
  }

  taskReturned(node: number, visit: number, outcome: NodeOutcome): void {
    this.#returned.push({ node, visit, outcome });
  }

  /** Settles what has come back; true when an advance is due now. */
  settleReturned(): boolean {
    const { skeleton, progress } = this.#loaded();
    for (const { node, visit, outcome } of this.#returned.splice(0)) {
      this.#inFlight -= 1;
      this.#skipped.push(...settle(skeleton, progress, node, visit, outcome.taken));
      if (outcome.failed && progress.stop === null) progress.stop = { reason: 'node_failed', node };
    }
    return this.#wanted || this.#needsAdvance(skeleton, progress);
  }

  /** The input of the next advance. */
  nextAdvance(): AdvanceInput {
    this.#wanted = false;
    this.#advances += 1;
    if (this.#progress !== null) this.#text = encodeProgress(this.#progress);
    const { organizationId, rootRunPk } = this.#input;
    return {
      organizationId,
      rootRunPk,
      advance: this.#advances,
      progress: this.#text,
      elapsed: this.#elapsed.splice(0),
      skipped: this.#skipped.splice(0),
      inFlight: this.#inFlight,
    };
  }

  /** Takes over an advance's answer; the skeleton must be there when the run goes on. */
  apply(result: AdvanceResult, skeleton: Skeleton): Launch[] {
    this.#skeleton = skeleton;
    this.#text = result.progress;
    this.#runPk = result.runPk;
    this.#progress = decodeProgress(result.progress);
    this.#paused = result.state === 'interrupted';
    if (result.state === 'running' && result.more) this.#wanted = true;
    return result.maps.map((map) => {
      this.#inFlight += 1;
      const task = this.#task(map.node, map.visit, map.depth, map.position);
      return { node: map.node, shape: shapeOf(skeleton, map.node), task, count: map.count };
    });
  }

  /** Takes the ready nodes that run as tasks of their own, as far as there is room. */
  takeLaunches(): Launch[] {
    const { skeleton, progress } = this.#loaded();
    const launches: Launch[] = [];
    for (const node of [...progress.ready]) {
      if (progress.stop !== null || this.#inFlight >= MAX_IN_FLIGHT) break;
      const shape = shapeOf(skeleton, node);
      if (!isDirect(shape)) continue;
      const execution = start(skeleton, progress, node);
      if (execution === null) break;
      this.#inFlight += 1;
      launches.push({
        node,
        shape,
        task: this.#task(node, execution.visit, execution.depth, execution.position),
        count: null,
      });
    }
    if (this.#needsAdvance(skeleton, progress)) this.#wanted = true;
    return launches;
  }

  #task(node: number, visit: number, depth: number, position: number): NodeTask {
    const { skeleton, progress } = this.#loaded();
    const shape = shapeOf(skeleton, node);
    const { organizationId, rootRunPk } = this.#input;
    return {
      organizationId,
      rootRunPk,
      runPk: this.#runPk,
      nodeId: shape.id,
      visit,
      depth,
      position,
      itemIndex: -1,
      iteration: iterationOf(skeleton, progress, node),
      loop: shape.readsLoop ? iterationsByLoop(skeleton, progress) : {},
    };
  }

  /** Pure nodes are ready, skips are to be told, or nothing is left to do but to close or pause. */
  #needsAdvance(skeleton: Skeleton, progress: Progress): boolean {
    if (this.#skipped.length > 0) return true;
    if (progress.stop !== null) return this.#inFlight === 0;
    if (progress.ready.some((node) => !isDirect(shapeOf(skeleton, node)))) return true;
    return this.#inFlight === 0 && !this.#paused && isQuiet(progress);
  }

  #loaded(): { skeleton: Skeleton; progress: Progress } {
    if (this.#skeleton === null || this.#progress === null) throw new Error('The walk has not begun');
    return { skeleton: this.#skeleton, progress: this.#progress };
  }
}

/** Runs as a task that the interpreter starts itself, without an advance before it. */
function isDirect(shape: SkeletonNode): boolean {
  return shape.placement !== 'fold' && shape.maxConcurrency === 0;
}

function shapeOf(skeleton: Skeleton, node: number): SkeletonNode {
  const shape = skeleton.nodes[node];
  if (shape === undefined) throw new Error(`The graph has no node ${node}`);
  return shape;
}
