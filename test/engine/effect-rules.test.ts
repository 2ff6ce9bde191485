/** What an organization has refused would leave by one of the doors, by a redirect, or by trying again. All servers are real, on loopback. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { storeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import { KeptRules } from '../../src/engine/runs/execute/kept-rules.ts';
import { rerunBody, testNodeBody } from '../../src/engine/runs/api/rerun-schema.ts';
import { rerun } from '../../src/engine/runs/rerun/rerun.ts';
import { testNode } from '../../src/engine/runs/rerun/test-node.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { sink, type Sink } from '../platform/outbound/support.ts';
import { chain, END, edge, http, node, START, transform, workflow } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { deploy, owner, questionsOf, resume, runBy } from '../support/journeys.ts';
import { startMcpServer, type McpServer } from '../support/mcp-server.ts';
import type { ModelServer } from '../support/model-server.ts';
import { happened, toolCallsOf } from '../support/records.ts';
import { newRun } from '../support/runs.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
let forbidden: Sink;
let mcp: McpServer;
/** A workflow that people are asked about. */
let child: string;

const rule = (left: string, op: string, right: unknown): JsonObject =>
  ({ left: `{{${left}}}`, op, right }) as JsonObject;

/** Adds rules in this order. */
async function addRules(
  organizationId: string,
  rules: readonly (readonly ['allow' | 'refuse' | 'ask', string, ...JsonObject[]])[],
): Promise<void> {
  for (const [index, [decision, name, ...when]] of rules.entries())
    await engine.db.query(
      `INSERT INTO effect_rules (organization_id, position, decision, name, condition, confirmation) VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        organizationId,
        index,
        decision,
        name,
        JSON.stringify(when),
        decision === 'ask' ? JSON.stringify(ASKED) : null,
      ],
    );
}
/** Whom the rules that ask ask. */
const ASKED = { assignees: { roles: ['owner'] }, message: 'Look twice' };

beforeAll(async () => {
  [forbidden, mcp] = await Promise.all([sink(), startMcpServer([])]);
  ({ engine, recorder, model } = await startEngineWithModel({
    OUTBOUND_ALLOW: `127.0.0.1:${forbidden.port},${mcp.hostPort}`,
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  }));
  child = await deploy(engine, chain(transform('t', { got: '{{input.amount}}' })));
  // Before the first run: a worker keeps rules for some seconds.
  await addRules(engine.organizationId, [
    ['ask', 'Refunds', rule('door', 'eq', 'http'), rule('method', 'eq', 'PUT')],
    ['ask', 'Thinking', rule('door', 'eq', 'model'), rule('target.model', 'eq', 'thinks')],
    ['ask', 'Calling', rule('door', 'eq', 'run'), rule('target.workflow_id', 'eq', child)],
    ['allow', 'The recorder', rule('door', 'eq', 'http'), rule('host', 'eq', recorder.hostPort)],
    ['refuse', 'Known hosts only', rule('door', 'eq', 'http')],
    ['refuse', 'No costly model', rule('door', 'eq', 'model'), rule('target.model', 'eq', 'costly')],
    ['refuse', 'No servers', rule('door', 'eq', 'mcp'), rule('host', 'eq', mcp.hostPort)],
    ['refuse', 'No search', rule('door', 'eq', 'search')],
    ['refuse', 'No children', rule('door', 'eq', 'run'), rule('target.deployment', 'eq', 'live')],
    [
      'refuse',
      'Own people only',
      rule('door', 'eq', 'message'),
      rule('target.address', 'ends_with', '@outside.example'),
    ],
  ]);
});
beforeEach(() => {
  forbidden.heard.length = 0;
  mcp.heard.length = 0;
});
afterAll(async () => {
  await engine.close();
  await Promise.all([forbidden.close(), mcp.close()]);
});

const refusedBy = (name: string): object => ({
  code: 'effect_refused',
  message: `The rule "${name}" of the organization refuses this`,
});
const tag = (): string => randomUUID();
const messages = [{ role: 'user', content: 'Go' }];

describe('each door', () => {
  test('a request to a refused host, literal or decided by the run, is not sent; one that an earlier rule allows is', async () => {
    for (const url of [`${forbidden.base}/a`, '{{input.url}}']) {
      const played = await engine.play(chain(http('a', url)), { url: `${forbidden.base}/b` });
      expect(played.error).toMatchObject({ ...refusedBy('Known hosts only'), node_id: 'a' });
    }
    expect(forbidden.heard).toEqual([]);
    const allowed = tag();
    const played = await engine.play(chain(http('a', '{{input.url}}')), { url: recorder.url(allowed) });
    expect(played.error).toBeNull();
    expect(recorder.calls(allowed)).toHaveLength(1);
  });

  test('a refusal takes the error handle', async () => {
    const played = await engine.play(
      workflow(
        [http('a', forbidden.base), transform('rescue', { code: '{{a.error.code}}' })],
        [edge(START, 'a'), edge('a', END), edge('a', 'rescue', 'error'), edge('rescue', END)],
      ),
    );
    expect(played.error).toBeNull();
    expect(played.of('node_completed', 'rescue')[0]?.['output']).toEqual({ code: 'effect_refused' });
    expect(forbidden.heard).toEqual([]);
  });

  test('a redirect to a refused host is not followed', async () => {
    const before = `127.0.0.1:${forbidden.port}`;
    forbidden.answer = ({ url }, response) =>
      void (url === '/from'
        ? response.writeHead(302, { Location: `${recorder.origin}/${hidden}` }).end()
        : response.end('ok'));
    const hidden = tag();
    const open = await newOrganization([
      ['allow', 'The first', rule('host', 'eq', before)],
      ['refuse', 'Not further', rule('door', 'eq', 'http')],
    ]);
    const played = await playIn(open, chain(http('a', `${forbidden.base}/from`, { method: 'GET' })));
    expect(played.error).toMatchObject(refusedBy('Not further'));
    expect(forbidden.heard.map(({ url }) => url)).toEqual(['/from']);
    expect(recorder.calls(hidden)).toEqual([]);
    const free = await newOrganization([]);
    expect(
      (await playIn(free, chain(http('a', `${forbidden.base}/from`, { method: 'GET' })))).error,
    ).toBeNull();
    expect(recorder.calls(hidden)).toHaveLength(1);
  });

  test('a model, a search, a sub-workflow and a server', async () => {
    const asked = model.requests.length;
    const cases: readonly (readonly [string, JsonObject])[] = [
      ['No costly model', node('a', 'llm', { provider: 'openai', model: 'costly', messages })],
      ['No costly model', node('a', 'agent', { provider: 'openai', model: 'costly', messages })],
      ['No search', node('a', 'knowledge', { knowledge_base_ids: [randomUUID()], query: 'x' })],
      ['No children', node('a', 'tool', { kind: 'workflow', workflow_id: randomUUID() })],
      ['No servers', node('a', 'tool', { kind: 'mcp', server_url: mcp.url, tool: 'look' })],
    ];
    for (const [name, refused] of cases) {
      const played = await engine.play(chain(refused));
      expect([name, played.error]).toMatchObject([name, refusedBy(name)]);
    }
    expect(model.requests).toHaveLength(asked);
    expect(mcp.heard).toEqual([]);
  });

  test('a link to a person', async () => {
    const ask = (email: string): Promise<Played> =>
      engine.play(
        chain(
          node('a', 'interrupt', {
            kind: 'approval',
            title: 'Pay?',
            actions: [{ id: 'approve' }],
            assignees: { emails: [email] },
          }),
        ),
      );
    expect((await ask('eve@outside.example')).error).toMatchObject(refusedBy('Own people only'));
    expect((await ask('ada@inside.example')).end.type).toBe('run_interrupted');
  });
});

describe('an agent', () => {
  test('is told that a tool was refused; a server that is refused is not even asked for its tools', async () => {
    const tool = { kind: 'http', name: 'fetch', method: 'GET', url: `${forbidden.base}/x` };
    model.script({ toolCalls: [{ id: 'c1', name: 'fetch', arguments: {} }] }, { text: ['Done'] });
    const agent = (one: JsonObject): JsonObject =>
      chain(node('a', 'agent', { provider: 'openai', model: 'test-model', messages, tools: [one] }));
    const played = await engine.play(agent(tool));
    expect(played.error).toBeNull();
    expect(toolCallsOf(played).map(({ error }) => (error as JsonObject | null)?.['code'])).toEqual([
      'effect_refused',
    ]);
    const server = { kind: 'mcp', name: 'look', tool: 'look', server_url: mcp.url };
    expect((await engine.play(agent(server))).error).toMatchObject(refusedBy('No servers'));
    expect([forbidden.heard, mcp.heard]).toEqual([[], []]);
  });
});

test('trying again is refused as the run was: a rerun, and a test of the node', async () => {
  const definition = chain(http('a', forbidden.base));
  const workflowId = await deploy(engine, definition);
  const first = await engine.play(definition);
  const asked = rerunBody.parse({ confirm_effects: true });
  const started = await rerun(engine, owner(engine), {
    runPk: first.accepted.runPk,
    body: asked,
    idempotencyKey: null,
  });
  const again = await engine.follow(await runBy(engine, 'run_id', String(started['run_id'])));
  expect(again.error).toMatchObject(refusedBy('Known hosts only'));
  const tried = await testNode(engine, owner(engine), {
    workflowId,
    nodeId: 'a',
    body: testNodeBody.parse({ confirm_effects: true }),
    idempotencyKey: null,
  });
  const alone = await engine.follow(await runBy(engine, 'run_id', String(tried['run_id'])));
  expect(alone.error).toMatchObject(refusedBy('Known hosts only'));
  expect(forbidden.heard).toEqual([]);
});

async function newOrganization(rules: Parameters<typeof addRules>[1]): Promise<string> {
  const [row] = await engine.db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Other', 'other-' || gen_random_uuid()) RETURNING id`,
  );
  const id = row?.id ?? '';
  await addRules(id, rules);
  return id;
}

