/** Time as runs see it: a port, so that tests turn the clock. */
export interface Clock {
  /** Milliseconds since 1970: shown to people, never subtracted. */
  now(): number;
  /** Milliseconds that only grow: for every duration. */
  monotonic(): number;
}

/** The clock of this process. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
