/** The time by which a page shows ages and durations: one timer for all of them, so that a tick is one rendering of those that change. */
import { systemClock } from '../../../base/clock.ts';

class PageClock {
  readonly #tickMs: number;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  /** The current time in whole seconds, in milliseconds: the same for all that is rendered within one. */
  get now(): number {
    return Math.floor(systemClock.now() / 1_000) * 1_000;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => {
      for (const tell of this.#listeners) tell();
    }, this.#tickMs);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  };
}

/** For durations that go on. */
export const secondClock = new PageClock(1_000);
/** For ages, which are told in minutes at most. */
export const ageClock = new PageClock(10_000);
