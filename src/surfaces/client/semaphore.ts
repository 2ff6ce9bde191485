/** A semaphore whose waiters are served in order and can ask long-time holders to leave. */

const LEAVE_GAP_MS = 100;

export class Semaphore {
  #free: number;
  #lastLeaveMs = 0;
  readonly #waiters = new Set<() => void>();

  constructor(size: number) {
    this.#free = size;
  }

  /**
   * Whether a long-time holder should release its permit for a waiter. One holder per 100 ms, because its socket takes a
   * while to close.
   */
  shouldLeave(nowMs: number): boolean {
    if (this.#waiters.size === 0 || nowMs - this.#lastLeaveMs < LEAVE_GAP_MS) return false;
    this.#lastLeaveMs = nowMs;
    return true;
  }

  /**
   * Waits for a permit.
   * @returns releases the permit; further calls do nothing
   * @throws the signal's reason
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      // A connection is free one turn after its response was read; passing the permit on earlier would open another one.
      setTimeout(() => this.#release(), 0);
    };
  }

  #release(): void {
    const [next] = this.#waiters;
    if (next === undefined) this.#free += 1;
    else next();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.delete(enter);
        reject(signal?.reason as Error);
      };
      const enter = (): void => {
        this.#waiters.delete(enter);
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiters.add(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
