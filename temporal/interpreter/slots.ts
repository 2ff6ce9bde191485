/** How many node executions of one run are under way at once; the others wait their turn. */

export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Runs `work` once there is room; first come, first served. Without `await`: the SDK keeps a stack trace of every
   * promise of a workflow, some 70 µs each, and wide graphs start many nodes at once.
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) {
      this.#free -= 1;
      return this.#giveBack(work());
    }
    const room = new Promise<void>((resolve) => this.#waiting.push(resolve));
    return room.then(() => this.#giveBack(work()));
  }

  #giveBack<T>(work: Promise<T>): Promise<T> {
    return work.then(
      (result) => {
        this.#release();
        return result;
      },
      (error: unknown) => {
        this.#release();
        throw error;
      },
    );
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
