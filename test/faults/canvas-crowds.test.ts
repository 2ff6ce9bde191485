/**
 * Floods, clients that do not read and two hundred cursors must not disturb other clients of the same realtime process, nor
 * exceed its memory limits.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deafOverPolling, deafOverWebsocket } from '../features/canvas/support/deaf-client.ts';
import { noteFigures, p95 } from '../support/figures.ts';
import { Peer } from '../features/canvas/support/peer.ts';
import type { Tenant } from '../support/api-server.ts';
import { eventually, sleep } from '../support/waiting.ts';
import { startCanvasSituation, type CanvasSituation } from './support/canvas-situation.ts';
import { live } from './support/marks.ts';
import { watchMemory } from './support/memory.ts';

const FLOODS = Number(process.env['CANVAS_FLOODS'] ?? 2);
const CROWD = Number(process.env['CANVAS_CROWD'] ?? 30);
const CROWD_SECONDS = Number(process.env['CANVAS_CROWD_SECONDS'] ?? 2);
const WRITERS = Number(process.env['CANVAS_WRITERS'] ?? 4);
/** Below what one connection may hold: its rate is 40 a second. */
const WRITES_PER_SECOND = 38;
/** Editors who come back at once; a room holds 200. */
const STORM = Number(process.env['CANVAS_STORM'] ?? 45);
const CONNECTIONS_PER_USER = 20;
/** Of the writers, before anything is measured. */
const WARM_UP_MS = 1_000;
const MIB = 1_048_576;
const DEAF = [
  ['websocket', deafOverWebsocket, []],
  ['websocket with frames', deafOverWebsocket, ['frames']],
  ['long polling', deafOverPolling, []],
] as const;

let situation: CanvasSituation;
let calm: Awaited<ReturnType<typeof startCalm>>;
beforeAll(async () => {
  situation = await startCanvasSituation();
});
afterAll(() => situation.close());
beforeEach(async () => {
  calm = await startCalm();
});

/** Two people at work in a room and an organization of their own. */
async function startCalm() {
  const tenant = await situation.tenant();
  const workflowId = await situation.workflow(tenant);
  const [writer, reader] = [await situation.peer(tenant), await situation.peer(tenant)];
  const { version } = await reader.join(workflowId);
  await writer.join(workflowId);
  let acks: number[] = [];
  let isOver = false;
  const work = (async () => {
    for (let x = 1; !isOver; x += 1) {
      const sentAt = performance.now();
      expect(await writer.move(workflowId, 'a', x)).toMatchObject({ ok: true, version: version + x });
      acks.push(performance.now() - sentAt);
      await sleep(30);
    }
  })();
  return {
    /** Times from sending to answer since the last look, in ms. */
    takeAcks(): number[] {
      const taken = acks;
      acks = [];
      return taken;
    },
    /** They stop. Everything was accepted and arrived, once and in order; the process has nothing to complain of. */
    async expectUndisturbed(): Promise<void> {
      isOver = true;
      await work;
      const last = await writer.move(workflowId, 'a', 0);
      await reader.wait('node:moved', (payload) => payload.version === last.version);
      expect(reader.of('node:moved').map((payload) => payload.version)).toEqual(
        Array.from({ length: last.version - version }, (_, index) => version + 1 + index),
      );
      expect(situation.realtime.isUp).toBe(true);
      expect(situation.realtime.said()).not.toMatch(/"level":[56]0/);
      for (const peer of [writer, reader]) peer.close();
    },
  };
}

/** NaN when nothing was measured. */
/** Counts the clients that were disconnected because they do not read. */
const cutOffs = (): number =>
  situation.realtime.said().split('a client that does not read was disconnected').length - 1;

/** Users of an organization, enough for so many connections. */
async function usersFor(tenant: Tenant, size: number): Promise<Tenant[]> {
  const people: Tenant[] = [tenant];
  while (people.length * CONNECTIONS_PER_USER < size) people.push(await situation.colleague(tenant));
  return people;
}

