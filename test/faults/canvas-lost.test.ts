/** No acknowledged operation may be lost by kill -9 or SIGTERM of the realtime server. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../support/api-server.ts';
import { median } from '../bench/statistics.ts';
import type { Payload } from '../features/canvas/support/peer.ts';
import { noteFigures } from '../support/figures.ts';
import { sleep } from '../support/waiting.ts';
import { startCanvasSituation, type CanvasSituation, type Editor } from './support/canvas-situation.ts';
import { expectAllSaved, live, marks, workflowWithMarks } from './support/marks.ts';
import { random } from './support/random.ts';

const KILLS = Number(process.env['CANVAS_KILLS'] ?? 4);
const EDITORS = 5;
/** Beside what kills cost, which at full size is minutes. */
const PATIENCE_MS = 120_000 + KILLS * 20_000;
/**
 * What the log may not have yet when the process dies, which writes it every 100 ms. In answers that it gave since, one
 * in 60 ms at most: while it stalls it gives none either.
 */
const NOT_YET_LOGGED = 15;

let situation: CanvasSituation;
let tenant: Tenant;
beforeAll(async () => {
  situation = await startCanvasSituation();
  tenant = await situation.tenant();
});
afterAll(() => situation.close());

test(
  'people at work lose nothing, and the history tells all of it',
  async () => {
    const workflowId = await workflowWithMarks(situation, tenant);
    const chance = random(20_261_121);
    const editors: Editor[] = Array.from({ length: EDITORS }, () =>
      situation.editor(tenant, workflowId, randomUUID()),
    );
    await live(editors);
    let isOver = false;
    const made: string[] = [];
    const work = editors.map(async ({ canvas }, index) => {
      for (let edit = 0; !isOver; edit += 1) {
        const mark = `${index}_${edit}`;
        expect(canvas.edit({ type: 'config:update', set: { [`/marks/${mark}`]: edit } })).not.toBeNull();
        made.push(mark);
        await sleep(50);
      }
    });
    const backMs: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(chance.between(500, 3_000));
      await situation.realtime.kill();
      const startedAt = performance.now();
      await situation.realtime.start();
      await live(editors);
      backMs.push(performance.now() - startedAt);
    }
    isOver = true;
    await Promise.all(work);
    await expectAllSaved(editors, { situation, tenant, workflowId, made });
    noteFigures('kills under people at work', {
      kills: KILLS,
      edits: made.length,
      lost: 0,
      'all back after (ms), half of the time': median(backMs),
      'at most': Math.max(...backMs),
    });
  },
  PATIENCE_MS,
);

test(
  'of clients that forget, all that is older than a write of the log is kept',
  async () => {
    const workflowId = await workflowWithMarks(situation, tenant);
    const missing: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const peer = await situation.peer(tenant);
      await peer.join(workflowId);
      const acked = new Map<string, number>();
      for (let i = 0; i < 30; i += 1) {
        const mark = `${kill}_${i}`;
        const reply = await peer.op('config:update', workflowId, { set: { [`/marks/${mark}`]: i } });
        expect(reply).toMatchObject({ ok: true });
        acked.set(mark, performance.now());
        await sleep(60);
      }
      const killedAt = performance.now();
      await situation.realtime.kill();
      await situation.realtime.start();
      const again = await situation.peer(tenant);
      const joined = await again.join(workflowId);
      const kept = joined.schema.config.marks;
      missing.push(...[...acked].flatMap(([mark, at]) => (mark in kept ? [] : [killedAt - at])));
      const due = [...acked.keys()].slice(0, -NOT_YET_LOGGED);
      expect(due.filter((mark) => !(mark in kept))).toEqual([]);
      expect(await again.flush(workflowId)).toMatchObject({ ok: true });
      expect(await marks(tenant, workflowId)).toEqual(kept);
      again.close();
    }
    noteFigures('kills under clients that forget', {
      kills: KILLS,
      'acknowledged and gone': missing.length,
      'the oldest of them was (ms) old': Math.max(0, ...missing),
    });
  },
  PATIENCE_MS,
);

test('SIGTERM under load saves all acknowledged operations, and the process exits with 0', async () => {
  const rooms = 20;
  const workflows = await Promise.all(Array.from({ length: rooms }, () => situation.workflow(tenant)));
  const peers = await Promise.all(workflows.map(() => situation.peer(tenant)));
  await Promise.all(peers.map((peer, index) => peer.join(workflows[index] ?? '')));
  const acked = new Map<string, number>();
  let isOver = false;
  const work = peers.map(async (peer, index) => {
    const workflowId = workflows[index] ?? '';
    for (let x = 1; !isOver; x += 1) {
      const reply = await peer.move(workflowId, 'a', x).catch(() => null);
      if (reply?.ok === true) acked.set(workflowId, x);
      else return;
      await sleep(30);
    }
  });
  await sleep(1_000);
  const ended = situation.realtime.terminate();
  expect(await ended).toBe('exit status 0');
  isOver = true;
  await Promise.all(work);
  for (const workflowId of workflows) {
    const { body } = await tenant.call('GET', `/workflows/${workflowId}`);
    expect(body.workflow_schema.nodes[0].position.x).toBe(acked.get(workflowId));
  }
  expect(peers.every((peer) => peer.of('server:draining').length === 1)).toBe(true);
  const unsaved = await situation.api.deps.db.query('SELECT 1 FROM realtime_ops WHERE saved_in IS NULL');
  expect(unsaved).toEqual([]);
  await situation.realtime.start();
});

test('no presence, cursor or lock survives a restart', async () => {
  const workflowId = await situation.workflow(tenant);
  const before = await Promise.all([situation.peer(tenant), situation.peer(tenant)]);
  for (const [index, peer] of before.entries()) {
    await peer.join(workflowId);
    peer.emit('cursor:move', { workflowId, x: index, y: 1 });
    peer.emit('selection:update', { workflowId, nodeIds: ['a'], edgeIds: [] });
  }
  expect(await before[0]?.call('node:lock', { workflowId, nodeId: 'a' })).toMatchObject({ ok: true });
  await before[1]?.wait('node:locked');
  await situation.realtime.kill();
  await situation.realtime.start();
  const after = await situation.peer(tenant);
  const { you, presence, locks } = await after.join(workflowId);
  expect(presence.map(({ sessionId }: Payload) => sessionId)).toEqual([you.sessionId]);
  expect(locks).toEqual([]);
  expect(await after.call('node:lock', { workflowId, nodeId: 'a' })).toMatchObject({ ok: true });
});
