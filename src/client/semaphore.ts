/** Bounds how many things are done at a time; the others wait in line. */

export class Semaphore {
  #free: number;
  readonly #line = new Set<() => void>();

  constructor(size: number) {
    this.#free = size;
  }

  /** Whether somebody waits in line. */
  get isWanted(): boolean {
    return this.#line.size > 0;
  }

  /**
   * Waits for a place.
   * @returns gives the place back; more than once is once
   * @throws the reason of the signal
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = this.#line;
      if (next === undefined) this.#free += 1;
      else next();
    };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#line.delete(enter);
        reject(signal?.reason as Error);
      };
      const enter = (): void => {
        this.#line.delete(enter);
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.#line.add(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
