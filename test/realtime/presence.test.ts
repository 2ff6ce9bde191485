/** Comings and goings over real connections: clean, cut, silent, and the same tab coming back. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Tenant } from '../support/api-server.ts';
import { startChaosProxy, type ChaosProxy } from '../support/chaos-proxy.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import { Peer } from './support/peer.ts';

let canvas: Canvas;
let proxy: ChaosProxy;
let tenant: Tenant;
let workflowId: string;
let watcher: Peer;
beforeAll(async () => {
  canvas = await startCanvas();
  const { hostname, port } = new URL(canvas.url);
  proxy = await startChaosProxy({ host: hostname, port: Number(port) });
});
afterAll(async () => {
  await canvas.close();
  await proxy.close();
});
beforeEach(async () => {
  proxy.heal();
  tenant = await canvas.api.tenant();
  workflowId = await canvas.workflow(tenant);
  watcher = await canvas.peer(tenant);
  await watcher.join(workflowId);
});

/** A colleague behind the proxy, with a cursor and a lock. */
async function colleague(clientId = randomUUID()): Promise<{ peer: Peer; sessionId: string }> {
  const auth = { token: tenant.token, organizationId: tenant.org, clientId };
  const peer = await Peer.connect({ url: `http://127.0.0.1:${proxy.port}`, auth });
  const { you } = await peer.join(workflowId);
  peer.emit('cursor:move', { workflowId, x: 1, y: 2 });
  expect(await peer.call('node:lock', { workflowId, nodeId: 'a' })).toMatchObject({ ok: true });
  await watcher.wait('cursor:moved', (payload) => payload.sessionId === you.sessionId);
  return { peer, sessionId: you.sessionId };
}

async function expectGone(sessionId: string): Promise<void> {
  await watcher.wait('presence:left', (payload) => payload.sessionId === sessionId);
  await watcher.wait('node:unlocked', (payload) => payload.nodeId === 'a');
  expect(await watcher.call('node:lock', { workflowId, nodeId: 'a' })).toMatchObject({ ok: true });
}

test('a clean goodbye', async () => {
  const { peer, sessionId } = await colleague();
  expect(await peer.call('workflow:leave', { workflowId })).toMatchObject({ ok: true });
  await expectGone(sessionId);
  peer.close();
});

test('a connection that is cut', async () => {
  const { sessionId } = await colleague();
  proxy.reset();
  await expectGone(sessionId);
});

test('a connection that goes silent', async () => {
  const { sessionId } = await colleague();
  proxy.blackhole();
  // Pings notice it within 18 s, and the grace is 5 s more.
  await expect
    .poll(() => watcher.of('presence:left').map((payload) => payload.sessionId), { timeout: 29_000 })
    .toContain(sessionId);
  await expectGone(sessionId);
}, 60_000);

test('the same tab comes back: one presence, the old connection ends', async () => {
  const clientId = randomUUID();
  const { peer: old } = await colleague(clientId);
  const { you, presence } = await (async () => {
    const fresh = await canvas.peer(tenant, { clientId });
    return fresh.join(workflowId);
  })();
  await old.wait('session:replaced');
  const others = presence.filter((one: { sessionId: string }) => one.sessionId !== you.sessionId);
  expect(others).toHaveLength(1);
  expect(await old.move(workflowId, 'b', 1).catch(() => ({ ok: false }))).toMatchObject({ ok: false });
});

test('many want the same lock: one gets it', async () => {
  const crowd = await Promise.all(Array.from({ length: 10 }, () => canvas.peer(tenant)));
  await Promise.all(crowd.map((peer) => peer.join(workflowId)));
  for (let round = 0; round < 5; round += 1) {
    const replies = await Promise.all(
      crowd.map((peer) => peer.call('node:lock', { workflowId, nodeId: 'b' })),
    );
    const winners = replies.flatMap((reply, index) =>
      reply.ok === true ? [{ index, token: reply.token }] : [],
    );
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    const loser = crowd[winner?.index === 0 ? 1 : 0];
    expect(await loser?.op('node:update', workflowId, { nodeId: 'b', changes: { name: 'x' } })).toMatchObject(
      {
        ok: false,
        code: 'NODE_LOCKED',
      },
    );
    await crowd[winner?.index ?? 0]?.call('node:unlock', { workflowId, nodeId: 'b', token: winner?.token });
  }
});
