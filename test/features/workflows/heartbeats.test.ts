/** A listener of a silent run could not tell whether it is still alive. */
import { beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import type { FollowedRun } from '../../../src/engine/runs/stream/heartbeats.ts';
import { HeartbeatPoll, relayHeartbeats } from '../../../src/engine/runs/stream/heartbeats.ts';
import type { HeartbeatPosition } from '../../../src/engine/runs/engine.ts';
import { fakeEngine } from '../../support/runs.ts';

let nowMs = 0;
const clock = { ...systemClock, monotonic: () => nowMs };
beforeEach(() => void (nowMs = 0));

interface Watched {
  readonly following: FollowedRun;
  readonly heard: (readonly HeartbeatPosition[])[];
}

/** A run that is followed from now on. */
function watched(runPk: string): Watched {
  const heard: (readonly HeartbeatPosition[])[] = [];
  const follower = {
    wake: () => undefined,
    checkState: () => undefined,
    close: () => undefined,
    sendHeartbeat: (positions: readonly HeartbeatPosition[]) => void heard.push(positions),
  };
  const run = { organizationId: 'o', runPk, rootRunPk: runPk };
  return { following: { run, followers: new Set([follower]), poll: new HeartbeatPoll(clock) }, heard };
}

const at = (seq: number): HeartbeatPosition => ({ node_id: 'n', attempt: 1, seq, tokens: seq });
const engineOf = (positions: () => HeartbeatPosition[]): ReturnType<typeof fakeEngine> =>
  fakeEngine({
    describe: async () => ({ status: 'RUNNING', heartbeats: positions(), workflowTaskAttempt: 0 }),
  });

/** Beats once a second. @returns how often Temporal was queried in each */
async function queriesPerSecond(
  engine: ReturnType<typeof fakeEngine>,
  runs: readonly FollowedRun[],
  seconds: number,
) {
  const counts: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const before = engine.calls.length;
    await relayHeartbeats(engine, runs);
    counts.push(engine.calls.length - before);
    nowMs += 1_000;
  }
  return counts;
}

test('a run is queried for signs of life when it has been silent for a second, from when it is followed', async () => {
  const engine = engineOf(() => []);
  const [silent, speaking] = [watched('silent'), watched('speaking')];
  nowMs = 999;
  const late = watched('late');
  speaking.following.poll.postpone();
  const runs = [silent.following, speaking.following, late.following];
  await relayHeartbeats(engine, runs);
  expect(engine.calls).toEqual([]);
  nowMs = 1_000;
  await relayHeartbeats(engine, runs);
  expect(engine.calls).toEqual(['describe silent']);
});

test('a run that has fallen silent is queried', async () => {
  const engine = engineOf(() => []);
  const { following } = watched('run');
  expect(await queriesPerSecond(engine, [following], 2)).toEqual([0, 1]);
});

test('a run that has nothing new to tell is queried less and less, until it speaks', async () => {
  const engine = engineOf(() => [at(1)]);
  const { following, heard } = watched('run');
  expect(await queriesPerSecond(engine, [following], 11)).toEqual([0, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0]);
  expect(heard).toEqual([[at(1)]]);
  following.poll.postpone();
  expect(await queriesPerSecond(engine, [following], 4)).toEqual([0, 1, 1, 0]);
});

test('positions are sent when they have changed', async () => {
  let seq = 1;
  const engine = engineOf(() => [at(seq)]);
  const { following, heard } = watched('run');
  await queriesPerSecond(engine, [following], 3);
  seq = 2;
  await queriesPerSecond(engine, [following], 2);
  expect(heard).toEqual([[at(1)], [at(2)]]);
});

test('while Temporal is away nothing is sent, and it is queried again', async () => {
  const engine = fakeEngine({ describe: () => Promise.reject(new Error('away')) });
  const { following, heard } = watched('run');
  expect(await queriesPerSecond(engine, [following], 3)).toEqual([0, 1, 1]);
  expect(heard).toEqual([]);
});

test('a run that speaks while it waits for its turn is not queried', async () => {
  const runs = Array.from({ length: 10 }, (_, number) => watched(`run-${number}`).following);
  const engine = fakeEngine({
    async describe() {
      for (const { poll } of runs) poll.postpone();
      return { status: 'RUNNING', heartbeats: [], workflowTaskAttempt: 0 };
    },
  });
  nowMs += 1_000;
  await relayHeartbeats(engine, runs);
  // Those whose turn had come, when the first answer was there.
  expect(engine.calls.length).toBeLessThan(runs.length);
});
