/** Time as the service reads it: handed in, so that tests decide how it passes. */

/** Handle of a timer; only handed back to the clock that made it. */
export type Timer = object;

export interface Clock {
  /** Milliseconds since 1970: shown to people, never subtracted. */
  now(): number;
  /** Milliseconds that only grow: for every duration. */
  monotonic(): number;
  /** Timers of the real clock keep no process alive. */
  setTimeout(work: () => void, ms: number): Timer;
  clearTimeout(timer: Timer): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (work, ms) => setTimeout(work, ms).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
