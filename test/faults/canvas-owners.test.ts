/**
 * With three realtime processes any of them must serve any room, one must own it, and no acknowledged edit may be lost when the
 * owner dies, sleeps, or loses the database or the other processes.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectHistoryOf } from '../features/canvas/support/history.ts';
import { Peer, type Payload } from '../features/canvas/support/peer.ts';
import type { Tenant } from '../support/api-server.ts';
import { startChaosProxy, through, type ChaosProxy } from '../support/chaos-proxy.ts';
import { eventually, sleep } from '../support/waiting.ts';
import {
  startCanvasSituation,
  type CanvasNode,
  type CanvasSituation,
  type Editor,
} from './support/canvas-situation.ts';
import { expectAllSaved, live, marks, workflowWithMarks } from './support/marks.ts';

/** A lease ends 15 s after its last renewal; the rest is for a busy machine. */
const TAKEN_OVER_WITHIN_MS = 60_000;

let situation: CanvasSituation;
let tenant: Tenant;
let first: CanvasNode;
let second: CanvasNode;
let third: CanvasNode;
/** Between the others and the third process, and between it and the database. */
let toThird: ChaosProxy;
let toDatabase: ChaosProxy;
beforeAll(async () => {
  situation = await startCanvasSituation({ REALTIME_CLUSTER: '1' });
  tenant = await situation.tenant();
  const { databaseUrl } = situation.api.deps.config;
  toDatabase = await startChaosProxy({ host: '127.0.0.1', port: Number(new URL(databaseUrl).port) });
  first = situation;
  second = await situation.addNode('realtime-second');
  third = await situation.addNode('realtime-third', async (port) => {
    toThird = await startChaosProxy({ host: '127.0.0.1', port });
    return {
      DATABASE_URL: through(toDatabase, databaseUrl),
      REALTIME_PEER_URL: `http://127.0.0.1:${toThird.port}`,
    };
  });
});
afterAll(async () => {
  for (const { realtime } of [first, second, third]) realtime.signal('SIGCONT');
  await situation.close();
  await Promise.all([toThird.close(), toDatabase.close()]);
});

/** Opens a workflow in a process, so that it owns the room. */
async function openIn(node: CanvasNode): Promise<{ workflowId: string; owner: Peer }> {
  const workflowId = await workflowWithMarks(situation, tenant, node);
  const owner = await situation.peer(tenant, { node });
  await owner.join(workflowId);
  return { workflowId, owner };
}

interface Crowd {
  readonly workflowId: string;
  readonly editors: readonly Editor[];
  readonly made: string[];
  /** Ends the work and waits until all of it is saved: nothing is lost, and all have the stored definition. */
  settle(): Promise<void>;
}

/** Lets a person edit a workflow in each of the processes. */
async function startCrowd(workflowId: string, nodes: readonly CanvasNode[]): Promise<Crowd> {
  const editors = nodes.map((node) => situation.editor(tenant, workflowId, randomUUID(), node));
  await live(editors);
  const made: string[] = [];
  let isOver = false;
  const work = editors.map(async ({ canvas }, index) => {
    for (let edit = 0; !isOver; edit += 1) {
      const mark = `${index}_${edit}`;
      if (canvas.edit({ type: 'config:update', set: { [`/marks/${mark}`]: edit } }) !== null) made.push(mark);
      await sleep(100);
    }
  });
  return {
    workflowId,
    editors,
    made,
    async settle() {
      isOver = true;
      await Promise.all(work);
      await expectAllSaved(editors, { situation, tenant, workflowId, made }, TAKEN_OVER_WITHIN_MS);
    },
  };
}

const owners = async (workflowId: string): Promise<{ url: string; isLive: boolean }> => {
  const [row] = await situation.api.deps.db.query<{ url: string; isLive: boolean }>(
    `SELECT node_url AS url, expires_at > clock_timestamp() AS "isLive" FROM realtime_room_leases WHERE workflow_id = $1`,
    [workflowId],
  );
  return row ?? { url: '', isLive: false };
};

