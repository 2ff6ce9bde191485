/**
 * One organization could see or change what belongs to another (SPEC SEC-T). Every single route is tried in
 * test/api/every-route.test.ts.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealCursor } from '../../src/platform/http/cursor.ts';
import { hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { unlimited } from './unlimited.ts';

let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;
/** A deployed workflow of the stranger. */
let theirs: { readonly workflow: string; readonly deployment: string };

beforeAll(async () => {
  api = await startApi();
  [tenant, stranger] = await Promise.all([api.tenant(), api.tenant()]);
  await unlimited(api);
  theirs = await deployed(stranger);
});
afterAll(() => api.close());

async function deployed(by: Tenant): Promise<typeof theirs> {
  const body = { name: 'x', workflow_schema: hello() };
  const workflow: string = (await by.call('POST', '/workflows', { body })).body.id;
  const deployment: string = (await by.call('POST', `/workflows/${workflow}/deploy`)).body.id;
  return { workflow, deployment };
}
const count = async (table: 'runs' | 'outbox'): Promise<unknown> =>
  (await api.deps.db.query(`SELECT count(*) AS n FROM ${table}`))[0];

test('SEC-T05: a deployment of one workflow is not found under another, not even of the same tenant', async () => {
  const [first, second] = await Promise.all([deployed(tenant), deployed(tenant)]);
  const under = (workflow: string, deployment: string): string =>
    `/workflows/${workflow}/deployments/${deployment}`;
  for (const deployment of [second.deployment, theirs.deployment, randomUUID()]) {
    for (const [method, path] of [
      ['GET', under(first.workflow, deployment)],
      ['PUT', `${under(first.workflow, deployment)}/activate`],
      ['DELETE', under(first.workflow, deployment)],
    ] as const) {
      const answer = await tenant.call(method, path);
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Deployment not found' }]);
    }
  }
  expect((await stranger.call('GET', under(theirs.workflow, theirs.deployment))).body.is_live).toBe(true);
});

test('SEC-T05: a foreign run is unknown on every route', async () => {
  const { body } = await stranger.call('POST', '/workflows/run', { body: { workflow: hello() } });
  const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    body.run_id,
  ]);
  const resume = { body: { interrupt_id: 'x', action: 'approve' } };
  for (const [method, path, more] of [
    ['GET', (id: string) => `/workflows/listen/${id}`, {}],
    ['POST', (id: string) => `/workflows/resume/${id}`, resume],
    ['POST', (id: string) => `/workflows/cancel/${id}`, {}],
  ] as const) {
    const foreign = await tenant.call(method, path(body.run_id), more);
    const missing = await tenant.call(method, path(randomUUID()), more);
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
  }
  const record = await tenant.call('GET', `/workflow-runs/${row?.id}`);
  expect([record.status, record.text]).toEqual([
    404,
    (await tenant.call('GET', `/workflow-runs/${randomUUID()}`)).text,
  ]);
});

test('SEC-T07: the history knows a run by its history id, not by its run_id', async () => {
  const { body } = await tenant.call('POST', '/workflows/run', { body: { workflow: hello() } });
  const answer = await tenant.call('GET', `/workflow-runs/${body.run_id}`);
  expect([answer.status, answer.body]).toEqual([404, { detail: 'Workflow run not found' }]);
});

test('SEC-T08: the history of a foreign workflow is empty', async () => {
  await stranger.call('POST', '/workflows/run', { body: { workflow_id: theirs.workflow } });
  const answer = await tenant.call('GET', `/workflow-runs?workflow_id=${theirs.workflow}`);
  expect([answer.status, answer.body.runs, answer.body.has_more]).toEqual([200, [], false]);
});

test('SEC-T09: a foreign workflow is not run, not even for its history', async () => {
  const before = [await count('runs'), await count('outbox')];
  for (const body of [
    { workflow_id: theirs.workflow },
    { workflow: hello(), attribution_workflow_id: theirs.workflow },
  ]) {
    const answer = await tenant.call('POST', '/workflows/run', { body });
    expect([answer.status, answer.body]).toEqual([404, { detail: 'Workflow not found' }]);
  }
  expect([await count('runs'), await count('outbox')]).toEqual(before);
});

