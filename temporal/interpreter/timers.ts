/** Durable timers of a run, for waits and the expiry of questions: one per (node, visit), cancelled when it is no longer needed. */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Timer } from '../../src/graph/schedule.ts';

export class Timers {
  readonly #fired: (node: number, visit: number) => void;
  readonly #open = new Map<string, CancellationScope>();

  constructor(fired: (node: number, visit: number) => void) {
    this.#fired = fired;
  }

  /** Starts the timers that are new in the list and cancels those that have left it. */
  follow(timers: readonly Timer[]): void {
    const wanted = new Map(timers.map((timer) => [`${timer.node}:${timer.visit}`, timer]));
    for (const [key, scope] of this.#open) {
      if (wanted.has(key)) continue;
      this.#open.delete(key);
      scope.cancel();
    }
    for (const [key, timer] of wanted) if (!this.#open.has(key)) this.#start(key, timer);
  }

  #start(key: string, timer: Timer): void {
    const scope = new CancellationScope();
    this.#open.set(key, scope);
    const waited = scope.run(() => sleep(Math.max(1, timer.fireAtMs - Date.now())));
    waited.then(
      () => this.#fired(timer.node, timer.visit),
      (error: unknown) => {
        if (!isCancellation(error)) throw error;
      },
    );
  }
}
