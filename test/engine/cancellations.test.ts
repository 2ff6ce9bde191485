/** A cancelled run would end as something else, or go on, depending on who hears of it first (SPEC REL-G4). */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { TemporalUnavailable } from '../../src/base/errors.ts';
import {
  cancel,
  cancelUntold,
  childOf,
  closedAs,
  deploy,
  seenInTemporal,
  workflowIdOf,
} from '../support/journeys.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => engine.close());

const refOf = (run: AcceptedRun) => ({ organizationId: engine.organizationId, rootRunPk: run.runPk });
/** A run whose one call is answered when the test releases it, and whose execution is there. */
async function heldRun(): Promise<AcceptedRun> {
  const tag = randomUUID();
  const run = await engine.accept(chain(http('h', recorder.url(tag, { hold: 1 })), transform('t')));
  await recorder.waitFor(tag, 1);
  await seenInTemporal(engine, refOf(run), ({ status }) => status === 'RUNNING' || null);
  return run;
}

test('an execution whose cancellation is delivered late finds it in the row', async () => {
  const run = await heldRun();
  // As if its delivery took longer than the execution waits for it.
  await cancelUntold(engine, run);
  recorder.release();
  expect(await closedAs(engine, run)).toBe('CANCELLED');
});

test.for([
  ['completed', 'COMPLETED'],
  ['failed', 'FAILED'],
] as const)('a cancellation in Temporal that finds a run %s leaves it so', async ([status, closed]) => {
  const run = await heldRun();
  // What an advance writes that is committed while the cancellation is on its way, and the end of the node before it.
  const error = { code: 'http_error', message: 'It broke', node_id: 'h' };
  const ending = { runPk: run.runPk, from: ['running' as const], payload: {} };
  await engine.db.transaction(async (tx) => {
    await tx.query(`UPDATE run_steps SET status = 'succeeded', held_by = NULL WHERE run_pk = $1`, [
      run.runPk,
    ]);
    await closeRun(tx, status === 'failed' ? { ...ending, status, error } : { ...ending, status });
  });
  await engine.engine.cancel(refOf(run));
  expect(await closedAs(engine, run)).toBe(closed);
  expect(await engine.db.query('SELECT status FROM runs WHERE id = $1', [run.runPk])).toEqual([{ status }]);
});

test('a child that nobody waits for is cancelled with its parent, and its call aborted', async () => {
  const [tag, parents] = [randomUUID(), randomUUID()];
  const workflowId = await deploy(engine, chain(http('h', recorder.url(tag, { delay_ms: 60_000 }))));
  const sub = node('s', 'tool', { kind: 'workflow', workflow_id: workflowId, wait: false });
  const run = await engine.accept(chain(sub, http('after', recorder.url(parents, { delay_ms: 60_000 }))));
  await Promise.all([recorder.waitFor(tag, 1), recorder.waitFor(parents, 1)]);
  await cancel(engine, run);
  const child = await childOf(engine, run);
  expect(await Promise.all([closedAs(engine, run), closedAs(engine, child)])).toEqual([
    'CANCELLED',
    'CANCELLED',
  ]);
  await expect.poll(() => recorder.calls(tag).map((call) => call.aborted)).toEqual([true]);
});

test('a cancelled call ends before Temporal hears of the cancellation', async () => {
  const tag = randomUUID();
  const run = await engine.accept(chain(http('h', recorder.url(tag, { delay_ms: 60_000 }))));
  await recorder.waitFor(tag, 1);
  const told = vi
    .spyOn(engine.engine, 'cancel')
    .mockRejectedValue(new TemporalUnavailable('Temporal is away'));
  await cancel(engine, run);
  await expect.poll(() => recorder.calls(tag).map((call) => call.aborted)).toEqual([true]);
  told.mockRestore();
  expect(await closedAs(engine, run)).toBe('CANCELLED');
});

test('a call that a cancellation has ended is a cancelled activity for operators', async () => {
  const tag = randomUUID();
  const run = await engine.accept(chain(http('h', recorder.url(tag, { delay_ms: 60_000 }))));
  await recorder.waitFor(tag, 1);
  // It has become an activity when it beats.
  await seenInTemporal(engine, refOf(run), ({ heartbeats }) => heartbeats[0]);
  await cancel(engine, run);
  expect(await closedAs(engine, run)).toBe('CANCELLED');
  const connection = await Connection.connect({ address: engine.config.temporal.address });
  const handle = new Client({ connection }).workflow.getHandle(workflowIdOf(engine, run));
  const { events } = await handle.fetchHistory();
  expect(events?.filter((event) => event.activityTaskCanceledEventAttributes)).toHaveLength(1);
  await connection.close();
});

test('a cancellation in Temporal ends a map of which one item waits for its next attempt while others run', async () => {
  const tag = randomUUID();
  const mapped = {
    for_each: { items: '{{input.rows}}', max_concurrency: 2 },
    retry: { max_attempts: 2, initial_interval_ms: 600_000, max_interval_ms: 600_000 },
  };
  const url = recorder.url(tag, { fail: 1, delay_ms: 200 });
  const run = await engine.accept(chain(http('m', url, { method: 'PUT' }, mapped)), {
    rows: Array<number>(500).fill(1),
  });
  await recorder.waitFor(tag, 3);
  await engine.engine.cancel(refOf(run));
  expect(await closedAs(engine, run)).toBe('CANCELLED');
});
