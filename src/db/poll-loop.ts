/** A poll loop: one round at a time, every so many milliseconds and whenever somebody says that there is work. */
export interface PollLoopOptions {
  readonly everyMs: number;
  /** One round. @param count how many rounds succeeded before */
  round(count: number): Promise<void>;
  /** A round failed; the next one comes all the same. */
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

  /** Says that there is work. Returns before it is done; work that comes during a round is seen by one more. */
  kick(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  /** Resolves when the round that is under way is over. */
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
