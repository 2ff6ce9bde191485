/** A run would use more than its budget, be stopped before it, or leave a reservation behind. Providers are real servers, on loopback. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { answer, childOf, deploy, eventually, owner, questionsOf, resume } from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { newRun } from '../support/runs.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
beforeAll(async () => {
  ({ engine, recorder, model } = await startEngineWithModel({
    MANAGED_LLM_MAX_OUTPUT_TOKENS: '100',
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  }));
});
afterAll(() => engine.close());

const tag = (): string => randomUUID();
const messages = [{ role: 'user', content: 'Go' }];
const asks = { provider: 'openai', model: 'test-model', messages };
const llm = (id: string, config: JsonObject = {}, envelope: JsonObject = {}): JsonObject =>
  node(id, 'llm', { ...asks, ...config }, envelope);
const within = (limits: JsonObject, definition: JsonObject): JsonObject => ({
  ...definition,
  config: { limits },
});
const exceeded = (message: RegExp | string, nodeId: string): object => ({
  code: 'budget_exceeded',
  message: typeof message === 'string' ? message : expect.stringMatching(message),
  node_id: nodeId,
});

interface Counter {
  readonly used_mc: number;
  readonly reserved_mc: number;
  readonly model_calls: number;
  readonly effects: object;
}
const counterOf = async (subject: string): Promise<Counter | undefined> => {
  const rows = await engine.db.query<Counter>(
    'SELECT used_mc, reserved_mc, model_calls, effects FROM budget_counters WHERE subject = $1',
    [subject],
  );
  return rows[0];
};
const nothingReserved = async (): Promise<void> => {
  const [sum] = await engine.db.query<{ open: number; reserved: number }>(
    `SELECT (SELECT count(*)::int FROM budget_reservations WHERE credits_mc > 0) AS open,
            (SELECT coalesce(sum(reserved_mc), 0)::int FROM budget_counters) AS reserved`,
  );
  expect(sum).toEqual({ open: 0, reserved: 0 });
};

/** A budget of an organization of its own, or of a workflow in it. */
async function budget(
  organizationId: string,
  period: 'day' | 'month',
  {
    credits = null,
    calls = null,
    effects = {},
    workflowId = null,
    onLimit = 'fail',
  }: Partial<Record<'credits' | 'calls', number | null>> & {
    effects?: object;
    workflowId?: string | null;
    onLimit?: 'ask' | 'fail';
  },
): Promise<void> {
  await engine.db.query(
    `INSERT INTO budgets (organization_id, workflow_id, period, max_credits_mc, max_model_calls, max_effects, on_limit)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [organizationId, workflowId, period, credits, calls, JSON.stringify(effects), onLimit],
  );
}
async function newOrganization(): Promise<string> {
  const [made] = await engine.db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug, plan) VALUES ('Other', $1, 'enterprise') RETURNING id`,
    [tag()],
  );
  return made?.id ?? '';
}
async function playIn(
  organizationId: string,
  definition: JsonObject,
  workflowId: string | null = null,
): Promise<Played> {
  const run = await newRun(engine.db, { organizationId, workflowId, ...writeDefinition(definition) });
  const accepted = await engine.acceptor.accept(run);
  engine.dispatcher.kick();
  return engine.follow(accepted);
}

