/**
 * Wakes the interpreter when a task has ended or an advance is due. A plain promise instead of the SDK's `condition`, which costs
 * four more promises and a call into the sandbox for each node.
 */
export class Wakeup {
  #resolve: (() => void) | null = null;

  /** Resolves at the next `notify`. One caller waits at a time. */
  wait(): Promise<void> {
    return new Promise((resolve) => (this.#resolve = resolve));
  }

  notify(): void {
    this.#resolve?.();
    this.#resolve = null;
  }
}
