/** A schedule would be stored that can never fire, or Temporal would be told another one than its owner wrote. */
import { NamespaceGuard } from '../../src/engine/runs/outbox/namespace-guard.ts';
import { systemClock } from '../../src/base/clock.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Reconciler } from '../../src/engine/runs/outbox/reconciler.ts';
import { acceptScheduledRun, settleScheduledRun } from '../../src/engine/schedules/scheduled-run.ts';
import { MAX_CONSECUTIVE_FAILURES } from '../../src/engine/schedules/schedule-counts.ts';
import { readOrder } from '../../src/engine/schedules/schedule-orders.ts';
import { closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import { createLog } from '../../src/base/log.ts';
import { fakeEngine } from '../support/runs.ts';
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
let workflow: string;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
  // As many runs as the tests like, but for those that are about the gate.
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise'`);
  workflow = await newWorkflow();
});
afterAll(() => api.close());

async function newWorkflow(isDeployed = true): Promise<string> {
  const { body } = await tenant.call('POST', '/workflows', { body: { name: 'W', workflow_schema: hello() } });
  if (isDeployed) await tenant.call('POST', `/workflows/${body.id}/deploy`);
  return body.id;
}
const create = (more: object = {}): Promise<Answer> =>
  tenant.call('POST', '/schedules', {
    body: { workflow_id: workflow, name: 'Nightly', cron_expression: '0 6 * * 1-5', ...more },
  });
const made = async (more: object = {}): Promise<string> => (await create(more)).body.id;
const read = async (id: string): Promise<Answer['body']> =>
  (await tenant.call('GET', `/schedules/${id}`)).body;
const runsOf = async (id: string): Promise<Answer['body'][]> =>
  (await tenant.call('GET', `/schedules/${id}/runs`)).body.runs;

/** Forgets what was to be told. */
const told = async (): Promise<string[]> =>
  (await api.deps.db.query<{ subject_id: string }>('DELETE FROM outbox RETURNING subject_id')).map(
    (row) => row.subject_id,
  );

let seconds = 0;
const firing = (scheduleId: string, scheduledAt?: string) => ({
  organizationId: tenant.org,
  scheduleId,
  scheduledAt: scheduledAt ?? new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)).toISOString(),
});

describe('POST /schedules', () => {
  test('answers with the schedule and its defaults', async () => {
    const { status, body } = await create({ timezone: 'europe/istanbul' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      organization_id: tenant.org,
      workflow_id: workflow,
      name: 'Nightly',
      cron_expression: '0 6 * * 1-5',
      trigger: null,
      timezone: 'Europe/Istanbul',
      input: {},
      config: {},
      enabled: true,
      overlap_policy: 'skip',
      catchup_window_seconds: 60,
      start_at: null,
      end_at: null,
      max_runs: null,
      consecutive_failures: 0,
      disabled_reason: null,
      next_run_at: expect.stringMatching(/T03:00:00\.000Z$/),
      last_run_at: null,
      last_run_id: null,
      run_count: 0,
      skipped_count: 0,
      last_skipped_at: null,
      last_skipped_run_id: null,
      created_by: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await read(body.id)).toEqual(body);
    expect(await told()).toContain(body.id);
  });

  test('the name of a time zone stays as it was written, and Temporal gets one that it knows', async () => {
    const { body } = await create({ timezone: 'Asia/Kolkata' });
    expect([body.timezone, (await read(body.id)).timezone]).toEqual(['Asia/Kolkata', 'Asia/Kolkata']);
    const changed = await tenant.call('PATCH', `/schedules/${body.id}`, {
      body: { timezone: 'Europe/Kyiv' },
    });
    expect(changed.body.timezone).toBe('Europe/Kyiv');
    const order = await readOrder(api.deps.db, { organizationId: tenant.org, scheduleId: body.id });
    expect(order?.timezone).toMatch(/^Europe\/(Kyiv|Kiev)$/);
  });

  test.each([
    ['cron_expression', '@daily', 'cron_parsing'],
    ['cron_expression', '* * * * * *', 'cron_parsing'],
    ['cron_expression', '0 0 31 2 *', 'cron_parsing'],
    ['timezone', 'Mars/Olympus', 'timezone'],
    ['overlap_policy', 'buffer_all', 'enum'],
    ['catchup_window_seconds', 9, 'greater_than_equal'],
    ['max_runs', 0, 'greater_than_equal'],
    ['start_at', 'tomorrow', 'datetime_parsing'],
    ['name', '', 'string_too_short'],
  ])('%s may not be %j', async (field, value, type) => {
    const { status, body } = await create({ [field]: value });
    expect([status, body.detail.map((issue: { type: string }) => issue.type)]).toEqual([422, [type]]);
    expect(body.detail[0].loc).toEqual(['body', field]);
  });

  test('an end has to come after the start', async () => {
    const { status, body } = await create({
      start_at: '2027-01-01T00:00:00+03:00',
      end_at: '2026-12-31T21:00:00Z',
    });
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'end_at']]);
  });

  test('a workflow of another organization is none', async () => {
    const stranger = await api.tenant();
    const { status, body } = await stranger.call('POST', '/schedules', {
      body: { workflow_id: workflow, name: 'x', cron_expression: '* * * * *' },
    });
    expect([status, body]).toEqual([404, { detail: 'Workflow not found' }]);
  });

  test('next_run_at heeds start and end', async () => {
    const later = await create({ cron_expression: '0 0 1 1 *', start_at: '2030-01-01T00:00:00Z' });
    expect(later.body.next_run_at).toBe('2030-01-01T00:00:00.000Z');
    const over = await create({ cron_expression: '0 0 1 1 *', end_at: '2026-12-01T00:00:00Z' });
    expect(over.body.next_run_at).toBeNull();
  });
});

