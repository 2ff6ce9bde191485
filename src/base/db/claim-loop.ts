/**
 * Claims due rows at an interval, and attempts each in a slot of its own: rounds do not wait for attempts, so a receiver that hangs
 * delays no other.
 */
import { PollLoop } from './poll-loop.ts';

interface ClaimLoopOptions<Item> {
  readonly everyMs: number;
  /** Attempts in flight per process. */
  readonly slots: number;
  /** @param inFlight claimed earlier, and not finished @param limit the free slots, at least one */
  claim(inFlight: readonly Item[], limit: number): Promise<readonly Item[]>;
  /** Attempts one item, and records the result. */
  attempt(item: Item): Promise<void>;
  /** Called when a claim fails; the loop continues. */
  onClaimError(error: unknown): void;
  /** Called when an attempt could not be recorded: its claim expires, and the item is attempted again. */
  onAttemptError(error: unknown, item: Item): void;
}

export class ClaimLoop<Item> {
  readonly #options: ClaimLoopOptions<Item>;
  readonly #loop: PollLoop;
  readonly #inFlight = new Map<Item, Promise<void>>();

  constructor(options: ClaimLoopOptions<Item>) {
    this.#options = options;
    this.#loop = new PollLoop({
      everyMs: options.everyMs,
      round: async () => void (await this.#startDue()),
      onError: (error) => options.onClaimError(error),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Looks for due items now instead of at the next poll. Does not wait for them. */
  kick(): void {
    this.#loop.kick();
  }

  /** Stops claiming and waits for the attempts in flight. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await Promise.all(this.#inFlight.values());
  }

  /** Attempts each due item that has a free slot, and waits for the results. @returns the number of attempts */
  async runDue(): Promise<number> {
    const attempts = await this.#startDue();
    await Promise.all(attempts);
    return attempts.length;
  }

  async #startDue(): Promise<readonly Promise<void>[]> {
    const limit = this.#options.slots - this.#inFlight.size;
    if (limit <= 0) return [];
    const items = await this.#options.claim([...this.#inFlight.keys()], limit);
    return items.map((item) => this.#start(item));
  }

  #start(item: Item): Promise<void> {
    const started = this.#options
      .attempt(item)
      .catch((error: unknown) => this.#options.onAttemptError(error, item))
      .finally(() => {
        this.#inFlight.delete(item);
        this.#loop.kick();
      });
    this.#inFlight.set(item, started);
    return started;
  }
}