/** So many connections to one room of an organization, by as many users as that takes. */
async function crowdIn(tenant: Tenant, workflowId: string, size: number): Promise<Peer[]> {
  const people = await usersFor(tenant, size);
  const crowd: Peer[] = [];
  for (let seat = 0; seat < size; seat += 1) {
    const person = people[Math.floor(seat / CONNECTIONS_PER_USER)] ?? tenant;
    // Every other one reads frames.
    crowd.push(await situation.peer(person, { caps: seat % 2 === 0 ? ['frames'] : [] }));
  }
  await Promise.all(crowd.map((peer) => peer.join(workflowId)));
  return crowd;
}

test('five thousand packets in a burst or a frame of two megabytes close only their senders', async () => {
  await sleep(500);
  const before = calm.takeAcks();
  const grown = watchMemory(situation.realtime.pid);
  for (let flood = 0; flood < FLOODS; flood += 1) {
    const tenant = await situation.tenant();
    const workflowId = await situation.workflow(tenant);
    const [flooding, large] = [await situation.peer(tenant), await situation.peer(tenant)];
    await Promise.all([flooding.join(workflowId), large.join(workflowId)]);
    large.emit('node:update', { workflowId, nodeId: 'a', set: { '/note': 'x'.repeat(2 * 1_048_576) } });
    for (let x = 0; x < 5_000; x += 1) flooding.emit('cursor:move', { workflowId, x, y: 1 });
    await Promise.all([flooding.disconnected(), large.disconnected()]);
    const auth = { token: tenant.token, organizationId: tenant.org };
    await expect(Peer.connect({ url: situation.url, auth })).rejects.toMatchObject({
      data: { code: 'TOO_MANY_CONNECTIONS', retryable: true },
    });
  }
  noteFigures(`${FLOODS} floods of 5,000 packets and frames of 2 MiB`, {
    'ack p95 before, ms': p95(before),
    'meanwhile, ms': p95(calm.takeAcks()),
    'memory, MiB more': grown(),
  });
  await calm.expectUndisturbed();
});

test('of a crowd that moves cursors 100 times a second, each last position is shown and nobody is disconnected', async () => {
  const tenant = await situation.tenant();
  const workflowId = await situation.workflow(tenant);
  const crowd = await crowdIn(tenant, workflowId, CROWD);
  calm.takeAcks();
  await sleep(500);
  const before = calm.takeAcks();
  const grown = watchMemory(situation.realtime.pid);
  const ticks = CROWD_SECONDS * 100;
  const begun = performance.now();
  for (let x = 1; x <= ticks; x += 1) {
    for (const peer of crowd) peer.emit('cursor:move', { workflowId, x, y: 0 });
    await sleep(begun + x * 10 - performance.now());
  }
  const [first, second] = crowd;
  for (const watcher of [first, second]) {
    await eventually('the last place of everybody else', 60_000, () => {
      const shown = new Map(watcher?.of('cursor:moved').map((moved) => [moved.sessionId, moved.x]));
      return (shown.size === CROWD - 1 && [...shown.values()].every((x) => x === ticks)) || null;
    });
  }
  expect(crowd.filter((peer) => !peer.isConnected)).toEqual([]);
  expect(await first?.move(workflowId, 'b', 7)).toMatchObject({ ok: true });
  const heard = crowd.reduce((sum, peer) => sum + peer.of('cursor:moved').length, 0);
  noteFigures(`${CROWD} people who move their cursors 100 times a second for ${CROWD_SECONDS} s`, {
    'ack p95 of others before, ms': p95(before),
    'meanwhile, ms': p95(calm.takeAcks()),
    'cursors sent': CROWD * ticks,
    'cursors delivered': heard,
    'memory, MiB more': grown(),
  });
  for (const peer of crowd) peer.close();
  await calm.expectUndisturbed();
});

