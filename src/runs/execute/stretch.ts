/**
 * A stretch of a run's walk, made in one go: an advance, and where the interpreter asks for it the short effectful nodes
 * behind it. Each further advance, in one transaction, ends the calls that have come back, runs what is pure, and opens the
 * attempts of the calls that are ready; then those calls go out. What takes long is left to the interpreter.
 *
 * Each advance takes what has come in (answers, timers), runs what is pure, and closes or pauses the run when nothing else
 * is left. Its answer is stored under its number, so that a repetition after a lost reply gives the same answer and does
 * nothing twice; a number can be given once, so of two processes that walk the same run one is told to stop.
 */
import { randomUUID } from 'node:crypto';
import { decodeProgress, encodeProgress } from '../../graph/progress.ts';
import { begin } from '../../graph/schedule.ts';
import { isForInterpreter, shapesOf } from '../../graph/skeleton.ts';
import type { Skeleton, SkeletonNode } from '../../graph/skeleton.ts';
import type { Tx } from '../../db/client.ts';
import { isTransientDatabaseError } from '../../db/transient-error.ts';
import { Overtaken, storedAnswer } from '../ledger/advances.ts';
import { lockToAdvance } from '../ledger/segments.ts';
import type { RunToAdvance, RunToBegin, Segment } from '../ledger/segments.ts';
import { RunValues } from '../ledger/values.ts';
import { isSameMap, startedOf, withCall } from './advance-maps.ts';
import type { LiveMap } from './advance-maps.ts';
import { AdvanceStep } from './advance-step.ts';
import type { AdvanceEnd } from './advance-step.ts';
import type { EndedCall, OpenedCall } from './advance-calls.ts';
import { unwritable } from './call-ends.ts';
import { GONE, closed, countOf, endOf, leftIn } from './advance-answers.ts';
import type { Left } from './advance-answers.ts';
import type { ExecuteDeps } from './deps.ts';
import { outlastOutage } from './outlast-outage.ts';
import type { AdvanceInput, AdvanceResult, OpenCall } from './protocol.ts';
import { contextOf, seedValues } from './run-context.ts';
import type { RunContext } from './run-context.ts';
import { StretchCalls } from './stretch-calls.ts';

/**
 * So long a stretch begins calls when the run does nothing else; and when the interpreter has other work for it. Each stretch
 * costs a workflow task and a read of the run's values, and a cancellation in Temporal is heard between two.
 */
const STRETCH_MS = { alone: 2_500, busy: 150 };

/** An answer as it is stored. */
type StoredAnswer = AdvanceResult & {
  /** Which stretch has given it. */
  readonly stretch?: string;
};

/** What an advance goes on from. */
interface Go {
  readonly progress: string;
  /** The values of the run, where they are known; else they are read. */
  readonly values?: RunValues | null;
  /** Calls under way that are not this stretch's yet. */
  readonly kept?: readonly OpenCall[];
  readonly ended?: readonly EndedCall[];
  /** Notes what comes of it, for an advance whose commit is in doubt. */
  readonly tried?: Tried;
  readonly work: (step: AdvanceStep) => Promise<AdvanceEnd>;
}

/** What an advance that is perhaps committed leaves under way. */
interface Tried {
  /** By step. */
  readonly opened: Map<string, OpenedCall>;
  maps: readonly LiveMap[];
}

/** The stretch begins the run. */
interface Beginning {
  /** The run as it was read; null: it is read with the first advance. */
  readonly toBegin: RunToBegin | null;
  /** Called when the first advance has sent calls. */
  readonly onCalls: (() => void) | null;
}
const NO_BEGINNING: Beginning = { toBegin: null, onCalls: null };

export class Stretch {
  readonly #stretchId = randomUUID();
  readonly #deps: ExecuteDeps;
  readonly #input: AdvanceInput;
  readonly #beganMs = performance.now();
  readonly #calls: StretchCalls;
  #left: Left = { maps: [], resumed: [], retries: [] };
  #maps: readonly LiveMap[] = [];
  /** The last advance, and where the walk was after it. */
  #advance = 0;
  #progress = '';
  /** What nobody else changes until the next advance; null: somebody may, and it is read again. */
  #known: { readonly run: RunToBegin; readonly values: RunValues } | null = null;
  #graph: Skeleton | null = null;
  /** It goes on from an earlier answer, which has not seen all that the interpreter knows. */
  #isRepetition = false;
  /** The interpreter has something to do for the run: it should not wait for long. */
  #isAwaited: boolean;
  readonly #beginning: Beginning;
  /** Brief calls may end in the advance that opens them. */
  #waitsForBrief = true;

