/** The calls of a stretch: those under way for it, and those that have begun in an advance whose commit is not known yet. */
import { jsonChars } from '../../graph/render-budget.ts';
import type { SkeletonNode } from '../../graph/skeleton.ts';
import type { NodeResult } from '../../nodes/kind.ts';
import type { EndedCall, OpenedCall } from './advance-calls.ts';
import { beginCall } from './begin-call.ts';
import { endOfCall } from './call-ends.ts';
import { Returns, abandonWork } from './calls.ts';
import type { LiveCallWork } from './calls.ts';
import { MAX_OUTPUT_BYTES } from './conclusion.ts';
import type { ExecuteDeps } from './deps.ts';
import type { OpenCall } from './protocol.ts';
import type { RunContext } from './run-context.ts';
import type { WorkEnd } from './run-node.ts';

/**
 * A call that takes longer goes on in an activity of its own, which operators see. A busy machine makes 200 ms of 100: with a
 * limit of 150, a third of the runs of twenty such calls side by side went on in twenty activities; with 300, one of thirty:
 * the first of a new worker.
 */
const PROMOTE_AFTER_MS = 300;

/**
 * Characters of what calls came to that one advance writes; beyond them the others wait for the next, so that a hundred large
 * answers are no one statement.
 */
const CHARS_TOGETHER = 8 * 1024 * 1024;

/** Of what a call came to, as JSON; not counted far beyond what an output may have. */
const charsOf = (end: WorkEnd<NodeResult>): number =>
  end.kind === 'worked' && end.result.outcome === 'completed'
    ? jsonChars(end.result.output, MAX_OUTPUT_BYTES)
    : 0;

export class StretchCalls {
  readonly #deps: ExecuteDeps;
  readonly #live = new Set<LiveCallWork>();
  readonly #early = new Set<LiveCallWork>();
  readonly #returns = new Returns();
  readonly #called: SkeletonNode[] = [];
  /** Calls that have come back and wait for the next advance. */
  #waiting: readonly LiveCallWork[] = [];

  constructor(deps: ExecuteDeps) {
    this.#deps = deps;
  }

  /** The nodes whose calls were committed, in that order. */
  get called(): readonly SkeletonNode[] {
    return this.#called;
  }
  /** Calls of attempts that are committed. */
  get underWay(): readonly OpenCall[] {
    return [...this.#live].map(({ call }) => call);
  }

  /** Calls have begun, and perhaps ended, in an advance that is not committed. */
  get hasEarly(): boolean {
    return this.#early.size > 0;
  }

  /** Begins a call whose attempt is not committed. */
  beginEarly(context: RunContext, opened: OpenedCall): LiveCallWork {
    const work = beginCall(this.#deps, context, opened);
    this.#early.add(work);
    return work;
  }

  /** Gives up what has begun in an advance that was not committed. */
  abandonEarly(): void {
    for (const work of this.#early) abandonWork(work);
    this.#early.clear();
  }

  /** The advance is committed: follows the calls that it has opened, which begin now at the latest. */
  committed(
    context: RunContext,
    calls: { readonly ended: readonly OpenCall[]; readonly opened: readonly OpenedCall[] },
  ): void {
    this.#early.clear();
    for (const call of calls.ended) this.#note(context, call);
    for (const opened of calls.opened) {
      this.#note(context, opened.call);
      this.#follow(opened.work ?? beginCall(this.#deps, context, opened));
    }
  }

  /** Goes on with a call that this process has under way. */
  adopt(call: OpenCall): void {
    const work = this.#deps.calls.take(call);
    if (work === null) throw new Error(`The call of node ${call.nodeId} has gone on elsewhere`);
    this.#follow({ ...work, call });
  }

  /** Waits for calls to come back. @returns null when all that are left take long */
  async next(): Promise<readonly LiveCallWork[] | null> {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting.length > 0 ? waiting : this.#returns.next(PROMOTE_AFTER_MS);
  }

  /**
   * What calls that have come back mean for their nodes, as many as one advance writes.
   * @returns those that end their nodes, and those whose next attempt decides
   * @throws when the calls were given up
   */
  async endsOf(back: readonly LiveCallWork[]): Promise<{ ended: EndedCall[]; retries: OpenCall[] }> {
    const ended: EndedCall[] = [];
    const retries: OpenCall[] = [];
    let chars = 0;
    for (const [at, work] of back.entries()) {
      if (chars > CHARS_TOGETHER) {
        this.#waiting = back.slice(at);
        break;
      }
      const end = await endOfCall(work);
      if (end.kind === 'ended') {
        ended.push(end.call);
        // The last one keeps no other waiting: the usual call comes back alone, and is not counted.
        if (at < back.length - 1) chars += charsOf(await work.working.end);
        continue;
      }
      // Its attempt stays open. The run has ended, which the next advance sees; or the next attempt decides by the record.
      if (end.kind === 'retry') retries.push(end.call);
      this.forget(work);
    }
    return { ended, retries };
  }

  forget(work: LiveCallWork): void {
    this.#live.delete(work);
    if (this.#deps.calls.release(work)) work.working.live.close();
  }

  /** Leaves all calls to whoever takes them over. */
  leave(): void {
    for (const work of this.#live) this.#deps.calls.leave(work);
  }

  /** Gives up all calls: what they come to is not written. */
  abandon(): void {
    for (const work of this.#live) this.#deps.calls.abandon(work);
    this.abandonEarly();
  }

  /** Of a mapped node, all its items are one. */
  #note({ ready, segment }: RunContext, { node, itemIndex }: OpenCall): void {
    const shape = ready.skeleton(segment.recursionLimit).nodes[node];
    if (shape === undefined || (itemIndex >= 0 && this.#called.includes(shape))) return;
    this.#called.push(shape);
  }

  #follow(work: LiveCallWork): void {
    this.#deps.calls.add(work);
    this.#live.add(work);
    this.#returns.follow(work);
  }
}
