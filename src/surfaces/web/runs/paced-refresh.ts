/**
 * Refreshes a record after changes: the first time immediately, then at growing intervals, so that a run of hours is read twelve
 * times a minute and a short one still looks live.
 */

const PAUSE = { firstMs: 1_000, growthMs: 500, mostMs: 5_000 };

export class PacedRefresh {
  readonly #refresh: (isLast: boolean) => void;
  #reads = 0;
  #isWanted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param refresh receives true for the last read, which must not reuse a request in flight */
  constructor(refresh: (isLast: boolean) => void) {
    this.#refresh = refresh;
  }

  /** Reads now, or at the end of the pause. */
  request(): void {
    if (this.#timer === undefined) this.#read();
    else this.#isWanted = true;
  }

  /** Reads now in any case: nothing more will come. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#isWanted = false;
    this.#read(true);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #read(isLast = false): void {
    const pauseMs = Math.min(PAUSE.mostMs, PAUSE.firstMs + PAUSE.growthMs * this.#reads);
    this.#reads += 1;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#isWanted) return;
      this.#isWanted = false;
      this.#read();
    }, pauseMs);
    this.#refresh(isLast);
  }
}
