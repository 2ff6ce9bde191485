/** A workflow would not read back as it was saved, or an update would change what it does not name. */
import jsonPatch, { type Operation } from 'fast-json-patch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
});
afterAll(() => api.close());

const create = async (body: object = {}, by: Tenant = tenant): Promise<Answer['body']> => {
  const answer = await by.call('POST', '/workflows', {
    body: { name: 'Hello', workflow_schema: hello(), ...body },
  });
  expect(answer.status).toBe(201);
  return answer.body;
};
const read = async (id: string): Promise<Answer['body']> =>
  (await tenant.call('GET', `/workflows/${id}`)).body;

test('a new workflow has the stated defaults, and reads as it was answered', async () => {
  const made = await create();
  expect(made).toMatchObject({
    organization_id: tenant.org,
    name: 'Hello',
    version: '1.0.0',
    tags: [],
    category: null,
    status: 'draft',
    visibility: 'organization',
    input: {},
    config: {},
    edit_version: 0,
    last_edited_by: null,
    last_edited_at: null,
    live_deployment_id: null,
    problems: [],
  });
  expect(await read(made.id)).toEqual(made);
});

test('reading gives the very text that a save was answered with, again and again', async () => {
  const { id } = await create({ name: 'Ünï "quoted"', input: { a: [1, { b: null }] } });
  const saved = await tenant.call('PATCH', `/workflows/${id}`, { body: { description: null } });
  const first = await tenant.call('GET', `/workflows/${id}`);
  expect(first.headers.get('content-type')).toBe(saved.headers.get('content-type'));
  expect(first.text).toBe(saved.text);
  expect((await tenant.call('GET', `/workflows/${id}`)).text).toBe(saved.text);
});

test('tenants who read at the same moment get their own, and of each other nothing', async () => {
  const others = await Promise.all(Array.from({ length: 4 }, () => api.tenant()));
  const tenants = await Promise.all(
    [tenant, ...others].map(async (by, at) => ({ by, made: await create({ name: `of ${at}` }, by) })),
  );
  const answers = await Promise.all(
    tenants.flatMap(({ by }) =>
      tenants.map(async ({ made }) => (await by.call('GET', `/workflows/${made.id}`)).body),
    ),
  );
  const expected = tenants.flatMap(({ by }) =>
    tenants.map((owner) => (owner.by === by ? owner.made : { detail: 'Workflow not found' })),
  );
  expect(answers).toEqual(expected);
});

test('a definition is stored as it was sent, in its own order', async () => {
  const definition = {
    zeta: 1,
    ...hello(),
    nodes: [{ type: 'transformer', id: 'b', canvas: { w: 1.5, color: '#fff' } }],
  };
  const made = await create({ workflow_schema: definition });
  const field = { b: { type: 'Any', reducer: 'none' } };
  const stored = { ...definition, state_schema: { fields: field } };
  expect(JSON.stringify((await read(made.id)).workflow_schema)).toBe(JSON.stringify(stored));
});

test('API-definition: each node has a state field of type Any, unless one of its name is declared', async () => {
  const automatic = { type: 'Any', reducer: 'none' };
  const declared = { type: 'array', reducer: 'add', default: [] };
  const nodes = ['a', 'b'].map((nodeId) => ({ id: nodeId, type: 'transformer' }));
  for (const [given, kept] of [
    [undefined, { fields: { a: automatic, b: automatic } }],
    [{ fields: { b: declared, log: declared } }, { fields: { b: declared, log: declared, a: automatic } }],
    [{ log: declared }, { log: declared, a: automatic, b: automatic }],
    ['wrong', 'wrong'],
  ]) {
    const definition = { ...hello(), nodes, edges: [], state_schema: given };
    const made = await create({ workflow_schema: definition });
    expect(made.workflow_schema.state_schema).toEqual(kept);
    const saved = await tenant.call('PATCH', `/workflows/${made.id}`, {
      body: { workflow_schema: definition },
    });
    expect(saved.body.workflow_schema.state_schema).toEqual(kept);
  }
});

test('a draft with problems is saved, and the answer lists them', async () => {
  const definition = { ...hello(), edges: [{ id: 'a', source: '__start__', target: 'nowhere' }] };
  const made = await create({ workflow_schema: definition });
  expect(made.problems.length).toBeGreaterThan(0);
  expect(made.problems[0]).toMatchObject({ severity: expect.any(String), code: expect.any(String) });
  expect(await read(made.id)).toEqual(made);
});

