/** A slow machine would end healthy runs as `poison`, or a run that no code can continue would say "running" for ever. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { diagnose } from '../../src/processes/doctor.ts';
import type { RunRef } from '../../src/engine/runs/engine.ts';
import { createLog } from '../../src/base/log.ts';
import { readAcceptedStart } from '../../src/engine/runs/ledger/write/starts.ts';
import { NamespaceGuard } from '../../src/engine/runs/outbox/namespace-guard.ts';
import { Reconciler } from '../../src/engine/runs/outbox/reconciler.ts';
import { connectEngine, type TemporalEngine } from '../../temporal/client/client.ts';
import { dataConverterOptions } from '../../temporal/codec/data-converter.ts';
import { openTestDatabase, type TestDb } from '../support/database.ts';
import { startEngine } from '../support/engine.ts';
import { accept } from '../support/runs.ts';
import { testTemporal } from '../support/temporal.ts';
import { eventually } from '../support/waiting.ts';
import { chooseWorkflowThreads } from '../../temporal/worker/workflow-threads.ts';

// Temporal waits longer before each further attempt of a workflow task.
vi.setConfig({ testTimeout: 300_000 });

const log = createLog('silent', 'test');
const ENCRYPTION_KEYS = `kept:${Buffer.alloc(32, 1).toString('base64')}`;
let db: TestDb;
let connection: Connection;
beforeAll(async () => {
  db = await openTestDatabase();
  connection = await Connection.connect({ address: testTemporal().address });
});
afterAll(async () => {
  await connection.close();
  await db.close();
});

interface StartedRun {
  readonly ref: RunRef;
  readonly engine: TemporalEngine;
  readonly shared: Record<string, string>;
}

/** Longer than Temporal keeps a poll without a task. */
const LONG_POLL_MS = 70_000;

/** Starts a run on a queue of its own that nobody polls. */
async function startRun(): Promise<StartedRun> {
  const shared = { DATABASE_URL: db.url, TEMPORAL_TASK_QUEUE: `test-${randomUUID()}`, ENCRYPTION_KEYS };
  const engine = await connectEngine(configOf(shared), log);
  const run = await accept(db);
  const ref = { organizationId: run.organizationId, rootRunPk: run.runPk };
  const accepted = await readAcceptedStart(db, ref);
  if (accepted === null) throw new Error('the run was not accepted');
  await engine.start(accepted.start);
  await db.query('DELETE FROM outbox WHERE subject_id = $1', [run.runPk]);
  await db.query(`UPDATE runs SET last_event_at = now() - interval '3 minutes' WHERE id = $1`, [run.runPk]);
  return { ref, engine, shared };
}

const configOf = (shared: Record<string, string>) =>
  readConfig({ ...shared, APP_ENV: 'test', TEMPORAL_ADDRESS: testTemporal().address });

/** Sweeps with a reconciler that ends runs after fewer failures than usual. @returns how many it ended */
function sweep(engine: TemporalEngine, maxCodeFailures: number): Promise<number> {
  const guard = new NamespaceGuard({ db, engine, clock: systemClock });
  return new Reconciler({ db, engine, guard, log, maxCodeFailures }).sweep();
}

const readAttempt = async ({ engine, ref }: StartedRun): Promise<number> =>
  (await engine.describe(ref).catch(() => null))?.workflowTaskAttempt ?? 0;
const readRun = async ({ rootRunPk }: RunRef): Promise<unknown> =>
  (await db.query(`SELECT status, error->>'code' AS code FROM runs WHERE id = $1`, [rootRunPk]))[0];

test('a run whose workflow task only times out goes on when a worker is fast enough', async () => {
  const run = await startRun();
  // Takes the tasks and answers none, like a worker that is too slow.
  const poll = {
    namespace: 'default',
    taskQueue: { name: run.shared['TEMPORAL_TASK_QUEUE'] ?? '' },
    identity: 'slow',
  };
  const takeTask = () =>
    connection.withDeadline(Date.now() + LONG_POLL_MS, () =>
      connection.workflowService.pollWorkflowTaskQueue(poll),
    );
  await eventually('two time-outs', 200_000, async () => {
    await takeTask();
    return (await readAttempt(run)) > 2 || null;
  });
  expect(await sweep(run.engine, 1)).toBe(0);
  expect(await run.engine.readTaskFailures(run.ref)).toMatchObject({ byCode: 0, isUnrecorded: true });
  expect(await readRun(run.ref)).toEqual({ status: 'running', code: null });
  const { checks } = await diagnose(configOf(run.shared), db);
  expect(checks).toContainEqual(
    expect.objectContaining({
      check: 'runs',
      status: 'warning',
      message: expect.stringContaining(run.ref.rootRunPk) as string,
    }),
  );

  const worker = await startEngine(run.shared);
  await eventually('the run to complete', 200_000, async () => {
    const { status } = (await readRun(run.ref)) as { status: string };
    return status === 'completed' || null;
  });
  await worker.close();
  await run.engine.close();
});

/** An option of the SDK that its types leave out: how long an activation may take. */
const breakOffSoon = { isolateExecutionTimeout: '1s' } as object;

/** Runs `work` while a worker with another interpreter takes the tasks of the run. */
async function withInterpreter(
  file: string,
  { shared }: StartedRun,
  work: () => Promise<void>,
): Promise<void> {
  const native = await NativeConnection.connect({ address: testTemporal().address });
  // The SDK's own threads break activations off; those of the service, which workers of other files have chosen, do not.
  chooseWorkflowThreads(null);
  const worker = await Worker.create({
    connection: native,
    taskQueue: shared['TEMPORAL_TASK_QUEUE'] ?? '',
    workflowsPath: fileURLToPath(new URL(file, import.meta.url)),
    dataConverter: dataConverterOptions(configOf(shared)),
    ...breakOffSoon,
  });
  const running = worker.run();
  await work();
  worker.shutdown();
  await running;
  await native.close();
}

test('a run whose code fails at each attempt fails as poison', async () => {
  const run = await startRun();
  await withInterpreter('./broken-interpreter.ts', run, async () => {
    // Temporal records the first failure by itself, and the second one because of the event that the reconciler sends.
    await eventually('the run to be ended', 200_000, async () => (await sweep(run.engine, 2)) || null);
  });
  const { byCode } = await run.engine.readTaskFailures(run.ref);
  // The attempt under way may have failed beside the verdict.
  expect([2, 3]).toContain(byCode);
  expect(await readRun(run.ref)).toEqual({ status: 'failed', code: 'poison' });
  await run.engine.close();
});

test('an activation that the SDK breaks off because it takes long is a time-out, not a failure of the code', async () => {
  const run = await startRun();
  await withInterpreter('./slow-interpreter.ts', run, async () => {
    await eventually('a failed attempt', 100_000, async () => (await readAttempt(run)) > 1 || null);
  });
  expect(await run.engine.readTaskFailures(run.ref)).toMatchObject({ byCode: 0, isUnrecorded: true });
  expect(await sweep(run.engine, 1)).toBe(0);
  expect(await readRun(run.ref)).toEqual({ status: 'running', code: null });
  await run.engine.terminate(run.ref, 'the end of the test');
  await run.engine.close();
});
