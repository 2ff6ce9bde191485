/**
 * A run would stay "running" after its execution has ended in Temporal, or a worker's orderly stop would lose work
 * (SPEC REL-G4, REL-R90, REL-shutdown).
 */
import { NamespaceGuard } from '../../src/engine/runs/outbox/namespace-guard.ts';
import { systemClock } from '../../src/base/clock.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/base/config/config.ts';
import { Reconciler } from '../../src/engine/runs/outbox/reconciler.ts';
import { createLog } from '../../src/base/log.ts';
import { connectEngine } from '../../temporal/client/client.ts';
import { toRunWorkflowId } from '../../temporal/contract.ts';
import { startedExecution } from '../support/executions.ts';
import { eventually } from '../support/waiting.ts';
import { PatientClient } from './support/client.ts';
import { expectPromisesKept } from './support/promises.ts';
import { asking, CALLS, given, mixed } from './support/shapes.ts';
import { startSituation, type Situation } from './support/situation.ts';

let situation: Situation;
let client: PatientClient;
const accepted: string[] = [];
beforeAll(async () => {
  situation = await startSituation();
  client = new PatientClient(situation.service);
});
afterAll(() => situation.close());
afterEach(() => expectPromisesKept(situation, accepted));

/** The execution of a run, as an operator has it before them. */
async function executionOf(runId: string) {
  const [row] = await situation.db.query<{ organization_id: string; root_run_pk: string }>(
    'SELECT organization_id, root_run_pk FROM runs WHERE run_id = $1',
    [runId],
  );
  const workflowId = toRunWorkflowId(row?.organization_id ?? '', row?.root_run_pk ?? '');
  return startedExecution(situation.temporal, workflowId);
}

/** One round of the reconciler, for which the runs have been quiet long enough. @returns how many runs it ended */
async function reconcile(): Promise<number> {
  const { db, databaseUrl, temporalAddress, service } = situation;
  const log = createLog('silent', 'test');
  const config = readConfig({
    APP_ENV: 'test',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_TASK_QUEUE: service.taskQueue,
  });
  // Runs that Temporal is still to be told of are left alone.
  await eventually('Temporal to be told of everything', 30_000, async () =>
    (await db.query('SELECT 1 FROM outbox')).length === 0 ? true : null,
  );
  await db.query(`UPDATE runs SET last_event_at = now() - interval '1 minute' WHERE status = 'running'`);
  const engine = await connectEngine(config, log);
  try {
    return await new Reconciler({
      db,
      engine,
      guard: new NamespaceGuard({ db, engine, clock: systemClock }),
      log,
    }).sweep();
  } finally {
    await engine.close();
  }
}

async function heldRun(): Promise<string> {
  const key = randomUUID();
  const runId = await client.run(mixed(situation.recorder), given(key, { holds: { put2: 1 } }));
  accepted.push(runId);
  await situation.recorder.waitFor(`${key}.put2`, 1);
  // Operators see it once the call has taken a while.
  const execution = await executionOf(runId);
  await eventually('its execution', 30_000, () => execution.describe().catch(() => null));
  return runId;
}

test('an execution that an operator terminates in Temporal becomes a failed run that says so', async () => {
  const terminated = await heldRun();
  const well = await heldRun();
  await (await executionOf(terminated)).terminate('by hand');
  // A worker's own reconciler may have been faster.
  await reconcile();
  const { end } = await client.read(terminated);
  expect(end).toMatchObject({ type: 'run_failed', error: { code: 'terminated' } });
  expect(await situation.db.query('SELECT status FROM runs WHERE run_id = $1', [well])).toEqual([
    { status: 'running' },
  ]);
  expect((await client.send('POST', `/workflows/cancel/${well}`)).status).toBe(200);
});

test('an execution that an operator cancels in Temporal becomes a cancelled run', async () => {
  const runId = await heldRun();
  await (await executionOf(runId)).cancel();
  expect((await client.read(runId)).end).toMatchObject({ type: 'run_cancelled' });
});

test('a question whose execution is gone is answered 410', async () => {
  const runId = await client.run(asking(situation.recorder), { key: randomUUID() });
  accepted.push(runId);
  const { end } = await client.read(runId);
  await (await executionOf(runId)).terminate('by hand');
  await reconcile();
  const [question] = end['interrupts'] as { interrupt_id: string }[];
  const body = { interrupt_id: question?.interrupt_id, action: 'approve' };
  expect((await client.send('POST', `/workflows/resume/${runId}`, { body })).status).toBe(410);
});

test('SIGTERM of the workers: what they do they finish, what they cannot finish is done by others', async () => {
  const [first, second] = situation.service.workers;
  const { recorder } = situation;
  await second.kill();
  const held = ['post2', 'put2', 'get2'].map((node) => ({ node, key: randomUUID() }));
  const runs = await Promise.all(
    held.map(({ node, key }) => client.run(mixed(recorder), given(key, { delays: { [node]: 2_000 } }))),
  );
  accepted.push(...runs);
  await Promise.all(held.map(({ node, key }) => recorder.waitFor(`${key}.${node}`, 1)));
  const ending = first.terminate();
  await second.start();
  expect(await ending).toBe('exit status 0');
  for (const [index, runId] of runs.entries()) {
    expect((await client.read(runId)).end).toMatchObject({ type: 'run_completed' });
    for (const node of Object.keys(CALLS)) {
      expect([node, recorder.calls(`${held[index]?.key}.${node}`).length]).toEqual([node, 1]);
    }
  }
});
