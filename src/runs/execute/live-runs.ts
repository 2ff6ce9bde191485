/**
 * Whose work is under way in this process. Who hears that a run was cancelled ends its work at once; Temporal's own
 * cancellation comes with a heartbeat, some seconds later.
 */
export class LiveRuns {
  readonly #work = new Map<string, Set<() => void>>();

  /** Calls `onCancelled` when the run is cancelled, until the returned function is called. */
  follow(rootRunPk: string, onCancelled: () => void): () => void {
    const work = this.#work.get(rootRunPk) ?? new Set();
    this.#work.set(rootRunPk, work.add(onCancelled));
    return () => {
      work.delete(onCancelled);
      if (work.size === 0) this.#work.delete(rootRunPk);
    };
  }

  cancelled(rootRunPk: string): void {
    for (const onCancelled of this.#work.get(rootRunPk) ?? []) onCancelled();
  }
}