  constructor(deps: ExecuteDeps, input: AdvanceInput, beginning: Beginning = NO_BEGINNING) {
    this.#deps = deps;
    this.#input = input;
    this.#calls = new StretchCalls(deps);
    this.#beginning = beginning;
    this.#isAwaited = input.inFlight > 0;
  }

  /** Null until a run was found that runs. */
  get graph(): Skeleton | null {
    return this.#graph;
  }

  /** The nodes that it has called, in the order of their calls. */
  get called(): readonly SkeletonNode[] {
    return this.#calls.called;
  }

  /** @param signal aborts when the caller is given up: its calls are abandoned, and their records decide */
  async run(signal: AbortSignal | null): Promise<AdvanceResult> {
    const giveUp = (): void => this.#calls.abandon();
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      let result = await this.#apart(() => this.#begin());
      if (this.#calls.underWay.length > 0) this.#beginning.onCalls?.();
      while (result.state === 'running' && this.#goesOn(result.more)) {
        const back = result.more ? [] : await this.#calls.next();
        if (back === null) break;
        const { ended, retries } = await this.#calls.endsOf(back);
        for (const call of retries) this.#leaveToRetry(call);
        result = await this.#goOn(ended);
      }
      if (result.state !== 'running') this.#calls.abandon();
      this.#calls.leave();
      return result;
    } catch (error) {
      this.#calls.abandon();
      throw error;
    } finally {
      signal?.removeEventListener('abort', giveUp);
      this.#calls.abandonEarly();
    }
  }

