/** The time by which a page shows ages and durations: one timer for all of them, so that a second is one rendering of those that change. */
import { systemClock } from '../../../base/clock.ts';

const TICK_MS = 1_000;

class PageClock {
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | null = null;

  /** The current time in whole seconds, in milliseconds: the same for all that is rendered within one. */
  get now(): number {
    return Math.floor(systemClock.now() / TICK_MS) * TICK_MS;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => {
      for (const tell of this.#listeners) tell();
    }, TICK_MS);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  };
}

export const pageClock = new PageClock();
