/** An agent would repeat or lose a turn of its model or a call of a tool. */
import { randomUUID } from 'node:crypto';
import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { cancelRun } from '../../src/engine/runs/ledger/write/cancel.ts';
import { createExecuteDeps, type AttemptSlots } from '../../src/engine/runs/execute/deps.ts';
import { prepareChild } from '../../src/engine/runs/execute/child.ts';
import { settleLost } from '../../src/engine/runs/execute/settle.ts';
import { createNodeActivities } from '../../temporal/activities/nodes.ts';
import { toRunWorkflowId } from '../../temporal/contract.ts';
import type {
  AgentCallTask,
  AgentTurnResult,
  AgentTurnTask,
  NodeOutcome,
} from '../../src/engine/runs/execute/protocol.ts';
import { firstTask } from '../support/advancing.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { openHistories } from '../support/histories.ts';
import { childOf, deploy } from '../support/journeys.ts';
import { startMcpServer } from '../support/mcp-server.ts';
import type { McpServer } from '../support/mcp-server.ts';
import type { ModelServer, ScriptedAnswer, ScriptedToolCall } from '../support/model-server.ts';
import { booksOf, setTerms } from '../support/money.ts';
import { eventsOf, stepsOf } from '../support/records.ts';
import { eventually } from '../support/waiting.ts';
import { startOtherWorker } from '../support/workers.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
let mcp: McpServer;
beforeAll(async () => {
  mcp = await startMcpServer([]);
  ({ engine, recorder, model } = await startEngineWithModel({ OUTBOUND_ALLOW: mcp.hostPort }));
});
beforeEach(() => setTerms(engine.db, engine.organizationId, { plan: 'pro' }));
afterAll(async () => {
  await engine.close();
  await mcp.close();
});

const agent = (
  tools: readonly JsonObject[],
  config: JsonObject = {},
  envelope: JsonObject = {},
): JsonObject =>
  node(
    'a',
    'agent',
    {
      provider: 'openai',
      model: 'test-model',
      messages: [{ role: 'user', content: 'Price of {{input.item}}?' }],
      tools: [...tools],
      ...config,
    },
    envelope,
  );
const httpTool = (url: string, config: JsonObject = {}): JsonObject => {
  return { kind: 'http', name: 'ask', method: 'POST', url, ...config };
};
let calls = 0;
const wants = (name: string, given: ScriptedToolCall['arguments'] = {}): ScriptedToolCall => {
  calls += 1;
  return { id: `call-${calls}`, name, arguments: given };
};
const asks = (...toolCalls: ScriptedToolCall[]): ScriptedAnswer => ({ toolCalls });
const says = (text: string): ScriptedAnswer => ({ text: [text] });

interface AgentOutput extends JsonObject {
  tool_calls: JsonObject[];
}
const outputOf = (played: Played): AgentOutput => played.output as AgentOutput;
/** The messages of a role in a request that the model got, counted from the last one. */
const messagesOf = (request: number, role: string): JsonObject[] =>
  ((model.requests.at(request)?.body['messages'] ?? []) as JsonObject[]).filter(
    (one) => one['role'] === role,
  );

