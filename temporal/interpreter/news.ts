/**
 * The news that a walk waits for: something has come back, or is due. A promise of its own in place of the SDK's `condition`,
 * which takes four promises and an entry into the sandbox more for each node.
 */
export class News {
  #tell: (() => void) | null = null;

  /** Resolves with the next news. One waits at a time. */
  wait(): Promise<void> {
    return new Promise((resolve) => (this.#tell = resolve));
  }

  tell(): void {
    this.#tell?.();
    this.#tell = null;
  }
}
