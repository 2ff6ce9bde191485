/**
 * The state of a run's walk in the interpreter: the skeleton, the progress, the tasks in flight and those that have ended. It
 * decides what happens next, and neither starts nor awaits anything itself.
 */
import { patched } from '@temporalio/workflow';
import { pauseNode } from '../../src/language/graph/schedule/pauses.ts';
import { decodeProgress, encodeProgress } from '../../src/language/graph/schedule/progress.ts';
import {
  isCurrent,
  isQuiet,
  isReady,
  findIteration,
  listIterations,
  settleNodeIn,
  startNodeIn,
} from '../../src/language/graph/schedule/schedule.ts';
import type { Progress, Timer } from '../../src/language/graph/schedule/schedule.ts';
import type { Skeleton, SkeletonNode } from '../../src/language/graph/definition/skeleton.ts';
import { WalkCounts } from '../../src/language/graph/schedule/walk-counts.ts';
import { MAX_IN_FLIGHT } from '../../src/engine/runs/execute/protocol.ts';
import type {
  AdvanceInput,
  AdvanceResult,
  NodeResumed,
  CarriedMap,
  MapStarted,
  NodeOutcome,
  NodeTask,
} from '../../src/engine/runs/execute/protocol.ts';
import { INTERPRETER_VERSION } from '../contract.ts';
import type { InterpretInput } from '../contract.ts';
import type { Wakeup } from './wakeup.ts';
import type { Redelivery } from './redelivery.ts';

/** An overtaken question is ended without delay. In histories before, the next advance of another reason ended it. */
const END_OVERTAKEN = 'end-overtaken';
/** An advance follows each pause. In histories before, the signal of an answer may have come first, and was lost. */
const LOOK_AFTER_PAUSE = 'look-after-pause';

/** An execution that the interpreter starts. */
export interface Launch {
  readonly node: number;
  readonly shape: SkeletonNode;
  readonly task: NodeTask;
  /** A mapped node and its first item to run; or null. */
  readonly map: CarriedMap | null;
  /** The turn with which an agent continues, or null. */
  readonly turn: number | null;
}

interface EndedTask {
  readonly node: number;
  readonly visit: number;
  readonly outcome: NodeOutcome;
}

/** Lists that are kept with the progress, so that the work of one result does not grow with the graph. */
interface Index {
  readonly counts: WalkCounts;
  /** Nodes that have become ready and that an advance runs or starts; a loop may have reset some since. */
  readonly folds: number[];
  readonly maps: number[];
}

export class Walk {
  readonly #input: InterpretInput;
  readonly #wakeup: Wakeup;
  readonly #redelivery: Redelivery;
  readonly #returned: EndedTask[] = [];
  #skeleton: Skeleton | null = null;
  #progress: Progress | null = null;
  #index: Index | null = null;
  #progressText: string;
  #runPk = '';
  #advances: number;
  #skipped: number[] = [];
  /** Settled tasks and fired timers since the last new answer of an advance: an older answer does not include them. */
  #settled: EndedTask[] = [];
  #sentTimers: Timer[] = [];
  #firedTimers: Timer[] = [];
  #inFlight = 0;
  /** Maps that the next history continues; they count as in flight. */
  #suspended: CarriedMap[] = [];
  #hasStoppedMap = false;
  /** The run waits for an answer or a timer, and nothing else. */
  #paused = false;
  #isAdvanceDue = false;

  constructor(input: InterpretInput, wakeup: Wakeup, redelivery: Redelivery) {
    this.#input = input;
    this.#wakeup = wakeup;
    this.#redelivery = redelivery;
    this.#advances = input.carried?.advances ?? 0;
    this.#progressText = input.carried?.progress ?? '';
    this.#suspended = [...(input.carried?.maps ?? [])];
    this.#inFlight = this.#suspended.length;
  }

