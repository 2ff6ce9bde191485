/** A budget would be set by those who may not, for another organization's workflow, or tell other figures than the engine counts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../src/base/db/client.ts';
import { BudgetAlerts } from '../../src/features/budgets/budget-alerts.ts';
import { deleteExpiredCounters, reserveBudget, settleBudget } from '../../src/platform/billing/budgets.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
});
afterAll(() => api.close());

const create = (body: object, by = tenant): Promise<Answer> => by.call('POST', '/budgets', { body });

test('API-budgets: a budget says its limits, its period and what is used of it by the runs of the organization', async () => {
  const made = await create({
    period: 'day',
    max_credits: 1.5,
    max_model_calls: 3,
    max_effects: { http: 2, mcp: null },
  });
  expect([made.status, made.body]).toMatchObject([
    201,
    {
      workflow_id: null,
      max_credits: 1.5,
      max_model_calls: 3,
      max_effects: { http: 2 },
      used: { credits: 0, reserved_credits: 0, model_calls: 0, effects: {} },
    },
  ]);
  const { period_start: start, period_end: end } = made.body;
  expect(start).toMatch(/T00:00:00\.000Z$/);
  expect(Date.parse(end) - Date.parse(start)).toBe(86_400_000);
  const { run_id: runId } = (await tenant.call('POST', '/workflows/run', { body: { workflow: hello() } }))
    .body;
  const [run] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [runId]);
  const user = {
    runPk: run?.id ?? '',
    stepId: randomUUID(),
    attempt: 1,
    workerId: randomUUID(),
    budgets: [],
  };
  const [first, second] = [randomUUID(), randomUUID()];
  const call = (reservationId: string, creditsMc: number) => ({ reservationId, door: 'model', creditsMc });
  expect(await reserveBudget(api.deps.db, user, call(first, 400))).toBeNull();
  expect(await reserveBudget(api.deps.db, user, call(second, 300))).toBeNull();
  expect(await reserveBudget(api.deps.db, user, { ...call(randomUUID(), 0), door: 'http' })).toBeNull();
  await settleBudget(api.deps.db, first, 250);
  expect((await tenant.call('GET', `/budgets/${made.body.id}`)).body.used).toEqual({
    credits: 0.25,
    reserved_credits: 0.3,
    model_calls: 2,
    effects: { http: 1 },
  });
});

test('there is one budget for a subject and a period; a change keeps what it does not name, and null takes a limit away', async () => {
  const made = await create({ period: 'month', max_credits: 10, max_model_calls: 5 });
  const again = await create({ period: 'month' });
  expect([again.status, again.headers.get('x-error-code')]).toEqual([409, 'budget_exists']);
  const change = (body: object): Promise<Answer> =>
    tenant.call('PATCH', `/budgets/${made.body.id}`, { body });
  expect((await change({ max_credits: 20 })).body).toMatchObject({ max_credits: 20, max_model_calls: 5 });
  expect((await change({ max_model_calls: null, max_effects: { message: 1 } })).body).toMatchObject({
    max_credits: 20,
    max_model_calls: null,
    max_effects: { message: 1 },
    on_limit: 'fail',
  });
  expect((await change({ on_limit: 'ask' })).body).toMatchObject({ max_credits: 20, on_limit: 'ask' });
  expect((await change({ on_limit: null })).body).toMatchObject({ on_limit: 'fail' });
  const log = (await tenant.call('GET', '/audit-log')).body.entries as { action: string }[];
  expect(log.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['budget.created', 'budget.updated']),
  );
  expect((await tenant.call('DELETE', `/budgets/${made.body.id}`)).status).toBe(200);
  expect((await create({ period: 'month' })).status).toBe(201);
});

test('a workflow has its own, which goes with it; one of another organization has none', async () => {
  const workflow = (
    await tenant.call('POST', '/workflows', { body: { name: 'W', workflow_schema: hello() } })
  ).body.id;
  const made = await create({ workflow_id: workflow, period: 'day', max_model_calls: 1 });
  expect([made.status, made.body.workflow_id]).toEqual([201, workflow]);
  const other = await api.tenant();
  const refused = await create({ workflow_id: workflow, period: 'day' }, other);
  expect([refused.status, refused.body.detail[0].type]).toEqual([422, 'workflow_not_found']);
  expect((await other.call('GET', '/budgets')).body).toEqual({ budgets: [] });
  await tenant.call('DELETE', `/workflows/${workflow}`);
  expect((await tenant.call('GET', `/budgets/${made.body.id}`)).status).toBe(404);
});

test.each([
  [{ period: 'year' }, 'period'],
  [{ period: 'day', max_credits: -1 }, 'max_credits'],
  [{ period: 'day', max_credits: 1_000_000_001 }, 'max_credits'],
  [{ period: 'day', max_model_calls: 0.5 }, 'max_model_calls'],
  [{ period: 'day', max_effects: { http: -1 } }, 'max_effects'],
])('%j is refused', async (body, field) => {
  const { status, body: answer } = await create(body);
  expect([status, answer.detail[0].loc.slice(0, 2)]).toEqual([422, ['body', field]]);
});

test.each([
  [{ max_credits: 0.5, max_model_calls: null, max_effects: { http: 0 } }, []],
  [{ max_credits: -1 }, ['config', 'limits', 'max_credits']],
  [{ max_model_calls: 1.5 }, ['config', 'limits', 'max_model_calls']],
  [{ max_effects: { search: 1 } }, ['config', 'limits', 'max_effects', 'search']],
  [{ max_effects: { http: 'many' } }, ['config', 'limits', 'max_effects', 'http']],
  [{ max_credits: 1, on_limit: 'ask', assignees: { roles: ['owner'], user_ids: [] } }, []],
  [{ on_limit: 'later' }, ['config', 'limits', 'on_limit']],
  [{ assignees: { roles: 'owner' } }, ['config', 'limits', 'assignees', 'roles']],
  ['many', ['config', 'limits']],
])('limits of a definition are checked: %j', async (limits, path) => {
  const body = { name: 'W', workflow_schema: { ...hello(), config: { limits } } };
  const { problems } = (await tenant.call('POST', '/workflows', { body })).body;
  expect(problems.map((problem: { path: unknown }) => problem.path)).toEqual(path.length === 0 ? [] : [path]);
});

test('80 % and all of a budget are told once each, by one of several processes, also when the first was lost before its commit', async () => {
  const watched = await api.tenant();
  const { db, log } = api.deps;
  const endpoint = { name: 'On call', url: 'https://endpoint.example.test' };
  const { id } = (await watched.call('POST', '/notification-endpoints', { body: endpoint })).body;
  const { id: calls } = (await create({ period: 'month', max_model_calls: 5 }, watched)).body;
  const { id: credits } = (await create({ period: 'day', max_credits: 1, max_effects: { http: 0 } }, watched))
    .body;
  const { run_id: runId } = (await watched.call('POST', '/workflows/run', { body: { workflow: hello() } }))
    .body;
  const [run] = await db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [runId]);
  const user = {
    runPk: run?.id ?? '',
    stepId: randomUUID(),
    attempt: 1,
    workerId: randomUUID(),
    budgets: [],
  };
  const use = async (creditsMc: number, usedMc: number, door = 'model'): Promise<boolean> => {
    const reservationId = randomUUID();
    if ((await reserveBudget(db, user, { reservationId, door, creditsMc })) !== null) return false;
    await settleBudget(db, reservationId, usedMc);
    return true;
  };
  const tell = async (): Promise<void> => {
    await Promise.all(Array.from({ length: 3 }, () => new BudgetAlerts({ db, log }).tell()));
  };
  const told = async (): Promise<unknown[]> => {
    const { deliveries } = (await watched.call('GET', `/notification-endpoints/${id}/deliveries?limit=100`))
      .body;
    return deliveries
      .filter(({ event_type: type }: { event_type: string }) => type === 'budget.reached')
      .map(({ payload: { data } }: { payload: { data: Answer['body'] } }) => [
        data.budget_id,
        data.percent,
        data.limit,
        data.used,
        data.most,
      ])
      .toReversed();
  };
  for (let call = 0; call < 3; call += 1) await use(100, 100);
  await tell();
  expect(await told()).toEqual([]);
  await use(100, 100);
  // Its worker is lost between the count and the commit.
  const lost: Db = Object.create(db, {
    transaction: {
      value: (work: Parameters<Db['transaction']>[0]) =>
        db.transaction(async (tx) => {
          await work(tx);
          throw new Error('lost');
        }),
    },
  });
  await expect(new BudgetAlerts({ db: lost, log }).tell()).rejects.toThrow('lost');
  expect(await told()).toEqual([]);
  await tell();
  await tell();
  expect(await told()).toEqual([[calls, 80, 'model_calls', 4, 5]]);
  // A call for which there is no place: no use would reach the limit.
  expect(await use(700, 700)).toBe(false);
  await tell();
  expect(await told()).toEqual([
    [calls, 80, 'model_calls', 4, 5],
    [credits, 100, 'credits', 0.4, 1],
  ]);
  await use(100, 100);
  await tell();
  await tell();
  expect((await told()).at(-1)).toEqual([calls, 100, 'model_calls', 5, 5]);
  expect(await told()).toHaveLength(3);
});

test('what was used of past periods is deleted: of a day after 62 days, of a month after 13 months', async () => {
  const { db } = api.deps;
  const other = await api.tenant();
  const made = await create({ period: 'day' }, other);
  const count = async (): Promise<unknown[]> => {
    const rows = await db.query<{ period: string; age: number }>(
      `SELECT period, (model_calls)::int AS age FROM budget_counters WHERE organization_id = $1 ORDER BY period, age`,
      [made.body.organization_id],
    );
    return rows.map(({ period, age }) => [period, age]);
  };
  const insert = (period: 'day' | 'month', age: number): Promise<unknown> =>
    db.query(
      `INSERT INTO budget_counters (organization_id, scope, subject, period, starts, model_calls)
       SELECT $1, 'organization', $1, $2,
              CASE $2 WHEN 'day' THEN t.today - $3::int ELSE (date_trunc('month', t.today) - make_interval(months => $3))::date END, $3
       FROM (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS today) AS t`,
      [made.body.organization_id, period, age],
    );
  for (const age of [0, 62, 63]) await insert('day', age);
  for (const age of [0, 13, 14]) await insert('month', age);
  expect(await deleteExpiredCounters(db)).toBe(2);
  expect(await count()).toEqual([
    ['day', 0],
    ['day', 62],
    ['month', 0],
    ['month', 13],
  ]);
});
