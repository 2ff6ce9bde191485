/** The runs of a workflow must be shown on its canvas, and only to members who may see them. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Tx } from '../../../src/base/db/client.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import type { NodeEventType } from '../../../src/engine/runs/ledger/event-types.ts';
import { readNodeEvents } from '../../../src/engine/runs/ledger/read/event-reader.ts';
import { appendEvents } from '../../../src/engine/runs/ledger/write/events.ts';
import { RunOverlay, type RunProgressEvent } from '../../../src/features/canvas/server/run-overlay.ts';
import type { Tenant } from '../../support/api-server.ts';
import { eventually } from '../../support/waiting.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';

let canvas: Canvas;
let owner: Tenant;
beforeAll(async () => {
  canvas = await startCanvas();
  owner = await canvas.api.tenant();
});
afterAll(() => canvas.close());

/** Starts a run of the workflow; its first event is stored with it. */
async function start(workflowId: string): Promise<{ runId: string; runPk: string }> {
  const { body } = await owner.call('POST', '/workflows/run', { body: { workflow_id: workflowId } });
  const [run] = await canvas.api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    body.run_id,
  ]);
  return { runId: body.run_id, runPk: run?.id ?? '' };
}

async function deployed(): Promise<string> {
  const workflowId = await canvas.workflow(owner);
  await owner.call('POST', `/workflows/${workflowId}/deploy`, { body: {} });
  return workflowId;
}

const step = (runPk: string, type: NodeEventType, nodeId: string): Promise<unknown> =>
  appendEvents(canvas.api.deps.db, runPk, [{ type, payload: { node_id: nodeId, attempt: 1 } }]);

test('the progress of a run is broadcast in order, to its workflow only', async () => {
  const workflowId = await deployed();
  const peer = await canvas.peer(owner, { caps: ['frames'] });
  const { version } = await peer.join(workflowId);
  const elsewhere = await canvas.peer(owner);
  await elsewhere.join(await canvas.workflow(owner));
  const stranger = await canvas.api.tenant();
  const outside = await canvas.peer(stranger);
  await outside.join(await canvas.workflow(stranger));
  const { runId, runPk } = await start(workflowId);
  await step(runPk, 'node_started', 'a');
  await appendEvents(canvas.api.deps.db, runPk, [{ type: 'token', payload: { node_id: 'a', delta: 'x' } }]);
  await step(runPk, 'node_completed', 'a');
  await step(runPk, 'node_started', 'b');
  await step(runPk, 'node_failed', 'b');
  await peer.wait('run:progress', (payload) => payload.status === 'failed');
  const seen = peer.of('run:progress');
  expect(seen.every((payload) => payload.workflowId === workflowId && payload.runId === runId)).toBe(true);
  expect(seen.filter(({ nodeId }) => nodeId !== null).map(({ nodeId, status }) => [nodeId, status])).toEqual([
    ['a', 'running'],
    ['a', 'completed'],
    ['b', 'running'],
    ['b', 'failed'],
  ]);
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map(({ seq }) => seq).toSorted((a, b) => a - b));
  expect(await peer.move(workflowId, 'a', 1)).toMatchObject({ version: version + 1 });
  expect([...elsewhere.of('run:progress'), ...outside.of('run:progress')]).toEqual([]);
});

test('the progress of a run that an answer has continued names the run that was answered', async () => {
  const workflowId = await deployed();
  const peer = await canvas.peer(owner);
  await peer.join(workflowId);
  const [before, after] = [await start(workflowId), await start(workflowId)];
  await canvas.api.deps.db.query('UPDATE runs SET resumed_from_run_pk = $1 WHERE id = $2', [
    before.runPk,
    after.runPk,
  ]);
  await step(before.runPk, 'node_started', 'a');
  await step(after.runPk, 'node_started', 'a');
  const first = await peer.wait(
    'run:progress',
    ({ runId, nodeId }) => runId === before.runId && nodeId === 'a',
  );
  const second = await peer.wait(
    'run:progress',
    ({ runId, nodeId }) => runId === after.runId && nodeId === 'a',
  );
  expect([first, second].map(({ resumedFromRunId }) => resumedFromRunId)).toEqual([undefined, before.runId]);
});

test('events that are read together keep the order of their runs: an answered segment before the next', async () => {
  const workflowId = await deployed();
  const runs = [await start(workflowId), await start(workflowId)];
  for (const { runPk } of runs) await step(runPk, 'node_started', 'a');
  for (const given of [runs, runs.toReversed()]) {
    const known = given.map(({ runPk }) => ({ runPk, seq: 0 }));
    const found = await readNodeEvents(canvas.api.deps.db, known, ['node_started']);
    expect(found.map(({ runPk }) => runPk)).toEqual(given.map(({ runPk }) => runPk));
  }
});

