/** A workflow that starts itself over the API would multiply without end. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_DEPTH_HEADER, signRunDepth } from '../../src/platform/access/run-depth.ts';
import { MAX_STARTED_DEPTH } from '../../src/engine/runs/accept/limits.ts';
import { closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import { acceptScheduledRun } from '../../src/engine/schedules/scheduled-run.ts';
import {
  deployWorkflow,
  hello,
  startApi,
  type Answer,
  type ApiServer,
  type Tenant,
} from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
let workflowId: string;
beforeAll(async () => {
  api = await startApi({
    MANAGED_LLM_BASE_URL: 'http://127.0.0.1:9/v1',
    MANAGED_LLM_API_KEY: 'managed-llm-key',
    MANAGED_LLM_MODEL: 'm',
  });
  tenant = await api.tenant();
  workflowId = await deployWorkflow(tenant);
});
afterAll(() => api.close());

/** The header of a node of a run that has `depth` runs above it. */
const headersOf = (depth: number, nowMs = Date.now()): Record<string, string> => ({
  [RUN_DEPTH_HEADER]: signRunDepth(api.deps.config.auth.apiKeySecret, { depth, nowMs }),
});
const startRun = (headers: Record<string, string>, who = tenant): Promise<Answer> =>
  who.call('POST', '/workflows/run', { body: { workflow: hello() }, headers });
const depthOf = async ({ body }: Answer): Promise<number | undefined> => {
  const rows = await api.deps.db.query<{ depth: number }>(
    'SELECT child_depth AS depth FROM runs WHERE run_id = $1',
    [body.run_id],
  );
  return rows[0]?.depth;
};

async function endedRun(): Promise<string> {
  const { body } = await tenant.call('POST', '/workflows/run', { body: { workflow_id: workflowId } });
  const [run] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    body.run_id,
  ]);
  const runPk = run?.id ?? '';
  await closeRun(api.deps.db, { runPk, from: ['running'], status: 'completed', payload: {}, output: 1 });
  return runPk;
}

/** Everything that starts a run, as a node of a run would call it. */
const doors: Readonly<Record<string, (headers: Record<string, string>) => Promise<Answer>>> = {
  'POST /workflows/run': startRun,
  'the same, with an Idempotency-Key': (headers) => startRun({ ...headers, 'idempotency-key': randomUUID() }),
  'a rerun': async (headers) => tenant.call('POST', `/workflow-runs/${await endedRun()}/rerun`, { headers }),
  'a test of a node': (headers) =>
    tenant.call('POST', `/workflows/${workflowId}/nodes/hello/test`, { headers, body: {} }),
  'the chat of the Assistant': (headers) =>
    tenant.call('POST', '/assistant/chat', { headers, body: { message: 'Hi' } }),
  'the chat of the Composer': (headers) =>
    tenant.call('POST', '/composer/chat', { headers, body: { message: 'Hi' } }),
};

describe.each(Object.entries(doors))('%s', (_, call) => {
  test('RUN-4.10: what a run starts is one below it, down to five; a sixth is refused, and nothing of it is written', async () => {
    expect(await depthOf(await call({}))).toBe(0);
    expect(await depthOf(await call(headersOf(0)))).toBe(1);
    const deepest = await call(headersOf(MAX_STARTED_DEPTH - 1));
    expect([deepest.status, await depthOf(deepest)]).toEqual([200, MAX_STARTED_DEPTH]);
    for (const depth of [MAX_STARTED_DEPTH, MAX_STARTED_DEPTH + 3]) {
      const { status, body } = await call(headersOf(depth));
      expect([status, body]).toEqual([
        422,
        {
          detail: [
            {
              loc: ['header', 'X-Run-Depth'],
              msg: 'Runs that start runs over the API may be nested at most 5 levels deep',
              type: 'run_too_deep',
            },
          ],
        },
      ]);
    }
    const [{ deepest: found } = {}] = await api.deps.db.query<{ deepest: number }>(
      'SELECT max(child_depth)::int AS deepest FROM runs',
    );
    expect(found).toBe(MAX_STARTED_DEPTH);
  });
});

test('RUN-4.10: a header that is forged or too old is passed over', async () => {
  const forged = { [RUN_DEPTH_HEADER]: signRunDepth('x'.repeat(40), { depth: 5, nowMs: Date.now() }) };
  const old = headersOf(5, Date.now() - 5 * 60_000);
  for (const headers of [forged, old, { [RUN_DEPTH_HEADER]: '5' }])
    expect(await depthOf(await startRun(headers))).toBe(0);
});

test('RUN-4.10: the count goes on in another organization', async () => {
  const other = await api.tenant();
  expect(await depthOf(await startRun(headersOf(2), other))).toBe(3);
  expect((await startRun(headersOf(5), other)).status).toBe(422);
});

test('RUN-4.10: a rerun is as deep as the run that it runs again', async () => {
  const deep = await tenant.call('POST', '/workflows/run', {
    body: { workflow: hello() },
    headers: headersOf(3),
  });
  const [run] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    deep.body.run_id,
  ]);
  const runPk = run?.id ?? '';
  await closeRun(api.deps.db, { runPk, from: ['running'], status: 'completed', payload: {}, output: 1 });
  const rerun = (headers: Record<string, string>) =>
    tenant.call('POST', `/workflow-runs/${runPk}/rerun`, { headers });
  expect(await depthOf(await rerun({}))).toBe(4);
  expect(await depthOf(await rerun(headersOf(0)))).toBe(4);
  expect(await depthOf(await rerun(headersOf(4)))).toBe(5);
});

describe('POST /schedules/{schedule_id}/trigger', () => {
  let scheduleId: string;
  const trigger = (headers: Record<string, string> = {}): Promise<Answer> =>
    tenant.call('POST', `/schedules/${scheduleId}/trigger`, { headers });
  const fire = async (scheduledAt: Date): Promise<number | undefined> => {
    const firing = { organizationId: tenant.org, scheduleId, scheduledAt: scheduledAt.toISOString() };
    await acceptScheduledRun(api.deps.db, firing);
    const rows = await api.deps.db.query<{ depth: number }>(
      `SELECT child_depth AS depth FROM runs r JOIN schedule_firings f ON f.run_pk = r.id
       WHERE f.schedule_id = $1 AND f.scheduled_at = $2`,
      [scheduleId, firing.scheduledAt],
    );
    return rows[0]?.depth;
  };
  const soon = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);
  beforeAll(async () => {
    // Nothing ends the runs here.
    const beside = { overlap_policy: 'allow_all' };
    const body = { workflow_id: workflowId, name: 'Yearly', cron_expression: '0 0 1 1 *', ...beside };
    scheduleId = (await tenant.call('POST', '/schedules', { body })).body.id;
  });

  test('RUN-4.10: a firing by a run is one below it, and the deepest of one minute counts; those that are due are below none', async () => {
    expect((await trigger()).status).toBe(202);
    expect(await fire(soon(0))).toBe(0);
    expect((await trigger(headersOf(3))).status).toBe(202);
    expect((await trigger(headersOf(0))).status).toBe(202);
    expect(await fire(soon(1))).toBe(4);
    expect(await fire(soon(86_400))).toBe(0);
    expect(await fire(soon(-86_400))).toBe(0);
  });

  test('RUN-4.10: a run that is five deep fires no schedule', async () => {
    expect((await trigger(headersOf(MAX_STARTED_DEPTH - 1))).status).toBe(202);
    const { status, body } = await trigger(headersOf(MAX_STARTED_DEPTH));
    expect([status, body.detail[0].type]).toEqual([422, 'run_too_deep']);
  });
});