describe('a run', () => {
  test('calls a tool and answers; what is fixed is hidden from the model and stays', async () => {
    const tag = randomUUID();
    const url = recorder.url(tag, { reply: '{"price":42}' });
    const schema = {
      properties: { item: { type: 'string' }, shop: { type: 'string' } },
      required: ['item', 'shop'],
    };
    model.script(asks(wants('ask', { item: 'A7' })), says('It costs 42'));
    const tool = httpTool(url, { input_schema: schema, body: { shop: '{{input.shop}}' } });
    const played = await engine.play(chain(agent([tool])), { item: 'A7', shop: 'north' });
    expect(played.output).toEqual({
      content: 'It costs 42',
      data: null,
      tool_calls: [
        {
          id: expect.any(String),
          name: 'ask',
          arguments: { item: 'A7' },
          result: { price: 42 },
          error: null,
          duration_ms: expect.any(Number),
        },
      ],
      iterations: 2,
      stop_reason: 'final',
      usage: { input_tokens: 14, output_tokens: 6, total_tokens: 20, cached_tokens: 0 },
    });
    expect(recorder.calls(tag).map(({ body }) => body)).toEqual([{ item: 'A7', shop: 'north' }]);
    expect(model.requests.at(-2)?.body['tools']).toMatchObject([
      { function: { name: 'ask', parameters: { properties: { item: {} }, required: ['item'] } } },
    ]);
    expect(JSON.stringify(model.requests.at(-2)?.body)).not.toContain('north');
    expect(messagesOf(-1, 'tool')[0]?.['content']).toBe('{"price":42}');
    expect(played.of('tool_call', 'a').map(({ phase, status }) => [phase, status])).toEqual([
      ['start', 'running'],
      ['end', 'succeeded'],
    ]);
    expect(played.of('token_reset', 'a').map(({ reason }) => reason)).toEqual(['tool_turn']);
    expect(played.of('node_retry')).toEqual([]);
    const [step] = await stepsOf(engine.db, played.accepted.runPk, 'a');
    expect(step).toMatchObject({
      attempt: 1,
      tool_calls: outputOf(played).tool_calls,
      usage: { total_tokens: 20 },
      input: { messages: [{ role: 'user', content: 'Price of A7?' }] },
    });
  });

  test('what a model writes is never read as a template', async () => {
    const tag = randomUUID();
    model.script(asks(wants('ask', { '{{input.secret}}': '{{input.secret}}' })), says('ok'));
    await engine.play(chain(agent([httpTool(recorder.url(tag))])), { secret: 'hidden' });
    expect(recorder.calls(tag)[0]?.body).toEqual({ '{{input.secret}}': '{{input.secret}}' });
  });

  test('a tool of an MCP server that changes behind the model is not called', async () => {
    const tool = { kind: 'mcp', name: 'look', tool: 'look', server_url: mcp.url };
    const said = { name: 'look', answer: () => ({ content: [{ type: 'text', text: 'seen' }] }) };
    mcp.tools = [{ ...said, description: 'Looks' }];
    model.script(asks(wants('look')), says('first'));
    expect(outputOf(await engine.play(chain(agent([tool])))).tool_calls).toMatchObject([{ error: null }]);

    let told = 0;
    const moody = {
      ...said,
      get description() {
        return `Looks, version ${(told += 1)}`;
      },
    };
    mcp.tools = [moody];
    model.script(asks(wants('look')), says('second'));
    const { tool_calls: calls } = outputOf(await engine.play(chain(agent([tool]))));
    expect(calls).toMatchObject([{ result: null, error: { code: 'mcp_tool_changed' } }]);
  });

  test('a sub-workflow is a tool; two calls of it are two children', async () => {
    const child = await deploy(engine, chain(transform('t', { twice: '{{input.x}}{{input.x}}' })));
    model.script(asks(wants('double', { x: 'a' }), wants('double', { x: 'b' })), says('done'));
    const tool = { kind: 'workflow', workflow_id: child, name: 'double' };
    const played = await engine.play(chain(agent([tool])));
    expect(outputOf(played).tool_calls.map(({ result }) => result)).toEqual([
      { twice: 'aa' },
      { twice: 'bb' },
    ]);
    const children = await engine.db.query('SELECT 1 FROM runs WHERE parent_run_pk = $1', [
      played.accepted.runPk,
    ]);
    expect(children).toHaveLength(2);
  });

  test('several calls of one turn run at once, unless they may not', async () => {
    const both = randomUUID();
    model.script(asks(wants('ask', { n: 1 }), wants('ask', { n: 2 })), says('ok'));
    const running = engine.play(chain(agent([httpTool(recorder.url(both, { hold: 2 }))])));
    // Neither has been answered when both are there.
    await recorder.waitFor(both, 2);
    recorder.release();
    expect(outputOf(await running).tool_calls).toHaveLength(2);
    const one = randomUUID();
    model.script(asks(wants('ask', { n: 1 }), wants('ask', { n: 2 })), says('ok'));
    const tools = [httpTool(recorder.url(one, { delay_ms: 50 }))];
    await engine.play(chain(agent(tools, { parallel_tool_calls: false })));
    const [first, second] = recorder.calls(one);
    expect(second?.startedAtMs).toBeGreaterThanOrEqual(first?.endedAtMs ?? Infinity);
    expect(model.requests.at(-1)?.body['parallel_tool_calls']).toBe(false);
  });

  test('SEC-L04: ends at its iterations and at its tool calls with an answer without tools, and warns', async () => {
    const tag = randomUUID();
    const tools = [httpTool(recorder.url(tag))];
    model.script(asks(wants('ask')), says('Nothing yet'));
    const long = await engine.play(chain(agent(tools, { max_iterations: 2 })));
    const stopped = { content: 'Nothing yet', stop_reason: 'max_iterations', iterations: 2 };
    expect(long.output).toMatchObject(stopped);
    expect(model.requests.at(-1)?.body).not.toHaveProperty('tools');
    expect(messagesOf(-1, 'user').at(-1)?.['content']).toMatch(/Answer now/);
    expect(long.of('node_completed', 'a')).toMatchObject([{ warnings: [{ code: 'max_iterations' }] }]);
    expect(recorder.calls(tag)).toHaveLength(1);
    model.script(asks(wants('ask')), asks(wants('ask'), wants('ask')));
    const wide = await engine.play(chain(agent(tools, { max_tool_calls: 2 })));
    expect(wide.output).toMatchObject({ stop_reason: 'max_tool_calls', iterations: 3 });
    expect(wide.of('node_completed', 'a')).toMatchObject([{ warnings: [{ code: 'max_tool_calls' }] }]);
    expect(recorder.calls(tag)).toHaveLength(3);
  });

  test('a tool that fails does not fail the agent: the model hears why', async () => {
    const child = await deploy(engine, chain(http('h', recorder.url(randomUUID(), { status: 500 }))));
    model.script(asks(wants('ask'), wants('sub')), says('Sorry'));
    const tools = [
      httpTool(recorder.url(randomUUID(), { status: 404 })),
      { kind: 'workflow', workflow_id: child, name: 'sub' },
    ];
    const played = await engine.play(chain(agent(tools)));
    expect(played.output).toMatchObject({ content: 'Sorry', stop_reason: 'final' });
    expect(outputOf(played).tool_calls.map(({ error }) => (error as JsonObject)['code'])).toEqual([
      'http_error',
      'http_error',
    ]);
    expect(
      messagesOf(-1, 'tool').map(({ content }) => JSON.parse(String(content)) as JsonObject),
    ).toMatchObject([
      { error: { code: 'http_error', message: 'The server responded with HTTP 404' } },
      { error: { code: 'http_error' } },
    ]);
  });

  test('a sub-workflow that is refused, or takes too long, is a failure that the model hears', async () => {
    const never = node('w', 'interrupt', { kind: 'wait', duration_seconds: 3_600 });
    const slow = await deploy(engine, chain(never));
    model.script(asks(wants('gone'), wants('slow')), says('Sorry'));
    const tools = [
      { kind: 'workflow', workflow_id: randomUUID(), name: 'gone' },
      { kind: 'workflow', workflow_id: slow, name: 'slow' },
    ];
    const played = await engine.play(chain(agent(tools, {}, { timeout_ms: 2_000 })));
    expect(outputOf(played).tool_calls).toMatchObject([
      { name: 'gone', error: { code: 'workflow_not_found' } },
      { name: 'slow', error: { code: 'timeout' } },
    ]);
    const phases = (name: string) =>
      played.of('tool_call', 'a').flatMap((frame) => (frame['name'] === name ? [frame['phase']] : []));
    expect([phases('gone'), phases('slow')]).toEqual(Array(2).fill(['start', 'end']));
    const child = await engine.follow(await childOf(engine, played.accepted));
    expect(child.end.type).toBe('run_cancelled');
  });

  test('operators read each call by its name, as a local activity of its kind, or an activity where it takes long', async () => {
    const [quick, slow] = [randomUUID(), randomUUID()];
    model.script(asks(wants('quick'), wants('slow')), says('ok'));
    const tools = [
      httpTool(recorder.url(quick), { name: 'quick' }),
      httpTool(recorder.url(slow, { hold: 1 }), { name: 'slow' }),
    ];
    const accepted = await engine.accept(chain(agent(tools)));
    const histories = await openHistories();
    const workflowId = toRunWorkflowId(engine.organizationId, accepted.runPk);
    const eventsOfRun = async () => (await histories.chain(workflowId)).flatMap(({ events }) => events ?? []);
    const summaryOf = ({
      userMetadata,
    }: {
      userMetadata?: { summary?: { data?: Uint8Array | null } | null } | null;
    }) => JSON.parse(Buffer.from(userMetadata?.summary?.data ?? Buffer.from('""')).toString()) as string;
    // It has outlived the local activity.
    const held = await eventually('the activity of the slow call', 20_000, async () =>
      (await eventsOfRun()).find(
        (event) =>
          event.activityTaskScheduledEventAttributes?.activityType?.name === 'tool' &&
          summaryOf(event).startsWith('Tool · slow (a turn 1)'),
      ),
    );
    expect(summaryOf(held)).toMatch(/ since \d\d:\d\d:\d\d\.\d{3}$/);
    recorder.release();
    await engine.follow(accepted);
    const markers = (await eventsOfRun()).filter((event) => event.markerRecordedEventAttributes !== null);
    expect(markers.map(summaryOf)).toContain('Tool · quick (a turn 1)');
    expect([quick, slow].map((tag) => recorder.calls(tag).length)).toEqual([1, 1]);
    await histories.close();
  });

  test.each([
    ['no JSON', '{"item": '],
    ['extra keys', { item: 'x', other: 1 }],
    ['a key that poisons prototypes', '{"item":"x","__proto__":{"admin":true}}'],
    ['a wrong type', { item: 1 }],
  ])('SEC-L07: arguments that are %s: the model hears it once, then the node fails', async (_, given) => {
    const tag = randomUUID();
    const schema = { properties: { item: { type: 'string' } } };
    const tools = [httpTool(recorder.url(tag), { input_schema: schema })];
    model.script(asks(wants('ask', given)), asks(wants('ask', { item: 'x' })), says('ok'));
    const mended = await engine.play(chain(agent(tools)));
    expect(mended.output).toMatchObject({ content: 'ok' });
    expect(outputOf(mended).tool_calls[0]).toMatchObject({ error: { code: 'invalid_tool_call' } });
    model.script(asks(wants('ask', given)));
    const failed = await engine.play(chain(agent(tools)));
    expect(failed.error).toMatchObject({ code: 'invalid_tool_call', node_id: 'a' });
    expect(recorder.calls(tag)).toHaveLength(1);
    const [step] = await stepsOf(engine.db, failed.accepted.runPk, 'a');
    expect(step?.['tool_calls']).toHaveLength(1);
  });

  test('a tool that does not exist is an error for the model', async () => {
    model.script(asks(wants('rm')), says('ok'));
    const played = await engine.play(chain(agent([])));
    expect(outputOf(played).tool_calls[0]).toMatchObject({
      name: 'rm',
      error: { message: 'There is no tool with this name' },
    });
  });

  test('an answer that does not fit its format is mended once', async () => {
    const format = { response_format: { type: 'json_object' } };
    model.script(says('no'), says('{"a":1}'));
    expect((await engine.play(chain(agent([], format)))).output).toMatchObject({
      data: { a: 1 },
      iterations: 2,
    });
    model.script(says('no'));
    expect((await engine.play(chain(agent([], format)))).error?.code).toBe('output_schema_mismatch');
  });

  test('a model that fails is asked again, from the same turn on', async () => {
    const tag = randomUUID();
    model.script(asks(wants('ask')), { status: 503 }, says('ok'));
    const retry = { max_attempts: 2, initial_interval_ms: 1, max_interval_ms: 1, backoff_coefficient: 1 };
    const played = await engine.play(chain(agent([httpTool(recorder.url(tag))], {}, { retry })));
    expect(played.output).toMatchObject({ content: 'ok', iterations: 2 });
    expect(recorder.calls(tag)).toHaveLength(1);
    expect(played.of('node_retry', 'a')).toHaveLength(1);
  });

  test('a tool that must be used is forced until it was', async () => {
    model.script(asks(wants('ask')), says('ok'));
    const tools = [httpTool(recorder.url(randomUUID()), { usage: 'force' })];
    await engine.play(chain(agent(tools)));
    expect(model.requests.at(-2)?.body['tool_choice']).toMatchObject({ function: { name: 'ask' } });
    expect(model.requests.at(-1)?.body['tool_choice']).toBe('auto');
  });

  test('large results are cut', async () => {
    model.script(asks(wants('ask')), says('ok'));
    const played = await engine.play(chain(agent([httpTool(recorder.url(randomUUID(), { size: 100_000 }))])));
    const told = String(messagesOf(-1, 'tool')[0]?.['content']);
    expect(told).toContain('[cut: ');
    expect(told.length).toBeLessThan(33_000);
    expect(outputOf(played).tool_calls[0]?.['result']).toBe(told);
  });

  test('every managed call is charged, and those of its sub-workflows', async () => {
    const before = (await booksOf(engine.db, engine.organizationId)).used;
    const llm = node('m', 'llm', {
      provider: 'openai',
      model: 'test-model',
      messages: [{ role: 'user', content: 'x' }],
    });
    const child = await deploy(engine, chain(llm));
    const usage = { input: 1_000, output: 0 };
    model.script({ ...asks(wants('sub')), usage }, { text: ['child'], usage }, { text: ['ok'], usage });
    const played = await engine.play(chain(agent([{ kind: 'workflow', workflow_id: child, name: 'sub' }])));
    const charged = (await booksOf(engine.db, engine.organizationId)).used - before;
    expect(charged).toBeGreaterThan(0);
    expect(played.end['credits']).toBe(charged / 1_000);
    expect(played.of('node_completed', 'a')[0]?.['credits']).toBe(charged / 1_000);
    expect(played.end['usage']).toMatchObject({ input_tokens: 2_000 });
  });

  test('a cancellation ends the tool that is being called', async () => {
    const tag = randomUUID();
    model.script(asks(wants('ask')), says('never'));
    const accepted = await engine.accept(chain(agent([httpTool(recorder.url(tag, { hold: 1 }))])));
    await recorder.waitFor(tag, 1);
    const run = { organizationId: engine.organizationId, runPk: accepted.runPk, rootRunPk: accepted.runPk };
    await cancelRun(engine.db, run, null);
    engine.dispatcher.kick();
    expect((await engine.follow(accepted)).end.type).toBe('run_cancelled');
    await expect.poll(() => recorder.calls(tag)[0]?.aborted, { timeout: 15_000 }).toBe(true);
    recorder.release();
  });

  test('agents run once per item of a map, each with its own calls', async () => {
    const tag = randomUUID();
    model.script(asks(wants('ask')), says('ok'), asks(wants('ask')), says('ok'));
    const tool = httpTool(recorder.url(tag), { body: { row: '{{item}}', at: '{{index}}' } });
    const envelope = { for_each: { items: '{{input.rows}}', max_concurrency: 1 } };
    const asked = await engine.play(chain(agent([tool], {}, envelope)), { rows: ['x', 'y'] });
    expect(recorder.calls(tag).map(({ body }) => body)).toEqual(
      expect.arrayContaining([
        { row: 'x', at: 0 },
        { row: 'y', at: 1 },
      ]),
    );
    const steps = await stepsOf(engine.db, asked.accepted.runPk, 'a');
    const agents = steps.filter(({ turn, item_index: index }) => turn === 0 && index >= 0);
    const made = steps.filter(({ turn }) => turn > 0);
    expect(made.map((step) => [step.item_index, step.parent_step_id])).toEqual(
      agents.map((step) => [step.item_index, step.step_id]),
    );
    expect(asked.output).toMatchObject({ count: 2, results: [{ content: 'ok' }, { content: 'ok' }] });

    model.script(says('ok'));
    const played = await engine.play(
      chain(
        agent(
          [],
          { messages: [{ role: 'user', content: '{{item}}' }] },
          { for_each: { items: '{{input.rows}}' } },
        ),
      ),
      { rows: ['x', 'y'] },
    );
    expect(played.output).toMatchObject({ count: 2, results: [{ content: 'ok' }, { content: 'ok' }] });
  });
});

