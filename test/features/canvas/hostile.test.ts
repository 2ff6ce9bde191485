/** Malicious or broken clients (odd payloads, floods, large frames, unread data) must harm only their own connection. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BROADCASTS } from '../../../src/features/canvas/room/operations.ts';
import type { Tenant } from '../../support/api-server.ts';
import { eventually, sleep } from '../../support/waiting.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import { deafOverPolling, deafOverWebsocket } from './support/deaf-client.ts';
import type { Peer } from './support/peer.ts';

const EVENTS = [
  ...Object.keys(BROADCASTS),
  'workflow:join',
  'workflow:leave',
  'workflow:resync',
  'workflow:flush',
  'node:lock',
  'node:lock-renew',
  'node:unlock',
  'auth:refresh',
  'no:such-event',
];
const EPHEMERAL = ['node:drag', 'cursor:move', 'selection:update', 'presence:update'];

let canvas: Canvas;
let tenant: Tenant;
let workflowId: string;
let peer: Peer;
let unhandled: unknown[];
const note = (error: unknown): void => void unhandled.push(error);
beforeAll(async () => {
  canvas = await startCanvas();
  process.on('unhandledRejection', note);
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await canvas.close();
});
beforeEach(async () => {
  unhandled = [];
  tenant = await canvas.api.tenant();
  workflowId = await canvas.workflow(tenant);
  peer = await canvas.peer(tenant);
});

describe('malformed payloads', () => {
  const RUNS = Number(process.env['CANVAS_FUZZ_RUNS'] ?? 400);
  /** What JSON can carry, and the traps among it. */
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 6 }),
    fc.constantFrom(
      JSON.parse('{"__proto__": {"polluted": true}}'),
      { constructor: { prototype: { polluted: true } } },
      { length: { toString: null } },
      { toString: null, valueOf: null },
      'nul \u0000',
      '\ud800',
      'x'.repeat(300_000),
      JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`),
      JSON.parse(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`),
      1e308,
      -0,
    ),
  );
  /** Half of them are right up to one odd field. */
  const payloads = fc.oneof(
    odd,
    fc
      .dictionary(
        fc.constantFrom(
          'workflowId',
          'opId',
          'version',
          'nodeId',
          'nodeIds',
          'node',
          'position',
          'moves',
          'set',
          'unset',
          'changes',
          'edge',
          'edgeId',
          'ops',
          'reason',
          'mode',
          'index',
          'token',
          'locks',
          'x',
          'y',
          'state',
          'since',
        ),
        odd,
      )
      .map((fields) => ({ workflowId, nodeId: 'a', ...fields })),
  );

  test('each is answered, changes nothing without an acknowledgement, and the room still works', async () => {
    let writer = await canvas.peer(await canvas.colleague(tenant));
    await peer.join(workflowId);
    let acknowledged = 0;
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...EVENTS, ...EPHEMERAL), payloads, async (event, payload) => {
        sent += 1;
        // Refusals are counted as a flood at some point: then a new client goes on.
        if (!writer.isConnected || sent % 40 === 1) {
          writer.close();
          writer = await canvas.peer(await canvas.colleague(tenant));
          await writer.join(workflowId);
        }
        if (event === 'workflow:leave') return;
        if (EPHEMERAL.includes(event)) {
          writer.emit(event, payload);
          return;
        }
        const reply = await writer.call(event, payload).catch(() => null);
        // Too many large payloads at once: a flood, and nothing was done.
        if (reply === null) {
          expect(writer.isConnected).toBe(false);
          return;
        }
        expect(reply).toHaveProperty('ok');
        if (reply.ok !== true)
          expect(reply).toMatchObject({ code: expect.any(String), retryable: expect.any(Boolean) });
        const isEdit = event in BROADCASTS && reply.ok === true;
        if (isEdit && reply.noop !== true && reply.duplicate !== true) acknowledged += 1;
      }),
      { numRuns: RUNS, seed: 20_261_121, endOnFailure: true },
    );
    const { version } = await peer
      .call('workflow:resync', { workflowId })
      .then(() => peer.wait('workflow:snapshot'));
    expect(version).toBe(acknowledged);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    const after = { id: 'after', type: 'transformer' };
    expect(await peer.op('node:add', workflowId, { node: after })).toMatchObject({ ok: true });
    expect(await peer.flush(workflowId)).toMatchObject({ ok: true });
    expect(unhandled).toEqual([]);
  });

  test('missing payloads and callbacks are tolerated', async () => {
    await peer.join(workflowId);
    for (const event of [...EVENTS, ...EPHEMERAL]) {
      peer.emit(event);
      peer.emit(event, undefined, 'more', 5);
    }
    expect(await peer.socket.timeout(20_000).emitWithAck('node:move')).toMatchObject({ ok: false });
    expect((await fetch(`${canvas.url}/health`)).status).toBe(200);
    expect(unhandled).toEqual([]);
  });

  test('a broken frame closes only its own connection (SEC-W05)', async () => {
    await peer.join(workflowId);
    for (const raw of ['451-', '99', '2["disconnect"]', '2{"a":1}', `2${'['.repeat(50_000)}`]) {
      const broken = await canvas.peer(tenant);
      broken.socket.io.engine.write(raw);
      await broken.disconnected();
    }
    expect(await peer.move(workflowId, 'a', 3)).toMatchObject({ ok: true });
  });
});

