/**
 * The calls of short nodes that are under way in this process, by the attempt that each belongs to. Who takes a call over
 * finds it here: the activity that goes on with it, or a repeated advance.
 */
import { setImmediate } from 'node:timers/promises';
import type { CallHost } from './call-host.ts';
import type { OpenCall } from './protocol.ts';
import type { NodeWork } from './run-node.ts';

/** A call under way. */
export interface LiveCallWork extends NodeWork {
  readonly call: OpenCall;
  readonly host: CallHost;
}

/** An activity begins within 5 s, or another process decides by the record; a call that nobody takes is over then. */
const KEPT_MS = 30_000;

const LOOK_MS = 50;

type AttemptKey = Pick<OpenCall, 'stepId' | 'attempt'>;

const keyOf = ({ stepId, attempt }: AttemptKey): string => `${stepId}/${attempt}`;

export class Calls {
  readonly #live = new Map<string, LiveCallWork>();
  /** When those are given up that were left to somebody else: a timer keeps alive all that its call holds. */
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** Waits until no call is under way any more, as long as one is kept. */
  async drained(): Promise<void> {
    const until = performance.now() + KEPT_MS;
    while (this.#live.size > 0 && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  add(work: LiveCallWork): void {
    this.#live.set(keyOf(work.call), work);
  }

  has(call: AttemptKey): boolean {
    return this.#live.has(keyOf(call));
  }

  /** Takes a call out, to see it to its end. @returns null: it is not here, or somebody else has it */
  take(call: AttemptKey): LiveCallWork | null {
    const work = this.#live.get(keyOf(call)) ?? null;
    if (work !== null) this.release(work);
    return work;
  }

  /** Leaves a call to whoever takes it over; abandons it when nobody comes. */
  leave(work: LiveCallWork): void {
    if (this.#live.get(keyOf(work.call)) !== work) return;
    this.#timers.set(keyOf(work.call), setTimeout(() => this.abandon(work), KEPT_MS).unref());
  }

  /** Ends a call that nobody waits for: what it comes to is not written. Does nothing when somebody has taken it. */
  abandon(work: LiveCallWork): void {
    if (this.release(work)) abandonWork(work);
  }

  /** Forgets a call that has ended. @returns false when somebody else has taken it */
  release(work: LiveCallWork): boolean {
    const key = keyOf(work.call);
    if (this.#live.get(key) !== work) return false;
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    return this.#live.delete(key);
  }
}

/** Ends work that nobody waits for. */
export function abandonWork({ host, working }: Pick<LiveCallWork, 'host' | 'working'>): void {
  host.abandon();
  void working.end.then(() => working.live.close());
}

/** Calls as they come back. */
export class Returns {
  #back: LiveCallWork[] = [];
  #wake: () => void = () => undefined;
  #youngestMs = 0;

  /** A call has begun. */
  follow(work: LiveCallWork): void {
    this.#youngestMs = performance.now();
    void work.working.end.then(() => {
      this.#back.push(work);
      this.#wake();
    });
  }

  /** Waits for calls to come back while one of them is younger than this. @returns null: those that are left take long */
  async next(youngMs: number): Promise<LiveCallWork[] | null> {
    if (this.#back.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#youngestMs + youngMs - performance.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    // Those that come back with it share its advance.
    await setImmediate();
    return this.#back.length === 0 ? null : this.#back.splice(0);
  }
}
