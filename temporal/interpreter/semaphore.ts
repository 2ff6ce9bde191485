/** Limits the concurrent node executions of one run. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Runs `work` when a slot is free, first come, first served. Uses few promises and no `await`: wide graphs start many nodes
   * together.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = (): void => this.#release();
    const begin = (): Promise<Result> => {
      const running = work();
      running.then(release, release);
      return running;
    };
    if (this.#free === 0) return new Promise<void>((resolve) => this.#waiting.push(resolve)).then(begin);
    this.#free -= 1;
    return begin();
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