describe('foreign objects', () => {
  test('workflows of others, unknown ones, and a sixth room are rejected (SEC-W02)', async () => {
    const stranger = await canvas.api.tenant();
    const theirs = await canvas.workflow(stranger);
    const answers = await Promise.all(
      [theirs, randomUUID()].map((asked) => peer.call('workflow:join', { workflowId: asked })),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ ok: false, code: 'WORKFLOW_NOT_FOUND' });
    for (let room = 0; room < 5; room += 1) await peer.join(await canvas.workflow(tenant));
    expect(await peer.call('workflow:join', { workflowId })).toMatchObject({ ok: false, code: 'ROOM_LIMIT' });
  });

  test('rooms without a join, locks of others and forged identities are rejected (SEC-W03)', async () => {
    const holder = await canvas.peer(tenant);
    const { you } = await holder.join(workflowId);
    expect(await peer.move(workflowId, 'a', 9)).toMatchObject({ code: 'NOT_JOINED' });
    expect(await peer.call('node:lock', { workflowId, nodeId: 'a' })).toMatchObject({ code: 'NOT_JOINED' });
    const mine = await peer.join(workflowId);
    const { token } = await holder.call('node:lock', { workflowId, nodeId: 'a' });
    expect(await peer.call('node:unlock', { workflowId, nodeId: 'a', token })).toMatchObject({ ok: false });
    expect(await peer.op('node:delete', workflowId, { nodeId: 'a' })).toMatchObject({ code: 'NODE_LOCKED' });
    const spoofed = { userId: randomUUID(), sessionId: you.sessionId };
    expect(await peer.move(workflowId, 'b', 4, spoofed)).toMatchObject({ ok: true });
    const seen = await holder.wait('node:moved');
    expect([seen.userId, seen.sessionId]).toEqual([mine.you.userId, mine.you.sessionId]);
  });

  test('invalid versions (SEC-W06) and oversized batches (SEC-W07, SEC-M15) are rejected', async () => {
    const { version } = await peer.join(workflowId);
    expect(await peer.move(workflowId, 'a', 1, { version: version + 1_000_000_000 })).toMatchObject({
      code: 'CONFLICT',
      details: { yourVersion: version + 1_000_000_000, serverVersion: version, resolution: 'rebase' },
    });
    for (const odd of [-1, 'x', 1.5, {}]) {
      expect(await peer.move(workflowId, 'a', 1, { version: odd })).toMatchObject({
        code: 'INVALID_PAYLOAD',
      });
    }
    const ops = Array.from({ length: 1_001 }, (_, x) => ({
      type: 'node:move',
      nodeId: 'a',
      position: { x, y: 0 },
    }));
    expect(await peer.op('batch', workflowId, { ops, reason: 'other' })).toMatchObject({ ok: false });
    expect(await peer.move(workflowId, 'a', 1)).toMatchObject({ ok: true, version: version + 1 });
  });
});