test('a node that has ended is told with the handle whose edges it has taken', async () => {
  const workflowId = await deployed();
  const peer = await canvas.peer(owner);
  await peer.join(workflowId);
  const { runPk } = await start(workflowId);
  const ends: readonly [type: NodeEventType, payload: JsonObject, handle: string | null][] = [
    ['node_completed', { selected_handle: 'approve' }, 'approve'],
    ['node_reused', { selected_handle: 'default' }, 'default'],
    ['node_failed', { handled: true, on_error: 'branch' }, 'error'],
    ['node_failed', { handled: true, on_error: 'continue' }, 'default'],
    ['node_failed', { handled: false, on_error: 'branch' }, null],
    ['node_skipped', { reason: 'disabled' }, 'default'],
    ['node_skipped', { reason: 'branch' }, null],
  ];
  await step(runPk, 'node_started', 'a');
  await appendEvents(
    canvas.api.deps.db,
    runPk,
    ends.map(([type, payload], index) => ({ type, payload: { ...payload, node_id: `n${index}` } })),
  );
  await peer.wait('run:progress', ({ nodeId }) => nodeId === `n${ends.length - 1}`);
  const told = peer.of('run:progress').filter(({ nodeId }) => nodeId !== null);
  expect(told.map(({ nodeId, selectedHandle }) => [nodeId, selectedHandle])).toEqual([
    ['a', undefined],
    ...ends.map(([, , handle], index) => [`n${index}`, handle]),
  ]);
});

test('a private run is shown to its creator and to owners only', async () => {
  const workflowId = await deployed();
  const admin = await canvas.colleague(owner);
  const [ofOwner, ofAdmin] = [await canvas.peer(owner), await canvas.peer(admin)];
  await ofOwner.join(workflowId);
  await ofAdmin.join(workflowId);
  const { db } = canvas.api.deps;
  await db.query(`CREATE FUNCTION make_private() RETURNS trigger LANGUAGE plpgsql AS
                  $$ BEGIN NEW.is_private := true; RETURN NEW; END $$`);
  await db.query(
    'CREATE TRIGGER make_private BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION make_private()',
  );
  const { runId, runPk } = await start(workflowId);
  await db.query('DROP TRIGGER make_private ON runs');
  const open = await start(workflowId);
  await step(runPk, 'node_started', 'a');
  await ofOwner.wait('run:progress', (payload) => payload.runId === runId && payload.nodeId === 'a');
  await step(open.runPk, 'node_started', 'b');
  await ofAdmin.wait('run:progress', (payload) => payload.runId === open.runId && payload.nodeId === 'b');
  expect(ofAdmin.of('run:progress').filter((payload) => payload.runId === runId)).toEqual([]);
});

test('a run is shown from the moment at which its canvas is opened', async () => {
  const [workflowId, open] = [await deployed(), await deployed()];
  const elsewhere = await canvas.peer(owner);
  await elsewhere.join(open);
  const { runId, runPk } = await start(workflowId);
  await step(runPk, 'node_started', 'a');
  // Once the news of a later run are shown, those of this one have been looked at, and passed over.
  const other = await start(open);
  await step(other.runPk, 'node_started', 'a');
  await elsewhere.wait('run:progress', ({ nodeId }) => nodeId === 'a');
  const peer = await canvas.peer(owner);
  await peer.join(workflowId);
  await step(runPk, 'node_completed', 'a');
  await peer.wait('run:progress', (payload) => payload.runId === runId && payload.status === 'completed');
  expect(elsewhere.of('run:progress').every((payload) => payload.runId === other.runId)).toBe(true);
});

test('events whose notice was lost are found after a reconnect and by the sweep', async () => {
  const { db, log, config } = canvas.api.deps;
  const workflowId = await deployed();
  const { runPk } = await start(workflowId);
  const listeners = (): Promise<{ pid: number; listens: boolean }[]> =>
    db.query(`SELECT pid, state = 'idle' AND query = 'LISTEN run_events' AS listens FROM pg_stat_activity
              WHERE datname = current_database() AND application_name LIKE '%listener'`);
  const others = new Set((await listeners()).map(({ pid }) => pid));
  const shown: RunProgressEvent[] = [];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const overlay = new RunOverlay({
    databaseUrl: config.databaseUrl,
    db,
    log,
    live: () => [{ organizationId: owner.org, workflowId, epoch: 1n, editVersion: 0 }],
    show: (_, progress) => shown.push(progress),
  });
  const seen = (nodeId: string, status: string): Promise<unknown> =>
    eventually(`${nodeId} to be ${status}`, 20_000, () =>
      shown.find((progress) => progress.nodeId === nodeId && progress.status === status),
    );
  /** Written, and told to nobody. */
  const silent: Tx = { ...db, notifyAfterCommit: () => undefined };
  const silently = (type: NodeEventType, nodeId: string): Promise<unknown> =>
    appendEvents(silent, runPk, [{ type, payload: { node_id: nodeId, attempt: 1 } }]);
  try {
    const { pid } = await eventually('the overlay to listen', 20_000, async () =>
      (await listeners()).find((one) => !others.has(one.pid) && one.listens),
    );
    await step(runPk, 'node_started', 'a');
    await seen('a', 'running');
    await silently('node_completed', 'a');
    await db.query('SELECT pg_terminate_backend($1)', [pid]);
    await seen('a', 'completed');
    await silently('node_started', 'b');
    vi.advanceTimersByTime(15_000);
    await seen('b', 'running');
  } finally {
    vi.useRealTimers();
    await overlay.close();
  }
});
