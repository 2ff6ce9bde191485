/** A workflow that others call could be deleted unnoticed, or be saved with a call of one that does not exist. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { chain, node, transform } from '../support/definitions.ts';

let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  api = await startApi();
  [tenant, stranger] = await Promise.all([api.tenant(), api.tenant()]);
});
afterAll(() => api.close());

const save = async (name: string, definition: JsonObject, by = tenant): Promise<Answer> =>
  by.call('POST', '/workflows', {
    body: { name, workflow_schema: { ...definition, metadata: { name } } },
  });
const idOf = async (saved: Promise<Answer>): Promise<string> => (await saved).body.id;
const deploy = (id: string): Promise<Answer> => tenant.call('POST', `/workflows/${id}/deploy`);

const byTool = (workflowId: string): JsonObject =>
  chain(transform('first'), node('call', 'tool', { kind: 'workflow', workflow_id: workflowId }));
const byAgent = (workflowId: string): JsonObject =>
  chain(
    node('call', 'agent', {
      provider: 'openai',
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      tools: [{ kind: 'workflow', name: 'sub', workflow_id: workflowId }],
    }),
  );
const WAYS = [
  { by: 'a tool', calling: byTool, path: ['nodes', 1, 'config', 'workflow_id'] },
  { by: "an agent's tool", calling: byAgent, path: ['nodes', 0, 'config', 'tools', 0, 'workflow_id'] },
];

test.each(WAYS)(
  'SEC-T16: $by that calls no workflow, or a foreign one, is a problem of the draft and refused at the deploy',
  async ({ calling, path }) => {
    const foreign = await idOf(save('Foreign', chain(transform('t')), stranger));
    for (const missing of [crypto.randomUUID(), foreign]) {
      const msg = `Node "call": workflow_id: this organization has no workflow ${missing}`;
      const problem = { severity: 'error', code: 'workflow_not_found', message: msg, path, node_id: 'call' };
      const saved = await save('Caller', calling(missing));
      expect([saved.status, saved.body.problems]).toEqual([201, [problem]]);
      const at = `/workflows/${saved.body.id}`;
      expect((await tenant.call('GET', at)).body.problems).toEqual([problem]);
      const changed = await tenant.call('PATCH', at, { body: { description: 'x' } });
      expect([changed.status, changed.body.problems]).toEqual([200, [problem]]);
      const refused = await deploy(saved.body.id);
      const issue = { loc: ['workflow_schema', ...path], msg, type: 'workflow_not_found' };
      expect([refused.status, refused.body]).toEqual([422, { detail: [issue] }]);
      expect((await tenant.call('GET', `${at}/deployments`)).body.total).toBe(0);
    }
  },
);

test.each(WAYS)('$by that calls a workflow of the organization, or its own, is deployed', async (way) => {
  const sub = await idOf(save('Sub', chain(transform('t'))));
  const saved = await save('Caller', way.calling(sub.toUpperCase()));
  expect(saved.body.problems).toEqual([]);
  expect((await deploy(saved.body.id)).status).toBe(201);
  const own = way.calling(saved.body.id);
  await tenant.call('PATCH', `/workflows/${saved.body.id}`, { body: { workflow_schema: own } });
  expect((await deploy(saved.body.id)).status).toBe(201);
});

test('a draft has the problem from the moment that the workflow which it calls is deleted', async () => {
  const sub = await idOf(save('Sub', chain(transform('t'))));
  const caller = await idOf(save('Caller', byTool(sub)));
  const codes = async (): Promise<string[]> =>
    (await tenant.call('GET', `/workflows/${caller}`)).body.problems.map(
      ({ code }: { code: string }) => code,
    );
  expect(await codes()).toEqual([]);
  await tenant.call('DELETE', `/workflows/${sub}`);
  expect(await codes()).toEqual(['workflow_not_found']);
});

test('a deletion names the callers of a workflow before and after: live deployments first, itself not', async () => {
  const sub = await idOf(save('Sub', chain(transform('t'))));
  await tenant.call('PATCH', `/workflows/${sub}`, { body: { workflow_schema: byTool(sub) } });
  const draft = await idOf(save('A draft', byAgent(sub)));
  const live = await idOf(save('Live', byTool(sub)));
  await deploy(live);
  // Its draft calls no more, its live deployment does.
  await tenant.call('PATCH', `/workflows/${live}`, { body: { workflow_schema: chain(transform('t')) } });
  await save('Mentions', chain(transform('t', { text: sub })));
  const foreign = await save('Foreign', byTool(sub), stranger);
  expect(foreign.status).toBe(201);

  const used_by = [
    { workflow_id: live, name: expect.any(String) as string, is_live: true },
    { workflow_id: draft, name: 'A draft', is_live: false },
  ];
  const usage = await tenant.call('GET', `/workflow-usage/${sub}`);
  expect([usage.status, usage.body]).toEqual([200, { used_by }]);
  const deleted = await tenant.call('DELETE', `/workflows/${sub}`);
  expect([deleted.status, deleted.body]).toEqual([
    200,
    {
      success: true,
      message: expect.stringMatching(/^Workflow deleted; it is still called by ".+", "A draft"$/) as string,
      used_by,
    },
  ]);
  expect((await tenant.call('GET', `/workflows/${sub}`)).status).toBe(404);
});

test('a workflow without callers is deleted without a list', async () => {
  const alone = await idOf(save('Alone', chain(transform('t'))));
  expect((await tenant.call('GET', `/workflow-usage/${alone}`)).body).toEqual({ used_by: [] });
  const deleted = await tenant.call('DELETE', `/workflows/${alone}`);
  expect(deleted.body).toEqual({ success: true, message: 'Workflow deleted' });
});

test.each([
  [100, 100],
  [101, 100],
])('of %i that call a workflow %i are told, and five are named', async (calling, told) => {
  const sub = await idOf(save('Sub', chain(transform('t'))));
  for (let at = 0; at < calling; at += 1) await save(`Caller ${at}`, byTool(sub));
  const { body } = await tenant.call('DELETE', `/workflows/${sub}`);
  expect(body.used_by).toHaveLength(told);
  expect(body.message).toMatch(/(?:"Caller \d+", ){4}"Caller \d+" and 95 more$/);
});