async function playIn(organizationId: string, definition: JsonObject): Promise<Played> {
  const definitionHash = await storeDefinition(engine.db, organizationId, definition);
  const accepted = await engine.acceptor.accept(await newRun(engine.db, { organizationId, definitionHash }));
  engine.dispatcher.kick();
  return engine.follow(accepted);
}

test('rules of one organization are none of another; a rule reads the workflow, the class and the credential', async () => {
  const free = await newOrganization([]);
  expect((await playIn(free, chain(http('a', forbidden.base)))).error).toBeNull();
  expect(forbidden.heard).toHaveLength(1);
  const reads = await newOrganization([
    ['refuse', 'Nothing is changed', rule('effect', 'neq', 'pure')],
    ['refuse', 'Without an account', rule('method', 'eq', 'HEAD'), rule('credential_id', 'eq', null)],
    ['refuse', 'Drafts', rule('method', 'eq', 'OPTIONS'), rule('workflow_id', 'eq', null)],
  ]);
  const codes: (string | undefined)[] = [];
  for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS'])
    codes.push((await playIn(reads, chain(http('a', forbidden.base, { method })))).error?.message);
  expect(codes).toEqual([
    undefined,
    expect.stringContaining('Nothing is changed'),
    expect.stringContaining('Without an account'),
    expect.stringContaining('Drafts'),
  ]);
});