describe('floods', () => {
  test('a flooding client gets `flood`, is closed and rejected for a while; others keep working', async () => {
    const other = await canvas.api.tenant();
    const calm = await canvas.peer(other);
    const theirs = await canvas.workflow(other);
    await calm.join(theirs);
    await peer.join(workflowId);
    for (let i = 0; i < 5_000; i += 1) peer.emit('cursor:move', { workflowId, x: i, y: 1 });
    await peer.disconnected();
    await expect(canvas.peer(tenant)).rejects.toMatchObject({
      data: { code: 'TOO_MANY_CONNECTIONS', retryable: true, retryAfterMs: expect.any(Number) },
    });
    expect(await calm.move(theirs, 'a', 1)).toMatchObject({ ok: true });
    expect(calm.isConnected).toBe(true);
  });

  test('a frame over 1 MiB closes the connection (SEC-W05)', async () => {
    await peer.join(workflowId);
    peer.emit('node:update', { workflowId, nodeId: 'a', changes: { text: 'x'.repeat(2 * 1_048_576) } });
    await peer.disconnected();
  });

  test('operations beyond the rate are rejected as retryable and accepted later under the same opId', async () => {
    await peer.join(workflowId);
    const replies = await Promise.all(Array.from({ length: 200 }, (_, x) => peer.move(workflowId, 'a', x)));
    const refused = replies.filter((reply) => reply.ok !== true);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      details: { retryAfterMs: expect.any(Number) },
    });
    const rejected = await peer.wait('operation:rejected');
    await eventually('the rate to allow it', 20_000, async () => {
      const again = await peer.call('node:move', {
        workflowId,
        opId: rejected.opId,
        nodeId: 'a',
        position: { x: 1, y: 2 },
      });
      return again.ok === true || null;
    });
    expect(peer.isConnected).toBe(true);
  });

  test('cursors beyond the rate are throttled, and the last one arrives', async () => {
    const watcher = await canvas.peer(tenant);
    await watcher.join(workflowId);
    await peer.join(workflowId);
    for (let x = 1; x <= 250; x += 1) peer.emit('cursor:move', { workflowId, x, y: 0 });
    await watcher.wait('cursor:moved', (payload) => payload.x === 250);
    expect(watcher.of('cursor:moved').length).toBeLessThan(200);
    expect(peer.isConnected).toBe(true);
  });
});

test('clients that do not read are disconnected on every transport, and the room still works (SEC-W10)', async () => {
  const auth = { token: tenant.token, organizationId: tenant.org };
  const at = { url: canvas.url, workflowId };
  const deaf = [
    await deafOverWebsocket({ ...at, auth }),
    await deafOverWebsocket({ ...at, auth: { ...auth, caps: ['frames'] } }),
    await deafOverPolling({ ...at, auth }),
  ];
  const [watcher, ...others] = [
    await canvas.peer(tenant),
    await canvas.peer(tenant),
    await canvas.peer(tenant),
  ];
  const writers = [watcher, ...others];
  await Promise.all(writers.map((writer) => writer.join(workflowId)));
  // Of each below what would be a flood; together in a while more than the kernel takes.
  const text = 'x'.repeat(60_000);
  await eventually('those that do not read to be put out', 60_000, async () => {
    const edits = writers.map((writer) =>
      writer.op('node:update', workflowId, { nodeId: 'a', set: { '/note': `${Math.random()}${text}` } }),
    );
    for (const reply of await Promise.all(edits)) {
      // On a slow machine more may be unsaved at some point than a room takes.
      expect(['ok', 'RATE_LIMITED', 'PERSISTENCE_DEGRADED']).toContain(reply.ok === true ? 'ok' : reply.code);
    }
    await sleep(40);
    const gone = new Set(watcher.of('presence:left').map(({ sessionId }) => sessionId));
    return deaf.every(({ sessionId }) => gone.has(sessionId)) || null;
  });
  expect(watcher.of('presence:left')).toHaveLength(deaf.length);
  await eventually('the room to go on', 20_000, async () => {
    const reply = await watcher.move(workflowId, 'b', 9);
    if (reply.ok !== true) expect(reply).toMatchObject({ code: 'PERSISTENCE_DEGRADED' });
    return reply.ok === true || null;
  });
  for (const client of deaf) client.close();
});
