/** A semaphore per key: tasks of one key run few at a time, in order, and never wait for those of another. */
import pLimit, { type LimitFunction } from 'p-limit';

export class KeyedLimit {
  readonly #concurrency: number;
  readonly #limits = new Map<string, LimitFunction>();

  /** @param concurrency tasks of one key that run concurrently */
  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** Runs a task when it is its turn. Returns or throws what it does. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const limit = this.#limits.get(key) ?? pLimit(this.#concurrency);
    this.#limits.set(key, limit);
    return limit(task).finally(() => {
      if (limit.activeCount + limit.pendingCount === 0) this.#limits.delete(key);
    });
  }
}
