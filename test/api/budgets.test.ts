/** A budget would be set by those who may not, for another organization's workflow, or tell other figures than the engine counts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reserveBudget, settleBudget } from '../../src/platform/billing/budgets.ts';
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
  ['many', ['config', 'limits']],
])('limits of a definition are checked: %j', async (limits, path) => {
  const body = { name: 'W', workflow_schema: { ...hello(), config: { limits } } };
  const { problems } = (await tenant.call('POST', '/workflows', { body })).body;
  expect(problems.map((problem: { path: unknown }) => problem.path)).toEqual(path.length === 0 ? [] : [path]);
});
