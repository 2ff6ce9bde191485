/** Bounds how many things are done at a time; the others wait in line. */

const LEAVE_GAP_MS = 100;

export class Semaphore {
  #free: number;
  #leftMs = 0;
  readonly #line = new Set<() => void>();

  constructor(size: number) {
    this.#free = size;
  }

  /**
   * Whether one who has held a place for long should give it back, because others wait. One after the other: the socket
   * of each is being closed for a while.
   */
  shouldLeave(nowMs: number): boolean {
    if (this.#line.size === 0 || nowMs - this.#leftMs < LEAVE_GAP_MS) return false;
    this.#leftMs = nowMs;
    return true;
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
      // A connection is free a turn after its answer was read: a place that is given on at once would open another one.
      setTimeout(() => this.#giveOn(), 0);
    };
  }

  #giveOn(): void {
    const [next] = this.#line;
    if (next === undefined) this.#free += 1;
    else next();
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
