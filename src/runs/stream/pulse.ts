/** When a run that is silent is asked for a sign of life, and how seldom in the end. */

/** Events are signs of life themselves: Temporal is not queried about a run that wrote one this recently. */
const SILENCE_MS = 1_000;
/** A run that waits has no news: the pause between queries doubles, up to this. */
const MAX_PAUSE_MS = 8_000;

/** When the heartbeats of one run are read next, and which were relayed last. Times are of performance.now(). */
export class Pulse {
  #dueMs = 0;
  #pauseMs = SILENCE_MS;
  #relayed = '[]';

  get isDue(): boolean {
    return this.#dueMs <= performance.now();
  }

  /** Notes an event of the run. */
  rest(): void {
    this.#pauseMs = SILENCE_MS;
    this.#dueMs = performance.now() + SILENCE_MS;
  }

  /** Notes the positions as JSON text; null: they could not be read. @returns whether they are news */
  relay(text: string | null): boolean {
    if (text !== null && text !== this.#relayed) {
      this.#relayed = text;
      this.rest();
      return true;
    }
    this.#dueMs = performance.now() + this.#pauseMs;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs);
    return false;
  }
}
