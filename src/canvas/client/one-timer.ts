/** Work that is done later, at most once: what is put off anew replaces what was put off before. */
import type { ClientClock } from './transport.ts';

export class OneTimer {
  readonly #clock: ClientClock;
  #timer: object | number | null = null;

  constructor(clock: ClientClock) {
    this.#clock = clock;
  }

  get isArmed(): boolean {
    return this.#timer !== null;
  }

  later(work: () => void, ms: number): void {
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