test.each([
  [{}, ['body', 'workflow_schema'], 'missing'],
  [{ workflow_schema: { nodes: [], edges: [] } }, ['body', 'name'], 'missing'],
  [{ name: 'x', workflow_schema: [] }, ['body', 'workflow_schema'], 'dict_type'],
  [{ name: 'x', workflow_schema: { edges: [] } }, ['body', 'workflow_schema', 'nodes'], 'missing'],
  [
    { name: 'x', workflow_schema: { nodes: {}, edges: [] } },
    ['body', 'workflow_schema', 'nodes'],
    'list_type',
  ],
  [{ name: 5, workflow_schema: { nodes: [], edges: [] } }, ['body', 'name'], 'string_type'],
])('creating from %j is 422', async (body, loc, type) => {
  const answer = await tenant.call('POST', '/workflows', { body });
  expect(answer.status).toBe(422);
  expect(answer.body.detail).toContainEqual({ loc, msg: expect.any(String), type });
});

test.each([
  [{ tags: 'x' }, ['body', 'tags']],
  [{ input: 'x' }, ['body', 'input']],
  [{ workflow_schema: [] }, ['body', 'workflow_schema']],
  [{ status: 'running' }, ['body', 'status']],
  [{ visibility: 'system' }, ['body', 'visibility']],
])('updating with %j is 422 and changes nothing', async (body, loc) => {
  const made = await create();
  const answer = await tenant.call('PATCH', `/workflows/${made.id}`, { body });
  expect([answer.status, answer.body.detail[0].loc]).toEqual([422, loc]);
  expect(await read(made.id)).toEqual(made);
});

