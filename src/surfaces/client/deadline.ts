/** One signal for the time limit of an attempt and the caller's signal. */

export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout>;
  readonly #leave = (): void => this.#controller.abort(this.#caller?.reason);
  isOver = false;

  constructor(ms: number, caller: AbortSignal | undefined) {
    this.#ms = ms;
    this.#caller = caller;
    if (caller?.aborted === true) this.#leave();
    else caller?.addEventListener('abort', this.#leave, { once: true });
    this.#timer = this.#startTimer();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Waits for the caller's own work, such as a person who signs in again: its time does not count, and the limit begins anew.
   * @throws the reason of the caller's signal
   */
  async holdFor<Result>(work: Promise<Result>): Promise<Result> {
    clearTimeout(this.#timer);
    let stop = (): void => undefined;
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(this.signal.reason as Error);
      if (this.signal.aborted) stop();
      else this.signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, aborted]);
    } finally {
      this.signal.removeEventListener('abort', stop);
      this.#timer = this.#startTimer();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#leave);
  }

  #startTimer(): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.isOver = true;
      this.#controller.abort();
    }, this.#ms);
  }
}