describe('changing a schedule', () => {
  test('only changes that concern Temporal are delivered', async () => {
    const id = await made();
    await told();
    await tenant.call('PATCH', `/schedules/${id}`, { body: { name: 'Other', input: { b: 1, a: 2 } } });
    expect(await told()).toEqual([]);
    const changed = await tenant.call('PATCH', `/schedules/${id}`, {
      body: { cron_expression: '*/5 * * * *', end_at: null },
    });
    expect(changed.body).toMatchObject({ name: 'Other', cron_expression: '*/5 * * * *' });
    expect(Object.keys(changed.body.input)).toEqual(['b', 'a']);
    expect(await told()).toEqual([id]);
  });

  test('pause and resume are idempotent', async () => {
    const id = await made();
    await told();
    for (let time = 0; time < 2; time += 1) {
      const paused = await tenant.call('POST', `/schedules/${id}/pause`);
      expect(paused.body).toMatchObject({ enabled: false, next_run_at: null });
    }
    expect(await told()).toEqual([id]);
    const resumed = await tenant.call('POST', `/schedules/${id}/resume`);
    expect([resumed.status, resumed.body.enabled]).toEqual([200, true]);
    expect(await told()).toEqual([id]);
  });

  test('deleting it, or its workflow, tells Temporal', async () => {
    const own = await newWorkflow();
    const [first, second] = [await made(), await made({ workflow_id: own })];
    await told();
    expect((await tenant.call('DELETE', `/schedules/${first}`)).status).toBe(200);
    expect((await tenant.call('GET', `/schedules/${first}`)).status).toBe(404);
    await tenant.call('DELETE', `/workflows/${own}`);
    expect((await tenant.call('GET', `/schedules/${second}`)).status).toBe(404);
    expect((await told()).toSorted()).toEqual([first, second].toSorted());
  });

  test('lists are paged and filtered', async () => {
    const own = await newWorkflow();
    const ids = [await made({ workflow_id: own }), await made({ workflow_id: own })];
    const first = await tenant.call('GET', `/schedules?workflow_id=${own}&limit=1`);
    expect(first.body).toMatchObject({ has_more: true, limit: 1, offset: 0 });
    const second = await tenant.call('GET', `/schedules?workflow_id=${own}&limit=1&offset=1`);
    expect(second.body.has_more).toBe(false);
    expect([second, first].map((page) => page.body.schedules[0].id)).toEqual(ids);
  });

  test('Temporal away: firing by hand is 503, everything else goes on', async () => {
    const id = await made();
    vi.spyOn(api.deps.scheduleEngine, 'trigger').mockRejectedValueOnce(new Error('UNAVAILABLE'));
    const answer = await tenant.call('POST', `/schedules/${id}/trigger`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await tenant.call('POST', `/schedules/${id}/trigger`)).status).toBe(202);
  });
});

