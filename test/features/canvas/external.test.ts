/** Saves by REST, activation, deployment and deletion must reach an open canvas without losing anybody's edits. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Tenant } from '../../support/api-server.ts';
import { eventually } from '../../support/waiting.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import type { Payload, Peer } from './support/peer.ts';

let canvas: Canvas;
let tenant: Tenant;
let workflowId: string;
let peer: Peer;
beforeAll(async () => {
  canvas = await startCanvas();
  tenant = await canvas.api.tenant();
});
afterAll(() => canvas.close());
beforeEach(async () => {
  workflowId = await canvas.workflow(tenant);
  peer = await canvas.peer(tenant);
});

const patch = async (body: object): Promise<Payload> => {
  const answer = await tenant.call('PATCH', `/workflows/${workflowId}`, { body });
  expect(answer.status).toBe(200);
  return answer.body;
};
const renamed = async (name: string): Promise<object> => {
  const { workflow_schema: schema } = await canvas.record(tenant, workflowId);
  schema.nodes[1].name = name;
  return { workflow_schema: schema };
};
const deploy = async (): Promise<string> => {
  const answer = await tenant.call('POST', `/workflows/${workflowId}/deploy`, { body: {} });
  expect(answer.status).toBe(201);
  return answer.body.id;
};

test("a REST update is broadcast once, leaves the room's version, and keeps both writers' changes", async () => {
  const { version, edited } = await eventually('an update beside unsaved work', 25_000, async () => {
    workflowId = await canvas.workflow(tenant);
    const joined = await peer.join(workflowId);
    const body = await renamed('Outside');
    await peer.move(workflowId, 'a', 64);
    const answer = await patch(body);
    // What the room had saved by itself before the update was not beside it, and rightly overwritten.
    const wasSaved = answer.edit_version > joined.editVersion + 1;
    return wasSaved ? null : { version: joined.version, edited: answer };
  });
  const ofThis = (payload: Payload): boolean => payload.workflowId === workflowId;
  const sync = await peer.wait('workflow:external-sync', ofThis);
  expect(sync).toMatchObject({
    workflowId,
    source: 'rest',
    editVersion: edited.edit_version,
    version: version + 1,
  });
  expect(await peer.flush(workflowId)).toMatchObject({ ok: true, editVersion: edited.edit_version + 1 });
  const record = await canvas.record(tenant, workflowId);
  expect(record.workflow_schema.nodes).toMatchObject([{ position: { x: 64 } }, { name: 'Outside' }]);
  expect(peer.of('workflow:external-sync').filter(ofThis)).toHaveLength(1);
  expect(peer.of('conflict')).toEqual([]);
});

test('an activation is broadcast and does not change the document', async () => {
  const first = await deploy();
  await deploy();
  const { editVersion, stateHash } = await peer.join(workflowId);
  const answer = await tenant.call('PUT', `/workflows/${workflowId}/deployments/${first}/activate`);
  expect(answer.status).toBe(200);
  const sync = await peer.wait('workflow:external-sync');
  expect(sync).toMatchObject({
    source: 'activation',
    editVersion: editVersion + 1,
    stateHash,
    liveDeploymentId: first,
  });
});

test('a deployment and its end are told to the room at once', async () => {
  await peer.join(workflowId);
  const told = (liveDeploymentId: string | null): Promise<Payload> =>
    peer.wait('workflow:live-changed', (payload) => payload.liveDeploymentId === liveDeploymentId);
  const live = await deploy();
  expect(await told(live)).toEqual({ workflowId, liveDeploymentId: live });
  await tenant.call('DELETE', `/workflows/${workflowId}/deployments/live`);
  expect(await told(null)).toEqual({ workflowId, liveDeploymentId: null });
});

test('a deployment contains the unsaved operations', async () => {
  await peer.join(workflowId);
  await peer.move(workflowId, 'a', 321);
  const detail = await tenant.call('GET', `/workflows/${workflowId}/deployments/${await deploy()}`);
  expect(detail.body.workflow_schema.nodes[0].position.x).toBe(321);
});

test('deleting a workflow removes all members, and no save restores it', async () => {
  await peer.join(workflowId);
  await peer.move(workflowId, 'a', 1);
  await tenant.call('DELETE', `/workflows/${workflowId}`);
  expect(await peer.wait('workflow:deleted')).toMatchObject({ workflowId });
  expect(await peer.move(workflowId, 'a', 2)).toMatchObject({ ok: false, code: 'NOT_JOINED' });
  expect(await peer.call('workflow:join', { workflowId })).toMatchObject({
    ok: false,
    code: 'WORKFLOW_NOT_FOUND',
  });
  expect((await tenant.call('GET', `/workflows/${workflowId}`)).status).toBe(404);
});
