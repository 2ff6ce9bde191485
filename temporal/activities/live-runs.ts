/**
 * Whose work is under way in this process. Who hears that a run was cancelled ends its work at once; Temporal's own
 * cancellation comes with a heartbeat, some seconds later.
 */
import { listenTo } from '../../src/db/listen.ts';
import { CANCELLATIONS_CHANNEL } from '../../src/journal/cancel.ts';
import type { Logger } from '../../src/log.ts';

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

/** Tells of every cancellation. What is missed while the connection is away is told by Temporal. @param url of the database */
export function hearCancellations(url: string, log: Logger, runs: LiveRuns): { close(): Promise<void> } {
  return listenTo(url, CANCELLATIONS_CHANNEL, {
    onMessage: (rootRunPk) => runs.cancelled(rootRunPk),
    onConnect: () => undefined,
    onLost: (error) => log.warn({ err: error }, 'the connection that listens for cancellations was lost'),
  });
}