describe('a firing', () => {
  test('at one scheduled time makes one run, also at once', async () => {
    const id = await made({ input: { text: 'x' }, config: { recursion_limit: 7 } });
    const one = firing(id);
    const starts = await Promise.all([1, 2, 3].map(() => acceptScheduledRun(api.deps.db, one)));
    expect(new Set(starts.map((start) => start?.rootRunPk)).size).toBe(1);
    const runs = await runsOf(id);
    expect(runs).toMatchObject([
      {
        run_id: starts[0]?.runId,
        trigger_type: 'schedule',
        status: 'running',
        scheduled_at: one.scheduledAt,
      },
    ]);
    expect(await read(id)).toMatchObject({ run_count: 1, last_run_id: starts[0]?.runId });
    const [row] = await api.deps.db.query<{ config: object; input: object }>(
      'SELECT config, input FROM runs WHERE run_id = $1',
      [starts[0]?.runId],
    );
    expect(row).toMatchObject({ input: { text: 'x' }, config: { recursion_limit: 7 } });
    // Its execution starts it, as a child.
    expect(
      await api.deps.db.query('SELECT 1 FROM outbox WHERE subject_id = $1', [starts[0]?.rootRunPk]),
    ).toEqual([]);
  });

  test('whose execution has not started its run yet is not lost; after 15 minutes it is', async () => {
    const id = await made();
    const start = await acceptScheduledRun(api.deps.db, firing(id));
    const engine = fakeEngine({
      describe: async () => ({ status: 'NOT_FOUND', heartbeats: [], workflowTaskAttempt: 0 }),
    });
    const { db } = api.deps;
    const guard = new NamespaceGuard({ db, engine, clock: systemClock });
    const reconciler = new Reconciler({ db, engine, guard, log: createLog('silent', 'test') });
    const statusAfter = async (minutes: number): Promise<string> => {
      await api.deps.db.query(
        `UPDATE runs SET created_at = now() - make_interval(mins => $2), last_event_at = now() - interval '1 minute'
         WHERE id = $1`,
        [start?.rootRunPk, minutes],
      );
      await reconciler.sweep();
      return (await runsOf(id))[0]?.status;
    };
    await api.deps.db.query('UPDATE runs SET last_event_at = now()');
    expect(await statusAfter(14)).toBe('running');
    expect(engine.calls).toEqual([`describe ${start?.rootRunPk}`]);
    expect(await statusAfter(16)).toBe('failed');
  });

  test('without a live deployment leaves a failed record with the reason, and no run', async () => {
    const bare = await newWorkflow(false);
    const id = await made({ workflow_id: bare });
    const one = firing(id);
    expect(await acceptScheduledRun(api.deps.db, one)).toBeNull();
    expect(await acceptScheduledRun(api.deps.db, one)).toBeNull();
    const [record, ...others] = await runsOf(id);
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      status: 'failed',
      trigger_type: 'schedule',
      error_message: 'The workflow has no active deployment. Deploy it first',
    });
    const detail = await tenant.call('GET', `/workflow-runs/${record.id}`);
    expect(detail.body).toMatchObject({
      workflow_id: bare,
      error: { code: 'workflow_not_deployed' },
      steps: [],
    });
    expect(await read(id)).toMatchObject({
      run_count: 0,
      consecutive_failures: 1,
      last_run_id: record.run_id,
    });
  });

  test('RUN-input-parameters: without a required value leaves a failed record; with it, defaults are filled', async () => {
    const input_parameters = [
      { name: 'order', required: true },
      { name: 'currency', default: 'EUR' },
    ];
    const workflow_id = await deployWorkflow(tenant, { ...hello('Orders'), input_parameters });
    const lacking = await made({ workflow_id });
    expect(await acceptScheduledRun(api.deps.db, firing(lacking))).toBeNull();
    expect(await runsOf(lacking)).toMatchObject([
      { status: 'failed', error_message: 'The input lacks required parameters: order' },
    ]);
    const whole = await made({ workflow_id, input: { order: '81' } });
    const run = await acceptScheduledRun(api.deps.db, firing(whole));
    const [row] = await api.deps.db.query('SELECT input FROM runs WHERE id = $1', [run?.rootRunPk]);
    expect(row).toEqual({ input: { order: '81', currency: 'EUR' } });
  });

  test.each([{ sync_exec: 0 }, { runs_under_way: 0 }])(
    'that is denied (%o) leaves no run, and is no failure of the schedule',
    async (entitlements) => {
      const id = await made();
      const entitle = (own: object) =>
        api.deps.db.query('UPDATE organizations SET entitlements = $2::json WHERE id = $1', [
          tenant.org,
          JSON.stringify(own),
        ]);
      await entitle(entitlements);
      try {
        expect(await acceptScheduledRun(api.deps.db, firing(id))).toBeNull();
      } finally {
        await entitle({});
      }
      expect(await runsOf(id)).toEqual([]);
      expect(await read(id)).toMatchObject({ consecutive_failures: 0, enabled: true, run_count: 0 });
      expect(await acceptScheduledRun(api.deps.db, firing(id))).not.toBeNull();
    },
  );

  const becomes = (rootRunPk: string | undefined, status: string): Promise<unknown> =>
    api.deps.db.query('UPDATE runs SET status = $2 WHERE id = $1', [rootRunPk, status]);

  test('RUN-4.4: firings while a run is open are skipped, and the record has their number, time and run', async () => {
    const id = await made();
    const start = await acceptScheduledRun(api.deps.db, firing(id));
    expect(await read(id)).toMatchObject({
      skipped_count: 0,
      last_skipped_at: null,
      last_skipped_run_id: null,
    });
    const [second, third, fourth] = [firing(id), firing(id), firing(id)];
    expect(await acceptScheduledRun(api.deps.db, second)).toBeNull();
    await becomes(start?.rootRunPk, 'interrupted');
    expect(await acceptScheduledRun(api.deps.db, third)).toBeNull();
    const skipped = {
      skipped_count: 2,
      last_skipped_at: third.scheduledAt,
      last_skipped_run_id: start?.runId,
      run_count: 1,
      consecutive_failures: 0,
    };
    expect(await read(id)).toMatchObject(skipped);
    const { schedules } = (await tenant.call('GET', `/schedules?workflow_id=${workflow}`)).body;
    expect(schedules.find((row: { id: string }) => row.id === id)).toMatchObject(skipped);
    await becomes(start?.rootRunPk, 'cancelled');
    // Asked for again, also after the run has ended, it stays skipped and is counted once.
    expect(await acceptScheduledRun(api.deps.db, third)).toBeNull();
    expect(await acceptScheduledRun(api.deps.db, fourth)).not.toBeNull();
    expect(await read(id)).toMatchObject({ ...skipped, run_count: 2 });
    expect((await runsOf(id)).length).toBe(2);
  });

  test.each(['buffer_one', 'allow_all', 'cancel_other', 'terminate_other'])(
    'with the policy %s it has its run beside the open one, when Temporal fires it',
    async (policy) => {
      const id = await made({ overlap_policy: policy });
      expect(await acceptScheduledRun(api.deps.db, firing(id))).not.toBeNull();
      expect(await acceptScheduledRun(api.deps.db, firing(id))).not.toBeNull();
      expect(await read(id)).toMatchObject({ skipped_count: 0, run_count: 2 });
    },
  );

  test('of a schedule that is gone has Temporal told of it', async () => {
    const gone = crypto.randomUUID();
    expect(await acceptScheduledRun(api.deps.db, firing(gone))).toBeNull();
    expect(await told()).toContain(gone);
  });

  test('counts failures in a row, each once; a success ends the row', async () => {
    const id = await made();
    const end = async (status: 'completed' | 'failed' | 'cancelled'): Promise<void> => {
      const one = firing(id);
      const start = await acceptScheduledRun(api.deps.db, one);
      await settleScheduledRun(api.deps.db, one);
      const error = { code: 'x', message: 'broken', node_id: null };
      const closing = { runPk: start?.rootRunPk ?? '', from: ['running'], status, payload: {} } as const;
      await closeRun(api.deps.db, { ...closing, ...(status === 'failed' ? { error } : {}) });
      await settleScheduledRun(api.deps.db, one);
      await settleScheduledRun(api.deps.db, one);
    };
    await end('failed');
    await end('failed');
    await end('cancelled');
    expect((await read(id)).consecutive_failures).toBe(2);
    await end('completed');
    expect((await read(id)).consecutive_failures).toBe(0);
    await told();
    for (let count = 1; count < MAX_CONSECUTIVE_FAILURES; count += 1) await end('failed');
    expect(await read(id)).toMatchObject({ enabled: true, disabled_reason: null });
    expect(await told()).toEqual([]);
    await end('failed');
    expect(await read(id)).toMatchObject({
      enabled: false,
      consecutive_failures: MAX_CONSECUTIVE_FAILURES,
      disabled_reason: 'Disabled after 20 consecutive failures. The last one: broken',
    });
    expect(await told()).toEqual([id]);
    const resumed = await tenant.call('POST', `/schedules/${id}/resume`);
    expect(resumed.body).toMatchObject({ enabled: true, consecutive_failures: 0, disabled_reason: null });
  });

  test('max_runs is the end of it, until it is raised', async () => {
    const id = await made({ max_runs: 2, overlap_policy: 'allow_all' });
    const starts = [];
    for (let count = 0; count < 3; count += 1) starts.push(await acceptScheduledRun(api.deps.db, firing(id)));
    expect(starts.map((start) => start !== null)).toEqual([true, true, false]);
    expect(await read(id)).toMatchObject({
      enabled: false,
      run_count: 2,
      disabled_reason: 'The limit of 2 runs was reached',
    });
    expect((await tenant.call('POST', `/schedules/${id}/resume`)).status).toBe(409);
    expect((await tenant.call('POST', `/schedules/${id}/trigger`)).status).toBe(409);
    const raised = await tenant.call('PATCH', `/schedules/${id}`, { body: { max_runs: 3, enabled: true } });
    expect([raised.status, raised.body.enabled]).toEqual([200, true]);
    expect(await acceptScheduledRun(api.deps.db, firing(id))).not.toBeNull();
  });
});

