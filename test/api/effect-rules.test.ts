/** A version would be deployed that the organization has forbidden, somebody but an owner would say what is, or a stranger's rules would hold. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { chain, http, node } from '../support/definitions.ts';

let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  [tenant, stranger] = await Promise.all([api.tenant(), api.tenant()]);
});

const rule = (left: string, op: string, right: unknown): JsonObject =>
  ({ left: `{{${left}}}`, op, right }) as JsonObject;
const add = (body: object, by = tenant): Promise<Answer> => by.call('POST', '/effect-rules', { body });
const refuse = (name: string, ...when: JsonObject[]): Promise<Answer> =>
  add({ name, decision: 'refuse', when });
const namesOf = (answer: Answer): unknown[] =>
  (answer.body.rules as { name: string }[]).map(({ name }) => name);
const list = async (by = tenant): Promise<unknown[]> => namesOf(await by.call('GET', '/effect-rules'));

async function save(...nodes: JsonObject[]): Promise<string> {
  const body = { name: 'x', workflow_schema: chain(...nodes) };
  return (await tenant.call('POST', '/workflows', { body })).body.id;
}
const deploy = (id: string, by = tenant): Promise<Answer> => by.call('POST', `/workflows/${id}/deploy`);

test('API-effect-rules: a refused exact effect is not deployed, and the refusal names rule and node; what a run decides is', async () => {
  await refuse('Known hosts only', rule('door', 'eq', 'http'), rule('host', 'not_in', ['good.example']));
  const bad = await save(http('fine', 'https://good.example/a'), http('leak', 'https://bad.example/a'));
  const refused = await deploy(bad);
  expect([refused.status, refused.headers.get('x-error-code'), refused.body.detail]).toEqual([
    409,
    'effect_refused',
    'The rule "Known hosts only" of the organization refuses what the node "leak" does',
  ]);
  expect((await tenant.call('GET', `/workflows/${bad}/deployments`)).body.total).toBe(0);
  const decided = await save(http('free', '{{input.url}}'), http('fine', 'https://good.example/a'));
  expect((await deploy(decided)).status).toBe(201);
});

test('an effect of a live sub-workflow refuses its callers by the workflow that has the node', async () => {
  const inner = await save(http('send', 'https://inner.example/a'));
  expect((await deploy(inner)).status).toBe(201);
  const outer = await save(node('call', 'tool', { kind: 'workflow', workflow_id: inner }));
  await refuse('Not by the outer', rule('host', 'eq', 'inner.example'), rule('workflow_id', 'eq', outer));
  expect((await deploy(outer)).status).toBe(201);
  await refuse('Not by the inner', rule('host', 'eq', 'inner.example'), rule('workflow_id', 'eq', inner));
  expect((await deploy(outer)).body.detail).toBe(
    'The rule "Not by the inner" of the organization refuses what the node "call / send" does',
  );
});

test('API-effect-rules: an older version that is refused by now does not go live, by itself or when the live one is deleted', async () => {
  const id = await save(http('leak', 'https://old.example/a'));
  const old = (await deploy(id)).body.id;
  const workflow_schema = chain(http('fine', 'https://new.example/a'));
  await tenant.call('PATCH', `/workflows/${id}`, { body: { workflow_schema } });
  const live = (await deploy(id)).body.id;
  await refuse('Not there', rule('host', 'eq', 'old.example'));
  const refusal = [409, 'effect_refused', expect.stringContaining('The rule "Not there"')];
  const read = ({ status, headers, body }: Answer): unknown[] => [
    status,
    headers.get('x-error-code'),
    body.detail,
  ];
  const deployments = `/workflows/${id}/deployments`;
  expect(read(await tenant.call('PUT', `${deployments}/${old}/activate`))).toEqual(refusal);
  expect(read(await tenant.call('DELETE', `${deployments}/${live}`))).toEqual(refusal);
  expect((await tenant.call('GET', `/workflows/${id}`)).body.live_deployment_id).toBe(live);
  // An owner may still leave the workflow without a live version.
  expect((await tenant.call('DELETE', `${deployments}/live`)).status).toBe(200);
  expect((await tenant.call('DELETE', `${deployments}/${live}`)).status).toBe(200);
  expect(read(await tenant.call('PUT', `${deployments}/${old}/activate`))).toEqual(refusal);
  expect((await tenant.call('GET', `/workflows/${id}`)).body.live_deployment_id).toBeNull();
});

test('the first rule that matches decides, in the order that an owner gives', async () => {
  const [broad, narrow] = [
    await refuse('All'),
    await add({ name: 'One', decision: 'allow', when: rule('host', 'eq', 'one.example') }),
  ];
  expect([broad.status, narrow.status]).toEqual([201, 201]);
  expect(broad.body).toMatchObject({
    name: 'All',
    decision: 'refuse',
    when: [],
    organization_id: tenant.org,
  });
  const id = await save(http('a', 'https://one.example/a'));
  expect((await deploy(id)).status).toBe(409);
  const order = (...ids: string[]): Promise<Answer> =>
    tenant.call('PUT', '/effect-rules/order', { body: { rule_ids: ids } });
  expect(namesOf(await order(narrow.body.id, broad.body.id))).toEqual(['One', 'All']);
  expect((await deploy(id)).status).toBe(201);
  for (const wrong of [
    [],
    [broad.body.id],
    [broad.body.id, broad.body.id],
    [broad.body.id, crypto.randomUUID()],
  ])
    expect([wrong, (await order(...wrong)).status]).toEqual([wrong, 422]);
  expect(await list()).toEqual(['One', 'All']);
  expect((await tenant.call('DELETE', `/effect-rules/${narrow.body.id}`)).status).toBe(200);
  expect((await tenant.call('DELETE', `/effect-rules/${narrow.body.id}`)).status).toBe(404);
  expect((await deploy(id)).status).toBe(409);
});

test('a change of a rule holds at once, keeps its place and what is not given, and is checked as a new one', async () => {
  const { id } = (await refuse('First', rule('host', 'eq', 'one.example'))).body;
  await refuse('Last', rule('host', 'eq', 'two.example'));
  const change = (body: object): Promise<Answer> => tenant.call('PATCH', `/effect-rules/${id}`, { body });
  const workflow = await save(http('a', 'https://one.example/a'));
  expect((await deploy(workflow)).status).toBe(409);
  const changed = await change({ decision: 'allow', name: 'Was first' });
  expect([changed.status, changed.body]).toMatchObject([
    200,
    { name: 'Was first', decision: 'allow', when: [rule('host', 'eq', 'one.example')] },
  ]);
  expect((await deploy(workflow)).status).toBe(201);
  expect(await list()).toEqual(['Was first', 'Last']);
  expect((await change({ when: rule('host', 'is', 'x') })).status).toBe(422);
  expect((await change({})).body).toEqual(changed.body);
  const nowhere = await tenant.call('PATCH', `/effect-rules/${crypto.randomUUID()}`, { body: {} });
  expect(nowhere.status).toBe(404);
});

test('API-effect-rules: what a rule asks about is deployed, the sheet names the rule, and whom it asks goes with its decision', async () => {
  const confirm = {
    assignees: { roles: ['owner'] },
    required_responses: 2,
    timeout_seconds: 60,
    message: 'Look',
  };
  const when = [rule('host', 'eq', 'pay.example')];
  const made = await add({ name: 'Refunds', decision: 'ask', confirm, when });
  const { id } = made.body;
  const whole = { ...confirm, assignees: { roles: ['owner'], user_ids: [] } };
  expect([made.status, made.body.confirm]).toEqual([201, whole]);
  const workflow = await save(http('pay', 'https://pay.example/a'), http('free', 'https://free.example/a'));
  expect((await deploy(workflow)).status).toBe(201);
  const { rows } = (await tenant.call('POST', `/workflows/${workflow}/sheet`)).body;
  expect(
    (rows as JsonObject[]).map(({ nodes, asked_by, refused_by }) => [nodes, asked_by, refused_by]),
  ).toEqual([
    [['pay'], 'Refunds', null],
    [['free'], null, null],
  ]);
  const change = async (body: object): Promise<unknown> => {
    const { status, body: answer } = await tenant.call('PATCH', `/effect-rules/${id}`, { body });
    return status === 200 ? [answer.decision, answer.confirm] : status;
  };
  expect(await change({ name: 'Paying' })).toEqual(['ask', whole]);
  expect(await change({ decision: 'refuse' })).toEqual(['refuse', null]);
  expect(await change({ confirm })).toBe(422);
  const anybody = {
    assignees: { roles: [], user_ids: [] },
    required_responses: 1,
    timeout_seconds: null,
    message: '',
  };
  expect(await change({ decision: 'ask' })).toEqual(['ask', anybody]);
  expect(await change({ confirm })).toEqual(['ask', whole]);
});

test('API-effect-rules: where a rule asks and nobody can be asked is told when it is saved and before it is deployed, for the run refuses it', async () => {
  await add({ name: 'Look', decision: 'ask', when: [] });
  const messages = [{ role: 'user', content: 'Hi' }];
  const tool = { kind: 'http', name: 'pay', method: 'POST', url: 'https://pay.example/a', input_schema: {} };
  const nodes = [
    http('one', 'https://one.example/a'),
    { ...http('each', 'https://each.example/a'), for_each: { items: [1], as: 'item' } },
    node('agent', 'agent', { provider: 'openai', model: 'gpt-4.1', messages, tools: [tool] }),
    { ...http('off', 'https://off.example/a'), for_each: { items: [1], as: 'item' }, disabled: true },
  ];
  const saved = await tenant.call('POST', '/workflows', {
    body: { name: 'x', workflow_schema: chain(...nodes) },
  });
  const told = (saved.body.problems as JsonObject[]).filter(({ code }) => code === 'rule_asks_nobody');
  expect(told.map(({ node_id, severity }) => [node_id, severity])).toEqual([
    ['each', 'warning'],
    ['agent', 'warning'],
  ]);
  expect(told[0]?.['message']).toContain(
    'the rule "Look" of the organization asks people first, but an item of a list',
  );
  const { rows } = (await tenant.call('POST', `/workflows/${saved.body.id}/sheet`)).body;
  expect(
    (rows as JsonObject[]).map(({ door, nodes: of, asked_by, unasked }) => [door, of, asked_by, unasked]),
  ).toEqual([
    ['http', ['one'], 'Look', null],
    ['http', ['each'], 'Look', 'item'],
    ['model', ['agent'], 'Look', 'unshown'],
    ['http', ['agent'], 'Look', null],
  ]);
  expect((await deploy(saved.body.id)).status).toBe(201);
});

test('API-effect-rules: a rule is previewed: what it would decide in live versions, in its place, and what it would leave to the others', async () => {
  const leaks = await save(
    http('leak', 'https://bad.example/a'),
    http('again', 'https://bad.example/b'),
    http('free', '{{input.url}}'),
    { ...http('each', 'https://each.example/a'), for_each: { items: [1], as: 'item' } },
  );
  await deploy(leaks);
  // A draft is not live.
  await save(http('draft', 'https://bad.example/a'));
  const ask = (body: object, by = tenant): Promise<Answer> =>
    by.call('POST', '/effect-rules/preview', { body });
  const preview = async (body: object, by = tenant): Promise<unknown[]> =>
    ((await ask(body, by)).body.hits as JsonObject[]).map((hit) => [
      hit['nodes'],
      hit['decision_before'],
      hit['decision'],
      ...(hit['is_exact'] === true ? [] : ['may']),
      ...(hit['is_hit'] === true ? [] : ['freed']),
      ...(hit['unasked'] === null ? [] : [hit['unasked']]),
    ]);
  const bad = { decision: 'refuse', when: [rule('host', 'eq', 'bad.example')] };
  const [hit] = (await ask(bad)).body.hits;
  expect(hit).toMatchObject({
    workflow_id: leaks,
    workflow_name: 'Test',
    deployment_version: '1.0.0',
    door: 'http',
    target: { host: 'bad.example' },
    nodes: ['leak', 'again'],
  });
  expect(await preview(bad)).toEqual([
    [['leak', 'again'], 'allow', 'refuse'],
    [['free'], null, 'refuse', 'may'],
  ]);
  // What a rule says of the rest is known before a run.
  const posts = {
    decision: 'refuse',
    when: [rule('host', 'eq', 'bad.example'), rule('method', 'eq', 'PUT')],
  };
  expect(await preview(posts)).toEqual([]);
  expect(await preview({ decision: 'ask', when: [rule('host', 'eq', 'each.example')] })).toEqual([
    [['free'], null, 'ask', 'may'],
    [['each'], 'allow', 'ask', 'item'],
  ]);
  // A rule above decides first; the changed one is judged in its own place.
  const first = (await refuse('First', rule('host', 'eq', 'bad.example'))).body.id;
  await add({ name: 'Last', decision: 'allow', when: rule('door', 'eq', 'http') });
  expect(await preview(bad)).toEqual([]);
  const moved = { effect_rule_id: first, decision: 'refuse', when: [rule('host', 'eq', 'each.example')] };
  expect(await preview(moved)).toEqual([
    [['leak', 'again'], 'refuse', 'allow', 'freed'],
    [['free'], null, 'refuse', 'may'],
    [['each'], 'allow', 'refuse'],
  ]);
  expect(await list()).toEqual(['First', 'Last']);
  expect(await preview(bad, stranger)).toEqual([]);
  expect((await ask(moved, stranger)).status).toBe(404);
  expect((await ask({ decision: 'refuse', when: rule('host', 'is', 'x') })).status).toBe(422);
});

test('a preview looks at 200 live versions, those last edited first, and at those that they call by a fixed version', async () => {
  const inner = await save(http('old', 'https://old.example/a'));
  await deploy(inner);
  const workflow_schema = chain(http('new', 'https://new.example/a'));
  await tenant.call('PATCH', `/workflows/${inner}`, { body: { workflow_schema } });
  await deploy(inner);
  const call = { kind: 'workflow', workflow_id: inner, deployment: '1.0.0' };
  expect((await deploy(await save(node('call', 'tool', call)))).status).toBe(201);
  const read = async (): Promise<unknown[]> => {
    const body = { decision: 'refuse', when: [rule('host', 'in', ['old.example', 'new.example'])] };
    const { body: found } = await tenant.call('POST', '/effect-rules/preview', { body });
    const nodes = (found.hits as JsonObject[]).map((hit) => hit['nodes']);
    return [found.versions_read, found.is_complete, nodes];
  };
  // With the starter workflow.
  expect(await read()).toEqual([4, true, [['new'], ['old']]]);
  const fill = (count: number): Promise<unknown> =>
    api.deps.db.query(
      `WITH made AS (
         INSERT INTO workflows (organization_id, name, workflow_schema, updated_at)
         SELECT $1, 'w' || n, '{}', now() + interval '1 hour' FROM generate_series(1, $2::int) n RETURNING id
       ), deployed AS (
         INSERT INTO deployments (organization_id, workflow_id, name, version, ordinal, is_live, definition_hash, workflow_schema, input, config)
         SELECT d.organization_id, made.id, 'w', '1', 1, true, d.definition_hash, d.workflow_schema, '{}', '{}'
         FROM made, (SELECT * FROM deployments WHERE workflow_id = $3 AND version = '1.0.0') d RETURNING id, workflow_id
       ) SELECT * FROM deployed`,
      [tenant.org, count, inner],
    );
  const setLive = (): Promise<unknown> =>
    api.deps.db.query(
      `UPDATE workflows w SET live_deployment_id = d.id FROM deployments d WHERE d.workflow_id = w.id AND d.is_live AND w.organization_id = $1`,
      [tenant.org],
    );
  await fill(196);
  await setLive();
  expect((await read()).slice(0, 2)).toEqual([200, true]);
  await fill(1);
  await setLive();
  expect((await read()).slice(0, 2)).toEqual([200, false]);
});

test('rules of another organization do not exist: they are not listed, ordered, deleted, and do not hold', async () => {
  const { id } = (await add({ name: 'Theirs', decision: 'refuse', when: [] }, stranger)).body;
  expect(await list()).toEqual([]);
  expect((await tenant.call('DELETE', `/effect-rules/${id}`)).status).toBe(404);
  const change = await tenant.call('PATCH', `/effect-rules/${id}`, { body: { name: 'Mine' } });
  expect(change.status).toBe(404);
  const order = await tenant.call('PUT', '/effect-rules/order', { body: { rule_ids: [id] } });
  expect(order.status).toBe(422);
  expect((await deploy(await save(http('a', 'https://one.example/a')))).status).toBe(201);
  expect(await list(stranger)).toEqual(['Theirs']);
});

test('an admin reads them, and only an owner writes them', async () => {
  const { id } = (await refuse('Mine')).body;
  await api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT user_id, $1, 'admin' FROM memberships WHERE organization_id = $2 AND role = 'owner'`,
    [tenant.org, stranger.org],
  );
  const asAdmin = (method: string, path: string, body?: object): Promise<Answer> =>
    stranger.call(method, path, { org: tenant.org, ...(body === undefined ? {} : { body }) });
  expect(namesOf(await asAdmin('GET', '/effect-rules'))).toEqual(['Mine']);
  const attempts = [
    await asAdmin('POST', '/effect-rules', { name: 'x', decision: 'allow', when: [] }),
    await asAdmin('PUT', '/effect-rules/order', { rule_ids: [id] }),
    await asAdmin('PATCH', `/effect-rules/${id}`, { decision: 'allow' }),
    await asAdmin('DELETE', `/effect-rules/${id}`),
  ];
  expect(attempts.map(({ status, headers }) => [status, headers.get('x-error-code')])).toEqual(
    attempts.map(() => [403, 'owner_role_required']),
  );
  expect(await list()).toEqual(['Mine']);
});

test('a rule that could not be read is refused with the place and the reason', async () => {
  const messageOf = async (body: object): Promise<unknown> => {
    const { status, body: answer } = await add({ name: 'x', decision: 'refuse', when: [], ...body });
    const [{ loc, msg }] = status === 422 ? answer.detail : [{ loc: [], msg: status }];
    return [loc.at(-1), msg];
  };
  expect(await messageOf({ decision: 'maybe' })).toEqual(['decision', expect.stringContaining('refuse')]);
  expect(await messageOf({ confirm: { assignees: { roles: ['owner'] } } })).toEqual([
    'confirm',
    'Only a rule with the decision ask has it',
  ]);
  const twoOfOne = { assignees: { user_ids: [crypto.randomUUID()] }, required_responses: 2 };
  expect((await add({ name: 'x', decision: 'ask', when: [], confirm: twoOfOne })).status).toBe(422);
  expect(await messageOf({ when: rule('input.host', 'eq', 'x') })).toEqual([
    'when',
    '{{input.host}} is unknown here; templates read door, method, host, target, effect, credential_id, workflow_id',
  ]);
  expect(await messageOf({ when: rule('host', 'is', 'x') })).toEqual([
    'when',
    expect.stringContaining('"op"'),
  ]);
  expect(await messageOf({ when: rule('host', 'matches', '(') })).toEqual(['when', expect.any(String)]);
  expect(await messageOf({ name: '' })).toEqual(['name', expect.any(String)]);
});

test('an organization has at most 50 rules, of at most 8,192 characters each', async () => {
  const ofSize = (characters: number): JsonObject => {
    const empty = rule('host', 'eq', '');
    return { ...empty, right: 'x'.repeat(characters - JSON.stringify(empty).length) };
  };
  expect((await refuse('too large', ofSize(8_191))).status).toBe(422);
  expect((await refuse('as large as allowed', ofSize(8_190))).status).toBe(201);
  await api.deps.db.query(
    `INSERT INTO effect_rules (organization_id, position, decision, name, condition)
     SELECT $1, n, 'allow', 'n' || n, '[]' FROM generate_series(2, 49) n`,
    [tenant.org],
  );
  expect((await refuse('the 50th')).status).toBe(201);
  const more = await refuse('the 51st');
  expect([more.status, more.headers.get('x-error-code')]).toEqual([409, 'effect_rule_limit_reached']);
  expect(await list()).toHaveLength(50);
});
