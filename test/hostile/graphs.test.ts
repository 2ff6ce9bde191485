/** A definition or a run's body that lies would be deployed, or break the service (SPEC SEC-G). */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { unlimited } from './unlimited.ts';

let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
  await unlimited(api);
});
afterAll(() => api.close());

const run = (body: object): Promise<Answer> => tenant.call('POST', '/workflows/run', { body });
const runs = async (): Promise<unknown> => (await api.deps.db.query('SELECT count(*) AS n FROM runs'))[0];

/** `hello` with its one node changed; edges follow a changed id. */
function withNode(change: Record<string, unknown>): object {
  const definition = hello();
  const [node] = definition['nodes'] as Record<string, unknown>[];
  const id = typeof change['id'] === 'string' ? change['id'] : 'hello';
  return {
    ...definition,
    nodes: [{ ...node, ...change }],
    edges: [
      { source: '__start__', target: id },
      { source: id, target: '__end__' },
    ],
  };
}
const withEdge = (edge: object): object => ({ ...hello(), edges: [...(hello()['edges'] as object[]), edge] });

test.each<[string, object, RegExp]>([
  ['SEC-G05: the node id __proto__', withNode({ id: '__proto__' }), /id/],
  ['SEC-G05: the node id constructor', withNode({ id: 'constructor' }), /id/],
  ['SEC-G05: the node id toString', withNode({ id: 'toString' }), /id/],
  ['SEC-G05: the node id hasOwnProperty', withNode({ id: 'hasOwnProperty' }), /id/],
  ['SEC-G05: a node id with a dot', withNode({ id: 'a.b' }), /id/],
  ['SEC-G05: a node id with braces', withNode({ id: 'a}}' }), /id/],
  ['SEC-G05: an empty node id', withNode({ id: '' }), /id/],
  ['SEC-G05: a node id of 65 letters', withNode({ id: 'x'.repeat(65) }), /id/],
  ['SEC-G05: a node id that is no text', withNode({ id: ['hello'] }), /id/],
  [
    'SEC-G05: two nodes of one id',
    { ...hello(), nodes: [...(hello()['nodes'] as object[]), ...(hello()['nodes'] as object[])] },
    /hello/,
  ],
  ['SEC-G06: the type shell', withNode({ type: 'shell' }), /shell/],
  ['SEC-G06: the type Function', withNode({ type: 'Function' }), /Function/],
  ['SEC-G06: the type __proto__', withNode({ type: '__proto__' }), /__proto__/],
  ['SEC-G07: an edge to nothing', withEdge({ id: 'e9', source: 'hello', target: 'nowhere' }), /e9|nowhere/],
  ['SEC-G07: an edge from the end', withEdge({ id: 'e9', source: '__end__', target: 'hello' }), /e9/],
  ['SEC-G07: an edge into the start', withEdge({ id: 'e9', source: 'hello', target: '__start__' }), /e9/],
  ['SEC-G07: an entry point that is not there', { ...hello(), entry_point: 'nowhere' }, /nowhere/],
  [
    'SEC-G09: a cycle without an exit',
    withEdge({ id: 'e9', source: 'hello', target: 'hello' }),
    /cycle|loop/i,
  ],
  [
    'SEC-G10: recursion_limit 0 in the definition',
    { ...hello(), config: { recursion_limit: 0 } },
    /recursion_limit/,
  ],
  [
    'SEC-G11: batch_interval_ms of years in the definition',
    { ...hello(), config: { batch_interval_ms: 1e12 } },
    /batch_interval_ms/,
  ],
  [
    'SEC-G13: 50,001 edges',
    { ...hello(), edges: Array.from({ length: 50_001 }, () => ({ source: '__start__', target: 'hello' })) },
    /50,?000/,
  ],
])(
  '%s is kept as a draft, named in its problems, and neither deployed nor run',
  async (_, definition, named) => {
    const before = await runs();
    const made = await tenant.call('POST', '/workflows', {
      body: { name: 'x', workflow_schema: definition },
    });
    expect(made.status).toBe(201);
    const errors = made.body.problems.filter((problem: { severity: string }) => problem.severity === 'error');
    expect(errors[0].message).toMatch(named);
    const deploy = await tenant.call('POST', `/workflows/${made.body.id}/deploy`);
    expect([deploy.status, deploy.body.detail]).toEqual([400, expect.stringMatching(named)]);
    const ran = await run({ workflow: definition });
    expect([ran.status, ran.body.detail]).toEqual([400, expect.stringMatching(named)]);
    expect(await runs()).toEqual(before);
  },
);

