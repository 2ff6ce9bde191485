/** Work that is done in rounds: every so often, at once when somebody says that there is some, one round at a time. */
export interface RoundsParts {
  readonly everyMs: number;
  /** One round. @param count how many rounds there were before */
  round(count: number): Promise<void>;
  /** A round failed; the next one comes all the same. */
  failed(error: unknown): void;
}

export class Rounds {
  readonly #parts: RoundsParts;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;
  #again = false;
  #count = 0;
  #stopped = true;

  constructor(parts: RoundsParts) {
    this.#parts = parts;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#timer = setInterval(() => this.kick(), this.#parts.everyMs);
    this.kick();
  }

  /** Says that there is work. Returns at once; what comes during a round is seen by one more. */
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
        await this.#parts.round(this.#count);
        this.#count += 1;
      } catch (error) {
        this.#parts.failed(error);
      }
    }
  }
}
