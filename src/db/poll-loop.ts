/** A poll loop: one round at a time, at an interval and whenever it is kicked. */
interface PollLoopOptions {
  readonly everyMs: number;
  /** One round. @param count how many rounds succeeded before */
  round(count: number): Promise<void>;
  /** Called when a round fails; the loop continues. */
  failed(error: unknown): void;
}

export class PollLoop {
  readonly #options: PollLoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;
  #again = false;
  #count = 0;
  #stopped = true;

  constructor(options: PollLoopOptions) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#timer = setInterval(() => this.kick(), this.#options.everyMs);
    this.kick();
  }

  /** Starts a round, or one more after the current round. Does not wait for it. */
  kick(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  /** Stops the loop; resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#working;
  }

  async #work(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        await this.#options.round(this.#count);
        this.#count += 1;
      } catch (error) {
        this.#options.failed(error);
      }
    }
  }
}
