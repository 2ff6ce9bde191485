/** The one place that reads the time. Components take a `Clock`, so that tests decide how time passes. */

/** Opaque handle of a timer, for `clearTimeout` of the same clock. */
export type Timer = object;

export interface Clock {
  /** Milliseconds since 1970, for timestamps; the system may set it back, so never subtract it. */
  readonly now: () => number;
  /** Milliseconds that never go back, for durations. */
  readonly monotonic: () => number;
  /** The system clock's timers do not keep the process alive. */
  setTimeout(work: () => void, ms: number): Timer;
  clearTimeout(timer: Timer): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (work, ms) => setTimeout(work, ms).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
