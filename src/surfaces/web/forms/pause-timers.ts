/** Waits for a pause in the typing of each field. */

const QUIET_MS = 300;

export class PauseTimers {
  readonly #onPause: (key: string) => void;
  readonly #timers = new Map<string, number>();

  constructor(onPause: (key: string) => void) {
    this.#onPause = onPause;
  }

  /** Begins the wait of a field anew. */
  start(key: string): void {
    this.stop(key);
    this.#timers.set(
      key,
      window.setTimeout(() => this.#onPause(key), QUIET_MS),
    );
  }

  stop(key: string): void {
    window.clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }

  /** Ends all waits now, as if their pauses had come. */
  flush(): void {
    for (const key of this.#timers.keys()) this.#onPause(key);
  }

  stopAll(): void {
    for (const key of this.#timers.keys()) this.stop(key);
  }
}
