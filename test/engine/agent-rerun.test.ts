/** A rerun of an agent would repeat tool calls that have had their effect, without saying so. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { presentStep } from '../../src/engine/runs/api/present.ts';
import { rerunBody } from '../../src/engine/runs/api/rerun-schema.ts';
import { readComparable } from '../../src/engine/runs/ledger/read/compared-steps.ts';
import { readPastOutput, readPastValues, readPastSteps } from '../../src/engine/runs/ledger/read/past-run.ts';
import { readStateSizes } from '../../src/engine/runs/ledger/read/run-record.ts';
import { compareRuns } from '../../src/engine/runs/rerun/compare.ts';
import { rerun } from '../../src/engine/runs/rerun/rerun.ts';
import { readEnd } from '../../src/engine/runs/stream/frames.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import { recordedSteps } from '../support/records.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { deploy, owner, runBy } from '../support/journeys.ts';
import type { ModelServer, ScriptedAnswer } from '../support/model-server.ts';
import { createValues } from '../support/run-values.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
beforeAll(async () => {
  ({ engine, recorder, model } = await startEngineWithModel());
});
afterAll(() => engine.close());

const ONCE = { retry: { max_attempts: 1 } };

/** An agent that calls its tool once; then its model answers, or fails. */
const agent = (tool: JsonObject, envelope: JsonObject = {}): JsonObject =>
  node(
    'a',
    'agent',
    {
      provider: 'openai',
      model: 'test-model',
      messages: [{ role: 'user', content: 'Pay' }],
      tools: [{ name: 'pay', ...tool }],
    },
    { ...ONCE, ...envelope },
  );
const posts = (tag: string, more: JsonObject = {}): JsonObject => ({
  kind: 'http',
  method: 'POST',
  url: recorder.url(tag),
  ...more,
});
const pays: ScriptedAnswer = { toolCalls: [{ id: 'c', name: 'pay', arguments: {} }] };
const FAILS: ScriptedAnswer = { status: 400 };

const ask = (runPk: string, body: JsonObject): Promise<JsonObject> =>
  rerun(engine, owner(engine), { runPk, body: rerunBody.parse(body), idempotencyKey: null });
const again = async (runPk: string, body: JsonObject): Promise<Played> =>
  engine.follow(await runBy(engine, 'run_id', String((await ask(runPk, body))['run_id'])));
const refusal = (runPk: string, body: JsonObject): Promise<string> =>
  ask(runPk, body).then(
    () => 'started',
    (error: Error) => error.message,
  );
const repeats = async (runPk: string, body: JsonObject): Promise<unknown> => {
  const plan = await ask(runPk, { ...body, dry_run: true });
  return (plan['nodes'] as JsonObject[]).find((one) => one['node_id'] === 'a')?.['repeats'];
};
const WOULD_REPEAT = 'These nodes could repeat effects; set their outputs in overrides, or rerun from them';

test('RUN-4.3: a tool call is a step below its agent, with attempts, input and output; frames name it', async () => {
  const [good, bad] = [randomUUID(), randomUUID()];
  const call = (name: string, id: string) => ({ id, name, arguments: { n: 1 } });
  model.script({ toolCalls: [call('pay', 'c1'), call('fail', 'c2')] }, { text: ['Paid'] });
  const tools = [
    { name: 'pay', ...posts(good, { url: recorder.url(good, { size: 40_000 }) }) },
    { name: 'fail', ...posts(bad, { method: 'GET', url: recorder.url(bad, { fail: 5, status: 503 }) }) },
  ];
  const messages = [{ role: 'user', content: 'Pay' }];
  const retry = { initial_interval_ms: 1, max_interval_ms: 1 };
  const definition = chain(
    node('a', 'agent', { provider: 'openai', model: 'test-model', messages, tools }, { retry }),
  );
  const played = await engine.play(definition);
  const [own, paid, failed, ...others] = (await recordedSteps(engine.db, played.accepted.runPk)).map(
    presentStep,
  );
  expect(others).toEqual([]);
  expect(own).toMatchObject({ node_id: 'a', node_type: 'agent', parent_step_id: null, status: 'succeeded' });
  const below = {
    node_id: 'a',
    parent_step_id: own?.['step_id'],
    item_index: null,
    visit: 1,
    tool_calls: [],
  };
  expect(paid).toMatchObject({
    ...below,
    node_type: 'tool',
    node_name: 'pay',
    status: 'succeeded',
    attempts: [{ attempt: 1, status: 'succeeded' }],
    input: { method: 'POST' },
    // The model hears less of it.
    output: { data: { blob: 'x'.repeat(40_000) } },
  });
  expect(failed).toMatchObject({
    ...below,
    node_type: 'tool',
    node_name: 'fail',
    status: 'failed',
    attempts: Array(3).fill({ status: 'failed', error: { code: 'http_error' } }),
    error: { code: 'http_error', attempts: 3 },
    error_handled: true,
  });
  // The model has handled it, and not the run.
  expect(played.end).toMatchObject({ type: 'run_completed', handled_error_count: 0 });
  const told = played
    .of('tool_call', 'a')
    .filter((frame) => frame['name'] === 'fail')
    .map((frame) => [frame['phase'], frame['status'], frame['attempt'], frame['step_id']]);
  const id = failed?.['step_id'];
  expect(told).toEqual([
    ['start', 'running', 1, id],
    ['retry', 'running', 1, id],
    ['retry', 'running', 2, id],
    ['end', 'failed', 3, id],
  ]);
  expect(played.of('tool_call', 'a')[0]).toMatchObject({
    node_type: 'tool',
    node_name: expect.stringMatching(/^(?:pay|fail)$/),
    parent_step_id: own?.['step_id'],
  });
  expect(played.of('node_started')).toHaveLength(1);
});

