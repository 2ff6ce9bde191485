/** If this fails, what a definition says starts its workflow does not, goes on after its version went down, or loses its address. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
let workflowId: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const withTriggers = (triggers: JsonObject): JsonObject => {
  const definition = hello('Triggered') as JsonObject;
  return { ...definition, config: { triggers } };
};
const ORDERS = { type: 'webhook', mapping: { name: '{{body.name}}' } };
const MORNINGS = { type: 'schedule', cron_expression: '30 9 * * 1-5', timezone: 'Europe/Istanbul' };

beforeEach(async () => {
  tenant = await api.tenant();
  const body = { workflow_schema: withTriggers({ orders: ORDERS, mornings: MORNINGS }) };
  workflowId = (await tenant.call('POST', '/workflows', { body })).body.id;
});

const save = (triggers: JsonObject): Promise<Answer> =>
  tenant.call('PUT', `/workflows/${workflowId}`, { body: { workflow_schema: withTriggers(triggers) } });
async function deploy(): Promise<string> {
  const { status, body } = await tenant.call('POST', `/workflows/${workflowId}/deploy`, { body: {} });
  expect(status === 201 ? status : body).toBe(201);
  return body.id;
}
const hooks = async (): Promise<Answer['body'][]> =>
  (await tenant.call('GET', `/workflows/${workflowId}/hooks`)).body.hooks;
const schedules = async (): Promise<Answer['body'][]> =>
  (await tenant.call('GET', `/schedules?workflow_id=${workflowId}`)).body.schedules;

async function send(
  { url }: Answer['body'],
  body: unknown,
): Promise<{ readonly status: number; readonly body: Answer['body'] }> {
  const headers = { 'Content-Type': 'application/json' };
  const to = `${api.url}${new URL(url).pathname}`;
  const answer = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

test('a deployment makes the webhooks and schedules that its definition names, as it says', async () => {
  expect([await hooks(), await schedules()]).toEqual([[], []]);
  await deploy();
  const [hook] = await hooks();
  const [schedule] = await schedules();
  expect(hook).toMatchObject({
    name: 'orders',
    trigger: { id: 'orders', is_live: true },
    enabled: true,
    mapping: { name: '{{body.name}}' },
    methods: ['POST', 'PUT'],
  });
  expect(schedule).toMatchObject({
    name: 'mornings',
    trigger: { id: 'mornings', is_live: true },
    enabled: true,
    cron_expression: '30 9 * * 1-5',
    timezone: 'Europe/Istanbul',
    next_run_at: expect.any(String),
  });
  const answer = await send(hook, { name: 'Ada' });
  expect([answer.status, answer.body.status]).toEqual([202, 'accepted']);
});

test('a new version changes them; the address, the secrets and what people have switched off stay', async () => {
  await deploy();
  const [before] = await hooks();
  const secrets = { secrets: ['a secret that only two know'] };
  // A verification without a secret lets nobody in.
  await save({ orders: { ...ORDERS, verification: 'bearer' }, mornings: MORNINGS });
  await deploy();
  expect((await send(before, { name: 'Ada' })).status).toBe(401);
  const set = await tenant.call('PATCH', `/workflows/${workflowId}/hooks/${before.id}`, { body: secrets });
  expect([set.status, set.body.secret_count]).toEqual([200, 1]);
  const [schedule] = await schedules();
  const off = await tenant.call('PATCH', `/schedules/${schedule.id}`, { body: { enabled: false } });
  expect([off.status, off.body.enabled]).toEqual([200, false]);
  await save({
    orders: { ...ORDERS, verification: 'bearer', name: 'Orders of the shop' },
    mornings: { ...MORNINGS, cron_expression: '0 8 * * *', input: { name: 'everybody' }, thread_id: 'days' },
  });
  await deploy();
  expect(await hooks()).toMatchObject([
    { id: before.id, url: before.url, name: 'Orders of the shop', secret_count: 1, verification: 'bearer' },
  ]);
  expect(await schedules()).toMatchObject([
    {
      id: schedule.id,
      enabled: false,
      cron_expression: '0 8 * * *',
      input: { name: 'everybody' },
      config: { thread_id: 'days' },
    },
  ]);
});

test('they go down with their version, and come back with it', async () => {
  const first = await deploy();
  const [before] = await hooks();
  await save({ mornings: MORNINGS });
  await deploy();
  expect(await hooks()).toMatchObject([{ trigger: { id: 'orders', is_live: false }, enabled: false }]);
  expect((await send(before, {})).status).toBe(404);
  const on = await tenant.call('PATCH', `/workflows/${workflowId}/hooks/${before.id}`, {
    body: { enabled: true },
  });
  expect([on.status, on.headers.get('X-Error-Code')]).toEqual([409, 'trigger_not_live']);
  // Rolled back.
  await tenant.call('PUT', `/workflows/${workflowId}/deployments/${first}/activate`);
  expect(await hooks()).toMatchObject([{ url: before.url, trigger: { is_live: true }, enabled: true }]);
  expect((await send(before, { name: 'Ada' })).status).toBe(202);
  // Nothing is live.
  await tenant.call('DELETE', `/workflows/${workflowId}/deployments/live`);
  expect((await send(before, { name: 'Ada' })).status).toBe(404);
  expect(await schedules()).toMatchObject([{ enabled: false, next_run_at: null, disabled_reason: null }]);
  // The live one is deleted: the one before is live again.
  const second = await deploy();
  expect(await hooks()).toMatchObject([{ enabled: false }]);
  await tenant.call('DELETE', `/workflows/${workflowId}/deployments/${second}`);
  expect(await schedules()).toMatchObject([{ enabled: true, trigger: { is_live: true } }]);
});

test('a trigger that becomes one of another type takes the first down', async () => {
  await deploy();
  await save({ orders: MORNINGS, mornings: ORDERS });
  await deploy();
  const show = (rows: readonly Answer['body'][]) =>
    rows.map(({ trigger, enabled }) => [trigger.id, trigger.is_live, enabled]).toSorted();
  expect(show(await hooks())).toEqual([
    ['mornings', true, true],
    ['orders', false, false],
  ]);
  expect(show(await schedules())).toEqual([
    ['mornings', false, false],
    ['orders', true, true],
  ]);
});

test('what the definition says is changed nowhere else, and what it no longer names can be deleted', async () => {
  await deploy();
  const [hook] = await hooks();
  const [schedule] = await schedules();
  const change = (path: string, body: object): Promise<Answer> => tenant.call('PATCH', path, { body });
  for (const [path, body] of [
    [`/workflows/${workflowId}/hooks/${hook.id}`, { filter: null }],
    [`/workflows/${workflowId}/hooks/${hook.id}`, { enabled: false, name: 'Other' }],
    [`/schedules/${schedule.id}`, { cron_expression: '0 0 * * *' }],
  ] as const) {
    const refused = await change(path, body);
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([409, 'defined_by_workflow']);
  }
  const paths = [`/workflows/${workflowId}/hooks/${hook.id}`, `/schedules/${schedule.id}`];
  for (const path of paths) expect((await tenant.call('DELETE', path)).status).toBe(409);
  await save({});
  await deploy();
  for (const path of paths) expect((await tenant.call('DELETE', path)).status).toBe(200);
});

test('a webhook goes on with a thread by its request; without one it fails and says why', async () => {
  await save({
    chat: {
      type: 'webhook',
      thread_id: 'chat-{{body.chat.id}}',
      filter: { left: '{{body.text}}', op: 'exists' },
    },
  });
  await deploy();
  const [hook] = await hooks();
  expect(hook.thread_id).toBe('chat-{{body.chat.id}}');
  const ids: string[] = [];
  for (const text of ['Hello', 'again']) {
    ids.push((await send(hook, { text, name: 'Ada', chat: { id: 7 } })).body.run_id);
  }
  const rows = await api.deps.db.query<{ thread_id: string }>(
    'SELECT thread_id FROM runs WHERE run_id = ANY($1::uuid[])',
    [ids],
  );
  expect(rows.map(({ thread_id: threadId }) => threadId)).toEqual(['chat-7', 'chat-7']);
  await save({ chat: { type: 'webhook', thread_id: '{{body.chat.id}}' } });
  await deploy();
  for (const [id, status] of [
    [7, 202],
    ['x'.repeat(255), 202],
    ['x'.repeat(256), 422],
    ['', 422],
    [null, 422],
    [[7], 422],
  ] as const) {
    const answer = await send(hook, { name: 'Ada', chat: { id } });
    expect(answer.status, JSON.stringify(id)).toBe(status);
  }
  const { body } = await tenant.call('GET', `/workflows/${workflowId}/hooks/${hook.id}/deliveries`);
  expect(body.deliveries[0]).toMatchObject({ outcome: 'failed', error: { code: 'mapping_failed' } });
});

test('a made webhook has a thread, too; its places count those of triggers', async () => {
  const body = { name: 'Made', thread_id: '{{body.id}}' };
  const made = await tenant.call('POST', `/workflows/${workflowId}/hooks`, { body });
  expect(made.body).toMatchObject({ thread_id: '{{body.id}}', trigger: null });
  const unknown = await tenant.call('POST', `/workflows/${workflowId}/hooks`, {
    body: { ...body, thread_id: '{{input.id}}' },
  });
  expect(unknown.status).toBe(422);
  const triggers = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`hook_${at}`, { type: 'webhook' }]),
  );
  await save(triggers);
  const full = await tenant.call('POST', `/workflows/${workflowId}/deploy`, { body: {} });
  expect([full.status, full.headers.get('X-Error-Code')]).toEqual([409, 'hook_limit_reached']);
  expect(await hooks()).toHaveLength(1);
  await tenant.call('DELETE', `/workflows/${workflowId}/hooks/${made.body.id}`);
  await deploy();
  expect(await hooks()).toHaveLength(20);
});

test('another organization sees nothing of them', async () => {
  await deploy();
  const other = await api.tenant();
  expect((await other.call('GET', `/workflows/${workflowId}/hooks`)).status).toBe(404);
  expect((await other.call('GET', `/schedules?workflow_id=${workflowId}`)).body.schedules).toEqual([]);
});
