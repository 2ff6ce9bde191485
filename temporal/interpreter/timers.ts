/** Durable timers of a run, for waits and the expiry of questions: one per (node, visit), cancelled when it is no longer needed. */
import { CancellationScope, isCancellation, patched, sleep } from '@temporalio/workflow';
import type { Timer } from '../../src/language/graph/schedule/schedule.ts';

/** An agent that pauses again gets a timer for its next question. In histories before, it kept that of the question before. */
const RESTART = 'restart-timer';

interface OpenTimer {
  readonly scope: CancellationScope;
  timer: Timer;
}

export class Timers {
  readonly #onFired: (timer: Timer) => void;
  readonly #summarize: (timer: Timer) => string;
  readonly #open = new Map<string, OpenTimer>();

  /** @param summarize the line that operators read about a timer */
  constructor(onFired: (timer: Timer) => void, summarize: (timer: Timer) => string) {
    this.#onFired = onFired;
    this.#summarize = summarize;
  }

  /** Starts the timers that are new in the list and cancels those that have left it. */
  follow(timers: readonly Timer[]): void {
    const wanted = new Map(timers.map((timer) => [`${timer.node}:${timer.visit}`, timer]));
    for (const [key, open] of this.#open) {
      const timer = wanted.get(key);
      if (timer !== undefined && (timer.fireAtMs === open.timer.fireAtMs || !patched(RESTART))) {
        open.timer = timer;
        continue;
      }
      this.#open.delete(key);
      open.scope.cancel();
    }
    for (const [key, timer] of wanted) if (!this.#open.has(key)) this.#start(key, timer);
  }

  #start(key: string, timer: Timer): void {
    const scope = new CancellationScope();
    const open = { scope, timer };
    this.#open.set(key, open);
    const summary = this.#summarize(timer);
    const waited = scope.run(() => sleep(Math.max(1, timer.fireAtMs - Date.now()), { summary }));
    waited.then(
      () => this.#onFired(open.timer),
      (error: unknown) => {
        if (!isCancellation(error)) throw error;
      },
    );
  }
}
