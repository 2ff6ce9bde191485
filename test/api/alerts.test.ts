/** If this fails, an organization is not told that its workflows are broken, or is told over and over. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { AlertChecks } from '../../src/features/notifications/alerts/alert-checks.ts';
import { closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import {
  deployWorkflow,
  hello,
  startApi,
  type Answer,
  type ApiServer,
  type Tenant,
} from '../support/api-server.ts';

const MINUTE_MS = 60_000;

let api: ApiServer;
let tenant: Tenant;
let workflow: string;
let endpoint: string;
let nowMs: number;
let checks: AlertChecks;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.tenant();
  workflow = await deploy();
  const told = { name: 'On call', url: 'https://endpoint.example.test' };
  endpoint = (await tenant.call('POST', '/notification-endpoints', { body: told })).body.id;
  // Ahead of the database's clock, so that what a test has done lies in the past.
  nowMs = Date.now() + MINUTE_MS;
  const clock = { ...systemClock, now: () => nowMs };
  checks = new AlertChecks({ db: api.deps.db, clock, log: api.deps.log });
});
afterEach(() => api.deps.db.query('DELETE FROM alerts'));

const deploy = (): Promise<string> => deployWorkflow(tenant, hello('Watched'));

const create = (body: object): Promise<Answer> =>
  tenant.call('POST', '/alerts', { body: { name: 'Broken', ...body } });
async function createAlert(body: object): Promise<string> {
  const answer = await create(body);
  expect(answer.status === 201 ? 201 : answer.body).toBe(201);
  return answer.body.id;
}
const read = async (id: string): Promise<Answer['body']> => (await tenant.call('GET', `/alerts/${id}`)).body;

async function startRun(of = workflow): Promise<string> {
  const { body } = await tenant.call('POST', '/workflows/run', { body: { workflow_id: of } });
  const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    body.run_id,
  ]);
  return row?.id ?? '';
}
async function end(status: 'completed' | 'failed', of = workflow): Promise<string> {
  const runPk = await startRun(of);
  const error = { code: 'http_error', message: 'no', node_id: 'hello' };
  await closeRun(api.deps.db, {
    runPk,
    from: ['running'],
    status,
    payload: {},
    error: status === 'failed' ? error : null,
  });
  return runPk;
}

/** Checks all alerts, a minute after the last check. */
async function check(): Promise<void> {
  nowMs += MINUTE_MS;
  await checks.checkDue();
}

/** The alerts that the endpoint is told of, oldest first. */
const told = async (): Promise<[string, Answer['body']][]> => {
  const { deliveries } = (
    await tenant.call('GET', `/notification-endpoints/${endpoint}/deliveries?limit=100`)
  ).body;
  return deliveries
    .filter(({ event_type: type }: { event_type: string }) => type.startsWith('alert.'))
    .map((delivery: Answer['body']) => [delivery.event_type, delivery.payload.data])
    .toReversed();
};
const toldTypes = async (): Promise<string[]> => (await told()).map(([type]) => type);

describe('an alert is told once when it fires and once when it is resolved', () => {
  test('for failures in a row', async () => {
    const id = await createAlert({ kind: 'failures_in_row', threshold: 3, workflow_id: workflow });
    for (const status of ['failed', 'completed', 'failed', 'failed'] as const) await end(status);
    await check();
    expect(await toldTypes()).toEqual([]);
    await end('failed');
    await check();
    await end('failed');
    await check();
    expect(await told()).toMatchObject([
      ['alert.fired', { alert_id: id, kind: 'failures_in_row', value: 3, threshold: 3, resolved_at: null }],
    ]);
    expect((await read(id)).firing_since).not.toBeNull();
    await end('completed');
    await check();
    await check();
    expect(await toldTypes()).toEqual(['alert.fired', 'alert.resolved']);
    expect(await read(id)).toMatchObject({ firing_since: null, value: 0 });
    for (let runs = 0; runs < 3; runs += 1) await end('failed');
    await check();
    expect(await toldTypes()).toEqual(['alert.fired', 'alert.resolved', 'alert.fired']);
  });

  test('for a failure rate, which few runs do not have', async () => {
    await createAlert({ kind: 'failure_rate', threshold: 50, window_minutes: 30 });
    for (let runs = 1; runs < 5; runs += 1) await end('failed');
    await check();
    expect(await toldTypes()).toEqual([]);
    await end('completed');
    await check();
    await check();
    expect(await told()).toMatchObject([['alert.fired', { value: 80, window_minutes: 30 }]]);
    // The runs leave the window.
    nowMs += 30 * MINUTE_MS;
    await check();
    expect(await toldTypes()).toEqual(['alert.fired', 'alert.resolved']);
  });

  test('for silence, counted from its creation where there was no run', async () => {
    await createAlert({ kind: 'silence', window_minutes: 60, workflow_id: workflow });
    nowMs += 50 * MINUTE_MS;
    await check();
    expect(await toldTypes()).toEqual([]);
    nowMs += 10 * MINUTE_MS;
    await check();
    await check();
    expect(await toldTypes()).toEqual(['alert.fired']);
    const runPk = await end('completed');
    await api.deps.db.query('UPDATE runs SET created_at = $2 WHERE id = $1', [runPk, new Date(nowMs)]);
    await check();
    expect(await toldTypes()).toEqual(['alert.fired', 'alert.resolved']);
  });

  test('for a run that takes too long, while it still runs', async () => {
    await createAlert({ kind: 'duration', threshold: 600, window_minutes: 60 });
    const runPk = await startRun();
    await check();
    expect(await toldTypes()).toEqual([]);
    nowMs += 10 * MINUTE_MS;
    await check();
    await check();
    expect(await toldTypes()).toEqual(['alert.fired']);
    await closeRun(api.deps.db, { runPk, from: ['running'], status: 'completed', payload: {} });
    await check();
    expect(await toldTypes()).toEqual(['alert.fired', 'alert.resolved']);
  });

  test('for credits above a limit, of one workflow', async () => {
    const other = await deploy();
    await createAlert({ kind: 'cost', threshold: 2, window_minutes: 60, workflow_id: workflow });
    const use = async (runPk: string, credits: number): Promise<unknown> =>
      api.deps.db.query(
        `INSERT INTO credit_usage (subject_id, step_id, model, is_byok, organization_id, kind, credits_mc)
         VALUES ($1, gen_random_uuid(), 'm', false, $2, 'llm', $3)`,
        [runPk, tenant.org, credits * 1_000],
      );
    await use(await startRun(other), 50);
    await use(await startRun(), 1.5);
    await check();
    expect(await toldTypes()).toEqual([]);
    await use(await startRun(), 0.5);
    await check();
    await check();
    expect(await told()).toMatchObject([['alert.fired', { value: 2 }]]);
  });

  test('however many processes check it', async () => {
    await createAlert({ kind: 'failures_in_row', threshold: 1 });
    await end('failed');
    const clock = { ...systemClock, now: () => nowMs };
    const others = Array.from(
      { length: 8 },
      () => new AlertChecks({ db: api.deps.db, clock, log: api.deps.log }),
    );
    await Promise.all(others.map((other) => other.checkDue()));
    expect(await toldTypes()).toEqual(['alert.fired']);
  });
});