test('a client that does not read is disconnected under load, with a bounded buffer', async () => {
  const tenant = await situation.tenant();
  const workflowId = await situation.workflow(tenant);
  const crowd = await crowdIn(tenant, workflowId, WRITERS);
  // More than the kernel takes comes together in seconds, however many write.
  const text = 'x'.repeat(Math.floor(5_000_000 / WRITERS / WRITES_PER_SECOND));
  let isOver = false;
  const work = crowd.map(async (peer, seat) => {
    let due = performance.now();
    for (let op = 1; !isOver; op += 1) {
      const set = { '/note': `${seat} ${op} ${text}` };
      expect(await peer.op('node:update', workflowId, { nodeId: 'a', set })).toMatchObject({ ok: true });
      // What so many hear of each other is too much to keep.
      peer.heard.length = Math.min(peer.heard.length, 1);
      // What a stall has cost is not made up for: it would be a flood.
      due = Math.max(due + 1_000 / WRITES_PER_SECOND, performance.now());
      await sleep(due - performance.now());
    }
  });
  await sleep(WARM_UP_MS);
  const auth = { token: (await situation.colleague(tenant)).token, organizationId: tenant.org };
  for (const [name, join, caps] of DEAF) {
    calm.takeAcks();
    const grown = watchMemory(situation.realtime.pid);
    const joinedAt = performance.now();
    const before = cutOffs();
    const deaf = await join({ url: situation.url, workflowId, auth: { ...auth, caps } });
    let kept = 0;
    await eventually('the client that does not read to be disconnected', 60_000, async () => {
      kept = Math.max(kept, await situation.metric('realtime_unread_bytes'));
      // The limit, and what comes between two looks.
      expect(kept).toBeLessThan(16 * MIB);
      return cutOffs() === before + 1 || null;
    });
    noteFigures(
      `a client that does not read, ${name}, at ${WRITERS * WRITES_PER_SECOND} operations a second`,
      {
        'cut off after, s': (performance.now() - joinedAt) / 1_000,
        'kept for it, MiB': kept / MIB,
        'memory, MiB more': grown(),
        'ack p95 of others, ms': p95(calm.takeAcks()),
      },
    );
    deaf.close();
  }
  isOver = true;
  await Promise.all(work);
  expect(crowd.filter((peer) => !peer.isConnected)).toEqual([]);
  for (const peer of crowd) peer.close();
  await calm.expectUndisturbed();
});

test('all clients that reconnect after a restart share one load', async () => {
  const tenant = await situation.tenant();
  const workflowId = await situation.workflow(tenant);
  const people = await usersFor(tenant, STORM);
  const editors = Array.from({ length: STORM }, (_, seat) =>
    situation.editor(people[Math.floor(seat / CONNECTIONS_PER_USER)] ?? tenant, workflowId, randomUUID()),
  );
  await live(editors);
  editors[0]?.canvas.edit({ type: 'node:move', nodeId: 'a', position: { x: 5, y: 5 } });
  const epochOf = async (): Promise<number> => {
    const [lease] = await situation.api.deps.db.query<{ epoch: number }>(
      'SELECT epoch FROM realtime_room_leases WHERE workflow_id = $1',
      [workflowId],
    );
    return lease?.epoch ?? 0;
  };
  const before = await epochOf();
  await calm.expectUndisturbed();
  await situation.realtime.kill();
  await eventually(
    'everybody to be out',
    30_000,
    () => editors.every(({ socket }) => !socket.connected) || null,
  );
  await situation.realtime.start();
  const begun = performance.now();
  await live(editors);
  noteFigures(`${STORM} editors come back at once after a restart`, {
    'all in after, s': (performance.now() - begun) / 1_000,
    'event loop of the server, p99 between its beats of 200 ms':
      (await situation.metric('nodejs_eventloop_lag_p99_seconds')) * 1_000,
  });
  expect(await epochOf()).toBe(before + 1);
  await eventually('everybody to see the same', 30_000, () => {
    const hashes = new Set(editors.map(({ canvas }) => canvas.confirmed.hash));
    return hashes.size === 1 || null;
  });
  for (const editor of editors) editor.close();
});
