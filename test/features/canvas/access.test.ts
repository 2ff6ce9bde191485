/** A user whose access ends while connected must be disconnected: by a notice, or by the sweep when the notice is lost. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readPort } from '../../../src/platform/http/server.ts';
import { listenRealtime } from '../../../src/features/canvas/server/server.ts';
import type { Tenant } from '../../support/api-server.ts';
import { eventually, sleep } from '../../support/waiting.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import { Peer } from './support/peer.ts';

let canvas: Canvas;
let owner: Tenant;
let workflowId: string;
let colleague: Peer;
/** Of the user whose rights end. */
let peer: Peer;
let userId: string;

const query = (text: string, params: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
  canvas.api.deps.db.query(text, params);

beforeAll(async () => {
  canvas = await startCanvas();
});
afterAll(() => canvas.close());

beforeEach(async () => {
  owner = await canvas.api.tenant();
  const invited = await canvas.colleague(owner);
  userId = invited.userId;
  workflowId = await canvas.workflow(owner);
  colleague = await canvas.peer(owner);
  peer = await canvas.peer(invited);
  await colleague.join(workflowId);
  await peer.join(workflowId);
  expect(await peer.call('node:lock', { workflowId, nodeId: 'a' })).toMatchObject({ ok: true });
});

/** The peer is told, put out, and leaves nothing behind. */
async function expectGone(): Promise<void> {
  expect(await peer.wait('workflow:access-revoked')).toMatchObject({ workflowId });
  await peer.disconnected();
  await colleague.wait('node:unlocked', (payload) => payload.nodeId === 'a' && payload.reason === 'revoked');
  await colleague.wait('presence:left', (payload) => payload.userId === userId);
  expect(await colleague.move(workflowId, 'b', 5)).toMatchObject({ ok: true });
}

test('a member that is removed over the API is disconnected', async () => {
  const answer = await owner.call('DELETE', `/organizations/${owner.org}/members/${userId}`);
  expect(answer.status).toBeLessThan(300);
  await expectGone();
});

test.each([
  [
    'the role is retired',
    `UPDATE memberships SET role = 'member' WHERE user_id = $1 AND organization_id = $2`,
  ],
  [
    'the membership is inactive',
    'UPDATE memberships SET is_active = false WHERE user_id = $1 AND organization_id = $2',
  ],
  ['the user is inactive', 'UPDATE users SET is_active = false WHERE id = $1 AND $2::uuid IS NOT NULL'],
])('%s', async (_, change) => {
  await query(change, [userId, owner.org]);
  await expectGone();
});

test('operations sent after the access ended are not applied', async () => {
  const work = (async () => {
    for (let x = 1; peer.isConnected; x += 1) {
      await peer.move(workflowId, 'b', x).catch(() => null);
      await sleep(20);
    }
  })();
  await eventually('some of it to arrive', 20_000, () => colleague.of('node:moved').length > 5 || null);
  await query('UPDATE memberships SET is_active = false WHERE user_id = $1 AND organization_id = $2', [
    userId,
    owner.org,
  ]);
  await expectGone();
  await work;
  const heard = peer.heard.map(({ name }) => name);
  expect(heard.slice(heard.indexOf('workflow:access-revoked'))).not.toContain('ack');
  const told = colleague.heard.filter(({ payload }) => payload?.userId === userId);
  const left = told.findIndex(({ name }) => name === 'presence:left');
  expect(told.slice(left).map(({ name }) => name)).not.toContain('node:moved');
  expect(told.filter(({ name }) => name === 'node:moved')).toHaveLength(peer.of('ack').length);
});

test('all members of a deactivated organization are disconnected', async () => {
  await query('UPDATE organizations SET is_active = false WHERE id = $1', [owner.org]);
  await Promise.all([peer.disconnected(), colleague.disconnected()]);
});

test('a change between two roles that may edit disconnects nobody', async () => {
  await query(`UPDATE memberships SET role = 'owner' WHERE user_id = $1 AND organization_id = $2`, [
    userId,
    owner.org,
  ]);
  expect(await peer.move(workflowId, 'b', 7)).toMatchObject({ ok: true });
  expect(peer.of('workflow:access-revoked')).toEqual([]);
});

test('the sweep finds a change without a notice', async () => {
  const server = await listenRealtime(canvas.api.deps, { host: '127.0.0.1', port: 0, accessSweepMs: 500 });
  const url = `http://127.0.0.1:${readPort(server.http)}`;
  const invited = await canvas.colleague(owner);
  const auth = { token: invited.token, organizationId: owner.org };
  const unseen = await Peer.connect({ url, auth });
  await query('ALTER TABLE memberships DISABLE TRIGGER memberships_access_changed');
  try {
    await unseen.join(await canvas.workflow(owner));
    await query(`UPDATE memberships SET role = 'member' WHERE user_id = $1 AND organization_id = $2`, [
      invited.userId,
      owner.org,
    ]);
    await unseen.wait('workflow:access-revoked');
    await unseen.disconnected();
    await expect(Peer.connect({ url, auth })).rejects.toMatchObject({ data: { code: 'ROLE_FORBIDDEN' } });
  } finally {
    await query('ALTER TABLE memberships ENABLE TRIGGER memberships_access_changed');
    unseen.close();
    await server.drain();
  }
});