describe('GET /schedules/{schedule_id}/firings', () => {
  const berlin = {
    cron_expression: '30 2 * * *',
    timezone: 'Europe/Berlin',
    start_at: '2094-03-27T00:00:00Z',
  };
  const firingsOf = async (id: string, query = ''): Promise<Answer['body']> =>
    (await tenant.call('GET', `/schedules/${id}/firings${query}`)).body;
  const skipped = { scheduled_at: null, local_time: '2094-03-28T02:30:00', clock_change: 'skipped' };

  test('says when it fires, and what the clocks drop and double', async () => {
    const body = await firingsOf(await made(berlin), '?limit=2');
    const repeated = { local_time: '2094-10-31T02:30:00', clock_change: 'repeated' };
    expect(body).toEqual({
      timezone: 'Europe/Berlin',
      firings: [
        { scheduled_at: '2094-03-27T01:30:00.000Z', local_time: '2094-03-27T02:30:00', clock_change: null },
        skipped,
        { scheduled_at: '2094-03-29T00:30:00.000Z', local_time: '2094-03-29T02:30:00', clock_change: null },
      ],
      clock_changes: [
        skipped,
        { scheduled_at: '2094-10-31T00:30:00.000Z', ...repeated },
        { scheduled_at: '2094-10-31T01:30:00.000Z', ...repeated },
      ],
    });
    expect((await firingsOf(await made(berlin))).firings).toHaveLength(11);
  });

  test('ends with end_at and max_runs, and is empty while the schedule is disabled', async () => {
    const times = async (more: object): Promise<unknown[]> => {
      const { firings, clock_changes: changes } = await firingsOf(await made({ ...berlin, ...more }));
      return [firings.map((one: { local_time: string }) => one.local_time.slice(8, 10)), changes.length];
    };
    expect(await times({ end_at: '2094-03-29T00:30:00Z' })).toEqual([['27', '28', '29'], 1]);
    expect(await times({ end_at: '2094-03-29T00:29:59Z' })).toEqual([['27', '28'], 1]);
    expect(await times({ max_runs: 1 })).toEqual([['27'], 3]);
    expect(await times({ enabled: false })).toEqual([[], 0]);
  });

  test('tells 100 changes at most', async () => {
    const changesOf = async (minutes: string): Promise<number> => {
      const id = await made({ ...berlin, cron_expression: `${minutes} * * * *` });
      return (await firingsOf(id, '?limit=100')).clock_changes.length;
    };
    expect([await changesOf('*/2'), await changesOf('*')]).toEqual([90, 100]);
  });

  test('of another organization is not there; a limit beyond 100 is refused', async () => {
    const id = await made(berlin);
    const stranger = await api.tenant();
    expect((await stranger.call('GET', `/schedules/${id}/firings`)).status).toBe(404);
    expect((await tenant.call('GET', `/schedules/${id}/firings?limit=101`)).status).toBe(422);
  });
});
