/** Follows many runs as one sequence of events. */
import type { RunEvent } from './event-stream.ts';
import type { FollowOptions, Run } from './run.ts';

/** An event of one of several runs. */
export interface FollowedEvent {
  readonly run: Run;
  readonly event: RunEvent;
}

/** Hands events from many readers to one: a reader goes on when its event was taken, so a slow caller collects nothing. */
class EventQueue {
  readonly #items: (readonly [item: FollowedEvent, taken: () => void])[] = [];
  #notify: (() => void) | null = null;
  #open: number;
  #error: { readonly reason: unknown } | null = null;

  constructor(readers: number) {
    this.#open = readers;
  }

  put(item: FollowedEvent): Promise<void> {
    return new Promise((taken) => {
      this.#items.push([item, taken]);
      this.#notify?.();
    });
  }

  /** Ends one reader. @param error fails the whole sequence */
  close(error: { readonly reason: unknown } | null): void {
    this.#open -= 1;
    this.#error ??= error;
    this.#notify?.();
  }

  /** Yields until all readers have ended. @throws the first error of a reader */
  async *take(): AsyncGenerator<FollowedEvent, void, void> {
    for (;;) {
      if (this.#error !== null) throw this.#error.reason;
      const next = this.#items.shift();
      if (next !== undefined) {
        const [item, taken] = next;
        yield item;
        taken();
      } else if (this.#open === 0) return;
      else await new Promise<void>((resolve) => (this.#notify = resolve));
    }
  }
}

/**
 * Yields the events of all runs as they come, each run's in order, until every run has ended.
 * @throws as `Run.events`, for the first run that fails
 */
export async function* followRuns(
  runs: readonly Run[],
  { signal, ...options }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void, void> {
  signal?.throwIfAborted();
  const queue = new EventQueue(runs.length);
  // One signal for each run: Node warns of a leak when more than ten listen to the same.
  const readers = runs.map((run) => ({ run, controller: new AbortController() }));
  const stop = (): void => {
    for (const { controller } of readers) controller.abort(signal?.reason);
  };
  signal?.addEventListener('abort', stop, { once: true });
  const read = async ({ run, controller }: (typeof readers)[number]): Promise<void> => {
    try {
      for await (const event of run.events({ ...options, signal: controller.signal }))
        await queue.put({ run, event });
      queue.close(null);
    } catch (reason) {
      queue.close({ reason });
    }
  };
  for (const reader of readers) void read(reader);
  try {
    yield* queue.take();
  } finally {
    // The other streams end when one has failed, and when the caller leaves the loop.
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
