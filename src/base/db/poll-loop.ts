/** Runs rounds one after the other: at an interval, and whenever `kick` asks for one. */
interface PollLoopOptions {
  readonly everyMs: number;
  /** @param count successful rounds so far */
  round(count: number): Promise<void>;
  /** Called when a round fails; the loop continues. */
  onError(error: unknown): void;
}

export class PollLoop {
  readonly #options: PollLoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #isPending = false;
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
    this.#isPending = true;
    this.#running ??= this.#runRounds().finally(() => {
      this.#running = null;
    });
  }

  /** Stops the loop; resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #runRounds(): Promise<void> {
    while (this.#isPending && !this.#stopped) {
      this.#isPending = false;
      try {
        await this.#options.round(this.#count);
        this.#count += 1;
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }
}
