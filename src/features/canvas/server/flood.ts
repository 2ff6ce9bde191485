/**
 * The transport-level flood limit (SPEC API-limits): counted on the engine's connection, before anything is
 * parsed, over all namespaces.
 */
import { systemClock } from '../../../base/clock.ts';

const WINDOW_MS = 1_000;
export const MAX_PACKETS = 300;
export const MAX_BYTES = 2 * 1_048_576;
const REJECTED_WINDOW_MS = 10_000;
export const MAX_REJECTED = 50;

/** Counts one connection's packets in fixed windows: a client below half of a limit is never cut off. */
export class FloodMeter {
  readonly #now: () => number;
  #windowAt: number;
  #packets = 0;
  #bytes = 0;
  #rejectedAt: number;
  #rejected = 0;

  constructor(now: () => number = systemClock.monotonic) {
    this.#now = now;
    this.#windowAt = now();
    this.#rejectedAt = now();
  }

  /** Counts a packet. @returns false when it exceeds the limit */
  countPacket(bytes: number): boolean {
    const now = this.#now();
    if (now - this.#windowAt >= WINDOW_MS) {
      this.#windowAt = now;
      this.#packets = 0;
      this.#bytes = 0;
    }
    this.#packets += 1;
    this.#bytes += bytes;
    return this.#packets <= MAX_PACKETS && this.#bytes <= MAX_BYTES;
  }

  /** Counts a permanently rejected request. @returns false when it exceeds the limit */
  countRejection(): boolean {
    const now = this.#now();
    if (now - this.#rejectedAt >= REJECTED_WINDOW_MS) {
      this.#rejectedAt = now;
      this.#rejected = 0;
    }
    this.#rejected += 1;
    return this.#rejected <= MAX_REJECTED;
  }
}