describe('the budget of a run', () => {
  test('lets as many calls of models be made as it says, and not one more', async () => {
    const three = chain(llm('a'), llm('b'), llm('c'));
    expect((await engine.play(within({ max_model_calls: 3 }, three))).error).toBeNull();
    const before = model.requests.length;
    const stopped = await engine.play(within({ max_model_calls: 2 }, three));
    expect(stopped.error).toMatchObject(exceeded('Budget of the run: 2 of 2 model calls are made', 'c'));
    expect(model.requests.length - before).toBe(2);
  });

  test('reserves the most that a call may take: exactly that is enough, a thousandth less is not, and what is left is given back', async () => {
    const one = chain(llm('a', { parameters: { max_output_tokens: 10 } }));
    const refused = await engine.play(within({ max_credits: 0 }, one));
    expect(refused.error).toMatchObject(
      exceeded(
        /^Budget of the run: 0\.00 of 0\.00 credits are used; the next call may take 0\.\d{2,3}$/,
        'a',
      ),
    );
    const most = Number(/may take (.*)$/.exec(refused.error?.message ?? '')?.[1]);
    expect((await engine.play(within({ max_credits: most - 0.001 }, one))).error?.code).toBe(
      'budget_exceeded',
    );
    const passed = await engine.play(within({ max_credits: most }, one));
    expect(passed.error).toBeNull();
    // 7 tokens in, 3 out.
    expect(await counterOf(passed.accepted.runPk)).toMatchObject({
      used_mc: 16,
      reserved_mc: 0,
      model_calls: 1,
    });
    const twice = chain(...['a', 'b'].map((id) => llm(id, { parameters: { max_output_tokens: 10 } })));
    expect((await engine.play(within({ max_credits: most + 0.016 }, twice))).error).toBeNull();
    const stopped = await engine.play(within({ max_credits: most + 0.015 }, twice));
    expect(stopped.error).toMatchObject(
      exceeded(/^Budget of the run: 0\.016 of .* credits are used; the next/, 'b'),
    );
  });

  test('reserves the maximum of the model for a call that names none', async () => {
    const refused = async (config: JsonObject): Promise<number> => {
      const { error } = await engine.play(within({ max_credits: 0 }, chain(llm('a', config))));
      return Number(/may take (.*)$/.exec(error?.message ?? '')?.[1]);
    };
    const difference = (await refused({})) - (await refused({ parameters: { max_output_tokens: 10 } }));
    expect(difference).toBeCloseTo(0.27);
  });

  test('is one for an agent, the items of a map, parallel branches and a sub-workflow', async () => {
    const child = chain(llm('inner'));
    const workflowId = await deploy(engine, child);
    const all = chain(
      node('agent', 'agent', { ...asks, tools: [] }),
      llm('each', {}, { for_each: { items: [1, 2, 3], max_concurrency: 3 } }),
      node('sub', 'tool', { kind: 'workflow', workflow_id: workflowId, input: {}, wait: true }),
      llm('last'),
    );
    const passed = await engine.play(within({ max_model_calls: 6 }, all));
    expect(passed.error).toBeNull();
    expect(await counterOf(passed.accepted.runPk)).toMatchObject({
      model_calls: 6,
      used_mc: 6 * 16,
      reserved_mc: 0,
    });
    const [last, sub] = await Promise.all(
      [5, 4].map((most) => engine.play(within({ max_model_calls: most }, all))),
    );
    expect(last?.error).toMatchObject(exceeded('Budget of the run: 5 of 5 model calls are made', 'last'));
    expect(sub?.error).toMatchObject({ code: 'budget_exceeded', node_id: 'sub' });
    await nothingReserved();
  });

  test('waits for calls under way, which may take less than is reserved for them', async () => {
    const each = (config: JsonObject): JsonObject =>
      llm('each', config, { for_each: { items: [1, 2, 3, 4], max_concurrency: 4 } });
    const few = { parameters: { max_output_tokens: 100 } };
    // Of four reservations one has a place at a time.
    const passed = await engine.play(within({ max_credits: 0.4 }, chain(each(few))));
    expect(passed.error).toBeNull();
    expect(await counterOf(passed.accepted.runPk)).toMatchObject({
      used_mc: 64,
      reserved_mc: 0,
      model_calls: 4,
    });
  });

  test('counts changes by their door, and no reading', async () => {
    const name = tag();
    const change = (id: string): JsonObject => http(id, recorder.url(name));
    const read = http('read', recorder.url(name), { method: 'GET' });
    const limits = { max_effects: { http: 2, mcp: 0 } };
    const stopped = await engine.play(within(limits, chain(change('a'), read, change('b'), change('c'))));
    expect(stopped.error).toMatchObject(exceeded('Budget of the run: 2 of 2 changes by http are made', 'c'));
    expect(recorder.calls(name).map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
    expect((await engine.play(within(limits, chain(change('a'), read, change('b'))))).error).toBeNull();
  });

  test('counts each link to a person once', async () => {
    const question = (emails: string[]): JsonObject =>
      node('ask', 'interrupt', {
        kind: 'approval',
        title: 'Go?',
        message: '',
        actions: [{ id: 'yes', label: 'Yes' }],
        assignees: { emails },
      });
    const limits = { max_effects: { message: 2 } };
    const asked = await engine.play(within(limits, chain(question(['a@example.com', 'b@example.com']))));
    expect([asked.end.type, (await counterOf(asked.accepted.runPk))?.effects]).toEqual([
      'run_interrupted',
      { message: 2 },
    ]);
    const three = chain(question(['a@example.com', 'b@example.com', 'c@example.com']));
    expect((await engine.play(within(limits, three))).error).toMatchObject(
      exceeded('Budget of the run: 2 of 2 changes by message are made', 'ask'),
    );
  });

  test('counts a request that people approve as it is sent, and the links to them as they are asked', async () => {
    const approveWithin = async (most: number): Promise<{ sent: number; ended: Played; asked: Played }> => {
      const name = tag();
      const confirm = { assignees: { emails: ['a@example.com'] } };
      const pay = http('pay', recorder.url(name), {}, { confirm });
      const limits = { max_effects: { http: most, message: 1 } };
      const asked = await engine.play(within(limits, chain(pay, http('more', recorder.url(name)))));
      expect((await counterOf(asked.accepted.runPk))?.effects).toEqual({ message: 1 });
      const payload = asked.of('interrupt', 'pay')[0]?.['payload'] as JsonObject | undefined;
      const ended = await resume(engine, asked, {
        interrupt_id: questionsOf(asked)['pay'] ?? '',
        action: 'approve',
        data: { digest: payload?.['digest'] ?? null },
      });
      return { sent: recorder.calls(name).length, ended, asked };
    };
    const one = await approveWithin(1);
    expect([one.sent, one.ended.error]).toMatchObject([
      1,
      exceeded('Budget of the run: 1 of 1 changes by http are made', 'more'),
    ]);
    expect((await counterOf(one.asked.accepted.runPk))?.effects).toEqual({ message: 1, http: 1 });
    const none = await approveWithin(0);
    expect([none.sent, none.ended.error]).toMatchObject([
      0,
      exceeded('Budget of the run: 0 of 0 changes by http are made', 'pay'),
    ]);
  });

  test('counts a further attempt again, and a refusal takes the error edge', async () => {
    model.script({ status: 500 }, { status: 500 }, {});
    const retry = { retry: { max_attempts: 3, initial_interval_ms: 1 } };
    const failing = chain(
      llm('a', {}, { ...retry, on_error: 'continue' }),
      transform('t', { code: '{{a.error.code}}' }),
    );
    const stopped = await engine.play(within({ max_model_calls: 2 }, failing));
    expect(stopped.output).toMatchObject({ code: 'budget_exceeded' });
    model.script({});
    await nothingReserved();
  });
});

describe('the budget of an organization or a workflow', () => {
  test('binds all runs of its day and of its month, and the next period begins anew', async () => {
    const organizationId = await newOrganization();
    await budget(organizationId, 'day', { calls: 1 });
    await budget(organizationId, 'month', { calls: 2 });
    const play = async (): Promise<string | undefined> =>
      (await playIn(organizationId, chain(llm('a')))).error?.message;
    expect(await play()).toBeUndefined();
    expect(await play()).toMatch(
      /^Budget of the organization for \d{4}-\d\d-\d\d: 1 of 1 model calls are made$/,
    );
    const yesterday = `UPDATE budget_counters SET starts = starts - 1 WHERE organization_id = $1 AND period = 'day'`;
    await engine.db.query(yesterday, [organizationId]);
    expect(await play()).toBeUndefined();
    await engine.db.query(yesterday.replace('- 1', '- 2'), [organizationId]);
    expect(await play()).toMatch(/^Budget of the organization for \d{4}-\d\d: 2 of 2 model calls are made$/);
  });

  test('of a workflow binds its runs and the sub-workflows that they call, and no others', async () => {
    const child = await deploy(engine, chain(llm('inner')));
    const parent = await deploy(engine, chain(transform('t')));
    await budget(engine.organizationId, 'day', { calls: 1, workflowId: parent });
    // A worker learns of a first budget within five seconds.
    const { rules } = engine.deps;
    const known = await rules.get(engine.db, engine.organizationId);
    Object.assign(known.budgetScopes, { workflowIds: [parent] });
    const calls = chain(node('sub', 'tool', { kind: 'workflow', workflow_id: child, input: {}, wait: true }));
    expect((await playIn(engine.organizationId, calls, parent)).error).toBeNull();
    const stopped = await playIn(engine.organizationId, calls, parent);
    expect(stopped.error).toMatchObject({ code: 'budget_exceeded', node_id: 'sub' });
    expect((await engine.play(chain(llm('a')))).error).toBeNull();
  });
});

describe('a run that reaches a budget which asks', () => {
  const asking = (limits: JsonObject, definition: JsonObject): JsonObject =>
    within({ ...limits, on_limit: 'ask' }, definition);
  const idOf = (played: Played, nodeId: string): string => questionsOf(played)[nodeId] ?? '';
  const raise = (played: Played, nodeId: string, data: JsonObject = {}): Promise<Played> =>
    resume(engine, played, { interrupt_id: idOf(played, nodeId), action: 'raise', data });
  const failureOf = (given: Promise<unknown>): Promise<unknown> =>
    given.then(
      () => null,
      (error: unknown) => (error as { failure?: unknown }).failure ?? error,
    );

  test('waits before the call, and makes it once when it is raised', async () => {
    const before = model.requests.length;
    const asked = await engine.play(asking({ max_model_calls: 1 }, chain(llm('a'), llm('b'), llm('c'))));
    expect(asked.end.type).toBe('run_interrupted');
    expect(asked.of('interrupt', 'b')).toMatchObject([
      {
        kind: 'budget_limit',
        title: 'Raise the budget of the run?',
        message: expect.stringContaining('Budget of the run: 1 of 1 model calls are made. Raise it'),
        payload: { scope: 'run', kind: 'model_calls', used: 1, limit: 1, next: 1 },
        form: { properties: { raise_by: { type: 'integer', minimum: 1, default: 1 } } },
        actions: [{ id: 'raise' }, { id: 'stop' }],
        assignees: { roles: ['owner', 'admin'], user_ids: [] },
        expires_at: null,
      },
    ]);
    expect(model.requests.length - before).toBe(1);
    const again = await raise(asked, 'b');
    expect([again.end.type, again.of('interrupt', 'c').length]).toEqual(['run_interrupted', 1]);
    expect(model.requests.length - before).toBe(2);
    const done = await raise(again, 'c', { raise_by: 5 });
    expect(done.error).toBeNull();
    expect(model.requests.length - before).toBe(3);
    expect(await counterOf(asked.accepted.runPk)).toMatchObject({ model_calls: 3, reserved_mc: 0 });
    await nothingReserved();
  });

  test('is answered by owners and admins, or those it names, once, and with enough', async () => {
    const one = chain(llm('a', { parameters: { max_output_tokens: 10 } }));
    const asked = await engine.play(asking({ max_credits: 0 }, one));
    const { minimum } = (
      asked.of('interrupt', 'a')[0] as unknown as { form: { properties: { raise_by: { minimum: number } } } }
    ).form.properties.raise_by;
    const body = (raiseBy: number): JsonObject => ({
      interrupt_id: idOf(asked, 'a'),
      action: 'raise',
      data: { raise_by: raiseBy },
    });
    const member = { ...owner(engine), role: 'member' as const };
    expect(await failureOf(answer(engine, asked, body(1), member))).toMatchObject({
      status: 403,
      code: 'not_the_assignee',
    });
    expect(await failureOf(answer(engine, asked, body(minimum - 0.001)))).toMatchObject({
      issues: [{ type: 'minimum' }],
    });
    const admin = { ...owner(engine), role: 'admin' as const };
    const raised = await answer(engine, asked, body(minimum), admin);
    expect(await failureOf(answer(engine, asked, body(minimum)))).toMatchObject({
      status: 410,
      code: 'interrupt_closed',
    });
    expect((await engine.follow(raised)).error).toBeNull();
    const named = asking({ max_model_calls: 0, assignees: { roles: ['member'] } }, chain(llm('a')));
    const theirs = await engine.play(named);
    const refused = answer(engine, theirs, { interrupt_id: idOf(theirs, 'a'), action: 'raise', data: {} });
    expect(await failureOf(refused)).toMatchObject({ status: 403 });
  });

  test('is stopped by a person: the node fails, and its error edge may be taken', async () => {
    const node1 = llm('a', {}, { on_error: 'continue' });
    const asked = await engine.play(
      asking({ max_model_calls: 0 }, chain(node1, transform('t', { code: '{{a.error.code}}' }))),
    );
    const before = model.requests.length;
    const stopped = await resume(engine, asked, { interrupt_id: idOf(asked, 'a'), action: 'stop' });
    expect(stopped.output).toMatchObject({ code: 'budget_exceeded' });
    expect(model.requests.length).toBe(before);
  });

  test('an agent waits between two turns, and repeats none of them', async () => {
    const tool = { kind: 'http', name: 'look', method: 'POST', url: recorder.url(tag()) };
    const agent = node('agent', 'agent', { ...asks, tools: [tool] });
    model.script({ toolCalls: [{ id: 'one', name: 'look', arguments: {} }] }, { text: ['Found'] });
    const before = model.requests.length;
    const asked = await engine.play(asking({ max_model_calls: 1 }, chain(agent)));
    expect([asked.end.type, model.requests.length - before]).toEqual(['run_interrupted', 1]);
    const done = await raise(asked, 'agent');
    expect(done.error).toBeNull();
    expect(done.output).toMatchObject({ content: 'Found' });
    expect(model.requests.length - before).toBe(2);
    model.script({});
  });

  test('a change outside waits, too, and leaves once', async () => {
    const name = tag();
    const asked = await engine.play(
      asking(
        { max_effects: { http: 1 } },
        chain(http('a', recorder.url(name)), http('b', recorder.url(name))),
      ),
    );
    expect([asked.end.type, recorder.calls(name).length]).toEqual(['run_interrupted', 1]);
    expect((await raise(asked, 'b')).error).toBeNull();
    expect(recorder.calls(name)).toHaveLength(2);
    expect((await counterOf(asked.accepted.runPk))?.effects).toEqual({ http: 2 });
  });

  test('a sub-workflow asks, and is raised with the run that has called it', async () => {
    const child = await deploy(engine, chain(llm('inner')));
    const calls = chain(
      node('sub', 'tool', { kind: 'workflow', workflow_id: child, input: {}, wait: true }),
      llm('last'),
    );
    const accepted = await engine.accept(asking({ max_model_calls: 0 }, calls));
    engine.dispatcher.kick();
    const inner = await engine.follow(await eventually(() => childOf(engine, accepted)));
    expect(inner.end.type).toBe('run_interrupted');
    await answer(engine, inner, {
      interrupt_id: idOf(inner, 'inner'),
      action: 'raise',
      data: { raise_by: 2 },
    });
    expect((await engine.follow(accepted)).error).toBeNull();
  });

  test('cannot wait inside the items of a list: it fails and says so', async () => {
    const each = llm('each', {}, { for_each: { items: [1], max_concurrency: 1 } });
    const { error } = await engine.play(asking({ max_model_calls: 0 }, chain(each)));
    expect(error).toMatchObject({
      message: expect.stringContaining('Nobody is asked: an item of a list cannot wait for people'),
    });
  });

  test('raises a budget of the organization for itself alone', async () => {
    const organizationId = await newOrganization();
    await budget(organizationId, 'month', { calls: 1, onLimit: 'ask' });
    const asked = await playIn(organizationId, chain(llm('a'), llm('b')));
    expect(asked.of('interrupt', 'b')).toMatchObject([{ title: 'Raise the budget of the organization?' }]);
    const who = { ...owner(engine), organizationId };
    const raised = await answer(
      engine,
      asked,
      { interrupt_id: idOf(asked, 'b'), action: 'raise', data: {} },
      who,
    );
    expect((await engine.follow(raised)).error).toBeNull();
    expect((await playIn(organizationId, chain(llm('a')))).end.type).toBe('run_interrupted');
  });
});
