/**
 * Relays the positions that node activities heartbeat to Temporal. They are signs of life for listeners; the events
 * themselves come from the ledger, so that a missed heartbeat loses nothing.
 */
import pLimit from 'p-limit';
import type { RunEngine } from '../engine.ts';
import type { Following } from './feed.ts';

/** Shorter runs are over before anybody misses a sign of life. */
const MIN_AGE_MS = 1_000;
/** Events are signs of life themselves: Temporal is not queried about a run that wrote one this recently. */
const SILENCE_MS = 1_000;
/** A run that waits has no news: the pause between queries doubles, up to this. */
const MAX_PAUSE_MS = 8_000;
/** Runs that began together fall silent together: few concurrent queries leave room for runs with events. */
const CONCURRENCY = 4;

/** When the heartbeats of one run are read next, and which were relayed last. Times are of performance.now(). */
export class Pulse {
  #dueMs = 0;
  #pauseMs = SILENCE_MS;
  #relayed = '[]';

  get isDue(): boolean {
    return this.#dueMs <= performance.now();
  }

  /** Notes an event of the run. */
  rest(): void {
    this.#pauseMs = SILENCE_MS;
    this.#dueMs = performance.now() + SILENCE_MS;
  }

  /** Notes the positions as JSON text; null: they could not be read. @returns whether they are news */
  relay(text: string | null): boolean {
    if (text !== null && text !== this.#relayed) {
      this.#relayed = text;
      this.rest();
      return true;
    }
    this.#dueMs = performance.now() + this.#pauseMs;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs);
    return false;
  }
}

async function relayOne(engine: RunEngine, { run, pulse, followers }: Following): Promise<void> {
  // An event may have come while the run waited for its turn.
  if (!pulse.isDue) return;
  // Temporal is away, or the execution has not started yet: there is nothing to relay.
  const state = await engine.describe(run).catch(() => null);
  const isNews = pulse.relay(state === null ? null : JSON.stringify(state.heartbeats));
  if (state === null || !isNews || state.heartbeats.length === 0) return;
  for (const follower of followers) follower.beat(state.heartbeats);
}

/** Queries Temporal once for each of the runs that are silent, and tells their listeners what has changed. Never throws. */
export async function relayHeartbeats(engine: RunEngine, runs: readonly Following[]): Promise<void> {
  const limit = pLimit(CONCURRENCY);
  const silent = runs.filter(
    ({ run, pulse }) => pulse.isDue && Date.now() - run.createdAt.getTime() > MIN_AGE_MS,
  );
  await Promise.all(silent.map((following) => limit(() => relayOne(engine, following))));
}
