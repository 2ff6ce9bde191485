/**
 * A live workflow would change under its runs, or a wrong version would run after a deploy, an activation or a
 * deletion.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findLive } from '../../src/engine/runs/ledger/read/workflows.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
let workflow: string;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
});
afterAll(() => api.close());
beforeEach(async () => {
  const body = {
    workflow_schema: hello('Deployable'),
    input: { text: 'default' },
    config: { recursion_limit: 7 },
  };
  workflow = (await tenant.call('POST', '/workflows', { body })).body.id;
});

const deploy = (body?: object): Promise<Answer> =>
  tenant.call('POST', `/workflows/${workflow}/deploy`, body === undefined ? {} : { body });
const deployed = async (): Promise<string> => (await deploy()).body.id;
const on = (method: string, tail: string): Promise<Answer> =>
  tenant.call(method, `/workflows/${workflow}/deployments${tail}`);

/** The live deployment, on which record and list must agree. */
async function live(): Promise<string | null> {
  const { deployments } = (await on('GET', '?limit=100')).body;
  const marked = deployments
    .filter((row: { is_live: boolean }) => row.is_live)
    .map((row: { id: string }) => row.id);
  const named: string | null = (await tenant.call('GET', `/workflows/${workflow}`)).body.live_deployment_id;
  expect(marked).toEqual(named === null ? [] : [named]);
  return named;
}

test('a deploy is a live snapshot, with or without a body', async () => {
  const made = await deploy({ deployment_note: 'first', schema_image_url: 'https://img.example/1.png' });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    workflow_id: workflow,
    name: 'Deployable',
    version: '1.0.0',
    deployment_note: 'first',
    schema_image_url: 'https://img.example/1.png',
    deployed_by: expect.any(String),
    is_live: true,
  });
  expect(await live()).toBe(made.body.id);
  expect((await deploy()).body).toMatchObject({
    version: '2.0.0',
    deployment_note: null,
    schema_image_url: null,
  });
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:image/png;base64,AA', 'nothing'])(
  'SEC-G15: the image address %s is 422',
  async (url) => {
    const answer = await deploy({ schema_image_url: url });
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'schema_image_url']]);
    expect(await live()).toBeNull();
  },
);

test('a snapshot never changes', async () => {
  const first = await deployed();
  const before = (await on('GET', `/${first}`)).body;
  expect(before).toMatchObject({
    workflow_id: workflow,
    input: { text: 'default' },
    config: { recursion_limit: 7 },
  });
  await tenant.call('PATCH', `/workflows/${workflow}`, {
    body: { workflow_schema: hello('Changed'), input: {} },
  });
  await deployed();
  expect((await on('GET', `/${first}`)).body).toEqual({ ...before, is_live: false });
});

test('a definition with errors is not deployed, and the answer names the first', async () => {
  const good = await deployed();
  const broken = { ...hello(), edges: [{ id: 'a', source: '__start__', target: 'nowhere' }] };
  const saved = await tenant.call('PATCH', `/workflows/${workflow}`, { body: { workflow_schema: broken } });
  const answer = await deploy();
  expect(answer.status).toBe(400);
  const first = saved.body.problems.find((problem: { severity: string }) => problem.severity === 'error');
  expect(answer.body).toEqual({ detail: `The workflow cannot be deployed: ${first.message}` });
  expect(await live()).toBe(good);
});

test('versions rise without gaps under concurrency, and are not given twice after a delete', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => deploy()));
  const versions = answers.map((answer): string => answer.body.version).sort();
  expect(versions).toEqual(Array.from({ length: 8 }, (_, i) => `${i + 1}.0.0`));
  const newest = await live();
  expect(answers.find((answer) => answer.body.id === newest)?.body.version).toBe('8.0.0');
  await on('DELETE', `/${newest}`);
  expect((await deploy()).body.version).toBe('9.0.0');
});

test('the same definition is stored once', async () => {
  await deployed();
  await deployed();
  const hashes = await api.deps.db.query(
    'SELECT DISTINCT definition_hash FROM deployments WHERE workflow_id = $1',
    [workflow],
  );
  expect(hashes).toHaveLength(1);
  const rows = await api.deps.db.query(
    'SELECT definition FROM definitions WHERE organization_id = $1 AND hash = $2',
    [tenant.org, hashes[0]?.['definition_hash']],
  );
  expect(rows).toEqual([
    { definition: (await tenant.call('GET', `/workflows/${workflow}`)).body.workflow_schema },
  ]);
});

