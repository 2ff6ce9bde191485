/** A timer whose new schedule replaces the pending one. */
import type { ClientClock } from './transport.ts';

export class ReplaceableTimer {
  readonly #clock: ClientClock;
  #timer: object | number | null = null;

  constructor(clock: ClientClock) {
    this.#clock = clock;
  }

  get isArmed(): boolean {
    return this.#timer !== null;
  }

  schedule(work: () => void, ms: number): void {
    this.cancel();
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null;
      work();
    }, ms);
  }

  cancel(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
  }
}