  /** Calls are under way, or brief items that the last advance did not come to. */
  #goesOn(more: boolean): boolean {
    return this.#calls.underWay.length > 0 || (more && this.#maps.length > 0 && this.#isYoung);
  }

  /** Another attempt decides by the record of this one. */
  #leaveToRetry(call: OpenCall): void {
    if (call.itemIndex < 0) this.#left = { ...this.#left, retries: [...this.#left.retries, call] };
    else this.#maps = this.#maps.map((map) => (isSameMap(map, call) ? withCall(map, call) : map));
  }

  /** Makes an advance; when the database refuses what it says, once more, with brief calls recorded before they end. */
  async #apart<Made>(make: () => Promise<Made>): Promise<Made> {
    try {
      return await make();
    } catch (error) {
      if (!this.#calls.hasEarly || error instanceof Overtaken || isTransientDatabaseError(error)) throw error;
      this.#waitsForBrief = false;
      return make();
    }
  }

  /** The advance that was asked for; or what an earlier try of it has come to, and on from there. */
  async #begin(): Promise<AdvanceResult> {
    const { db } = this.#deps;
    const input = this.#input;
    const go: Go = { progress: input.progress, work: (step) => step.run() };
    const { toBegin } = this.#beginning;
    const begun = toBegin === null ? null : await this.#advanceAlone(toBegin, go);
    if (begun !== null) return begun();
    const made = await db.transaction(async (tx) => {
      const locked = await lockToAdvance(tx, input);
      if (locked === null) return () => closed(input, '', GONE);
      if (locked.advance >= input.advance) return this.#repeat(tx, locked);
      return this.#advanceRun(tx, locked, go);
    });
    return made();
  }

  /** An advance of this number was made before, but its answer was lost. */
  async #repeat(tx: Tx, locked: RunToAdvance): Promise<() => AdvanceResult> {
    const { rootRunPk, runsEffects } = this.#input;
    const advance = runsEffects === true ? locked.advance : this.#input.advance;
    const { stretch: _, ...stored } = await storedAnswer<StoredAnswer>(tx, { rootRunPk, advance });
    this.#isRepetition = true;
    const answer: AdvanceResult = { ...stored, repeated: true };
    const lost = (stored.calls ?? []).filter(({ retryInMs }) => retryInMs === null);
    if (lost.length === 0) return () => answer;
    this.#left = leftIn(stored);
    // Those that are under way here stay as they are.
    const here = lost.filter((call) => this.#deps.calls.has(call));
    const go = await this.#advanceRun(tx, locked, {
      progress: stored.progress,
      kept: here,
      async work(step) {
        for (const call of lost) if (!here.includes(call)) await step.calls.takeOver(call);
        return step.goOn([]);
      },
    });
    return () => {
      for (const call of here) this.#calls.adopt(call);
      return go();
    };
  }

  /**
   * The next advance, with what calls have come to. An end that the database refuses for what it says ends its node as
   * failed: another attempt would repeat the effect and come to the same.
   */
  async #goOn(ended: readonly EndedCall[]): Promise<AdvanceResult> {
    try {
      return await this.#apart(() => this.#advanceWith(ended));
    } catch (error) {
      const [one, ...others] = ended;
      if (one === undefined || error instanceof Overtaken || isTransientDatabaseError(error)) throw error;
      if (others.length === 0) return this.#advanceWith([unwritable(one, error)]);
      // One of them is in the others' way.
      let result = await this.#goOn([one]);
      for (const other of others) result = await this.#goOn([other]);
      return result;
    }
  }

  async #advanceWith(ended: readonly EndedCall[]): Promise<AdvanceResult> {
    const tried: Tried = { opened: new Map(), maps: [] };
    const go = { progress: this.#progress, ended, tried, work: (step: AdvanceStep) => step.goOn(ended) };
    const made = (await this.#goOnAlone(go)) ?? (await outlastOutage(() => this.#goOnLocked(go)));
    for (const { work } of ended) this.#calls.forget(work);
    return made();
  }

  /** The next advance of a run that does nothing else. @returns null when it must be made with the run locked */
  async #goOnAlone(go: Go & Required<Pick<Go, 'ended'>>): Promise<(() => AdvanceResult) | null> {
    const known = this.#known;
    // An advance changes the values that it is given, whatever becomes of it.
    this.#known = null;
    // What writes no step is not told that the run has ended.
    if (known === null || go.ended.length === 0) return null;
    return this.#advanceAlone(known.run, { ...go, values: known.values });
  }

  /**
   * An advance that relies on what was read or written before, so that it usually is one statement: who has changed the run
   * since is noticed by the advance's number, or by the run's status.
   * @returns null when that did not work out; whether it was committed may be unknown
   */
  async #advanceAlone(run: RunToBegin, go: Go): Promise<(() => AdvanceResult) | null> {
    const lock = async (tx: Tx): Promise<void> => {
      const locked = await lockToAdvance(tx, this.#input);
      if (locked?.advance !== run.advance || locked.segment?.status !== 'running') throw new Overtaken();
    };
    try {
      return await this.#deps.db.deferred(lock, (tx) => this.#advanceRun(tx, run, go));
    } catch (error) {
      if (!(error instanceof Overtaken) && !isTransientDatabaseError(error)) throw error;
      return null;
    }
  }

  #goOnLocked(go: Go & Required<Pick<Go, 'tried'>>): Promise<() => AdvanceResult> {
    return this.#deps.db.transaction(async (tx) => {
      const locked = await lockToAdvance(tx, this.#input);
      if (locked?.advance === this.#advance + 1) return this.#recall(tx, locked, go.tried);
      if (locked === null || locked.advance !== this.#advance) throw new Overtaken();
      return this.#advanceRun(tx, locked, go);
    });
  }

  /** The advance was committed, but the database fell silent before it said so. */
  async #recall(tx: Tx, { segment }: RunToAdvance, tried: Tried): Promise<() => AdvanceResult> {
    const advance = this.#advance + 1;
    const { rootRunPk } = this.#input;
    const { stretch, ...stored } = await storedAnswer<StoredAnswer>(tx, { rootRunPk, advance });
    if (stretch !== this.#stretchId) throw new Overtaken();
    const context = segment === null ? null : await contextOf(tx, this.#deps.plans, segment);
    return () => {
      this.#advance = advance;
      this.#progress = stored.progress;
      this.#known = null;
      this.#maps = tried.maps;
      this.#left = {
        ...leftIn(stored),
        maps: stored.maps.filter((map) => !tried.maps.some((live) => isSameMap(live, map))),
      };
      const begun = [...(stored.calls ?? []), ...stored.maps.flatMap(({ calls = [] }) => calls)];
      const opened = begun.flatMap(({ stepId }) => tried.opened.get(stepId) ?? []);
      if (context !== null) this.#calls.committed(context, { ended: [], opened });
      return stored;
    };
  }

  /** One advance in a transaction that has locked the run. @returns what is to be done once it is committed */
  async #advanceRun(
    tx: Tx,
    { segment, advance: before, inputs, progress: begunAt }: RunToAdvance,
    { progress: text, values = null, kept = [], ended = [], tried, work }: Go,
  ): Promise<() => AdvanceResult> {
    const input = { ...this.#input, advance: before + 1, progress: text };
    if (segment === null) return () => closed(input, '', GONE);
    const context = await this.#contextOf(tx, segment, values);
    const { status } = segment;
    if (status === 'completed' || status === 'failed' || status === 'cancelled')
      return () => closed(input, segment.runPk, endOf(status));
    const graph = context.ready.skeleton(segment.recursionLimit);
    const from = text === '' ? begunAt : text;
    const progress = from === null ? begin(graph) : decodeProgress(from);
    // Where a rerun begins, its fields are written already.
    if (inputs !== null && begunAt === null) seedValues(context, inputs);
    const isBack = new Set(ended.map(({ work: { call } }) => call));
    const stay = [...this.#calls.underWay, ...kept].filter((call) => !isBack.has(call));
    // An earlier try of this advance was not committed.
    this.#calls.abandonEarly();
    const step = new AdvanceStep(this.#deps, {
      context,
      graph,
      progress,
      input,
      underWay: stay.length + countOf(this.#left),
      opensCalls: input.runsEffects === true && this.#isYoung,
      liveMaps: this.#maps,
      waitsForBrief: this.#waitsForBrief,
      begin: (opened) => this.#calls.beginEarly(context, opened),
    });
    const end = await work(step);
    const left = {
      maps: [...this.#left.maps, ...step.maps],
      resumed: [...this.#left.resumed, ...step.resumed],
      retries: [...this.#left.retries, ...step.calls.retries],
    };
    const { resumed, retries } = left;
    const maps = [...left.maps, ...step.liveMaps.live.map((map) => startedOf(map))];
    const answer = { repeated: this.#isRepetition, progress: encodeProgress(progress), maps, resumed };
    const begun = [...stay, ...step.calls.opened.map(({ call }) => call)];
    const calls = [...begun.filter(({ itemIndex }) => itemIndex < 0), ...retries];
    const more = input.runsEffects === true ? { advance: input.advance, calls } : {};
    const result: AdvanceResult = { ...end, ...answer, runPk: step.runPk, ...more };
    await step.write(JSON.stringify({ ...result, stretch: this.#stretchId }));
    for (const one of step.calls.opened) tried?.opened.set(one.call.stepId, one);
    if (tried !== undefined) tried.maps = step.liveMaps.live;
    return () => {
      this.#advance = input.advance;
      this.#progress = result.progress;
      this.#graph = graph;
      this.#left = left;
      this.#maps = step.liveMaps.live;
      // What else is under way changes the values of a run, and so does an answer to a question.
      const isAlone = input.inFlight === 0 && !context.ready.asks;
      const run = { segment, advance: input.advance, inputs: null, progress: null };
      this.#known = isAlone ? { run, values: context.values } : null;
      this.#isAwaited ||=
        countOf(left) > 0 || shapesOf(graph, progress.ready).some((shape) => isForInterpreter(shape));
      this.#calls.committed(context, step.calls);
      return result;
    };
  }

  async #contextOf(tx: Tx, segment: Segment, values: RunValues | null): Promise<RunContext> {
    const context = await contextOf(tx, this.#deps.plans, segment);
    return values === null ? context : { ...context, values: new RunValues(tx, segment.rootRunPk, values) };
  }

  /** Further calls may begin. */
  get #isYoung(): boolean {
    const limit = this.#isAwaited ? STRETCH_MS.busy : STRETCH_MS.alone;
    return performance.now() - this.#beganMs < limit;
  }
}
