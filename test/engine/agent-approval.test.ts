/** A tool call would be made without the approval that it needs, be made twice, or ask again after it was answered. */
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { writeInterrupts } from '../../src/engine/runs/api/history.ts';
import { advance } from '../../src/engine/runs/execute/advance/advance.ts';
import { pauseAgent, resumeAgent } from '../../src/engine/runs/execute/agent/approval.ts';
import { createNodeActivities } from '../../temporal/activities/nodes.ts';
import type {
  AdvanceResult,
  AgentCallTask,
  AgentTurnTask,
  NodeOutcome,
} from '../../src/engine/runs/execute/protocol.ts';
import { decodeProgress, encodeProgress } from '../../src/language/graph/schedule/progress.ts';
import { NODE, startNode } from '../../src/language/graph/schedule/schedule.ts';
import { pauseNode } from '../../src/language/graph/schedule/pauses.ts';
import { validate } from '../../src/language/graph/checks/validate.ts';
import { kindRules } from '../../src/language/nodes/registry.ts';
import {
  END,
  START,
  chain,
  conditional,
  edge,
  http,
  node,
  rule,
  transform,
  when,
  workflow,
} from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { answer, cancel, deploy, nextSegment, owner, resume } from '../support/journeys.ts';
import type { ModelServer, ScriptedAnswer, ScriptedToolCall } from '../support/model-server.ts';
import { answerOf, stepsOf, toolCallsOf } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
beforeAll(async () => {
  ({ engine, recorder, model } = await startEngineWithModel());
});
afterAll(() => engine.close());

const agent = (...tools: readonly JsonObject[]): JsonObject =>
  node('a', 'agent', {
    provider: 'openai',
    model: 'test-model',
    messages: [{ role: 'user', content: 'Go' }],
    tools: [...tools],
  });
const tool = (tag: string, more: JsonObject = {}): JsonObject => ({
  kind: 'http',
  name: 'pay',
  method: 'POST',
  url: recorder.url(tag),
  approval: 'always',
  ...more,
});
const wants = (name: string, given: Readonly<Record<string, unknown>> = {}): ScriptedToolCall => ({
  id: `call-${randomUUID()}`,
  name,
  arguments: given,
});
const asks = (...toolCalls: ScriptedToolCall[]): ScriptedAnswer => ({ toolCalls });
const says = (text: string): ScriptedAnswer => ({ text: [text] });
const interruptsOf = (played: Played): JsonObject[] => played.end['interrupts'] as JsonObject[];
const idOf = (played: Played, at = 0): string => String(interruptsOf(played)[at]?.['interrupt_id']);
const told = (): string[] =>
  ((model.requests.at(-1)?.body['messages'] ?? []) as JsonObject[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content));

