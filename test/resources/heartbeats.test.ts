/** Of which runs Temporal is asked for signs of life, and what their listeners hear of it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Following } from '../../src/runs/stream/following.ts';
import { relayHeartbeats } from '../../src/runs/stream/heartbeats.ts';
import { Pulse } from '../../src/runs/stream/pulse.ts';
import type { HeartbeatPosition } from '../../src/runs/engine.ts';
import { fakeEngine } from '../support/runs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Watched {
  readonly following: Following;
  readonly heard: (readonly HeartbeatPosition[])[];
}

function watched(runPk: string, ageMs = 60_000): Watched {
  const heard: (readonly HeartbeatPosition[])[] = [];
  const follower = {
    wake: () => undefined,
    look: () => undefined,
    leave: () => undefined,
    beat: (positions: readonly HeartbeatPosition[]) => void heard.push(positions),
  };
  const createdAt = new Date(Date.now() - ageMs);
  const run = { organizationId: 'o', runPk, rootRunPk: runPk, createdAt };
  return { following: { run, followers: new Set([follower]), pulse: new Pulse() }, heard };
}

const at = (seq: number): HeartbeatPosition => ({ node_id: 'n', attempt: 1, seq, tokens: seq });
const engineOf = (positions: () => HeartbeatPosition[]): ReturnType<typeof fakeEngine> =>
  fakeEngine({
    describe: async () => ({ status: 'RUNNING', heartbeats: positions(), workflowTaskAttempt: 0 }),
  });

/** Beats once a second; how often Temporal was asked in each. */
async function asked(engine: ReturnType<typeof fakeEngine>, runs: readonly Following[], seconds: number) {
  const counts: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const before = engine.calls.length;
    await relayHeartbeats(engine, runs);
    counts.push(engine.calls.length - before);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  return counts;
}

test('young runs and runs that speak are not asked after', async () => {
  const engine = engineOf(() => []);
  const [silent, young, speaking] = [watched('silent'), watched('young', 0), watched('speaking')];
  speaking.following.pulse.rest();
  await relayHeartbeats(engine, [silent.following, young.following, speaking.following]);
  expect(engine.calls).toEqual(['describe silent']);
});

test('a run that has fallen silent is asked after', async () => {
  const engine = engineOf(() => []);
  const { following } = watched('run');
  following.pulse.rest();
  expect(await asked(engine, [following], 2)).toEqual([0, 1]);
});

test('a run that has nothing new to tell is asked less and less, until it speaks', async () => {
  const engine = engineOf(() => [at(1)]);
  const { following, heard } = watched('run');
  expect(await asked(engine, [following], 10)).toEqual([1, 1, 1, 0, 1, 0, 0, 0, 1, 0]);
  expect(heard).toEqual([[at(1)]]);
  following.pulse.rest();
  expect(await asked(engine, [following], 4)).toEqual([0, 1, 1, 0]);
});

test('positions are told when they have changed', async () => {
  let seq = 1;
  const engine = engineOf(() => [at(seq)]);
  const { following, heard } = watched('run');
  await asked(engine, [following], 2);
  seq = 2;
  await asked(engine, [following], 2);
  expect(heard).toEqual([[at(1)], [at(2)]]);
});

test('while Temporal is away nothing is told, and it is asked again', async () => {
  const engine = fakeEngine({ describe: () => Promise.reject(new Error('away')) });
  const { following, heard } = watched('run');
  expect(await asked(engine, [following], 2)).toEqual([1, 1]);
  expect(heard).toEqual([]);
});

test('a run that speaks while it waits for its turn is not asked after', async () => {
  const runs = Array.from({ length: 10 }, (_, number) => watched(`run-${number}`).following);
  const engine = fakeEngine({
    async describe() {
      for (const { pulse } of runs) pulse.rest();
      return { status: 'RUNNING', heartbeats: [], workflowTaskAttempt: 0 };
    },
  });
  await relayHeartbeats(engine, runs);
  // Those whose turn had come, when the first answer was there.
  expect(engine.calls.length).toBeLessThan(runs.length);
});