test('clients that know nothing of other processes edit one room through any of them, in one order', async () => {
  const { workflowId, owner } = await openIn(first);
  const bare = await situation.peer(tenant, { node: second });
  const auth = { token: tenant.token, organizationId: tenant.org, caps: ['frames'] };
  const polling = await Peer.connect({ url: third.url, auth, transports: ['polling'] });
  const joined = await bare.join(workflowId);
  await polling.join(workflowId);
  expect(await owners(workflowId)).toEqual({ url: first.url, isLive: true });
  const relayed = [first, second, third].map((node) => situation.metric('realtime_relayed_sessions', node));
  expect(await Promise.all(relayed)).toEqual([0, 1, 1]);

  const replies = await Promise.all(
    [owner, bare, polling].flatMap((peer, index) =>
      [0, 1, 2].map((turn) => peer.move(workflowId, index === 1 ? 'b' : 'a', 10 * index + turn + 1)),
    ),
  );
  const versions = replies.map(({ version }) => version).toSorted((one, other) => one - other);
  expect(versions).toEqual(versions.map((_, index) => joined.version + 1 + index));
  const seen = (peer: Peer): Payload[] =>
    [...peer.of('ack'), ...peer.of('node:moved')].filter(({ version }) => version > joined.version);
  for (const peer of [owner, bare, polling])
    await eventually('all versions', 20_000, () => seen(peer).length === versions.length || null);

  // Presence, cursors and locks cross as well.
  polling.emit('cursor:move', { workflowId, x: 1, y: 2 });
  expect(await bare.wait('cursor:moved')).toMatchObject({ x: 1, y: 2 });
  expect(await bare.call('node:lock', { workflowId, nodeId: 'a' })).toMatchObject({ ok: true });
  expect(await polling.call('node:lock', { workflowId, nodeId: 'a' })).toMatchObject({ code: 'NODE_LOCKED' });
  expect(await bare.call('workflow:leave', { workflowId })).toMatchObject({ ok: true });
  await owner.wait('presence:left');
  expect(await bare.move(workflowId, 'a', 1)).toMatchObject({ ok: false, code: 'NOT_JOINED' });
  expect(await polling.call('node:lock', { workflowId, nodeId: 'a' })).toMatchObject({ ok: true });
  expect((await bare.join(workflowId)).locks).toHaveLength(1);
  expect(await bare.flush(workflowId)).toMatchObject({ ok: true });
  await expectHistoryOf(situation.api.deps.db, workflowId);
  // An error of the owner is one error, with the words of any process.
  const since = bare.heard.length;
  expect(await bare.call('workflow:join', { workflowId: randomUUID() })).toMatchObject({
    code: 'WORKFLOW_NOT_FOUND',
  });
  expect(bare.of('workflow:join-error', since)).toHaveLength(1);
  for (const peer of [owner, bare, polling]) peer.close();
});

test('when one owner is killed and another sleeps, the third process serves both rooms, and no edit is lost', async () => {
  const killed = await openIn(first);
  const paused = await openIn(second);
  const crowds = await Promise.all([
    startCrowd(killed.workflowId, [third, third]),
    startCrowd(paused.workflowId, [second, third]),
  ]);
  await sleep(500);
  expect(await paused.owner.flush(paused.workflowId)).toMatchObject({ ok: true });
  let before = 0;
  second.realtime.signal('SIGSTOP');
  try {
    await first.realtime.kill();
    // What the sleeper said while it was awake has arrived by now.
    before = paused.owner.heard.length;
    // These wait in the socket of the process that sleeps.
    for (let x = 100; x < 110; x += 1)
      paused.owner.emit('node:move', { workflowId: paused.workflowId, nodeId: 'a', position: { x, y: 0 } });
    // One join, which waits for the end of the lease: this client does not try again.
    const late = await situation.peer(tenant, { node: third });
    for (const { workflowId } of crowds) {
      const join = await late.socket
        .timeout(TAKEN_OVER_WITHIN_MS)
        .emitWithAck('workflow:join', { workflowId });
      expect(join).toMatchObject({ ok: true });
      expect(await late.move(workflowId, 'b', 5)).toMatchObject({ ok: true });
      expect(await owners(workflowId)).toMatchObject({ url: `http://127.0.0.1:${toThird.port}` });
    }
  } finally {
    second.realtime.signal('SIGCONT');
  }
  await first.realtime.start();
  await eventually(
    'the sleeper to send its people away',
    30_000,
    () => paused.owner.of('workflow:moved', before).length > 0 || !paused.owner.isConnected || null,
  );
  expect([...paused.owner.of('ack', before), ...paused.owner.of('saved', before)]).toEqual([]);
  for (const crowd of crowds) await crowd.settle();
});

test('an owner that loses the database stops to acknowledge before another takes its room, and no edit is lost', async () => {
  const { workflowId } = await openIn(third);
  const crowd = await startCrowd(workflowId, [third, first]);
  await sleep(500);
  toDatabase.reset();
  try {
    const late = await situation.peer(tenant, { node: second });
    const join = await late.socket.timeout(TAKEN_OVER_WITHIN_MS).emitWithAck('workflow:join', { workflowId });
    expect(join).toMatchObject({ ok: true });
    expect(await late.move(workflowId, 'a', 7)).toMatchObject({ ok: true });
    expect(await owners(workflowId)).toEqual({ url: second.url, isLive: true });
  } finally {
    toDatabase.heal();
  }
  await crowd.settle();
  // It accepts nothing until it has renewed what it has.
  await eventually('the process to be sure of its rooms again', 30_000, async () => {
    const workflowId = await situation.workflow(tenant);
    const peer = await situation.peer(tenant, { node: third });
    await peer.join(workflowId);
    const { ok } = await peer.move(workflowId, 'a', 1);
    peer.close();
    return ok || null;
  });
});

test('when the processes cannot reach each other for a while, clients of the others come back and nothing is lost', async () => {
  const { workflowId } = await openIn(third);
  const crowd = await startCrowd(workflowId, [first, second, third]);
  await sleep(500);
  const made = crowd.made.length;
  const bare = await situation.peer(tenant, { node: first });
  await bare.join(workflowId);
  toThird.reset();
  // A client that knows no more than to join when it has connected is made to connect.
  await bare.disconnected();
  await sleep(1_000);
  expect(await owners(workflowId)).toMatchObject({ isLive: true });
  toThird.heal();
  await live(crowd.editors);
  toThird.blackhole();
  await sleep(1_000);
  toThird.heal();
  await crowd.settle();
  expect(crowd.made.length).toBeGreaterThan(made);
  expect(Object.keys(await marks(tenant, workflowId))).toHaveLength(crowd.made.length);
});
