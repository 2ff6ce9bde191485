/** Waits for the end of a run, for answers that hold its result: POST /workflows/run with `wait`, and webhooks. */
import type { Db } from '../../db/client.ts';
import { readEnded, readPending, type EndedRun } from '../ledger/event-reader.ts';
import type { SegmentKey } from '../ledger/segments.ts';
import type { RunFeed } from './feed.ts';

/** The longest wait, in seconds: proxies commonly cut a silent request after 60 s. */
export const MAX_WAIT_SECONDS = 60;
/** A larger output is read from the record of the run: an answer is held in memory as a whole. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;

export interface AwaitDeps {
  readonly db: Db;
  readonly feed: RunFeed;
}

interface Wait {
  readonly seconds: number;
  /** Ends the wait early: the client has left. */
  readonly signal: AbortSignal;
}

/**
 * Waits until a run ends or asks people.
 * @returns its end as its row holds it; null when it still runs after the wait, or was deleted
 */
export async function awaitEnd(
  { db, feed }: AwaitDeps,
  run: SegmentKey,
  { seconds, signal }: Wait,
): Promise<EndedRun | null> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
  let unfollow = (): void => undefined;
  const news = new Promise<void>((resolve) => {
    over.addEventListener('abort', () => resolve(), { once: true });
    unfollow = feed.follow(run, {
      wake: (isEnd) => {
        if (isEnd === true) resolve();
      },
      checkState: (seen) => {
        if (seen === null || seen.hasEnded) resolve();
      },
      sendHeartbeat: () => undefined,
      close: resolve,
    });
  });
  try {
    // A run that ended before it was followed wakes nobody.
    const early = await readEnded(db, run.runPk, MAX_OUTPUT_BYTES);
    if (early !== null) return early;
    if (!over.aborted) await news;
    return await readEnded(db, run.runPk, MAX_OUTPUT_BYTES);
  } finally {
    unfollow();
  }
}

/** Presents an end as the fields that answers add to a start: status, output, error, open questions, usage. */
export async function presentResult(
  db: Db,
  rootRunPk: string,
  ended: EndedRun,
): Promise<Readonly<Record<string, unknown>>> {
  return {
    status: ended.status,
    output: ended.output,
    output_truncated: ended.output_truncated,
    error: ended.error,
    interrupts: ended.status === 'interrupted' ? await readPending(db, rootRunPk) : [],
    usage: ended.usage,
    duration_ms: ended.duration_ms,
  };
}