test('the list is newest first, in pages', async () => {
  const ids = [await deployed(), await deployed(), await deployed()].reverse();
  const { deployments, ...paging } = (await on('GET', '')).body;
  expect(deployments.map((row: { id: string }) => row.id)).toEqual(ids);
  expect(paging).toEqual({
    total: 3,
    has_more: false,
    limit: 20,
    offset: 0,
    next_cursor: null,
    previous_cursor: null,
  });
  expect(deployments[0]).not.toHaveProperty('workflow_id');
  const page = (await on('GET', '?limit=1&offset=1')).body;
  expect([page.deployments[0].id, page.total, page.limit, page.offset]).toEqual([ids[1], 3, 1, 1]);
  for (const query of ['?limit=0', '?limit=101', '?offset=-1'])
    expect((await on('GET', query)).status).toBe(422);
  await on('DELETE', `/${ids[1]}`);
  expect((await on('GET', '?limit=1')).body.total).toBe(2);
  await deployed();
  expect((await on('GET', '?limit=1')).body.total).toBe(3);
});

test('activate: moves live, counts as a save with a history entry, leaves the draft', async () => {
  const [first, second] = [await deployed(), await deployed()];
  const before = (await tenant.call('GET', `/workflows/${workflow}`)).body;
  expect((await on('PUT', `/${first}/activate`)).body).toEqual({
    success: true,
    message: 'Deployment activated',
    deployment_id: first,
    previous_live_deployment_id: second,
  });
  expect(await live()).toBe(first);
  const after = (await tenant.call('GET', `/workflows/${workflow}`)).body;
  expect([after.edit_version, after.workflow_schema]).toEqual([
    before.edit_version + 1,
    before.workflow_schema,
  ]);
  const edits = await api.deps.db.query(
    'SELECT edit_version, patches FROM workflow_edits WHERE workflow_id = $1',
    [workflow],
  );
  expect(edits).toEqual([
    {
      edit_version: after.edit_version,
      patches: [{ op: 'replace', path: '/live_deployment_id', value: first }],
    },
  ]);
  expect((await on('PUT', `/${first}/activate`)).body).toEqual({
    success: true,
    message: 'Deployment is already live',
    deployment_id: first,
  });
  expect((await tenant.call('GET', `/workflows/${workflow}`)).body).toEqual(after);
});

test('deactivation can be repeated, and an activation after it works', async () => {
  const only = await deployed();
  expect((await on('DELETE', '/live')).body).toEqual({
    success: true,
    message: 'Live deployment deactivated',
    previous_live_deployment_id: only,
  });
  expect(await live()).toBeNull();
  expect((await on('DELETE', '/live')).body).toEqual({ success: true, message: 'No deployment is live' });
  expect((await on('PUT', `/${only}/activate`)).body).not.toHaveProperty('previous_live_deployment_id');
  expect(await live()).toBe(only);
});

test('delete: the live one hands over to the one before it, the last to none, another to nobody', async () => {
  const [first, second, third] = [await deployed(), await deployed(), await deployed()];
  const removed = { success: true, message: 'Deployment deleted' };
  expect((await on('DELETE', `/${third}`)).body).toEqual({
    ...removed,
    deleted_deployment_id: third,
    was_live: true,
    new_live_deployment_id: second,
  });
  expect(await live()).toBe(second);
  expect((await on('GET', `/${third}`)).body).toEqual({ detail: 'Deployment not found' });
  expect((await on('DELETE', `/${first}`)).body).toEqual({
    ...removed,
    deleted_deployment_id: first,
    was_live: false,
  });
  expect((await on('DELETE', `/${second}`)).body).toEqual({
    ...removed,
    deleted_deployment_id: second,
    was_live: true,
  });
  expect(await live()).toBeNull();
});

test('concurrent activations, deletions and deploys leave at most one live deployment, and do not deadlock', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => deployed()));
  const path = `/workflows/${workflow}`;
  const answers = await Promise.all([
    ...ids.map((id) => on('PUT', `/${id}/activate`)),
    on('DELETE', '/live'),
    on('DELETE', `/${ids[0]}`),
    deploy(),
    tenant.call('PATCH', path, { body: { description: 'x' } }),
  ]);
  for (const answer of answers) expect([200, 201, 404]).toContain(answer.status);
  await live();
});

test('a run finds the live deployment, that none is live, or that the organization has no such workflow', async () => {
  const key = { organizationId: tenant.org, workflowId: workflow };
  expect(await findLive(api.deps.db, key)).toBe('none');
  const id = await deployed();
  expect(await findLive(api.deps.db, key)).toMatchObject({
    workflowId: workflow,
    deploymentId: id,
    deploymentVersion: '1.0.0',
    workflowName: 'Deployable',
    workflowVersion: '1.0.0',
    workflowSource: 'database',
    isAdHoc: false,
    definitionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    definitionText: null,
    input: { text: 'default' },
    config: { recursion_limit: 7 },
  });
  expect(await findLive(api.deps.db, { ...key, organizationId: crypto.randomUUID() })).toBeNull();
});