describe('a call that needs approval', () => {
  test('an agent that asks after its loop came round is cancelled with its question, and the run completes', async () => {
    const held = randomUUID();
    model.script(asks(wants('look'), wants('pay')));
    const look = { kind: 'http', name: 'look', method: 'POST', url: recorder.url(held, { hold: 1 }) };
    const other = randomUUID();
    const first = rule('{{loop.again.iteration}}', 'eq', 0);
    const accepted = await engine.accept(
      workflow(
        [
          conditional('head', when('first', first)),
          agent(tool(randomUUID()), look),
          http('fast', recorder.url(other)),
          { ...conditional('join', when('again', first)), join: 'any' },
          http('last', recorder.url(other)),
        ],
        [
          edge(START, 'head'),
          edge('head', 'a', 'first'),
          edge('head', 'fast', 'first'),
          edge('head', 'fast', 'else'),
          edge('a', 'join'),
          edge('fast', 'join'),
          edge('join', 'head', 'again', { id: 'again' }),
          edge('join', 'last', 'else'),
          edge('last', END),
        ],
      ),
    );
    await recorder.waitFor(held, 1);
    // The agent's tool ends when the loop is over: only then does the agent ask.
    await recorder.waitFor(other, 3);
    recorder.release();
    const played = await engine.follow(accepted);
    expect(played.end.type).toBe('run_completed');
    expect(played.of('interrupt', 'a')).toHaveLength(1);
    expect(played.of('interrupt_resolved', 'a')).toMatchObject([{ action: null, timed_out: false }]);
    const steps = await stepsOf(engine.db, accepted.runPk, 'a');
    expect(steps.filter(({ turn }) => turn === 0).map(({ status }) => status)).toEqual([
      'cancelled',
      'skipped',
    ]);
  });

  test('what the model says before it is cut between two characters: its run and the list of questions can be read', async () => {
    const text = `a${'😀'.repeat(1_005)}`;
    model.script({ ...asks(wants('pay')), text: [text] });
    const asked = await engine.play(chain(agent(tool(randomUUID()))));
    expect(interruptsOf(asked)).toMatchObject([{ message: `a${'😀'.repeat(999)}` }]);
    const query = { status: 'pending', assignee: 'anyone', limit: 50, offset: 0 } as const;
    const { signal } = new AbortController();
    const { interrupts } = await answerOf(writeInterrupts(engine, owner(engine), { query, signal }));
    expect(interrupts).toMatchObject([{ interrupt_id: idOf(asked) }]);
    await cancel(engine, asked.accepted);
  });
  test('pauses the run with a question that shows what is to be called; approved, it is made once', async () => {
    const tag = randomUUID();
    const schema = { properties: { amount: { type: 'number' } }, required: ['amount'] };
    model.script({ ...asks(wants('pay', { amount: 5 })), text: ['I would pay'] }, says('Paid'));
    const asked = await engine.play(
      chain(agent(tool(tag, { input_schema: schema, body: { account: 'hidden' } })), transform('t', {})),
    );
    expect(asked.end.type).toBe('run_interrupted');
    expect(recorder.calls(tag)).toHaveLength(0);
    expect(interruptsOf(asked)).toMatchObject([
      {
        node_id: 'a',
        kind: 'tool_approval',
        title: 'Call pay?',
        message: 'I would pay',
        payload: { tool: 'pay', arguments: { amount: 5 } },
        actions: [{ id: 'approve' }, { id: 'edit' }, { id: 'reject' }],
        expires_at: null,
      },
    ]);
    expect(JSON.stringify(interruptsOf(asked))).not.toContain('hidden');
    const done = await resume(engine, asked, { interrupt_id: idOf(asked), action: 'approve' });
    expect(done.end.type).toBe('run_completed');
    expect(recorder.calls(tag).map(({ body }) => body)).toEqual([{ amount: 5, account: 'hidden' }]);
    expect(done.of('interrupt_resolved', 'a')).toMatchObject([{ action: 'approve', timed_out: false }]);
    const [completed] = done.of('node_completed', 'a');
    expect(completed?.['output']).toMatchObject({ content: 'Paid', iterations: 2, stop_reason: 'final' });
    expect(completed?.['output']).toMatchObject({ usage: { total_tokens: 20 } });
    const [first] = await stepsOf(engine.db, asked.accepted.runPk, 'a');
    const [second] = await stepsOf(engine.db, done.accepted.runPk, 'a');
    expect(first).toMatchObject({ status: 'interrupted', usage: { total_tokens: 10 } });
    expect(second).toMatchObject({ status: 'succeeded', usage: { total_tokens: 10 } });
    expect(done.end['usage']).toMatchObject({ total_tokens: 20 });
    const late = answer(engine, asked, { interrupt_id: idOf(asked), action: 'approve' });
    await expect(late).rejects.toMatchObject({ failure: { status: 410 } });
  });

  test('rejected, it is not made, and the model hears why', async () => {
    const tag = randomUUID();
    model.script(asks(wants('pay')), says('Well'));
    const asked = await engine.play(chain(agent(tool(tag))));
    const data = { comment: 'too much' };
    const done = await resume(engine, asked, { interrupt_id: idOf(asked), action: 'reject', data });
    expect(done.output).toMatchObject({ content: 'Well' });
    expect(toolCallsOf(done)).toMatchObject([{ error: { code: 'rejected' } }]);
    expect(told()[0]).toContain('too much');
    expect(recorder.calls(tag)).toHaveLength(0);
    expect(done.of('tool_call', 'a').map(({ phase, status }) => [phase, status])).toEqual([
      ['start', 'running'],
      ['end', 'failed'],
    ]);
  });

  test('edited, it is made with the edited arguments; what does not fit the tool is refused and stays open', async () => {
    const tag = randomUUID();
    const schema = { properties: { amount: { type: 'number' } }, required: ['amount'] };
    model.script(asks(wants('pay', { amount: 500 })), says('ok'));
    const asked = await engine.play(chain(agent(tool(tag, { input_schema: schema }))));
    const edit = (data: JsonObject) => ({ interrupt_id: idOf(asked), action: 'edit', data });
    const refused = (data: JsonObject) =>
      expect(answer(engine, asked, edit(data))).rejects.toMatchObject({ failure: { shape: 'C' } });
    await refused({});
    await refused({ arguments: { amount: 'x' } });
    await refused({ arguments: { amount: 1, account: 'mine' } });
    const wrong = answer(engine, asked, { interrupt_id: idOf(asked), action: 'perhaps' });
    await expect(wrong).rejects.toMatchObject({ failure: { shape: 'C' } });
    const done = await resume(engine, asked, edit({ arguments: { amount: 5 } }));
    expect(recorder.calls(tag).map(({ body }) => body)).toEqual([{ amount: 5 }]);
    expect(toolCallsOf(done)).toMatchObject([{ arguments: { amount: 5 } }]);
  });

  test('calls beside it are made at once; of two questions each has its own answer', async () => {
    const [free, paid] = [randomUUID(), randomUUID()];
    model.script(
      asks(wants('look'), wants('pay', { n: 1 }), wants('pay', { n: 2 })),
      asks(wants('pay', { n: 3 })),
      says('ok'),
    );
    const look = { kind: 'http', name: 'look', method: 'POST', url: recorder.url(free) };
    const first = await engine.play(chain(agent(look, tool(paid))));
    expect(recorder.calls(free)).toHaveLength(1);
    expect(interruptsOf(first)).toHaveLength(2);
    const second = await resume(engine, first, { interrupt_id: idOf(first, 1), action: 'approve' });
    expect(second.end.type).toBe('run_interrupted');
    expect(recorder.calls(paid).map(({ body }) => body)).toEqual([{ n: 2 }]);
    expect(interruptsOf(second).map(({ interrupt_id: id }) => id)).toEqual([idOf(first, 0)]);
    const third = await resume(engine, second, { interrupt_id: idOf(first, 0), action: 'reject' });
    expect(third.end.type).toBe('run_interrupted');
    const done = await resume(engine, third, { interrupt_id: idOf(third), action: 'approve' });
    expect(recorder.calls(paid).map(({ body }) => body)).toEqual([{ n: 2 }, { n: 3 }]);
    expect(toolCallsOf(done).map(({ error }) => (error as JsonObject | null)?.['code'] ?? null)).toEqual([
      null,
      'rejected',
      null,
      null,
    ]);
    expect(done.output).toMatchObject({ iterations: 3 });
  });

  test('all answered at once, the agent goes on once', async () => {
    const tag = randomUUID();
    model.script(asks(wants('pay', { n: 1 }), wants('pay', { n: 2 })), says('ok'));
    const asked = await engine.play(chain(agent(tool(tag))));
    const responses = [0, 1].map((at) => ({ interrupt_id: idOf(asked, at), action: 'approve' }));
    const done = await resume(engine, asked, { responses });
    expect(done.end.type).toBe('run_completed');
    expect(recorder.calls(tag)).toHaveLength(2);
  });

  test('in time or not at all: an expired question counts as rejected', async () => {
    const tag = randomUUID();
    model.script(asks(wants('pay')), says('Nobody was there'));
    // Not so short that the question expires before the run has come to wait for it.
    const asked = await engine.play(chain(agent(tool(tag, { approval_timeout_seconds: 5 }))));
    expect(interruptsOf(asked)[0]?.['expires_at']).not.toBeNull();
    const done = await engine.follow(await nextSegment(engine, asked));
    expect(toolCallsOf(done)).toMatchObject([{ error: { code: 'approval_expired' } }]);
    expect(done.of('interrupt_resolved')).toMatchObject([{ timed_out: true }]);
    expect(recorder.calls(tag)).toHaveLength(0);
  });

  test('a question may expire while another branch is at work', async () => {
    const tag = randomUUID();
    model.script(asks(wants('pay')), says('ok'));
    const slow = http('slow', recorder.url(randomUUID(), { hold: 1 }));
    const running = engine.accept(
      workflow(
        [agent(tool(tag, { approval_timeout_seconds: 1 })), slow],
        [edge(START, 'a'), edge(START, 'slow'), edge('a', END), edge('slow', END)],
      ),
    );
    const accepted = await running;
    await expect
      .poll(async () => (await stepsOf(engine.db, accepted.runPk, 'a'))[0]?.['status'], { timeout: 20_000 })
      .toBe('succeeded');
    recorder.release();
    const done = await engine.follow(accepted);
    expect(done.end.type).toBe('run_completed');
    expect(done.of('interrupt_resolved')).toMatchObject([{ timed_out: true }]);
  });

  test('is answered only by its assignees', async () => {
    model.script(asks(wants('pay')), says('ok'));
    const approval_assignees = { user_ids: [randomUUID()] };
    const asked = await engine.play(chain(agent(tool(randomUUID(), { approval_assignees }))));
    const given = answer(engine, asked, { interrupt_id: idOf(asked), action: 'approve' });
    await expect(given).rejects.toMatchObject({ failure: { status: 403 } });
    await cancel(engine, asked.accepted);
  });

  test('a cancelled run takes its question along', async () => {
    const tag = randomUUID();
    model.script(asks(wants('pay')));
    const asked = await engine.play(chain(agent(tool(tag))));
    await cancel(engine, asked.accepted);
    const late = answer(engine, asked, { interrupt_id: idOf(asked), action: 'approve' });
    await expect(late).rejects.toMatchObject({ failure: { status: 410 } });
    const [step] = await stepsOf(engine.db, asked.accepted.runPk, 'a');
    expect(step?.['status']).toBe('cancelled');
    expect(recorder.calls(tag)).toHaveLength(0);
  });

  test('a sub-workflow is asked about, too', async () => {
    const child = await deploy(engine, chain(transform('t', { was: '{{input.x}}' })));
    model.script(asks(wants('sub', { x: 'y' })), says('ok'));
    const sub = { kind: 'workflow', name: 'sub', workflow_id: child, approval: 'always' };
    const asked = await engine.play(chain(agent(sub)));
    const children = () =>
      engine.db.query('SELECT 1 FROM runs c JOIN runs p ON p.id = c.parent_run_pk WHERE p.root_run_pk = $1', [
        asked.accepted.runPk,
      ]);
    expect(await children()).toHaveLength(0);
    const done = await resume(engine, asked, { interrupt_id: idOf(asked), action: 'approve' });
    expect(toolCallsOf(done)).toMatchObject([{ result: { was: 'y' } }]);
    expect(await children()).toHaveLength(1);
  });

  test('cannot be had per item of a map: nobody could tell the questions apart', () => {
    const mapped = { ...agent(tool('x')), for_each: { items: [1] } };
    expect(validate(chain(mapped), kindRules).map(({ code }) => code)).toContain('interrupt_mapped');
  });
});

