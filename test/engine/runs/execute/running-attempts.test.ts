/** A worker that stops would give up its lease, and another one repeat a call that it still makes. */
import { expect, test } from 'vitest';
import { RunningAttempts } from '../../../../src/engine/runs/execute/attempt/running-attempts.ts';
import { done, type AttemptEnd, type Host } from '../../../../src/engine/runs/execute/host.ts';
import { Chance, VirtualClock } from '../../../features/canvas/simulation/virtual-clock.ts';

/** As a local activity that leaves its attempt running at once. */
const LEAVING: Host = {
  patienceMs: 0,
  signal: new AbortController().signal,
  cancelRequested: () => false,
  startHeartbeat: () => () => undefined,
  awaitCancellation: () => Promise.resolve(),
};

const GRACE_MS = 15_000;

/** The attempts of a worker; each ends when the test says so, or when it is aborted. */
function startWorker() {
  const clock = new VirtualClock(new Chance(1));
  const running = new RunningAttempts({ clock, queue: 'own', onUnhosted: () => undefined });
  let hasStopped = false;
  return {
    clock,
    hasStopped: () => hasStopped,
    stop: () => void running.stop(GRACE_MS).then(() => (hasStopped = true)),
    begin(nodeId: string): () => void {
      let end = (): void => undefined;
      const key = { organizationId: 'o', rootRunPk: 'r', runPk: 'r', nodeId, visit: 1, itemIndex: -1 };
      void running.run<null>(
        LEAVING,
        key,
        ({ signal }) =>
          new Promise<AttemptEnd<null>>((resolve, reject) => {
            end = () => resolve(done(null));
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      );
      return () => end();
    },
  };
}

test('it waits for attempts that begin while it stops', async () => {
  const worker = startWorker();
  const endFirst = worker.begin('a');
  worker.stop();
  const endSecond = worker.begin('b');
  endFirst();
  await worker.clock.advance(1_000);
  expect(worker.hasStopped()).toBe(false);
  endSecond();
  await worker.clock.advance(0);
  expect(worker.hasStopped()).toBe(true);
});

test('it aborts what has not ended in time, whenever that began', async () => {
  const worker = startWorker();
  worker.begin('a');
  worker.stop();
  worker.begin('b');
  await worker.clock.advance(GRACE_MS - 1);
  expect(worker.hasStopped()).toBe(false);
  await worker.clock.advance(1);
  expect(worker.hasStopped()).toBe(true);
});