  get skeleton(): Skeleton | null {
    return this.#skeleton;
  }
  get progress(): Progress | null {
    return this.#progress;
  }
  /** The pure nodes that the next advance starts with. */
  get pureReady(): SkeletonNode[] {
    const [skeleton, progress] = [this.#skeleton, this.#progress];
    if (skeleton === null || progress === null) return [];
    return progress.ready
      .map((node) => getShape(skeleton, node))
      .filter(({ placement }) => placement === 'fold');
  }
  /** A task has ended, or an advance is due. */
  get hasWork(): boolean {
    return this.#isAdvanceDue || this.#hasStoppedMap || this.#returned.length > 0;
  }
  /** Nothing is in flight and nothing is unprocessed. */
  get canContinueAsNew(): boolean {
    return this.#inFlight === this.#suspended.length && !this.hasWork && this.#skipped.length === 0;
  }
  /** The input of the next history. */
  get continueAsNewInput(): InterpretInput {
    const { progress } = this.#requireLoaded();
    const { run, organizationId, rootRunPk, searchable, isNamed } = this.#input;
    const carried = {
      advances: this.#advances,
      progress: encodeProgress(progress),
      maps: this.#suspended,
    };
    const interpreterVersion = INTERPRETER_VERSION;
    return { run, organizationId, rootRunPk, interpreterVersion, searchable, isNamed, carried };
  }

  /** Makes an advance due, which looks for answers. */
  wake(): void {
    this.#isAdvanceDue = true;
    this.#wakeup.notify();
  }

  noteTimerFired(timer: Timer): void {
    this.#firedTimers.push(timer);
    this.wake();
  }

  noteTaskEnd(node: number, visit: number, outcome: NodeOutcome): void {
    this.#returned.push({ node, visit, outcome });
    this.#wakeup.notify();
  }

  /** Keeps a map that stopped between two items for the next history. */
  noteMapStopped(map: CarriedMap): void {
    this.#suspended.push(map);
    this.#hasStoppedMap = true;
    this.#wakeup.notify();
  }

  /** Settles the tasks that have ended. @returns true when an advance is due */
  settleReturned(): boolean {
    const { progress } = this.#requireLoaded();
    this.#hasStoppedMap = false;
    for (const returned of this.#returned.splice(0)) {
      this.#inFlight -= 1;
      // The run has ended without this node: the next advance says how.
      if (returned.outcome.gone) {
        this.#isAdvanceDue = true;
        continue;
      }
      this.#settled.push(returned);
      this.#settle(returned);
    }
    return this.#isAdvanceDue || this.#needsAdvance(progress);
  }

  /** Builds the input of the next advance. */
  nextAdvance(): AdvanceInput {
    this.#isAdvanceDue = false;
    this.#advances += 1;
    if (this.#progress !== null) this.#progressText = encodeProgress(this.#progress);
    this.#sentTimers.push(...this.#firedTimers.splice(0));
    const { organizationId, rootRunPk } = this.#input;
    return {
      organizationId,
      rootRunPk,
      advance: this.#advances,
      progress: this.#progressText,
      elapsed: this.#sentTimers
        .filter((timer) => this.#isWanted(timer))
        .map(({ node, visit }) => [node, visit]),
      skipped: this.#skipped.splice(0),
      inFlight: this.#inFlight,
      ...(this.#skeleton === null ? { wantsSkeleton: true } : {}),
    };
  }

  /** Applies the answer of an advance. @returns the maps and the resumed executions to start */
  apply(result: AdvanceResult, skeleton: Skeleton): Launch[] {
    this.#skeleton = skeleton;
    this.#progressText = result.progress;
    this.#runPk = result.runPk;
    this.#progress = decodeProgress(result.progress);
    this.#index = {
      counts: new WalkCounts(skeleton, this.#progress),
      folds: [],
      maps: [],
    };
    this.#noteReady(this.#progress.ready);
    this.#paused = result.state === 'interrupted';
    if (result.repeated) this.#catchUp(result.resumed);
    else {
      this.#settled = [];
      this.#sentTimers = [];
    }
    if (result.state === 'running' && result.more) this.#isAdvanceDue = true;
    this.#inFlight += result.maps.length + result.resumed.length;
    return [
      ...result.maps.map((map) => this.#launchMap({ ...map, next: 0 })),
      ...result.resumed.map((resumed) => this.#launchResumed(resumed)),
    ];
  }

  /** Takes the maps that the history before has left. */
  takeSuspended(): Launch[] {
    return this.#suspended.splice(0).map((map) => this.#launchMap(map));
  }

  /** Takes the ready nodes that run as tasks, up to MAX_IN_FLIGHT. */
  takeLaunches(): Launch[] {
    const { skeleton, progress, index } = this.#requireLoaded();
    const launches: Launch[] = [];
    for (const node of progress.ready) {
      if (progress.stop !== null || this.#inFlight >= MAX_IN_FLIGHT) break;
      const shape = getShape(skeleton, node);
      if (!this.#isDirect(shape)) continue;
      const execution = startNodeIn({ graph: skeleton, progress, counts: index.counts }, node);
      if (execution === null) break;
      this.#inFlight += 1;
      launches.push({
        node,
        shape,
        task: this.#buildTask({ node, ...execution }),
        map: null,
        turn: null,
      });
    }
    if (this.#needsAdvance(progress)) this.#isAdvanceDue = true;
    return launches;
  }

  /**
   * Catches up after an answer that is older than this state: settles again the tasks that it does not include (settling twice
   * changes nothing), and requests an advance that reads timers and answers again.
   */
  #catchUp(resumed: readonly NodeResumed[]): void {
    // The answer resumes this execution, so its pause came before the answer.
    const isOld = ({ node, visit, outcome }: EndedTask): boolean =>
      outcome.asked !== undefined && resumed.some((each) => each.node === node && each.visit === visit);
    for (const returned of this.#settled) if (!isOld(returned)) this.#settle(returned);
    this.#isAdvanceDue = true;
  }

  #settle({ node, visit, outcome }: EndedTask): void {
    const { skeleton: graph, progress, index } = this.#requireLoaded();
    if (outcome.asked !== undefined) {
      // The question may have its answer by now, and an advance takes answers of paused nodes alone.
      if (patched(LOOK_AFTER_PAUSE)) this.#isAdvanceDue = true;
      return pauseNode(progress, { node, visit }, outcome.asked.fireAtMs);
    }
    const current = isCurrent(progress, node, visit);
    const walk = { graph, progress, counts: index.counts };
    const { skipped, readied } = settleNodeIn(walk, { node, visit, taken: outcome.taken });
    this.#skipped.push(...skipped);
    this.#noteReady(readied);
    if (current && outcome.failed && progress.stop === null) progress.stop = { reason: 'node_failed', node };
  }

  #noteReady(nodes: readonly number[]): void {
    const { skeleton, index } = this.#requireLoaded();
    for (const node of nodes) {
      const shape = getShape(skeleton, node);
      if (shape.placement === 'fold') index.folds.push(node);
      else if (!this.#isDirect(shape)) index.maps.push(node);
    }
  }

  /** False for a timer of a question that was answered: the next question of its agent has another time. */
  #isWanted({ node, visit, fireAtMs }: Timer): boolean {
    const timers = this.#progress?.timers ?? [];
    return timers.some((one) => one.node === node && one.visit === visit && one.fireAtMs === fireAtMs);
  }

  #launchMap(map: CarriedMap): Launch {
    const shape = getShape(this.#requireLoaded().skeleton, map.node);
    return { node: map.node, shape, task: this.#buildTask(map), map, turn: null };
  }

  #launchResumed(resumed: NodeResumed): Launch {
    const { node, turn } = resumed;
    const shape = getShape(this.#requireLoaded().skeleton, node);
    const task = this.#buildTask(resumed);
    // Its step exists.
    return { node, shape, task: turn === null ? { ...task, isRepeated: true } : task, map: null, turn };
  }

  #buildTask({ node, visit, depth, position }: Omit<MapStarted, 'count'>): NodeTask {
    const { skeleton, progress } = this.#requireLoaded();
    const shape = getShape(skeleton, node);
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
      iteration: findIteration(skeleton, progress, node),
      loop: shape.readsLoop ? listIterations(skeleton, progress) : {},
      ...(this.#redelivery.mayRepeat ? { isRepeated: true } : {}),
    };
  }

  /** True when pure nodes are ready, skips are to be recorded, or the run can only close or pause. */
  #needsAdvance(progress: Progress): boolean {
    if (this.#skipped.length > 0) return true;
    if (progress.overtaken.length > 0 && patched(END_OVERTAKEN)) return true;
    if (progress.stop !== null) return this.#inFlight === 0;
    const { folds, maps } = this.#requireLoaded().index;
    // The items of a mapped node count as in flight.
    const startable = this.#inFlight < MAX_IN_FLIGHT ? maps : [];
    if ([folds, startable].some((nodes) => nodes.some((node) => isReady(progress, node)))) return true;
    return this.#inFlight === 0 && !this.#paused && isQuiet(progress);
  }

  /** True for a node that the interpreter starts without an advance. */
  #isDirect({ placement, maxConcurrency }: SkeletonNode): boolean {
    return placement !== 'fold' && maxConcurrency === 0;
  }

  #requireLoaded(): { skeleton: Skeleton; progress: Progress; index: Index } {
    const [skeleton, progress, index] = [this.#skeleton, this.#progress, this.#index];
    if (skeleton === null || progress === null || index === null)
      throw new Error('The walk has no skeleton yet');
    return { skeleton, progress, index };
  }
}

function getShape(skeleton: Skeleton, node: number): SkeletonNode {
  const shape = skeleton.nodes[node];
  if (shape === undefined) throw new Error(`The graph has no node ${node}`);
  return shape;
}