test('a worker reads the rules of an organization once in five seconds, and a changed list holds from then on', async () => {
  let nowMs = 0;
  const kept = new KeptRules({ monotonic: () => nowMs });
  const organization = await newOrganization([]);
  let reads = 0;
  const sql = {
    query: (...given: Parameters<TestEngine['db']['query']>) => {
      reads += 1;
      return engine.db.query(...given);
    },
  } as unknown as Parameters<typeof kept.get>[0];
  const names = async () => (await kept.get(sql, organization)).effectRules.map(({ name }) => name);
  expect(await names()).toEqual([]);
  await addRules(organization, [['refuse', 'New', rule('door', 'eq', 'http')]]);
  nowMs = 4_999;
  expect([await names(), reads]).toEqual([[], 1]);
  nowMs = 5_000;
  expect(await names()).toEqual(['New']);
  expect(reads).toBe(2);
});

describe('a rule that asks', () => {
  const refund = (at: string, more: JsonObject = {}, envelope: JsonObject = {}): JsonObject =>
    http('pay', recorder.url(at), { method: 'PUT', body: { amount: '{{input.amount}}' }, ...more }, envelope);
  const input = { amount: 82 };
  const asked = async (definition: JsonObject): Promise<Played> => {
    const played = await engine.play(definition, input);
    expect([played.end.type, played.error]).toEqual(['run_interrupted', null]);
    return played;
  };
  const approve = (played: Played, nodeId: string): Promise<Played> => {
    const [question] = played.of('interrupt', nodeId);
    const { digest = '' } = (question?.['payload'] ?? {}) as JsonObject;
    const data = question?.['kind'] === 'effect_approval' ? { digest } : {};
    return resume(engine, played, {
      interrupt_id: questionsOf(played)[nodeId] ?? '',
      action: 'approve',
      data,
    });
  };
  const bodies = (at: string): unknown[] => recorder.calls(at).map(({ body }) => body);
  const nobody = (name: string, why: string): object => ({
    code: 'effect_refused',
    message: `The rule "${name}" of the organization asks people first. Nobody is asked: ${why}`,
  });

  test('API-effect-rules: holds a request until its people have approved it; what was shown leaves, once', async () => {
    const at = tag();
    const played = await asked(chain(refund(at), transform('t', { read: '{{pay.data.number}}' })));
    expect(played.of('interrupt', 'pay')).toMatchObject([
      {
        kind: 'effect_approval',
        message: 'Look twice',
        payload: { rule: 'Refunds', request: { method: 'PUT', body: { amount: 82 } } },
        assignees: { roles: ['owner'], user_ids: [] },
      },
    ]);
    expect(bodies(at)).toEqual([]);
    const resumed = await approve(played, 'pay');
    expect(resumed.end).toMatchObject({ type: 'run_completed', output: { read: 1 } });
    expect(bodies(at)).toEqual([{ amount: 82 }]);
    const told = 'SELECT outcome, approved_by_interrupt AS by FROM run_effects WHERE run_pk = $1';
    expect(await engine.db.query(told, [resumed.accepted.runPk])).toEqual([
      { outcome: 'done', by: questionsOf(played)['pay'] },
    ]);
  });

  test('asks its own people, whatever the node says', async () => {
    const confirm = { assignees: { roles: ['member'] }, message: 'Of the node', editable: ['body.amount'] };
    const [question] = (await asked(chain(refund(tag(), {}, { confirm })))).of('interrupt', 'pay');
    expect(question).toMatchObject({
      message: 'Look twice\n\nOf the node',
      assignees: { roles: ['owner'] },
      form: { properties: { 'body.amount': { default: 82 } } },
    });
  });

  test('asks about a model and a sub-workflow before they are called', async () => {
    const before = model.requests.length;
    const thinks = node('m', 'llm', { provider: 'openai', model: 'thinks', messages });
    const thinking = await asked(chain(thinks));
    expect(model.requests).toHaveLength(before);
    model.script({ text: ['Thought'] });
    expect((await approve(thinking, 'm')).error).toBeNull();
    const calls = node('c', 'tool', {
      kind: 'workflow',
      workflow_id: child,
      input: { amount: '{{input.amount}}' },
    });
    const calling = await asked(chain(calls));
    const children = 'SELECT id FROM runs WHERE parent_run_pk = ANY ($1::uuid[])';
    expect(await engine.db.query(children, [[calling.accepted.runPk]])).toEqual([]);
    const called = await approve(calling, 'c');
    expect(called.end).toMatchObject({ type: 'run_completed', output: { data: { got: 82 } } });
  });

  test('asks about the tool calls of an agent that it matches, and about no others', async () => {
    const [at, free] = [tag(), tag()];
    const tools = [
      { kind: 'http', name: 'refund', method: 'PUT', url: recorder.url(at) },
      { kind: 'http', name: 'note', method: 'POST', url: recorder.url(free) },
    ];
    const calls = ['refund', 'note'].map((name) => ({ id: name, name, arguments: { amount: 82 } }));
    model.script({ toolCalls: calls }, { text: ['Done'] });
    const played = await asked(
      chain(node('a', 'agent', { provider: 'openai', model: 'test-model', messages, tools })),
    );
    expect(played.of('interrupt', 'a')).toMatchObject([
      {
        kind: 'tool_approval',
        message: 'Look twice',
        payload: { rule: 'Refunds', tool: 'refund', request: { method: 'PUT', body: { amount: 82 } } },
        actions: [{ id: 'approve' }, { id: 'reject' }],
        assignees: { roles: ['owner'] },
      },
    ]);
    expect([bodies(at), bodies(free)]).toEqual([[], [{ amount: 82 }]]);
    expect((await approve(played, 'a')).end.type).toBe('run_completed');
    expect([bodies(at), bodies(free)]).toEqual([[{ amount: 82 }], [{ amount: 82 }]]);
  });

  test('refuses, with the reason, where nobody can be asked', async () => {
    const at = tag();
    const items = refund(at, {}, { for_each: { items: [1], as: 'one' } });
    const listed = await engine.play(chain(items), input);
    expect(listed.error?.message).toContain('Nobody is asked: an item of a list cannot wait for people');
    const definitionHash = await storeDefinition(engine.db, engine.organizationId, chain(refund(at)));
    const run = await newRun(engine.db, { organizationId: engine.organizationId, definitionHash });
    const brief = await engine.acceptor.accept({ ...run, ephemeral: true });
    engine.dispatcher.kick();
    expect((await engine.follow(brief)).error).toMatchObject(
      nobody('Refunds', 'an ephemeral run cannot wait for people'),
    );
    const thinks = node('a', 'agent', { provider: 'openai', model: 'thinks', messages });
    const agent = await engine.play(chain(thinks));
    expect(agent.error).toMatchObject(nobody('Thinking', 'this cannot be shown to people before it leaves'));
    expect(bodies(at)).toEqual([]);
  });

  test('leaves no question behind when it is deleted, and another branch fails its run', async () => {
    const [paid, slow] = [tag(), tag()];
    const accepted = await engine.accept(
      workflow(
        [refund(paid), http('slow', recorder.url(slow, { hold: 1, status: 400 }))],
        [edge(START, 'pay'), edge(START, 'slow'), edge('pay', END), edge('slow', END)],
      ),
      input,
    );
    await happened(engine.db, accepted.runPk, 'interrupt', 'pay');
    await recorder.waitFor(slow, 1);
    const { rules } = engine.deps;
    const read = rules.get.bind(rules);
    const deleted = vi
      .spyOn(rules, 'get')
      .mockImplementation(async (...given) => ({ ...(await read(...given)), effectRules: [] }));
    try {
      recorder.release(({ tag: held }) => held === slow);
      expect((await engine.follow(accepted)).end.type).toBe('run_failed');
    } finally {
      deleted.mockRestore();
    }
    const left = 'SELECT status FROM run_interrupts WHERE root_run_pk = $1';
    expect(await engine.db.query(left, [accepted.runPk])).toEqual([{ status: 'cancelled' }]);
  });

  test('asks again in a rerun and in a test of the node', async () => {
    const at = tag();
    const definition = chain(refund(at));
    const workflowId = await deploy(engine, definition);
    const first = await approve(await asked(definition), 'pay');
    const body = rerunBody.parse({ confirm_effects: true });
    const given = { runPk: first.accepted.runPk, body, idempotencyKey: null };
    const started = await rerun(engine, owner(engine), given);
    const tried = await testNode(engine, owner(engine), {
      workflowId,
      nodeId: 'pay',
      body: testNodeBody.parse({ confirm_effects: true, input }),
      idempotencyKey: null,
    });
    for (const one of [started, tried]) {
      const again = await engine.follow(await runBy(engine, 'run_id', String(one['run_id'])));
      expect(again.of('interrupt', 'pay')).toMatchObject([{ payload: { rule: 'Refunds' } }]);
    }
    expect(bodies(at)).toHaveLength(1);
  });
});
