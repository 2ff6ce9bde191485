/** A question would expire at the time of another one, or never. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Timer } from '../../src/language/graph/schedule/schedule.ts';
import { createProgress } from '../../src/language/graph/schedule/schedule.ts';
import type { Skeleton } from '../../src/language/graph/definition/skeleton.ts';
import { encodeProgress } from '../../src/language/graph/schedule/progress.ts';
import type { Redelivery } from '../../temporal/interpreter/redelivery.ts';
import { Walk } from '../../temporal/interpreter/walk.ts';
import { Wakeup } from '../../temporal/interpreter/wakeup.ts';
import { installRuntime } from '../support/engine.ts';
import { testTemporal } from '../support/temporal.ts';
import type { followTimers } from './restarted-timer.ts';

const taskQueue = `timers-${randomUUID()}`;
let connection: Connection;
let native: NativeConnection;
let worker: Worker;
let running: Promise<void>;
beforeAll(async () => {
  installRuntime();
  const { address } = testTemporal();
  connection = await Connection.connect({ address });
  native = await NativeConnection.connect({ address });
  const workflowsPath = fileURLToPath(new URL('./restarted-timer.ts', import.meta.url));
  worker = await Worker.create({ connection: native, taskQueue, workflowsPath });
  running = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await native.close();
  await connection.close();
});

const DAY_MS = 86_400_000;
const follow = (...lists: readonly (readonly Timer[])[]): Promise<readonly Timer[]> =>
  new Client({ connection }).workflow.execute<typeof followTimers>('followTimers', {
    taskQueue,
    workflowId: randomUUID(),
    args: [lists],
  });

test('a node that waits again with another time has the timer of that time alone', async () => {
  const now = Date.now();
  const first = { node: 0, visit: 1, fireAtMs: now + DAY_MS };
  const next = { node: 0, visit: 1, fireAtMs: now };
  expect(await follow([first], [next])).toEqual([next]);
});

test('a timer that fires behind its question is not told to an advance', () => {
  const skeleton = { nodes: [], edges: [], loops: [], loopIds: [], recursionLimit: 1 } as unknown as Skeleton;
  const input = { organizationId: 'o', rootRunPk: 'r' } as never;
  const walk = new Walk(input, new Wakeup(), { mayRepeat: false } as Redelivery);
  const [old, current] = [1_000, 2_000].map((fireAtMs) => ({ node: 0, visit: 1, fireAtMs }));
  const progress = encodeProgress({ ...createProgress(skeleton), timers: [current!] });
  const more = { repeated: false, runPk: 'r', maps: [], resumed: [], state: 'running', more: false } as const;
  walk.apply({ ...more, progress }, skeleton);
  walk.noteTimerFired(old!);
  expect(walk.nextAdvance().elapsed).toEqual([]);
  walk.noteTimerFired(current!);
  expect(walk.nextAdvance().elapsed).toEqual([[0, 1]]);
});
