/**
 * Relays the positions that node activities heartbeat to Temporal. They are signs of life for listeners; the events
 * themselves come from the ledger, so that a missed heartbeat loses nothing.
 */
import pLimit from 'p-limit';
import type { RunEngine } from '../engine.ts';
import type { Following } from './following.ts';

/** Runs that began together fall silent together; more concurrent queries would delay runs with events. */
const CONCURRENCY = 4;

async function relayOne(engine: RunEngine, { run, pulse, followers }: Following): Promise<void> {
  // An event may have come while the query waited for its turn.
  if (!pulse.isDue) return;
  // Temporal is away, or the execution has not started yet: there is nothing to relay.
  const state = await engine.describe(run).catch(() => null);
  const isNews = pulse.relay(state === null ? null : JSON.stringify(state.heartbeats));
  if (state === null || !isNews || state.heartbeats.length === 0) return;
  for (const follower of followers) follower.beat(state.heartbeats);
}

/** Queries Temporal once for each silent run, and sends changed positions to its listeners. Never throws. */
export async function relayHeartbeats(engine: RunEngine, runs: readonly Following[]): Promise<void> {
  const limit = pLimit(CONCURRENCY);
  const silent = runs.filter(({ pulse }) => pulse.isDue);
  await Promise.all(silent.map((following) => limit(() => relayOne(engine, following))));
}