test('an agent at work has no value, although its tools have answered', async () => {
  const [free, asked] = [randomUUID(), randomUUID()];
  const call = (name: string) => ({ id: name, name, arguments: {} });
  model.script({ toolCalls: [call('look'), call('pay')] }, { text: ['Paid'] });
  const tools = [
    { name: 'look', ...posts(free) },
    { name: 'pay', ...posts(asked, { approval: 'always' }) },
  ];
  const messages = [{ role: 'user', content: 'Pay' }];
  const waiting = await engine.play(
    chain(
      node('a', 'agent', { provider: 'openai', model: 'test-model', messages, tools }),
      transform('t', { said: '{{a.content}}' }),
    ),
  );
  expect(waiting.end.type).toBe('run_interrupted');
  expect(recorder.calls(free)).toHaveLength(1);
  const { runPk, runId, threadId } = waiting.accepted;
  const { db } = engine;
  const values = createValues(db, runPk);
  await values.load(['a']);
  expect(values.output('a')).toBeUndefined();
  expect(await readStateSizes(db, runPk)).toEqual([]);
  expect(await readPastValues(db, runPk, null)).toEqual([]);
  expect(await readPastOutput(db, runPk, { nodeId: 'a', visit: null, maxBytes: 1_000 })).toBeNull();
  expect(await readPastSteps(db, runPk)).toMatchObject([{ nodeId: 'a', status: 'interrupted' }]);
  expect(await readComparable(db, runPk)).toMatchObject([{ nodeId: 'a', nodeType: 'agent' }]);
  await db.query('DELETE FROM run_events WHERE run_pk = $1', [runPk]);
  const run = { runPk, runId, rootRunPk: runPk, threadId };
  const [snapshot] = (await readEnd(db, { run, clock: systemClock })) ?? [];
  const { nodes } = JSON.parse(snapshot?.slice('data: '.length) ?? '') as { nodes: JsonObject[] };
  expect(nodes).toMatchObject([{ node_id: 'a', status: 'interrupted' }]);
});

test('an agent that is reused keeps its calls, and its credits stay with the run that has used them', async () => {
  const [tag, b] = [randomUUID(), randomUUID()];
  model.script(pays, { text: ['Paid'] });
  const first = await engine.play(
    chain(agent(posts(tag)), http('b', recorder.url(b, { fail: 1 }), {}, ONCE), transform('c')),
  );
  expect(first.error).toMatchObject({ node_id: 'b' });
  const second = await again(first.accepted.runPk, { from: 'failed' });
  expect(second.end.type).toBe('run_completed');
  expect(recorder.calls(tag)).toHaveLength(1);
  const [before] = (await recordedSteps(engine.db, first.accepted.runPk)).map(presentStep);
  const reused = (await recordedSteps(engine.db, second.accepted.runPk)).map(presentStep);
  expect(reused.map(({ node_id: id, status }) => [id, status])).toEqual([
    ['a', 'reused'],
    ['b', 'succeeded'],
    ['c', 'succeeded'],
  ]);
  expect(reused[0]?.['tool_calls']).toEqual(before?.['tool_calls']);
  expect(before?.['tool_calls']).toMatchObject([{ name: 'pay', error: null }]);
  const compared = await compareRuns(engine, owner(engine), [first.accepted.runPk, second.accepted.runPk]);
  const nodes = compared['nodes'] as JsonObject[];
  expect(nodes.map((one) => [one['node_id'], one['output_differs']])).toEqual([
    ['a', false],
    ['b', true],
    ['c', true],
  ]);
});

