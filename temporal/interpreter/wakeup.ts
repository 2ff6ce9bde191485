/**
 * The news that a walk waits for: something has come back, or is due. A promise of its own in place of the SDK's `condition`,
 * which takes four promises and an entry into the sandbox more for each node.
 */
export class Wakeup {
  #resolve: (() => void) | null = null;

  /** Resolves with the next news. One waits at a time. */
  wait(): Promise<void> {
    return new Promise((resolve) => (this.#resolve = resolve));
  }

  notify(): void {
    this.#resolve?.();
    this.#resolve = null;
  }
}