describe('an alert', () => {
  test('counts neither test runs nor private runs, nor those of another organization', async () => {
    await createAlert({ kind: 'failures_in_row', threshold: 1 });
    const body = { workflow_id: workflow, is_private: true };
    const runs = [
      (await tenant.call('POST', '/workflows/run', { body })).body.run_id,
      (await tenant.call('POST', '/workflows/run', { body: { workflow: hello() } })).body.run_id,
    ];
    const own = tenant;
    tenant = await api.tenant();
    await end('failed', await deploy());
    tenant = own;
    for (const run_id of runs) {
      const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
        run_id,
      ]);
      await closeRun(api.deps.db, {
        runPk: row?.id ?? '',
        from: ['running'],
        status: 'failed',
        payload: {},
        error: {},
      });
    }
    await check();
    expect(await toldTypes()).toEqual([]);
  });

  test('that is disabled or changed begins without an episode', async () => {
    const id = await createAlert({ kind: 'failures_in_row', threshold: 1 });
    await end('failed');
    await check();
    await tenant.call('PATCH', `/alerts/${id}`, { body: { enabled: false } });
    expect(await read(id)).toMatchObject({ enabled: false, firing_since: null });
    await check();
    expect(await toldTypes()).toEqual(['alert.fired']);
    await tenant.call('PATCH', `/alerts/${id}`, { body: { enabled: true, threshold: 2 } });
    await check();
    expect(await toldTypes()).toEqual(['alert.fired']);
  });

  test.each([
    [{ kind: 'failures_in_row' }, 'threshold'],
    [{ kind: 'failures_in_row', threshold: 1.5 }, 'threshold'],
    [{ kind: 'failures_in_row', threshold: 2, window_minutes: 5 }, 'window_minutes'],
    [{ kind: 'failure_rate', threshold: 101 }, 'threshold'],
    [{ kind: 'silence', threshold: 5 }, 'threshold'],
    [{ kind: 'cost', threshold: 5, workflow_id: crypto.randomUUID() }, 'workflow_id'],
  ])('that makes no sense is refused: %j', async (body, field) => {
    const { status, body: answer } = await create(body);
    expect([status, answer.detail?.[0]?.loc]).toEqual([422, ['body', field]]);
  });

  test('is one of 50, and of one organization alone', async () => {
    const id = await createAlert({ kind: 'silence' });
    expect(await read(id)).toMatchObject({ window_minutes: 60, threshold: null });
    await api.deps.db.query(
      `INSERT INTO alerts (organization_id, name, kind, window_minutes)
       SELECT $1, 'x', 'silence', 60 FROM generate_series(2, $2::int)`,
      [tenant.org, 50],
    );
    expect((await create({ kind: 'silence' })).status).toBe(409);
    const stranger = await api.tenant();
    expect((await stranger.call('GET', `/alerts/${id}`)).status).toBe(404);
    expect((await stranger.call('DELETE', `/alerts/${id}`)).status).toBe(404);
    expect((await stranger.call('GET', '/alerts')).body.alerts).toEqual([]);
  });
});
