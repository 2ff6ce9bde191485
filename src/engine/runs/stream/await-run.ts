/** Waits for the end of a run, for answers that hold its result: POST /workflows/run with `wait`, and webhooks. */
import type { Clock } from '../../../base/clock.ts';
import type { Db } from '../../../base/db/client.ts';
import { readEnded, readPending, type EndedRun } from '../ledger/read/event-reader.ts';
import type { SegmentKey } from '../ledger/write/segments.ts';
import type { RunFeed } from './feed.ts';

/** The longest wait, in seconds: proxies commonly cut a silent request after 60 s. */
export const MAX_WAIT_SECONDS = 60;
/** A larger output is read from the record of the run: an answer is held in memory as a whole. */
export const MAX_RESPONSE_BYTES = 1024 * 1024;

export interface AwaitDeps {
  readonly db: Db;
  readonly feed: RunFeed;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
}

interface Wait {
  readonly seconds: number;
  /** Ends the wait early: the client has left. */
  readonly signal: AbortSignal;
}

/**
 * Reads until it finds something, again after each event of the run.
 * @param until `end`: reads again only when the run has ended
 * @returns null when there is nothing after the wait, or the run was deleted
 */
export async function awaitFact<Fact>(
  { feed, clock }: Pick<AwaitDeps, 'feed' | 'clock'>,
  run: SegmentKey,
  { seconds, signal, until }: Wait & { readonly until: 'end' | 'event' },
  read: () => Promise<Fact | null>,
): Promise<Fact | null> {
  let isOver = signal.aborted;
  let notify = (): void => undefined;
  const stop = (): void => {
    isOver = true;
    notify();
  };
  signal.addEventListener('abort', stop, { once: true });
  const timer = clock.setTimeout(stop, seconds * 1_000);
  const unfollow = feed.follow(run, {
    wake: (isEnd) => {
      if (isEnd === true || until === 'event') notify();
    },
    checkState: (seen) => {
      if (seen === null) stop();
      else if (seen.hasEnded || until === 'event') notify();
    },
    sendHeartbeat: () => undefined,
    close: stop,
  });
  try {
    for (;;) {
      // The run may have had its event before it was followed, and may have the next one during this read.
      const news = new Promise<void>((resolve) => {
        notify = resolve;
      });
      const wasOver = isOver;
      const fact = await read();
      if (fact !== null || wasOver) return fact;
      await news;
    }
  } finally {
    unfollow();
    clock.clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Waits until a run ends or asks people.
 * @returns its end as its row holds it; null when it still runs after the wait, or was deleted
 */
export const awaitEnd = (deps: AwaitDeps, run: SegmentKey, wait: Wait): Promise<EndedRun | null> =>
  awaitFact(deps, run, { ...wait, until: 'end' }, () => readEnded(deps.db, run.runPk, MAX_RESPONSE_BYTES));

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
