/** A task beyond the share of its organization would hold a slot, be lost after some deliveries, or come again in vain all the time. */
import { setImmediate } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { NodeTask, ShortTask } from '../../src/engine/runs/execute/protocol.ts';
import { limitLocalWaits, shareTasks } from '../../temporal/worker/slot-shares.ts';

const task = (organizationId: string, rootRunPk = 'r'): NodeTask => ({
  organizationId,
  rootRunPk,
  runPk: rootRunPk,
  nodeId: 'n',
  visit: 1,
  depth: 0,
  position: 1,
  itemIndex: -1,
  iteration: null,
  loop: {},
});
const clock = { ...systemClock, monotonic: () => 5_000 };

/** A worker of four tasks, three of which organization `a` holds, and a delivery to it. */
async function fillShare() {
  const ends: (() => void)[] = [];
  const hang = (given: NodeTask) =>
    given.nodeId === 'n' ? new Promise<void>((resolve) => ends.push(resolve)) : Promise.resolve();
  const { tool } = shareTasks({ tool: hang }, { count: 4, clock });
  const deliver = (given: NodeTask, attempt: number): Promise<unknown> =>
    new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR') }).run(() => tool(given));
  const held = [1, 2, 3].map(() => deliver(task('a'), 1));
  await setImmediate();
  const brief = (organizationId: string) => ({ ...task(organizationId), nodeId: 'brief' });
  const end = async (): Promise<void> => {
    ends.forEach((resolve) => resolve());
    await Promise.all(held);
  };
  return {
    end,
    deliver: (organizationId: string, attempt: number) => deliver(brief(organizationId), attempt),
  };
}

test('a task beyond the share goes back to Temporal until the organization has ended others', async () => {
  const { deliver, end } = await fillShare();
  await expect(deliver('a', 1)).rejects.toMatchObject({ type: 'worker_busy', nonRetryable: false });
  await deliver('b', 1);
  await end();
  await deliver('a', 2);
});

test('a task that goes back again and again waits longer, and then the run waits for it', async () => {
  const { deliver, end } = await fillShare();
  const waits: unknown[] = [];
  for (const attempt of [1, 2, 3, 7, 11])
    await deliver('a', attempt).catch(({ nextRetryDelay }: { nextRetryDelay: unknown }) =>
      waits.push(nextRetryDelay),
    );
  expect(waits).toEqual([1_000, 2_000, 4_000, 60_000, 60_000]);
  const last = { nonRetryable: true, details: [{ retryInMs: 60_000 }] };
  await expect(deliver('a', 12)).rejects.toMatchObject(last);
  await end();
});

test('many tasks of an organization that go back come again one by one', async () => {
  const { deliver, end } = await fillShare();
  let wait: unknown;
  for (let i = 0; i < 300; i += 1)
    await deliver('a', 1).catch(({ nextRetryDelay }: { nextRetryDelay: unknown }) => (wait = nextRetryDelay));
  expect(wait).toBe(3_000);
  await end();
});

test('the local activities of a run hold one workflow task, and beyond the share none', async () => {
  const ends: (() => void)[] = [];
  const seen: number[] = [];
  const wait = ({ patienceMs }: ShortTask<NodeTask>): Promise<void> => {
    seen.push(patienceMs);
    return new Promise((resolve) => ends.push(resolve));
  };
  const { tool } = limitLocalWaits({ tool: wait }, 4);
  const run = (organizationId: string, rootRunPk: string): Promise<void> =>
    tool({ task: task(organizationId, rootRunPk), patienceMs: 1_000 });
  const all = ['1', '1', '2', '3', '4', '1'].map((root) => run('a', root)).concat(run('b', '5'));
  expect(seen).toEqual([1_000, 1_000, 1_000, 1_000, 0, 1_000, 1_000]);
  ends.forEach((resolve) => resolve());
  await Promise.all(all);
  const again = run('a', '4');
  expect(seen.at(-1)).toBe(1_000);
  ends.at(-1)?.();
  await again;
});
