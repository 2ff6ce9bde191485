/** A node would be stopped too early or too late, because time counts while it waits for its turn. */
import { beforeEach, expect, test } from 'vitest';
import { AttemptTimeout } from '../../../../src/engine/runs/execute/attempt/attempt-timeout.ts';
import { MAX_PAUSED_MS } from '../../../../src/engine/runs/execute/protocol.ts';
import { Chance, VirtualClock } from '../../../features/canvas/simulation/virtual-clock.ts';

let clock: VirtualClock;
beforeEach(() => {
  clock = new VirtualClock(new Chance(1));
});

test('it aborts when its time is over, as a deadline does', async () => {
  const timeout = new AttemptTimeout(1_000, clock);
  await clock.advance(999);
  expect(timeout.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(timeout.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('a pause is not counted, and what was left before it is left after it', async () => {
  const timeout = new AttemptTimeout(1_000, clock);
  await clock.advance(600);
  const resume = timeout.pause();
  await clock.advance(5_000);
  resume();
  await clock.advance(399);
  expect(timeout.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(timeout.signal.aborted).toBe(true);
});

test('of several pauses at the same time the last to end lets it go on', async () => {
  const timeout = new AttemptTimeout(1_000, clock);
  const [one, other] = [timeout.pause(), timeout.pause()];
  await clock.advance(2_000);
  one();
  one();
  await clock.advance(2_000);
  expect(timeout.signal.aborted).toBe(false);
  other();
  await clock.advance(1_000);
  expect(timeout.signal.aborted).toBe(true);
});

test.each([
  ['an hour of pauses is waited for', 0, false],
  ['more than an hour of pauses is not', 1, true],
])('%s', async (_name, more, isOver) => {
  const timeout = new AttemptTimeout(1_000, clock);
  timeout.pause()();
  for (const ms of [MAX_PAUSED_MS - 1_000, 999 + more]) {
    const resume = timeout.pause();
    await clock.advance(ms);
    resume();
  }
  expect(timeout.signal.aborted).toBe(isOver);
});

test('nothing is left of one that is closed, whoever ends a pause later', async () => {
  const timeout = new AttemptTimeout(1_000, clock);
  const resume = timeout.pause();
  timeout.close();
  resume();
  expect(clock.pending).toBe(0);
});
