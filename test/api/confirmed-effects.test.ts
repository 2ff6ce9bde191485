/** A test of a node would send what nobody has confirmed: by a method that may be repeated, or in a sub-workflow. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deployWorkflow, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { chain, http, node, transform } from '../support/definitions.ts';

const URL = 'https://example.com/x';
let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.tenant();
});

/** Calls a workflow from the node `n`. */
const callOf = (workflowId: string): object =>
  node('n', 'tool', { kind: 'workflow', workflow_id: workflowId, input: {} });

async function testNode(tested: object, confirm_effects?: boolean): Promise<Answer> {
  const workflow_schema = chain(tested as never);
  const { id } = (await tenant.call('POST', '/workflows', { body: { workflow_schema } })).body;
  const body = confirm_effects === undefined ? {} : { confirm_effects };
  return tenant.call('POST', `/workflows/${id}/nodes/n/test`, { body });
}

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'REL-confirmed-effects: a test of a %s asks first, and is made when it is confirmed',
  async (method) => {
    const tested = http('n', URL, { method });
    const { status, headers, body } = await testNode(tested);
    expect([status, headers.get('x-error-code')]).toEqual([409, 'effects_not_confirmed']);
    expect(body.detail).toBe('Node n has side effects: n. Send confirm_effects: true to run it');
    expect((await testNode(tested, true)).status).toBe(200);
  },
);

test('a test of a GET asks for nothing', async () => {
  expect((await testNode(http('n', URL, { method: 'GET' }))).status).toBe(200);
});

test('REL-confirmed-effects: a test of a sub-workflow asks for what its nodes send, at any depth', async () => {
  const sends = await deployWorkflow(tenant, chain(http('inner', URL, { method: 'DELETE' })));
  const above = await deployWorkflow(tenant, chain(callOf(sends) as never));
  for (const [workflow, name] of [
    [sends, 'n / inner'],
    [above, 'n / n / inner'],
  ] as const) {
    const { status, body } = await testNode(callOf(workflow));
    expect([status, body.detail]).toEqual([
      409,
      `Node n has side effects: ${name}. Send confirm_effects: true to run it`,
    ]);
    expect((await testNode(callOf(workflow), true)).status).toBe(200);
  }
});

test('a sub-workflow that sends nothing is tested without asking: it reads, is mocked, or is not deployed', async () => {
  const mocked = http('a', URL, {}, { mock: { enabled: true, output: 1 } });
  const reads = await deployWorkflow(
    tenant,
    chain(http('r', URL, { method: 'GET' }), mocked, transform('t')),
  );
  const draft = (
    await tenant.call('POST', '/workflows', { body: { workflow_schema: chain(http('a', URL)) } })
  ).body.id;
  for (const workflow of [reads, draft]) expect((await testNode(callOf(workflow))).status).toBe(200);
});

test('REL-confirmed-effects: workflows that call each other are looked at once', async () => {
  const id = await deployWorkflow(tenant, chain(http('a', URL, { method: 'GET' })));
  const workflow_schema = chain(callOf(id) as never);
  await tenant.call('PATCH', `/workflows/${id}`, { body: { workflow_schema } });
  await tenant.call('POST', `/workflows/${id}/deploy`);
  expect((await testNode(callOf(id))).status).toBe(200);
});