describe('a worker that is lost', () => {
  beforeAll(() => engine.dispatcher.stop());
  afterAll(() => engine.dispatcher.start());

  const inActivity = <T>(work: () => Promise<T>): Promise<T> =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(work) as Promise<T>;

  const callTool = (task: AgentTurnTask): Promise<NodeOutcome> => {
    const call: AgentCallTask = { ...task, call: 0 };
    return inActivity(() => createNodeActivities(engine.deps).tool(call));
  };

  /** Plays the interpreter by hand up to the question, whose answer nobody has delivered yet. */
  async function paused(...tools: readonly JsonObject[]) {
    model.script(asks(...tools.map(({ name }) => wants(String(name)))), says('ok'));
    const accepted = await engine.accept(chain(agent(...tools)));
    const { runPk } = accepted;
    const { organizationId } = engine;
    const ref = { organizationId, rootRunPk: runPk };
    const input = (number: number, progress: string, elapsed: readonly (readonly [number, number])[]) => ({
      ...ref,
      advance: number,
      progress,
      elapsed,
      skipped: [],
      inFlight: 0,
    });
    const first = await advance(engine.deps, input(1, '', []));
    const progress = decodeProgress(first.progress);
    const [segment] = await engine.db.query<{ definition_hash: string }>(
      'SELECT definition_hash FROM runs WHERE id = $1',
      [runPk],
    );
    const definitionHash = segment?.definition_hash ?? '';
    const ready = await engine.deps.plans.get(engine.db, { organizationId, definitionHash });
    const execution = startNode(ready.skeleton(100), progress, 0);
    const task: AgentTurnTask = {
      ...ref,
      runPk,
      nodeId: 'a',
      visit: execution?.visit ?? 0,
      depth: 1,
      position: 1,
      itemIndex: -1,
      iteration: null,
      loop: {},
      turn: 1,
    };
    expect(await inActivity(() => createNodeActivities(engine.deps).agent(task))).toMatchObject({
      calls: [],
      asks: true,
    });
    const outcome = await pauseAgent(engine.deps, task);
    pauseNode(progress, { node: 0, visit: task.visit }, outcome.asked?.fireAtMs ?? null);
    const step = (
      number: number,
      elapsed: readonly (readonly [number, number])[] = [],
    ): Promise<AdvanceResult> => advance(engine.deps, input(number, encodeProgress(progress), elapsed));
    return { accepted, task, outcome, step };
  }

  test('is not asked twice, and goes on with the answer that came meanwhile', async () => {
    const tag = randomUUID();
    const { accepted, task, outcome, step } = await paused(tool(tag));
    expect(await pauseAgent(engine.deps, task)).toEqual(outcome);
    expect(await step(2)).toMatchObject({ state: 'interrupted' });
    const asked = await engine.follow(accepted);
    const next = await answer(engine, asked, { interrupt_id: idOf(asked), action: 'approve' });
    // The worker dies before Temporal has recorded anything of this: all is asked again, under the answered run.
    expect(await resumeAgent(engine.deps, task)).toMatchObject({ asks: true, calls: [] });
    expect(await pauseAgent(engine.deps, task)).toMatchObject({ taken: [], asked: { fireAtMs: null } });
    expect(await step(2)).toMatchObject({ state: 'interrupted', repeated: true });
    const resumed = await step(3);
    expect(resumed).toMatchObject({
      state: 'running',
      runPk: next.runPk,
      resumed: [{ node: 0, visit: 1, turn: 1 }],
    });
    expect(decodeProgress(resumed.progress).nodes[0]).toBe(NODE.running);
    expect(await step(3)).toMatchObject({ repeated: true, resumed: [{ node: 0 }] });
    const own = { ...task, runPk: next.runPk };
    const calls = await resumeAgent(engine.deps, own);
    expect(calls).toMatchObject({ outcome: null, asks: false, calls: [{ call: 0, name: 'pay' }] });
    expect(await resumeAgent(engine.deps, own)).toEqual(calls);
    const made = [await callTool(own), await callTool(own)];
    expect(made).toEqual(Array(2).fill({ taken: [], failed: false }));
    expect(recorder.calls(tag)).toHaveLength(1);
    const end = await inActivity(() => createNodeActivities(engine.deps).agent({ ...own, turn: 2 }));
    expect(end.outcome).toEqual({ taken: [0], failed: false });
    const questions = await engine.db.query('SELECT 1 FROM run_interrupts WHERE root_run_pk = $1', [
      task.rootRunPk,
    ]);
    expect(questions).toHaveLength(1);
  });

  test('the timer of a question that was answered in time expires no other question of the agent', async () => {
    const { accepted, task, step } = await paused(
      tool(randomUUID(), { approval_timeout_seconds: 60 }),
      tool(randomUUID(), { name: 'refund', approval_timeout_seconds: 86_400 }),
    );
    expect(await step(2)).toMatchObject({ state: 'interrupted' });
    const asked = await engine.follow(accepted);
    await answer(engine, asked, { interrupt_id: idOf(asked), action: 'approve' });
    // No worker took the answer before the timer fired: they come together.
    expect(await step(3, [[0, task.visit]])).toMatchObject({ state: 'running', resumed: [{ node: 0 }] });
    const questions = await engine.db.query(
      `SELECT call, status FROM run_interrupts WHERE root_run_pk = $1 ORDER BY call`,
      [task.rootRunPk],
    );
    expect(questions).toEqual([
      { call: 0, status: 'consumed' },
      { call: 1, status: 'pending' },
    ]);
  });

  test('a call without an approval is never made', async () => {
    const tag = randomUUID();
    const { task } = await paused(tool(tag));
    await expect(callTool(task)).rejects.toMatchObject({
      code: 'internal_error',
      cause: expect.stringContaining('not approved') as string,
    });
    expect(recorder.calls(tag)).toHaveLength(0);
  });
});
