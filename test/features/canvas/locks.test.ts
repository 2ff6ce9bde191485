/** A lock must have one holder, also under concurrent requests and after a holder was paused. */
import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Canvas as Editor, overSocket } from '../../../src/features/canvas/client/canvas.ts';
import type { Tenant } from '../../support/api-server.ts';
import { startChaosProxy, type ChaosProxy } from '../../support/chaos-proxy.ts';
import { eventually, sleep } from '../../support/waiting.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import { noteFigures } from '../../support/figures.ts';
import type { Peer } from './support/peer.ts';

const CROWD = Number(process.env['CANVAS_LOCK_CROWD'] ?? 10);
const ROUNDS = Number(process.env['CANVAS_LOCK_ROUNDS'] ?? 5);
/** Below what a user may hold. */
const SEATS_PER_USER = 18;
/** Who is refused more than fifty times in ten seconds is taken for a flood. */
const FREE_ROUNDS = 10;

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

test('one of many concurrent requests gets the lock, and the others cannot write', async () => {
  const people: Tenant[] = [tenant];
  while (people.length * SEATS_PER_USER < CROWD) people.push(await canvas.colleague(tenant));
  const crowd = await Promise.all(
    Array.from({ length: CROWD }, (_, seat) =>
      canvas.peer(people[Math.floor(seat / SEATS_PER_USER)] ?? tenant),
    ),
  );
  await Promise.all(crowd.map((peer) => peer.join(workflowId)));
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round >= FREE_ROUNDS) await sleep(400);
    const replies = await Promise.all(
      crowd.map((peer) => peer.call('node:lock', { workflowId, nodeId: 'b' })),
    );
    const winners = replies.flatMap(({ ok, token }, seat) => (ok === true ? [{ seat, token }] : []));
    expect(winners).toHaveLength(1);
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([undefined, 'NODE_LOCKED']));
    const [winner = { seat: 0, token: 0 }] = winners;
    const loser = crowd[(winner.seat + 1 + (round % (crowd.length - 1))) % crowd.length];
    const edit = { nodeId: 'b', changes: { name: 'x' } };
    expect(await loser?.op('node:update', workflowId, edit)).toMatchObject({
      ok: false,
      code: 'NODE_LOCKED',
    });
    const unlock = { workflowId, nodeId: 'b', token: winner.token };
    expect(await crowd[winner.seat]?.call('node:unlock', unlock)).toMatchObject({ ok: true });
  }
  expect(crowd.filter((peer) => !peer.isConnected)).toEqual([]);
  noteFigures('locks', { 'wanted at once by': CROWD, 'rounds with one winner': ROUNDS });
}, 900_000);

test('a paused holder cannot write after its lock was stolen', async () => {
  const clientId = randomUUID();
  const socket = io(`http://127.0.0.1:${proxy.port}`, {
    auth: { token: tenant.token, organizationId: tenant.org, clientId, caps: ['frames'] },
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 100,
    reconnectionDelayMax: 500,
  });
  const dropped: string[] = [];
  const clock = {
    setTimeout: (work: () => void, ms: number): object => setTimeout(work, ms),
    clearTimeout: (timer: object | number): void => clearTimeout(timer as NodeJS.Timeout),
  };
  const onDropped = ({ opId }: { readonly opId: string }): void => void dropped.push(opId);
  const holder = new Editor({ transport: overSocket(socket), workflowId, clientId, clock, onDropped });
  holder.open();
  await eventually('the holder to be in', 20_000, () => holder.status === 'live' || null);
  await holder.locks.acquire('b', false);
  await watcher.wait('node:locked', (payload) => payload.nodeId === 'b');
  proxy.blackhole();
  holder.edit({ type: 'node:update', nodeId: 'b', set: { '/name': 'late' } });
  // A lock that is not renewed for ten seconds may be taken by others.
  const taker = await canvas.peer(await canvas.colleague(tenant));
  await taker.join(workflowId);
  await eventually('the lock to look abandoned', 40_000, async () => {
    await sleep(500);
    const reply = await taker.call('node:lock', { workflowId, nodeId: 'b', steal: true });
    return reply.ok === true || null;
  });
  const edit = { nodeId: 'b', set: { '/name': 'next' } };
  expect(await taker.op('node:update', workflowId, edit)).toMatchObject({ ok: true });
  proxy.heal();
  await eventually('the late edit to be refused', 40_000, () => dropped.length === 1 || null);
  await eventually('the holder to see what is', 20_000, () => holder.unsent === 0 || null);
  expect(holder.document).toMatchObject({ nodes: [{}, { id: 'b', name: 'next' }] });
  expect(watcher.of('node:unlocked')).toMatchObject([{ nodeId: 'b' }]);
  expect(await taker.flush(workflowId)).toMatchObject({ ok: true });
  const { workflow_schema: stored } = await canvas.record(tenant, workflowId);
  expect(stored.nodes[1].name).toBe('next');
  holder.close();
  socket.disconnect();
});