test('REL-G3: an agent that failed behind an effect runs again only where it is named, and the plan names the effect', async () => {
  const tag = randomUUID();
  model.script(pays, FAILS);
  const first = await engine.play(chain(agent(posts(tag)), transform('b')));
  expect(first.error).toMatchObject({ node_id: 'a' });
  const { runPk } = first.accepted;
  expect(await refusal(runPk, { from: 'failed' })).toBe(`${WOULD_REPEAT}: a (pay)`);
  expect(await refusal(runPk, { from: 'failed', dry_run: true })).toBe(`${WOULD_REPEAT}: a (pay)`);
  expect(recorder.calls(tag)).toHaveLength(1);
  expect(await repeats(runPk, { from_node_id: 'a' })).toEqual(['pay']);
  expect(await repeats(runPk, {})).toEqual(['pay']);
  const overridden = await again(runPk, { from: 'failed', overrides: { a: { content: 'Paid' } } });
  expect(overridden.end.type).toBe('run_completed');
  expect(recorder.calls(tag)).toHaveLength(1);
  model.script(pays, { text: ['Paid'] });
  expect((await again(runPk, { from_node_id: 'a' })).end.type).toBe('run_completed');
  expect(recorder.calls(tag)).toHaveLength(2);
});

test.each([
  ['only reads', 'GET', []],
  ['may be repeated', 'PUT', ['pay']],
])('an agent that failed behind a call that %s runs again', async (_, method, named) => {
  const tag = randomUUID();
  model.script(pays, FAILS);
  const first = await engine.play(chain(agent(posts(tag, { method }))));
  expect(await repeats(first.accepted.runPk, { from: 'failed' })).toEqual(named);
  model.script(pays, { text: ['Paid'] });
  expect((await again(first.accepted.runPk, { from: 'failed' })).end.type).toBe('run_completed');
});

test.each([
  ['an agent', {}],
  ['an item', { for_each: { items: [1] } }],
])('a tool that fails is no failure of %s: nothing of the run is there to run again', async (_, envelope) => {
  model.script(pays, { text: ['Sorry'] });
  const refuses = posts('', { url: recorder.url(randomUUID(), { status: 404 }) });
  const played = await engine.play(chain(agent(refuses, envelope)));
  expect(played.end).toMatchObject({ type: 'run_completed', handled_error_count: 0 });
  expect(await refusal(played.accepted.runPk, { from: 'failed' })).toBe('No node of the run has failed');
});

test('REL-G3: a call whose outcome is unknown is not repeated by a rerun of what has failed', async () => {
  const tag = randomUUID();
  model.script(pays, FAILS);
  const first = await engine.play(chain(agent(posts(tag, { url: recorder.url(tag, { status: 500 }) }))));
  const { runPk } = first.accepted;
  // Known to have failed: it may be tried again.
  expect(await repeats(runPk, { from: 'failed' })).toEqual([]);
  await engine.db.query(
    `UPDATE run_steps SET error = '{"code": "outcome_unknown"}' WHERE run_pk = $1 AND turn > 0`,
    [runPk],
  );
  expect(await refusal(runPk, { from: 'failed' })).toBe(`${WOULD_REPEAT}: a (pay)`);
});

test('REL-G3: effects are looked for at any depth: in sub-workflows of tools, and in items of maps', async () => {
  const [inner, tag] = [randomUUID(), randomUUID()];
  const middle = await deploy(engine, chain(http('inner', recorder.url(inner), { body: {} })));
  const outer = await deploy(engine, chain(node('call', 'tool', { kind: 'workflow', workflow_id: middle })));
  model.script(pays, FAILS);
  const first = await engine.play(chain(agent({ kind: 'workflow', workflow_id: outer })));
  expect(await refusal(first.accepted.runPk, { from: 'failed' })).toBe(`${WOULD_REPEAT}: a (inner)`);

  model.script(pays, { text: ['Paid'] }, pays, FAILS);
  const mapped = agent(posts(tag), { for_each: { items: [1, 2], max_concurrency: 1 } });
  const second = await engine.play(chain(mapped));
  const { runPk } = second.accepted;
  const items = (await recordedSteps(engine.db, runPk)).filter((step) => step.node_type === 'agent');
  expect(items.map(({ status }) => status).toSorted()).toEqual(['failed', 'failed', 'succeeded']);
  expect(await refusal(runPk, { from: 'failed' })).toBe(`${WOULD_REPEAT}: a (pay)`);
  // Where the item that failed has had no effect, only that item runs again.
  await engine.db.query(
    `UPDATE run_steps SET status = 'failed', error = '{"code": "http_error"}' WHERE turn > 0 AND item_index = 1 AND run_pk = $1`,
    [runPk],
  );
  expect(await repeats(runPk, { from: 'failed' })).toEqual([]);
  expect(await repeats(runPk, { from_node_id: 'a' })).toEqual(['pay']);
  model.script(pays, { text: ['Paid'] });
  const third = await again(runPk, { from: 'failed' });
  expect(third.output).toMatchObject({ count: 2, results: [{ content: 'Paid' }, { content: 'Paid' }] });
  expect(recorder.calls(tag)).toHaveLength(3);
});
