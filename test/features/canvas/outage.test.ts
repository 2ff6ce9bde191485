/** With lost answers, lost notices or a database outage no operation may be lost or applied twice. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tenant } from '../../support/api-server.ts';
import { startChaosProxy, through, type ChaosProxy } from '../../support/chaos-proxy.ts';
import { noteFigures } from '../../support/figures.ts';
import { eventually, sleep } from '../../support/waiting.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import { expectHistoryOf } from './support/history.ts';
import type { Peer } from './support/peer.ts';

const AMBIGUOUS = Number(process.env['CANVAS_AMBIGUOUS_COMMITS'] ?? 5);
/** How long notices stay lost; one change, if that takes longer. */
const CUT_MS = Number(process.env['CANVAS_NOTICES_CUT_MS'] ?? 0);
/** application_name of the connections of saves; the log's and the leases' are called otherwise. */
const SAVES = 'workflow-automation-service rooms\0';

let proxy: ChaosProxy;
let canvas: Canvas;
let tenant: Tenant;
let workflowId: string;
let peer: Peer;
beforeAll(async () => {
  canvas = await startCanvas({
    async databaseUrl(url) {
      const { hostname, port } = new URL(url);
      proxy = await startChaosProxy({ host: hostname, port: Number(port) });
      return through(proxy, url);
    },
  });
  tenant = await canvas.api.tenant();
});
afterAll(async () => {
  proxy.heal();
  await canvas.close();
  await proxy.close();
});
beforeEach(async () => {
  proxy.heal();
  workflowId = await canvas.workflow(tenant);
  peer = await canvas.peer(tenant);
});

const history = (): Promise<{ edit_version: number }[]> =>
  canvas.api.deps.db.query(
    'SELECT edit_version FROM workflow_edits WHERE workflow_id = $1 ORDER BY edit_version',
    [workflowId],
  );

test(
  "commits whose answer is lost are found again: none twice, none missing, none taken for another's",
  async () => {
    await peer.join(workflowId);
    for (let x = 1; x <= AMBIGUOUS; x += 1) {
      const swallowed = proxy.swallowNextAnswer(SAVES);
      expect(await peer.move(workflowId, 'a', x)).toMatchObject({ ok: true });
      await swallowed;
      await eventually(`save ${x} to be known`, 30_000, async () => {
        const reply = await peer.flush(workflowId);
        return reply.ok === true || null;
      });
      expect((await canvas.record(tenant, workflowId)).workflow_schema.nodes[0].position.x).toBe(x);
    }
    noteFigures('commits without an answer', { commits: AMBIGUOUS, entries: (await history()).length });
    expect((await history()).map((entry) => entry.edit_version)).toEqual(
      Array.from({ length: AMBIGUOUS }, (_, index) => index + 1),
    );
    expect(peer.of('workflow:external-sync')).toEqual([]);
    await expectHistoryOf(canvas.api.deps.db, workflowId);
  },
  30_000 + AMBIGUOUS * 10_000,
);

describe.each(['blackhole', 'reset'] as const)('the database is away (%s)', (kind) => {
  test('members keep editing, and opening another room is rejected as retryable', async () => {
    await peer.join(workflowId);
    const other = await canvas.peer(tenant);
    await other.join(workflowId);
    proxy[kind]();
    const cold = other.call('workflow:join', { workflowId: randomUUID() });
    expect(await peer.move(workflowId, 'a', 7)).toMatchObject({ ok: true });
    await other.wait('node:moved', (payload) => payload.position.x === 7);
    expect(await cold).toMatchObject({ ok: false, code: 'LOAD_FAILED', retryable: true });
    proxy.heal();
    await peer.wait('saved', ({ savedThrough }) => savedThrough >= 1);
    expect((await canvas.record(tenant, workflowId)).workflow_schema.nodes[0].position.x).toBe(7);
  });
});

test('a deployment waits for a slow save of its room', async () => {
  await peer.join(workflowId);
  expect(await peer.move(workflowId, 'a', 321)).toMatchObject({ ok: true });
  // The room's way to the database alone: who deploys is not slow.
  proxy.blackhole();
  const deploying = tenant.call('POST', `/workflows/${workflowId}/deploy`, { body: {} });
  await sleep(2_000);
  proxy.heal();
  const { status, body } = await deploying;
  expect(status).toBe(201);
  const detail = await tenant.call('GET', `/workflows/${workflowId}/deployments/${body.id}`);
  expect(detail.body.workflow_schema.nodes[0].position.x).toBe(321);
});

test(
  'notices that are lost are made up for by looking',
  async () => {
    await peer.join(workflowId);
    proxy.refuse('listener');
    const outside = async (description: string): Promise<number> => {
      const answer = await tenant.call('PATCH', `/workflows/${workflowId}`, { body: { description } });
      expect(answer.status).toBe(200);
      return answer.body.edit_version;
    };
    const waits: number[] = [];
    const until = performance.now() + CUT_MS;
    // Nobody edits: a save of the room would find out by itself.
    do {
      const editVersion = await outside(`change ${waits.length + 1}`);
      const madeAt = performance.now();
      await peer.wait('workflow:external-sync', (sync) => sync.editVersion === editVersion);
      waits.push(performance.now() - madeAt);
    } while (performance.now() < until);
    proxy.heal();
    expect(await peer.move(workflowId, 'a', 9)).toMatchObject({ ok: true });
    const last = await outside('the last');
    expect(await peer.flush(workflowId)).toMatchObject({ ok: true });
    // The flush had nothing to save, and met nobody, if the room had just saved by itself.
    await peer.wait('workflow:external-sync', (sync) => sync.editVersion === last);
    expect(peer.of('workflow:external-sync')).toHaveLength(waits.length + 1);
    const record = await canvas.record(tenant, workflowId);
    expect(record.description).toBe('the last');
    expect(record.workflow_schema.nodes[0].position.x).toBe(9);
    await expectHistoryOf(canvas.api.deps.db, workflowId);
    noteFigures('notices are lost', { changes: waits.length, 'longest wait (ms)': Math.max(...waits) });
  },
  60_000 + CUT_MS,
);
