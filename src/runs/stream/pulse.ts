/** Paces the queries for signs of life of a run that is silent. */
import type { Clock } from '../../clock.ts';

/** Events are signs of life themselves: Temporal is not queried about a run that wrote one this recently. */
const SILENCE_MS = 1_000;
/** A run that waits has no news: the pause between queries doubles, up to this. */
const MAX_PAUSE_MS = 8_000;

/** The time of the next query for one run, and the positions that were relayed last. */
export class Pulse {
  readonly #clock: Clock;
  #dueMs = 0;
  #pauseMs = SILENCE_MS;
  #relayed = '[]';

  /** It begins with a rest: most runs end before anybody misses a sign of life. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.rest();
  }

  get isDue(): boolean {
    return this.#dueMs <= this.#clock.monotonic();
  }

  /** Notes an event of the run. */
  rest(): void {
    this.#pauseMs = SILENCE_MS;
    this.#dueMs = this.#clock.monotonic() + SILENCE_MS;
  }

  /** Notes the positions as JSON text; null: they could not be read. @returns whether they are news */
  relay(text: string | null): boolean {
    if (text !== null && text !== this.#relayed) {
      this.#relayed = text;
      this.rest();
      return true;
    }
    this.#dueMs = this.#clock.monotonic() + this.#pauseMs;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs);
    return false;
  }
}
