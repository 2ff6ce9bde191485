/**
 * Relays the positions that node activities heartbeat to Temporal. They are signs of life for those who watch; the
 * events themselves come from the journal, so what is missed here is missed by nobody.
 */
import type { RunEngine } from '../../../temporal/contract.ts';
import type { Following } from './following.ts';

/** Shorter runs are over before anybody misses a sign of life. */
const MIN_AGE_MS = 1_000;
const CONCURRENCY = 16;

async function beatOne(engine: RunEngine, following: Following): Promise<void> {
  // Temporal away, or the execution not started yet: nothing to tell.
  const state = await engine.describe(following.run).catch(() => null);
  if (state === null) return;
  const text = JSON.stringify(state.heartbeats);
  if (text === following.lastBeat) return;
  following.lastBeat = text;
  if (state.heartbeats.length > 0)
    for (const follower of following.followers) follower.beat(state.heartbeats);
}

/** Asks Temporal once for each of the runs, and tells their listeners what has changed. Never throws. */
export async function beat(engine: RunEngine, runs: readonly Following[]): Promise<void> {
  const queue = runs.filter(({ run }) => Date.now() - run.createdAt.getTime() > MIN_AGE_MS);
  const lane = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) await beatOne(engine, next);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, queue.length) }, lane));
}
