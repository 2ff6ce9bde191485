/** How many node executions of one run are under way at once; the others wait their turn. */

export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Runs `work` once there is room, first come, first served. In few promises and without `await`: the SDK keeps a stack trace of
   * every promise of a workflow, some 70 µs each, and wide graphs start many nodes at once.
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
