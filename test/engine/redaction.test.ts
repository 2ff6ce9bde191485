/** A value that an organization has named would be in the database, in Temporal or in the log after a run. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { answerCallback, findCallback } from '../../src/engine/runs/accept/callback.ts';
import { startRun } from '../../src/engine/runs/accept/start.ts';
import { rerun } from '../../src/engine/runs/rerun/rerun.ts';
import { historiesOf, leaks, rowsOf } from '../hostile/service/traces.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import { startEngine, type Played, type TestEngine } from '../support/engine.ts';
import { managedModels } from '../support/engine-with-servers.ts';
import { answer, deploy, owner, questionsOf, runBy } from '../support/journeys.ts';
import { startMcpServer, type McpServer } from '../support/mcp-server.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { testTemporal } from '../support/temporal.ts';

const R = '[redacted]';
const KEYS = `k1:${randomBytes(32).toString('base64')}`;
const secrets: Record<string, string> = {};
const secret = (name: string): string => (secrets[name] ??= `CANARY-${name}-${randomUUID()}`);
/** In two halves, which no path names: for nodes that make a named value themselves. */
const halves = (name: string): JsonObject => ({ a: secret(name).slice(0, 20), b: secret(name).slice(20) });

let engine: TestEngine;
let model: ModelServer;
let mcp: McpServer;
let service: string;
const lines: string[] = [];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const server = createServer((request, response) => {
    const isFailing = request.url === '/fails';
    response.writeHead(isFailing ? 500 : 200, { 'content-type': 'application/json' });
    const name = request.url?.slice(1) ?? '';
    const ssn = secret(`service-${name}`);
    response.end(
      JSON.stringify({ ssn, note: `The number is ${ssn}`, customer: { card: secret(`card-${name}`) } }),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = `http://${origin}`;
  model = await startModelServer();
  mcp = await startMcpServer([
    {
      name: 'look_up',
      answer: () => ({
        content: [{ type: 'text', text: JSON.stringify({ ssn: secret('mcp') }) }],
        structuredContent: { ssn: secret('mcp') },
      }),
    },
    {
      name: 'refuse',
      answer: () => ({
        isError: true,
        content: [{ type: 'text', text: `No such person: ${secret('mcp-refusal')}` }],
      }),
    },
  ]);
  engine = await startEngine(
    {
      ...managedModels(model),
      OUTBOUND_ALLOW: [origin, model.hostPort, mcp.hostPort].join(','),
      ENCRYPTION_KEYS: KEYS,
      LOG_LEVEL: 'trace',
    },
    { write: (line) => void lines.push(line) },
  );
  closing.push(
    () => engine.close(),
    () => model.close(),
    () => mcp.close(),
  );
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  await engine.db.query('UPDATE organizations SET redacted_paths = $2 WHERE id = $1', [
    engine.organizationId,
    ['ssn', 'customer.card', '**.password'],
  ]);
});
afterAll(async () => {
  for (const close of closing) await close();
});

/** Starts a run as a request does, and follows it. */
async function play(workflow: JsonObject, input: JsonObject): Promise<Played> {
  const body = { workflow, input, stream: true, ephemeral: false, is_private: false };
  const reply = await startRun(engine, owner(engine), { body, idempotencyKey: null, chat: null });
  expect(JSON.stringify(reply)).not.toContain('CANARY');
  return engine.follow(await runBy(engine, 'run_id', String(reply['run_id'])));
}

const MODEL = { provider: 'openai', model: 'test-model' };
const ON = { on_error: 'continue' };
const child = (): JsonObject =>
  chain(
    transform('given', { ssn: '{{input.ssn}}', password: '{{input.a}}{{input.b}}' }),
    http('ask', `${service}/child`),
    transform('shape', { ssn: '{{ask.data.ssn}}', other: '{{ask.data.note}}' }),
  );

/** A node of each kind that gets a named value from outside, makes one, or fails with one. */
const everyKind = (workflowId: string): JsonObject => ({
  ...chain(
    http('call', `${service}/call`),
    http('fail', `${service}/fails`, {}, ON),
    transform('read', {
      got: '{{call.data.ssn}}',
      card: '{{call.data.customer.card}}',
      given: '{{input.ssn}}',
    }),
    node('make', 'function', {
      language: 'javascript',
      code: 'export default ({ a, b }) => { console.log("made " + a + b); return { ssn: a + b, copy: "x " + a + b } }',
      arguments: { a: '{{input.make.a}}', b: '{{input.make.b}}' },
    }),
    node(
      'throw',
      'function',
      {
        language: 'javascript',
        code: 'export default ({ a, b }) => { throw new Error("bad " + a + b) }',
        arguments: { a: '{{input.throw.a}}', b: '{{input.throw.b}}' },
      },
      ON,
    ),
    transform(
      'map',
      { ssn: '{{input.map.a}}{{input.map.b}}' },
      { state_updates: { customer: { card: '{{input.state.a}}{{input.state.b}}' } } },
    ),
    node('screen', 'guardrails', {
      input: '{"ssn":"{{input.screen.a}}{{input.screen.b}}"}',
      checks: [{ id: 'pii', type: 'pii', entities: ['EMAIL'], action: 'mask' }],
    }),
    node('say', 'llm', {
      ...MODEL,
      memory: { mode: 'thread' },
      messages: [{ role: 'user', content: 'say' }],
    }),
    node('act', 'agent', {
      ...MODEL,
      messages: [{ role: 'user', content: 'act' }],
      memory: { mode: 'thread' },
      tools: [
        {
          kind: 'http',
          name: 'find',
          description: 'Finds',
          method: 'POST',
          url: `${service}/agent`,
          parameters: { type: 'object' },
        },
      ],
    }),
    node('mcp', 'tool', { kind: 'mcp', server_url: mcp.url, tool: 'look_up', arguments: {} }),
    node('refuse', 'tool', { kind: 'mcp', server_url: mcp.url, tool: 'refuse', arguments: {} }, ON),
    node('sub', 'tool', {
      kind: 'workflow',
      workflow_id: workflowId,
      input: { ssn: '{{input.sub.a}}{{input.sub.b}}', a: '{{input.sub.a}}', b: '{{input.sub.b}}' },
    }),
    http('each', `${service}/each`, {}, { for_each: { items: [{ ssn: 'item' }, 2] } }),
    node('ask', 'interrupt', {
      kind: 'input',
      title: 'Who?',
      payload: { ssn: '{{input.ask.a}}{{input.ask.b}}' },
    }),
    node('wait', 'interrupt', { kind: 'callback' }),
    transform('last', {
      read: '{{read}}',
      answer: '{{ask.data.ssn}}',
      called: '{{wait.data.ssn}}',
      each: '{{each.results.0.data.ssn}}',
      sub: '{{sub.data.ssn}}',
      state: '{{state.customer.card}}',
      agent: '{{act.content}}',
    }),
  ),
  state_schema: { fields: { customer: { type: 'object', reducer: 'none' } } },
});

test('a value that is named is nowhere after a run through every kind of node, a rerun and a callback', async () => {
  model.scriptBy((body) => {
    const text = JSON.stringify(body['messages']);
    if (!text.includes('act')) return { text: [`{"ssn":"${secret('model')}"`, ',"x":1}'] };
    return text.includes('"tool"')
      ? { text: ['{"password":', `"${secret('agent-answer')}"}`] }
      : {
          text: [`{"ssn":"${secret('agent-text')}"}`],
          toolCalls: [{ id: 'c1', name: 'find', arguments: { ssn: secret('agent-arguments') } }],
        };
  });
  const workflow = everyKind(await deploy(engine, child()));
  const input = {
    ssn: secret('input'),
    customer: { card: secret('input-card'), name: 'Ada' },
    deep: [{ password: secret('input-password') }],
    message: `{"ssn":"${secret('preview')}"}`,
    ...Object.fromEntries(
      ['make', 'throw', 'map', 'state', 'screen', 'sub', 'ask'].map((name) => [name, halves(name)]),
    ),
  };
  const asking = await play(workflow, input);
  expect(asking.error).toBeNull();
  const interruptId = questionsOf(asking)['ask'] ?? '';
  const next = await engine.follow(
    await answer(engine, asking, { interrupt_id: interruptId, data: { ssn: secret('answer') } }),
  );
  const [question] = await engine.db.query<{ visit: number }>(
    `SELECT visit FROM run_interrupts WHERE root_run_pk = $1 AND node_id = 'wait'`,
    [asking.accepted.runPk],
  );
  const place = {
    organizationId: engine.organizationId,
    rootRunPk: asking.accepted.runPk,
    nodeId: 'wait',
    visit: question?.visit ?? 0,
  };
  await answerCallback(engine, await findCallback(engine, place), { ssn: secret('callback') });
  const [segment] = await engine.db.query<{ run_id: string }>(
    'SELECT run_id FROM runs WHERE resumed_from_run_pk = $1',
    [next.accepted.runPk],
  );
  const ended = await engine.follow(await runBy(engine, 'run_id', segment?.run_id ?? ''));
  expect(ended.error).toBeNull();
  expect(ended.output).toEqual({
    read: { got: R, card: R, given: R },
    answer: R,
    called: R,
    each: R,
    sub: R,
    state: R,
    agent: `{"password":"${R}"}`,
  });
  const again = await rerun(engine, owner(engine), {
    runPk: asking.accepted.runPk,
    idempotencyKey: null,
    body: {
      definition: 'same',
      dry_run: false,
      from_node_id: 'last',
      overrides: { call: { data: { ssn: secret('override') } }, make: { password: secret('override-made') } },
    },
  } as never);
  const rerunEnd = await engine.follow(await runBy(engine, 'run_id', String(again['run_id'])));
  expect(rerunEnd.error?.code ?? rerunEnd.end.type).not.toBe('run_failed');

  // Every secret was met: a node that is not reached would prove nothing.
  expect(Object.keys(secrets)).toHaveLength(31);
  const { closed, opened } = await historiesOf(
    testTemporal().address,
    engine.config.temporal.taskQueue,
    KEYS,
  );
  expect(opened).toContain('last');
  const places = { rows: await rowsOf(engine.db), closed, opened, log: lines.join('\n') };
  expect(leaks(secrets, places)).toEqual([]);
  expect(places.rows).toContain(R);
});