test.each<[string, object, number]>([
  ['SEC-G01: an llm alone', { llm: { model: 'x', api_key: 'y' } }, 410],
  ['SEC-G02: nothing', {}, 400],
  ['SEC-G02: nulls', { workflow: null, workflow_id: null, llm: null }, 400],
  ['SEC-G02: both selectors', { workflow: hello(), workflow_id: randomUUID() }, 400],
  [
    'SEC-G02: an attribution of a saved workflow',
    { workflow_id: randomUUID(), attribution_workflow_id: randomUUID() },
    400,
  ],
  ['SEC-G10: recursion_limit 0', { workflow: hello(), config: { recursion_limit: 0 } }, 422],
  ['SEC-G10: recursion_limit -1', { workflow: hello(), config: { recursion_limit: -1 } }, 422],
  ['SEC-G10: recursion_limit 1e9', { workflow: hello(), config: { recursion_limit: 1e9 } }, 422],
  ['SEC-G10: recursion_limit as text', { workflow: hello(), config: { recursion_limit: 'x' } }, 422],
  ['SEC-G11: batch_interval_ms -1', { workflow: hello(), config: { batch_interval_ms: -1 } }, 422],
  ['SEC-G11: batch_interval_ms 0.5', { workflow: hello(), config: { batch_interval_ms: 0.5 } }, 422],
  ['SEC-G11: batch_interval_ms 1e12', { workflow: hello(), config: { batch_interval_ms: 1e12 } }, 422],
  ['SEC-G17: stream as text', { workflow: hello(), stream: 'yes' }, 422],
  ['SEC-G17: ephemeral as a number', { workflow: hello(), ephemeral: 1 }, 422],
  ['SEC-G17: is_private null', { workflow: hello(), is_private: null }, 422],
])('%s is refused, and no run is made', async (_, body, status) => {
  const before = await runs();
  const answer = await run(body);
  expect(answer.status).toBe(status);
  if (status === 410) expect(answer.body.detail).toMatch(/Assistant chat/);
  if (status === 422) expect(answer.body.detail[0].loc[0]).toBe('body');
  expect(await runs()).toEqual(before);
});

test('SEC-G13: a million edges do not fit into a body', async () => {
  const nodes = Array.from({ length: 1_000 }, (_, at) => ({ id: `n${at}`, type: 'transformer' }));
  const edges = nodes.flatMap(({ id: source }) => nodes.map(({ id: target }) => ({ source, target })));
  const answer = await run({ workflow: { nodes, edges } });
  expect([answer.status, answer.body]).toEqual([413, { detail: 'The request body is too large' }]);
});

test('SEC-G14: unknown keys are kept with the definition and change nothing', async () => {
  const definition = { ...hello(), evil: { run: 'rm -rf /' }, toString: { valueOf: 1 } };
  const made = await tenant.call('POST', '/workflows', { body: { name: 'x', workflow_schema: definition } });
  expect([made.status, made.body.problems]).toEqual([201, []]);
  const { state_schema: schema, ...kept } = made.body.workflow_schema;
  const { state_schema: _, ...given } = definition as Record<string, unknown>;
  expect([kept, schema.fields]).toEqual([given, { hello: { type: 'Any', reducer: 'none' } }]);
  expect((await run({ workflow: definition })).status).toBe(200);
});

test('SEC-G15: the address of an image is never visited', async () => {
  let hits = 0;
  const sink = createServer((_request, response) => {
    hits += 1;
    response.end();
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  const { id } = (await tenant.call('POST', '/workflows', { body: { name: 'x', workflow_schema: hello() } }))
    .body;
  const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/x.png`;
  const deployed = await tenant.call('POST', `/workflows/${id}/deploy`, { body: { schema_image_url: url } });
  expect([deployed.status, deployed.body.schema_image_url]).toEqual([201, url]);
  await tenant.call('GET', `/workflows/${id}/deployments/${deployed.body.id}`);
  await new Promise((resolve) => sink.close(resolve));
  expect(hits).toBe(0);
});

test('SEC-G18: a draft that became invalid leaves the live deployment alone', async () => {
  const { id } = (await tenant.call('POST', '/workflows', { body: { name: 'x', workflow_schema: hello() } }))
    .body;
  const live = (await tenant.call('POST', `/workflows/${id}/deploy`)).body.id;
  await tenant.call('PATCH', `/workflows/${id}`, { body: { workflow_schema: withNode({ type: 'shell' }) } });
  expect((await tenant.call('POST', `/workflows/${id}/deploy`)).status).toBe(400);
  expect((await tenant.call('GET', `/workflows/${id}`)).body.live_deployment_id).toBe(live);
  expect((await tenant.call('GET', `/workflows/${id}/deployments`)).body.total).toBe(1);
  expect((await run({ workflow_id: id })).status).toBe(200);
});
