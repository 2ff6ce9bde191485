/** With two realtime processes a room must have one owner: another takes over when it dies, and it is fenced when it pauses. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectHistoryOf } from '../canvas/support/history.ts';
import type { Payload, Peer } from '../canvas/support/peer.ts';
import type { Tenant } from '../support/api-server.ts';
import { eventually, sleep } from '../support/waiting.ts';
import { startCanvasSituation, type CanvasNode, type CanvasSituation } from './support/canvas-situation.ts';

/** A lease ends 15 s after its last renewal; the rest is for a busy machine. */
const TAKEN_OVER_WITHIN_MS = 45_000;

let situation: CanvasSituation;
let second: CanvasNode;
let tenant: Tenant;
beforeAll(async () => {
  situation = await startCanvasSituation({ REALTIME_CLUSTER: '1' });
  second = await situation.addNode('realtime-second');
  tenant = await situation.tenant();
});
afterAll(() => situation.close());

let workflowId: string;
/** At the owner, and at the other process. */
let inside: Peer;
let outside: Peer;
beforeEach(async () => {
  workflowId = await situation.workflow(tenant);
  inside = await situation.peer(tenant);
  outside = await situation.peer(tenant, { node: second });
  await inside.join(workflowId);
  expect(await inside.move(workflowId, 'a', 1)).toMatchObject({ ok: true });
  expect(await outside.call('workflow:join', { workflowId })).toMatchObject({
    ok: false,
    code: 'LOAD_FAILED',
    retryable: true,
  });
});

/** Joins at the other process as soon as it has the room. @returns the definition that it shows */
async function takenOver(): Promise<Payload> {
  await eventually('the other process to take over', TAKEN_OVER_WITHIN_MS, async () => {
    const { ok } = await outside.call('workflow:join', { workflowId });
    if (ok !== true) await sleep(500);
    return ok || null;
  });
  return (await outside.wait('workflow:joined')).schema;
}

const positions = (schema: Payload): number[] => schema.nodes.map(({ position }: Payload) => position.x);

test('when the owner is killed, the other process takes over with the logged operations', async () => {
  const { version } = await inside.move(workflowId, 'b', 2);
  await inside.wait('saved', ({ savedThrough }) => savedThrough >= version);
  await situation.realtime.kill();
  expect(positions(await takenOver())).toEqual([1, 2]);
  expect(await outside.move(workflowId, 'a', 3)).toMatchObject({ ok: true });
  expect(await outside.flush(workflowId)).toMatchObject({ ok: true });
  await expectHistoryOf(situation.api.deps.db, workflowId);
  outside.close();
  await situation.realtime.start();
});

test('an owner that was paused past its lease acknowledges and saves nothing, and sends workflow:moved', async () => {
  expect(await inside.flush(workflowId)).toMatchObject({ ok: true });
  const before = inside.heard.length;
  situation.realtime.signal('SIGSTOP');
  try {
    // These wait in the socket of the process that sleeps.
    for (let x = 100; x < 110; x += 1)
      inside.emit('node:move', { workflowId, nodeId: 'a', position: { x, y: 0 } });
    await takenOver();
    expect(await outside.move(workflowId, 'a', 5)).toMatchObject({ ok: true });
    expect(await outside.flush(workflowId)).toMatchObject({ ok: true });
  } finally {
    situation.realtime.signal('SIGCONT');
  }
  await eventually(
    'the sleeper to send its people away',
    30_000,
    () => inside.of('workflow:moved', before).length > 0 || !inside.isConnected || null,
  );
  expect([...inside.of('ack', before), ...inside.of('saved', before)]).toEqual([]);
  expect(await outside.move(workflowId, 'b', 6)).toMatchObject({ ok: true });
  expect(await outside.flush(workflowId)).toMatchObject({ ok: true });
  const { body } = await tenant.call('GET', `/workflows/${workflowId}`);
  expect(positions(body.workflow_schema)).toEqual([5, 6]);
  await expectHistoryOf(situation.api.deps.db, workflowId);
});