test('SEC-T12: identity, owner and counters of a workflow are not for its clients to set', async () => {
  const { workflow } = await deployed(tenant);
  const before = (await tenant.call('GET', `/workflows/${workflow}`)).body;
  const { body: them } = await stranger.call('GET', '/auth/me');
  const kept = {
    id: randomUUID(),
    organization_id: stranger.org,
    creator_id: them.id,
    edit_version: 999,
    live_deployment_id: theirs.deployment,
    last_edited_by: them.id,
    created_at: '2000-01-01T00:00:00Z',
  };
  const saved = await tenant.call('PATCH', `/workflows/${workflow}`, { body: { ...kept, category: 'c' } });
  expect([saved.status, saved.body.category, saved.body.edit_version]).toEqual([
    200,
    'c',
    before.edit_version + 1,
  ]);
  for (const field of ['id', 'organization_id', 'creator_id', 'live_deployment_id', 'created_at']) {
    expect(saved.body[field], field).toEqual(before[field]);
  }
  const made = await tenant.call('POST', '/workflows', {
    body: { ...kept, organization_id: null, name: 'x', workflow_schema: hello() },
  });
  expect([made.status, made.body.organization_id, made.body.live_deployment_id]).toEqual([
    201,
    tenant.org,
    null,
  ]);
  expect(made.body.id).not.toBe(kept.id);
});

test('SEC-T13: no tenant makes a workflow that others see', async () => {
  const { workflow } = await deployed(tenant);
  for (const [method, path] of [
    ['PATCH', `/workflows/${workflow}`],
    ['POST', '/workflows'],
  ] as const) {
    const body = { name: 'x', workflow_schema: hello(), visibility: 'system' };
    expect((await tenant.call(method, path, { body })).status).toBe(422);
  }
  await tenant.call('PATCH', `/workflows/${workflow}`, { body: { visibility: 'public' } });
  expect((await stranger.call('GET', `/workflows/${workflow}`)).status).toBe(404);
  const listed = await stranger.call('GET', '/workflows');
  expect(listed.body.workflows.map((row: { id: string }) => row.id)).not.toContain(workflow);
});

test('SEC-T15: a thread of the same name is another thread in another organization', async () => {
  const start = async (by: Tenant): Promise<{ chat_id: string; thread_id: string }> =>
    (
      await by.call('POST', '/workflows/run', {
        body: { workflow: hello(), config: { thread_id: 'shared' } },
      })
    ).body;
  const [mine, foreign, again] = [await start(tenant), await start(stranger), await start(tenant)];
  expect(mine.thread_id).toBe('shared');
  expect(foreign.thread_id).toBe('shared');
  expect(mine.chat_id).not.toBe(foreign.chat_id);
  expect(again.chat_id).toBe(mine.chat_id);
});

test('SEC-T17: a cursor is good for the list and the user that it was made for', async () => {
  const { body: them } = await stranger.call('GET', '/auth/me');
  const cursorAt = { position: { place: Date.now(), rowId: randomUUID() }, isBackward: false };
  const foreign = sealCursor(api.deps.config.auth, `assistant-chats/${stranger.org}/${them.id}`, cursorAt);
  expect((await stranger.call('GET', `/assistant/chats?cursor=${foreign}`)).status).toBe(200);
  const last = foreign.at(-1) === 'A' ? 'Q' : 'A';
  for (const cursor of [
    foreign,
    `${foreign.slice(0, -6)}AAAAA${last}`,
    'null',
    "' OR 1=1--",
    'x'.repeat(1_000),
  ]) {
    const answer = await tenant.call('GET', `/assistant/chats?cursor=${encodeURIComponent(cursor)}`);
    expect([answer.status, answer.body]).toEqual([400, { detail: 'Invalid cursor' }]);
  }
  expect((await stranger.call('GET', `/composer/chats?cursor=${foreign}`)).status).toBe(400);
  expect((await stranger.call('GET', `/assistant/chats?cursor=${'x'.repeat(10_000)}`)).status).toBe(422);
});

test('SEC-T19: a removed member is out with the next request, by token and by key', async () => {
  const guest = await api.tenant();
  const { key } = (await guest.call('POST', '/api-keys', { body: { name: 'x' } })).body;
  await api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT user_id, $1, 'admin' FROM memberships WHERE organization_id = $2`,
    [tenant.org, guest.org],
  );
  const list = (token: string): ReturnType<Tenant['call']> =>
    guest.call('GET', '/workflows', { org: tenant.org, token });
  for (const token of [guest.token, key]) expect((await list(token)).status).toBe(200);
  await api.deps.db.query(
    `UPDATE memberships SET is_active = false WHERE organization_id = $1
     AND user_id = (SELECT user_id FROM memberships WHERE organization_id = $2)`,
    [tenant.org, guest.org],
  );
  for (const token of [guest.token, key]) {
    const answer = await list(token);
    expect([answer.status, answer.body]).toEqual([
      403,
      { detail: `User is not a member of organization ${tenant.org}` },
    ]);
  }
});
