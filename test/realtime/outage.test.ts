/** A database that is away, silent, or whose answers get lost: the canvas goes on, and nothing is lost or done twice. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tenant } from '../support/api-server.ts';
import { startChaosProxy, through, type ChaosProxy } from '../support/chaos-proxy.ts';
import { eventually, sleep } from '../support/waiting.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import type { Peer } from './support/peer.ts';

const AMBIGUOUS = Number(process.env['CANVAS_AMBIGUOUS_COMMITS'] ?? 5);
const OUTAGE_MS = Number(process.env['CANVAS_OUTAGE_MS'] ?? 5_000);
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

test("commits whose answer is lost are found again: none twice, none missing, none taken for another's", async () => {
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
  expect((await history()).map((entry) => entry.edit_version)).toEqual(
    Array.from({ length: AMBIGUOUS }, (_, index) => index + 1),
  );
  expect(peer.of('workflow:external-sync')).toEqual([]);
});

describe.each(['blackhole', 'reset'] as const)('the database is away (%s)', (kind) => {
  test('edits go on, and one save contains them all', async () => {
    const { editVersion: base } = await peer.join(workflowId);
    const other = await canvas.peer(tenant);
    await other.join(workflowId);
    proxy[kind]();
    const until = performance.now() + OUTAGE_MS;
    let x = 0;
    while (performance.now() < until) {
      x += 1;
      expect(await peer.move(workflowId, 'a', x)).toMatchObject({ ok: true });
      await sleep(50);
    }
    await other.wait('node:moved', (payload) => payload.position.x === x);
    // Who is in stays in; who wants to open another room is told to try again.
    const cold = await canvas.api.deps.db.query<{ id: string }>('SELECT gen_random_uuid() AS id');
    expect(await other.call('workflow:join', { workflowId: cold[0]?.id })).toMatchObject({
      ok: false,
      code: 'LOAD_FAILED',
      retryable: true,
    });
    proxy.heal();
    await peer.wait('saved', (payload) => payload.savedThrough >= base + x);
    expect((await history()).map((entry) => entry.edit_version)).toEqual([base + 1]);
    expect((await canvas.record(tenant, workflowId)).workflow_schema.nodes[0].position.x).toBe(x);
    expect(peer.of('operation:rejected')).toEqual([]);
  });
});

test('notices that are lost are made up for by looking', async () => {
  await peer.join(workflowId);
  proxy.refuse('listener');
  const answer = await tenant.call('PATCH', `/workflows/${workflowId}`, { body: { description: 'outside' } });
  expect(answer.status).toBe(200);
  expect(await peer.wait('workflow:external-sync')).toMatchObject({ editVersion: answer.body.edit_version });
  proxy.heal();
});
