/**
 * While the database is unresponsive, down or paused, clients must be able to edit for seconds, and acknowledged operations
 * must be saved when it is back.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/base/db/migrate.ts';
import { expectHistoryOf } from '../features/canvas/support/history.ts';
import type { Tenant } from '../support/api-server.ts';
import { startChaosProxy, through, type ChaosProxy } from '../support/chaos-proxy.ts';
import { startCrashablePostgres, type CrashablePostgres } from '../support/crashable-postgres.ts';
import { noteFigures, p95 } from '../support/figures.ts';
import { eventually, sleep } from '../support/waiting.ts';
import { startCanvasSituation, type CanvasSituation } from './support/canvas-situation.ts';
import { startCrowd } from './support/crowd.ts';
import { live, marks, workflowWithMarks } from './support/marks.ts';
import { watchMemory } from './support/memory.ts';

const OUTAGE_MS = Number(process.env['CANVAS_OUTAGE_MS'] ?? 3_000);
/** Long enough for rooms to close: more than half a minute. Not part of an ordinary run. */
const LONG_OUTAGE_MS = Number(process.env['CANVAS_LONG_OUTAGE_MS'] ?? 0);

let postgres: CrashablePostgres;
let proxy: ChaosProxy;
let situation: CanvasSituation;
let tenant: Tenant;
beforeAll(async () => {
  postgres = await startCrashablePostgres();
  await migrate(postgres.url);
  proxy = await startChaosProxy({ host: '127.0.0.1', port: Number(new URL(postgres.url).port) });
  situation = await startCanvasSituation(
    { DATABASE_URL: through(proxy, postgres.url) },
    { DATABASE_URL: postgres.url },
  );
  tenant = await situation.tenant();
});
afterEach(() => {
  postgres.thaw();
  proxy.heal();
});
afterAll(async () => {
  await situation.close();
  await proxy.close();
  await postgres.close();
});

/**
 * `tries`: saves that may have reached the database while nobody heard of it. Silence keeps what was sent, and it is
 * carried out in the end; a room finds such a save by the id of its history entry, and saves the rest after it.
 */
describe.each([
  { how: 'silent', tries: 1, begin: () => proxy.blackhole(), end: () => proxy.heal() },
  { how: 'gone', tries: 0, begin: () => proxy.reset(), end: () => proxy.heal() },
  { how: 'asleep', tries: 1, begin: () => postgres.freeze(), end: () => postgres.thaw() },
])('the database is $how', ({ how, tries, begin, end }) => {
  test('edits are accepted during the outage, and one save contains them all afterwards', async () => {
    const workflowId = await workflowWithMarks(situation, tenant);
    const crowd = await startCrowd(situation, tenant, workflowId);
    const { watcher } = crowd;
    await sleep(OUTAGE_MS);
    const normal = crowd.takeRelayed();
    const { ok, editVersion: base } = await watcher.flush(workflowId);
    expect(ok).toBe(true);
    const since = watcher.heard.length;
    const grown = watchMemory(situation.realtime.pid);
    const before = crowd.sent;
    begin();
    await sleep(OUTAGE_MS);
    const sent = crowd.sent - before;
    const during = crowd.takeRelayed();
    const accepted = crowd.version;
    const memory = grown();
    end();
    const backAt = performance.now();
    const first = await watcher.wait('saved', () => true, since);
    const firstSavedMs = performance.now() - backAt;
    const { version } = await watcher.wait('saved', ({ savedThrough }) => savedThrough >= accepted, since);
    await crowd.stop();
    expect(await watcher.flush(workflowId)).toMatchObject({ ok: true });

    expect(during.length).toBeGreaterThan(sent / 2);
    expect(crowd.refused).toEqual([]);
    expect([...watcher.of('persistence:degraded'), ...watcher.of('workflow:external-sync')]).toEqual([]);
    expect(first.version).toBe(base + 1);
    expect(version - base).toBeGreaterThanOrEqual(1);
    expect(version - base).toBeLessThanOrEqual(1 + tries);
    expect(new Set(Object.keys(await marks(tenant, workflowId)))).toEqual(crowd.acked);
    await expectHistoryOf(situation.api.deps.db, workflowId);
    crowd.close();
    noteFigures(`the database is ${how} for ${OUTAGE_MS} ms`, {
      acknowledged: crowd.acked.size,
      refused: crowd.refused.length,
      'relay p95 before (ms)': p95(normal),
      'relay p95 during (ms)': p95(during),
      'first saved after (ms)': firstSavedMs,
      'history entries of the gap': version - base,
      'memory (MiB)': memory,
    });
  });
});

test.runIf(LONG_OUTAGE_MS > 0)(
  'an outage that outlasts patience: everybody is told, edits wait, and all of them are saved in the end',
  async () => {
    const workflowId = await workflowWithMarks(situation, tenant);
    const watcher = await situation.peer(tenant);
    await watcher.join(workflowId);
    const editors = Array.from({ length: 5 }, () => situation.editor(tenant, workflowId, randomUUID()));
    await live(editors);
    const made: string[] = [];
    let isOver = false;
    proxy.blackhole();
    const since = performance.now();
    const work = editors.map(async ({ canvas }, seat) => {
      for (let n = 0; !isOver; n += 1) {
        const mark = `${seat}_${n}`;
        expect(canvas.edit({ type: 'config:update', set: { [`/marks/${mark}`]: n } })).not.toBeNull();
        made.push(mark);
        await sleep(100);
      }
    });
    const degraded = await eventually('the outage to be told', LONG_OUTAGE_MS, () =>
      watcher.of('persistence:degraded').at(0),
    );
    const toldMs = performance.now() - since;
    await sleep(LONG_OUTAGE_MS - toldMs);
    proxy.heal();
    const backAt = performance.now();
    await watcher.wait('persistence:recovered');
    const recoveredMs = performance.now() - backAt;
    isOver = true;
    await Promise.all(work);
    await eventually(
      'everything to be saved',
      120_000,
      () => editors.every(({ canvas }) => canvas.unsent === 0 && canvas.unsaved === 0) || null,
    );
    expect(editors.flatMap(({ dropped }) => dropped)).toEqual([]);
    expect(watcher.of('persistence:degraded')).toHaveLength(1);
    expect(watcher.of('flood')).toEqual([]);
    expect(new Set(Object.keys(await marks(tenant, workflowId)))).toEqual(new Set(made));
    await expectHistoryOf(situation.api.deps.db, workflowId);
    noteFigures(`the database is silent for ${LONG_OUTAGE_MS} ms`, {
      edits: made.length,
      lost: 0,
      'unsaved when told': degraded.unsavedOps,
      'told after (ms)': toldMs,
      'recovered after (ms)': recoveredMs,
      'all saved after (ms)': performance.now() - backAt,
    });
  },
  LONG_OUTAGE_MS + 240_000,
);
