/**
 * The last broadcasts of a room. They bound how stale an operation may be, and let a client resume without a snapshot.
 */
import type { JsonObject } from '../../../language/graph/values/value.ts';

const MAX_EVENTS = 2_048;
const MAX_SIZE = 8 * 1024 * 1024;
/** The allowed lag grows with the traffic: fifty people who drag make 1,000 operations a second (SPEC CAN-R11). */
const MIN_LAG = 256;
const LAG_WINDOW_MS = 5_000;

interface RecentEvent {
  readonly version: number;
  readonly event: string;
  readonly payload: JsonObject;
  readonly size: number;
  readonly at: number;
}

export class RecentEvents {
  #events: RecentEvent[] = [];
  /** Events before this index are evicted; the array is cut when half of it is. */
  #start = 0;
  #size = 0;
  /** Index of the first event of the last five seconds. */
  #window = 0;
  readonly #pinnedMaxLag: number | null;

  constructor(pinnedMaxLag: number | null) {
    this.#pinnedMaxLag = pinnedMaxLag;
  }

  push(event: RecentEvent): void {
    this.#events.push(event);
    this.#size += event.size;
    while (this.#events.length - this.#start > MAX_EVENTS || this.#size > MAX_SIZE) {
      this.#size -= this.#events[this.#start]?.size ?? 0;
      this.#start += 1;
    }
    if (this.#start > MAX_EVENTS) {
      this.#events = this.#events.slice(this.#start);
      this.#window = Math.max(0, this.#window - this.#start);
      this.#start = 0;
    }
  }

  /** Returns how many versions an operation may be behind at `now` (monotonic milliseconds). */
  maxLag(now: number): number {
    if (this.#pinnedMaxLag !== null) return this.#pinnedMaxLag;
    this.#window = Math.max(this.#window, this.#start);
    while ((this.#events[this.#window]?.at ?? now) < now - LAG_WINDOW_MS) this.#window += 1;
    const lately = this.#events.length - this.#window;
    return Math.min(Math.max(MIN_LAG, lately), MAX_EVENTS);
  }

  /** Lists the events after a version; null when some are evicted. */
  after(version: number, current: number): readonly RecentEvent[] | null {
    if (version > current) return null;
    const missed = current - version;
    if (missed > this.#events.length - this.#start) return null;
    return this.#events.slice(this.#events.length - missed);
  }
}