describe('a repetition', () => {
  beforeAll(() => engine.dispatcher.stop());
  afterAll(() => engine.dispatcher.start());

  const worker = (): MockActivityEnvironment =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  async function taskOf(only: JsonObject): Promise<AgentTurnTask> {
    const { runPk } = await engine.accept(chain(only));
    const run = { organizationId: engine.organizationId, rootRunPk: runPk };
    return { ...firstTask(run, String(only['id'])), turn: 1 };
  }
  const turn = (task: AgentTurnTask): Promise<AgentTurnResult> =>
    worker().run(() => createNodeActivities(engine.deps).agent(task)) as Promise<AgentTurnResult>;
  const callTask = (task: AgentTurnTask, call = 0): AgentCallTask => ({ ...task, call });
  const call = (task: AgentTurnTask, deps = engine.deps, of: 'tool' | 'knowledge' = 'tool') =>
    worker().run(() => createNodeActivities(deps)[of](callTask(task))) as Promise<NodeOutcome>;
  /** The code that a call has failed with. */
  const failed = (work: Promise<unknown>): Promise<string | null | undefined> =>
    work.then(
      () => 'It did not fail',
      (error: unknown) => (error as ApplicationFailure).type,
    );
  const toolFrames = async (task: AgentTurnTask): Promise<JsonObject[]> =>
    (await eventsOf(engine.db, task.runPk))
      .filter(({ type }) => type === 'tool_call')
      .map(({ payload }) => payload);
  const toolSteps = async (task: AgentTurnTask) =>
    (await stepsOf(engine.db, task.runPk, 'a')).filter((step) => step.turn > 0);
  const ENDED: NodeOutcome = { taken: [], failed: false };

  test('of a turn that was committed asks no model and gives the same calls', async () => {
    model.script(asks(wants('ask')), says('never'));
    const task = await taskOf(agent([httpTool(recorder.url(randomUUID()))]));
    const first = await turn(task);
    const asked = model.requests.length;
    expect(first).toEqual({
      outcome: null,
      calls: [{ call: 0, type: 'tool', name: 'ask', placement: 'activity', timeoutMs: 120_000 }],
      atOnce: 8,
      asks: false,
    });
    expect(await turn(task)).toEqual(first);
    expect(model.requests).toHaveLength(asked);
  });

  test('of a call that has its end calls nothing and gives the same end', async () => {
    const [tag, bad] = [randomUUID(), randomUUID()];
    model.script(asks(wants('ask'), wants('bad')), says('ok'));
    const tools = [
      httpTool(recorder.url(tag)),
      httpTool(recorder.url(bad, { status: 404 }), { name: 'bad' }),
    ];
    const task = await taskOf(agent(tools));
    await turn(task);
    expect([await call(task), await call(task)]).toEqual([ENDED, ENDED]);
    const again = () => worker().run(() => createNodeActivities(engine.deps).tool(callTask(task, 1)));
    expect([await failed(again()), await failed(again())]).toEqual(['http_error', 'http_error']);
    expect([recorder.calls(tag).length, recorder.calls(bad).length]).toEqual([1, 1]);
    const last = { ...task, turn: 2 };
    const end = await turn(last);
    expect(end.outcome).toEqual({ taken: [0], failed: false });
    expect(await turn(last)).toEqual(end);
    const types = (await eventsOf(engine.db, task.runPk)).map(({ type }) => type);
    expect(types).toEqual([
      'run_started',
      'node_started',
      ...Array<string>(4).fill('tool_call'),
      'token_reset',
      'token',
      'node_completed',
    ]);
  });

  /** This worker, with a count of the places that executions have taken and given back. */
  function countPlaces() {
    const places = { taken: 0, given: 0 };
    const slots: AttemptSlots = {
      async acquire(...request) {
        const release = await engine.deps.slots.acquire(...request);
        places.taken += 1;
        return () => {
          places.given += 1;
          release();
        };
      },
    };
    return { deps: createExecuteDeps({ ...engine.deps, slots }), places };
  }

  test('that comes while the call is out joins it', async () => {
    const tag = randomUUID();
    const { deps, places } = countPlaces();
    model.script(asks(wants('ask')), says('ok'));
    const task = await taskOf(agent([httpTool(recorder.url(tag, { hold: 1 }))]));
    await turn(task);
    const both = [call(task, deps), call(task, deps)];
    await recorder.waitFor(tag, 1);
    recorder.release();
    expect(await Promise.all(both)).toEqual([ENDED, ENDED]);
    expect(places.taken).toBe(1);
    expect(recorder.calls(tag)).toHaveLength(1);
    expect((await toolFrames(task)).map(({ phase }) => phase)).toEqual(['start', 'end']);
  });

  test('on another worker waits for the one that has the call, and gives its end', async () => {
    const tag = randomUUID();
    const other = await startOtherWorker(engine.deps);
    const { deps, places } = countPlaces();
    model.script(asks(wants('ask')), says('ok'));
    const task = await taskOf(agent([httpTool(recorder.url(tag, { hold: 1 }))]));
    await turn(task);
    const held = call(task, other.deps);
    await recorder.waitFor(tag, 1);
    const second = call({ ...task, isRepeated: true }, deps);
    // Who waits for another worker gives its place to others meanwhile.
    await eventually('the second to have looked', 10_000, () => (places.given > 0 ? true : null));
    recorder.release();
    expect([await held, await second]).toEqual([ENDED, ENDED]);
    expect(recorder.calls(tag)).toHaveLength(1);
    expect(await toolSteps(task)).toMatchObject([{ status: 'succeeded', attempt: 1 }]);
  });

  test('after the worker was lost behind the sending: outcome_unknown, never sent again', async () => {
    const tag = randomUUID();
    const other = await startOtherWorker(engine.deps);
    model.script(asks(wants('ask')), says('ok'));
    const task = await taskOf(agent([httpTool(recorder.url(tag, { hold: 1 }))]));
    await turn(task);
    const lost = failed(call(task, other.deps));
    await recorder.waitFor(tag, 1);
    await other.lose();
    expect(await failed(call(task))).toBe('outcome_unknown');
    recorder.release();
    // The lost one comes back with an answer: too late, and it says what is on record.
    expect(await lost).toBe('outcome_unknown');
    await turn({ ...task, turn: 2 });
    expect(recorder.calls(tag)).toHaveLength(1);
    expect(messagesOf(-1, 'tool')[0]?.['content']).toContain('outcome_unknown');
    const [step, made] = await stepsOf(engine.db, task.runPk, 'a');
    expect(step).toMatchObject({ tool_calls: [{ error: { code: 'outcome_unknown' } }] });
    expect(made).toMatchObject({ status: 'failed', error: { code: 'outcome_unknown' }, error_handled: true });
  });

  test.each([
    ['GET', 'is read again', false],
    ['PUT', 'is sent again with the same key, and the stream says so', true],
  ])('after the worker was lost: a %s %s', async (method, _, isTold) => {
    const tag = randomUUID();
    const other = await startOtherWorker(engine.deps);
    model.script(asks(wants('ask', { q: 'x y' })), says('ok'));
    const task = await taskOf(agent([httpTool(recorder.url(tag, { hold: 2 }), { method })]));
    await turn(task);
    const lost = call(task, other.deps);
    await recorder.waitFor(tag, 1);
    // What only reads is recorded when it takes long.
    await eventually('the call to be recorded', 10_000, async () => (await toolFrames(task))[0]);
    await other.lose();
    const second = call({ ...task, isRepeated: true });
    await recorder.waitFor(tag, 2);
    recorder.release();
    expect([await lost, await second]).toEqual([ENDED, ENDED]);
    const keys = recorder.calls(tag).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(
      (await toolFrames(task)).map(({ phase, attempt, possibly_repeated: isRepeated }) => [
        phase,
        attempt,
        isRepeated,
      ]),
    ).toEqual([
      ['start', 1, undefined],
      ['retry', 1, isTold],
      ['end', 2, undefined],
    ]);
    const [made] = await toolSteps(task);
    expect(made?.attempts.map(({ status }) => status)).toEqual(['lost', 'succeeded']);
  });

  test('of a call that was fenced waits for the record: the next turn hears the true answer', async () => {
    const tag = randomUUID();
    const other = await startOtherWorker(engine.deps);
    model.script(asks(wants('ask')), says('ok'));
    const url = recorder.url(tag, { hold: 2, reply: '{"price":42}' });
    const task = await taskOf(agent([httpTool(url, { method: 'PUT' })]));
    await turn(task);
    const fenced = call(task, other.deps);
    await recorder.waitFor(tag, 1);
    await other.lose();
    const second = call(task);
    await recorder.waitFor(tag, 2);
    let hasEnded = false;
    void fenced.then(() => (hasEnded = true));
    // The fenced call answers first, and decides nothing.
    recorder.release(({ number }) => number === 1);
    await eventually('its answer', 10_000, async () => recorder.calls(tag)[0]?.endedAtMs);
    expect(await toolSteps(task)).toMatchObject([{ status: 'running', attempt: 2 }]);
    expect(hasEnded).toBe(false);
    recorder.release();
    expect([await fenced, await second]).toEqual([ENDED, ENDED]);
    await turn({ ...task, turn: 2 });
    expect(messagesOf(-1, 'tool')[0]?.['content']).toBe('{"price":42}');
  });

  test('that comes to no end, however often it is tried, ends the call: the model hears it', async () => {
    const other = await startOtherWorker(engine.deps);
    const tag = randomUUID();
    model.script(asks(wants('ask'), wants('ask')), says('ok'));
    const task = await taskOf(agent([httpTool(recorder.url(tag, { hold: 1 }))]));
    await turn(task);
    const held = call(task, other.deps);
    await recorder.waitFor(tag, 1);
    // A worker has it: its end decides.
    expect(await settleLost(engine.deps, callTask(task), 'lost')).toBeNull();
    recorder.release();
    expect(await held).toEqual(ENDED);
    expect(await settleLost(engine.deps, callTask(task), 'lost')).toEqual(ENDED);
    expect(await settleLost(engine.deps, callTask(task, 1), 'it was lost')).toEqual(ENDED);
    await turn({ ...task, turn: 2 });
    expect(messagesOf(-1, 'tool').map(({ content }) => String(content))).toEqual([
      expect.stringContaining(tag),
      expect.stringContaining('node_lost'),
    ]);
    expect((await toolFrames(task)).map(({ phase, status }) => [phase, status])).toEqual([
      ['start', 'running'],
      ['end', 'succeeded'],
      ['start', 'running'],
      ['end', 'failed'],
    ]);
  });

  test('of a prepared child gives the same child', async () => {
    const child = await deploy(engine, chain(transform('t')));
    model.script(asks(wants('sub'), wants('sub')));
    const task = await taskOf(agent([{ kind: 'workflow', workflow_id: child, name: 'sub' }]));
    expect(await turn(task)).toMatchObject({ calls: [{ placement: 'child' }, { placement: 'child' }] });
    const first = await prepareChild(engine.deps, callTask(task, 0));
    const other = await prepareChild(engine.deps, callTask(task, 1));
    expect(await prepareChild(engine.deps, callTask(task, 0))).toEqual(first);
    expect(first.child?.start.rootRunPk).not.toBe(other.child?.start.rootRunPk);
    expect((await toolFrames(task)).map(({ phase }) => phase)).toEqual(['start', 'start']);
  });
});
