/**
 * Relays the positions that node activities heartbeat to Temporal. They are signs of life for those who watch; the
 * events themselves come from the journal, so what is missed here is missed by nobody.
 */
import type { RunEngine } from '../engine.ts';
import type { Following, Pulse } from './following.ts';

/** Shorter runs are over before anybody misses a sign of life. */
const MIN_AGE_MS = 1_000;
/** Events are signs of life themselves: of a run that speaks, Temporal is not asked. */
const SILENCE_MS = 1_000;
/** A run that waits has nothing new to tell: it is asked half as often each time, down to this. */
const MAX_PAUSE_MS = 8_000;
/** Runs that began together fall silent together: few questions at once leave room for those who speak. */
const CONCURRENCY = 4;

export const newPulse = (): Pulse => ({ dueMs: 0, pauseMs: SILENCE_MS, said: '[]' });

/** The run has spoken. */
export function rest(pulse: Pulse): void {
  pulse.pauseMs = SILENCE_MS;
  pulse.dueMs = performance.now() + SILENCE_MS;
}

async function beatOne(engine: RunEngine, { run, pulse, followers }: Following): Promise<void> {
  // Temporal away, or the execution not started yet: nothing to tell.
  const state = await engine.describe(run).catch(() => null);
  const text = JSON.stringify(state?.heartbeats ?? []);
  if (state === null || text === pulse.said) {
    pulse.dueMs = performance.now() + pulse.pauseMs;
    pulse.pauseMs = Math.min(MAX_PAUSE_MS, 2 * pulse.pauseMs);
    return;
  }
  pulse.said = text;
  rest(pulse);
  if (state.heartbeats.length > 0) for (const follower of followers) follower.beat(state.heartbeats);
}

/** Asks Temporal once for each of the runs that are silent, and tells their listeners what has changed. Never throws. */
export async function beat(engine: RunEngine, runs: readonly Following[]): Promise<void> {
  const nowMs = performance.now();
  const queue = runs.filter(
    ({ run, pulse }) => pulse.dueMs <= nowMs && Date.now() - run.createdAt.getTime() > MIN_AGE_MS,
  );
  const lane = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop())
      // It may have spoken while it waited for its turn.
      if (next.pulse.dueMs <= performance.now()) await beatOne(engine, next);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, queue.length) }, lane));
}
