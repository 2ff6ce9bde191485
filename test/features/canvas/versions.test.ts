/** The room's version and the stored edit_version must count exactly, and a stale version must be a conflict. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { KEPT_KEYS } from '../../../src/language/graph/definition/definition.ts';
import type { Tenant } from '../../support/api-server.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import type { Peer } from './support/peer.ts';

const MAX_LAG = 5;

let canvas: Canvas;
let tenant: Tenant;
let workflowId: string;
let peer: Peer;
beforeAll(async () => {
  canvas = await startCanvas({ environment: { REALTIME_MAX_LAG: String(MAX_LAG) } });
  tenant = await canvas.api.tenant();
});
afterAll(() => canvas.close());
beforeEach(async () => {
  workflowId = await canvas.workflow(tenant);
  peer = await canvas.peer(tenant);
});

test('after some operations and a save the counter is base + operations, edit_version base + saves', async () => {
  const operations = 7;
  const { version, editVersion } = await peer.join(workflowId);
  expect(version).toBe(editVersion);
  const replies = [];
  for (let x = 1; x <= operations; x += 1) replies.push(await peer.move(workflowId, 'a', x));
  expect(replies.map((reply) => reply.version)).toEqual(replies.map((_, index) => version + index + 1));
  const flushed = await peer.flush(workflowId);
  const last = await peer.wait('saved', (saved) => saved.roomVersion === version + operations);
  // One; more if the machine stalled for so long that the room saved some of them by itself.
  const saves = peer.of('saved').length;
  expect(saves).toBeLessThan(operations);
  expect(flushed).toMatchObject({ ok: true, editVersion: editVersion + saves });
  expect(last.version).toBe(editVersion + saves);
  expect((await canvas.record(tenant, workflowId)).edit_version).toBe(editVersion + saves);
  const later = await (await canvas.peer(tenant)).join(workflowId);
  expect([later.version, later.editVersion]).toEqual([version + operations, editVersion + saves]);
});

test('an operation at the allowed lag is accepted; one version more is a conflict until the client joins again', async () => {
  await peer.join(workflowId);
  const other = await canvas.peer(tenant);
  await other.join(workflowId);
  let room = 0;
  for (let x = 1; x <= 10; x += 1) room = (await other.move(workflowId, 'b', x)).version;
  const late = await peer.move(workflowId, 'a', 1, { version: room - MAX_LAG });
  expect(late).toMatchObject({ ok: true, version: room + 1 });
  for (const yourVersion of [room + 1 - MAX_LAG - 1, 0, room + 2, 1e15]) {
    const facts = { yourVersion, serverVersion: room + 1, resolution: 'rebase' };
    const opId = `from-${yourVersion}`;
    const refused = await peer.move(workflowId, 'a', 2, { opId, version: yourVersion });
    expect(refused).toMatchObject({ ok: false, code: 'CONFLICT', details: facts });
    expect(peer.of('conflict').at(-1)).toEqual({ workflowId, opId, ...facts });
  }
  await peer.call('workflow:leave', { workflowId });
  const { version } = await peer.join(workflowId);
  expect(version).toBe(room + 1);
  const again = await peer.move(workflowId, 'a', 2, { opId: 'from-0', version });
  expect(again).toMatchObject({ ok: true, version: version + 1 });
});

describe('editing a stored workflow: the history leads from the old document to the new one', () => {
  const node = (id: string, config: object = {}): object => ({ id, type: 'transformer', config });
  const text = 'x'.repeat(200_000);
  test.each<[string, object]>([
    ['nothing at all', {}],
    [
      'keys that are not kept',
      { legacy: [1], viewport: { zoom: 2 }, nodes: [node('a'), node('b', { text })], edges: [] },
    ],
    [
      'names that pointers escape',
      { nodes: [node('a', { 'a/b': { 't~': 1, '': 2 } })], edges: [], config: {} },
    ],
    [
      'four megabytes',
      { nodes: Array.from({ length: 20 }, (_, n) => node(n === 0 ? 'a' : `n${n}`, { text })), edges: [] },
    ],
  ])('%s', async (_, stored) => {
    const { db } = canvas.api.deps;
    await db.query('UPDATE workflows SET workflow_schema = $2::json WHERE id = $1', [
      workflowId,
      JSON.stringify(stored),
    ]);
    const { schema } = await peer.join(workflowId);
    await peer.op('node:add', workflowId, { node: node('a') });
    await peer.op('node:add', workflowId, { node: node('new'), index: 0 });
    const set = { '/config/a~1b/t~0': 5, '/config/deep': { 'x/y': 1 } };
    expect(
      await peer.op('node:update', workflowId, { nodeId: 'a', set: { '/config': { 'a/b': {} } } }),
    ).toMatchObject({ ok: true });
    expect(await peer.op('node:update', workflowId, { nodeId: 'a', set })).toMatchObject({ ok: true });
    expect(await peer.flush(workflowId)).toMatchObject({ ok: true });
    const [row] = await db.query<{ document: object }>(
      'SELECT workflow_schema AS document FROM workflows WHERE id = $1',
      [workflowId],
    );
    // One entry; more if the machine stalled for so long that the room saved in between.
    const entries = await db.query<{ patches: Operation[] }>(
      'SELECT patches FROM workflow_edits WHERE workflow_id = $1 ORDER BY edit_version',
      [workflowId],
    );
    const folded = entries.reduce(
      (state, { patches }) => jsonPatch.applyPatch(state, patches, true, false).newDocument,
      { workflow_schema: stored },
    );
    expect(folded.workflow_schema).toEqual(row?.document);
    const kept: readonly string[] = KEPT_KEYS;
    expect(Object.keys(row?.document ?? {}).filter((key) => !kept.includes(key))).toEqual([]);
    expect(Object.keys(schema).filter((key) => !kept.includes(key))).toEqual([]);
    expect(row?.document).toMatchObject({
      nodes: expect.arrayContaining([
        expect.objectContaining({ id: 'a', config: { 'a/b': { 't~': 5 }, deep: { 'x/y': 1 } } }),
      ]),
    });
  });
});