test.each(['PATCH', 'PUT'])('%s changes the supplied fields only', async (method) => {
  const made = await create({ description: 'before', category: 'one', input: { a: 1 } });
  const answer = await tenant.call(method, `/workflows/${made.id}`, { body: { category: 'two' } });
  expect(answer.body).toEqual({
    ...made,
    category: 'two',
    edit_version: 1,
    last_edited_by: made.creator_id,
    last_edited_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect(await read(made.id)).toEqual(answer.body);
});

test('what the service keeps cannot be updated, and such a save saves nothing', async () => {
  const made = await create();
  const body = {
    id: crypto.randomUUID(),
    organization_id: crypto.randomUUID(),
    edit_version: 999,
    created_at: 'x',
  };
  const answer = await tenant.call('PATCH', `/workflows/${made.id}`, { body });
  expect([answer.status, answer.body]).toEqual([200, made]);
});

test('the metadata and the mirrored fields say the same', async () => {
  const made = await create({ name: 'Loses', workflow_schema: hello('Wins') });
  expect(made.name).toBe('Wins');
  const path = `/workflows/${made.id}`;
  const renamed = await tenant.call('PATCH', path, { body: { name: 'Third', tags: ['a'] } });
  expect(renamed.body.workflow_schema.metadata).toEqual({
    name: 'Third',
    description: '',
    version: '1.0.0',
    tags: ['a'],
  });
  const replaced = await tenant.call('PATCH', path, {
    body: { name: 'Loses', workflow_schema: hello('Fourth') },
  });
  expect([replaced.body.name, replaced.body.tags]).toEqual(['Fourth', []]);
});

test('simultaneous saves are counted one by one, and the history replays to what is stored', async () => {
  const made = await create();
  const bodies: object[] = Array.from({ length: 10 }, (_, i) => ({ description: `d${i}`, input: { i } }));
  bodies.push({
    workflow_schema: {
      ...hello(),
      nodes: [{ id: 'first', type: 'transformer' }, ...made.workflow_schema.nodes],
    },
  });
  const answers = await Promise.all(
    bodies.map((body) => tenant.call('PATCH', `/workflows/${made.id}`, { body })),
  );
  const versions = answers.map((answer): number => answer.body.edit_version).sort((a, b) => a - b);
  expect(versions).toEqual(bodies.map((_, i) => i + 1));

  const edits = await api.deps.db.query<{ edit_version: number; patches: Operation[]; user_id: string }>(
    'SELECT edit_version, patches, user_id FROM workflow_edits WHERE workflow_id = $1 ORDER BY edit_version',
    [made.id],
  );
  expect(edits.map((edit) => edit.edit_version)).toEqual(versions);
  const fields = [
    'workflow_schema',
    'name',
    'description',
    'version',
    'tags',
    'category',
    'status',
    'visibility',
    'input',
    'config',
  ];
  const pick = (row: Record<string, unknown>) =>
    Object.fromEntries(fields.map((field) => [field, row[field]]));
  const replayed = edits.reduce(
    (state, edit) => jsonPatch.applyPatch(state, edit.patches, true).newDocument,
    pick(structuredClone(made)),
  );
  expect(replayed).toEqual(pick(await read(made.id)));
});

test('the list: exactly workflows and total, pages only when page_size is sent', async () => {
  for (let i = 0; i < 5; i += 1) await create({ category: 'five' });
  const list = async (query: string) => (await tenant.call('GET', `/workflows?${query}`)).body;
  expect(Object.keys(await list(''))).toEqual(['workflows', 'total']);
  expect(Object.keys(await list('page=1'))).toEqual(['workflows', 'total']);
  const first = await list('category=five&page_size=2');
  expect({ ...first, workflows: first.workflows.length }).toEqual({
    workflows: 2,
    total: 5,
    page: 1,
    page_size: 2,
    total_pages: 3,
  });
  const pages = await Promise.all(
    [1, 2, 3, 4, 1_000_000].map((page) => list(`category=five&page_size=2&page=${page}`)),
  );
  expect(pages.map((page) => page.workflows.length)).toEqual([2, 2, 1, 0, 0]);
  expect(new Set(pages.flatMap((page) => page.workflows.map((row: { id: string }) => row.id))).size).toBe(5);
  expect(first.workflows[0]).not.toHaveProperty('workflow_schema');
});

test.each([
  ['page_size=0', 'greater_than_equal'],
  ['page_size=101', 'less_than_equal'],
  ['page_size=x', 'int_parsing'],
  ['page_size=1.5', 'int_parsing'],
  ['page_size=', 'int_parsing'],
  ['page=0', 'greater_than_equal'],
  ['page=9223372036854775808', 'int_parsing'],
  ['visibility=everyone', 'enum'],
])('the list with %s is 422', async (query, type) => {
  const answer = await tenant.call('GET', `/workflows?${query}`);
  expect(answer.body.detail).toEqual([
    { loc: ['query', query.split('=')[0]], msg: expect.any(String), type },
  ]);
});

test('search is over name and description, and its signs are no patterns', async () => {
  const named = await create({ workflow_schema: hello('100%_done invoice') });
  const described = await create({
    workflow_schema: { ...hello(), metadata: { name: 'x', description: 'about 100%_DONE' } },
  });
  await create({ workflow_schema: hello('100 xdone') });
  const { body } = await tenant.call('GET', `/workflows?search=${encodeURIComponent('100%_done')}`);
  expect(new Set(body.workflows.map((row: { id: string }) => row.id))).toEqual(
    new Set([named.id, described.id]),
  );
  expect(body.total).toBe(2);
});

test('the body names the owner, where the caller is at home', async () => {
  const stranger = await api.tenant();
  const second: string = (await tenant.call('POST', '/organizations', { body: { name: 'Second' } })).body.id;
  const made = await create({ organization_id: second });
  expect(made.organization_id).toBe(second);
  expect((await tenant.call('GET', `/workflows/${made.id}`)).status).toBe(404);
  expect((await tenant.call('GET', `/workflows/${made.id}`, { org: second })).status).toBe(200);
  const body = { name: 'x', workflow_schema: hello(), organization_id: stranger.org };
  const refused = await tenant.call('POST', '/workflows', { body });
  expect([refused.status, refused.body]).toEqual([
    403,
    { detail: `User is not a member of organization ${stranger.org}` },
  ]);
});

test('deleting removes the workflow, its edits and its deployments', async () => {
  const made = await create();
  const path = `/workflows/${made.id}`;
  await tenant.call('PATCH', path, { body: { description: 'x' } });
  await tenant.call('POST', `${path}/deploy`);
  expect((await tenant.call('DELETE', path)).body).toEqual({ success: true, message: 'Workflow deleted' });
  expect((await tenant.call('GET', path)).body).toEqual({ detail: 'Workflow not found' });
  expect((await tenant.call('DELETE', path)).status).toBe(404);
  const left = await api.deps.db.query(
    'SELECT id FROM workflow_edits WHERE workflow_id = $1 UNION ALL SELECT id FROM deployments WHERE workflow_id = $1',
    [made.id],
  );
  expect(left).toEqual([]);
});

test('the list says which workflows are live', async () => {
  const { id } = await create();
  const live = async (): Promise<unknown> => {
    const { workflows } = (await tenant.call('GET', '/workflows')).body;
    return workflows.find((row: { id: string }) => row.id === id).live_deployment_id;
  };
  expect(await live()).toBeNull();
  await tenant.call('POST', `/workflows/${id}/deploy`);
  expect(await live()).toBe((await read(id))['live_deployment_id']);
  expect(await live()).not.toBeNull();
  await tenant.call('DELETE', `/workflows/${id}/deployments/live`);
  expect(await live()).toBeNull();
});
