/** A run that waits for an answer or a time would not go on, or go on twice. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
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
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import {
  answer,
  cancel,
  closedAs,
  nextSegment,
  owner,
  questionsOf,
  resume,
  seenInTemporal,
} from '../support/journeys.ts';
import { happened, stepsOf } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterAll(() => engine.close());

const tag = (): string => randomUUID();
const ACTIONS = [{ id: 'approve' }, { id: 'reject' }];
const approval = (id: string, more: JsonObject = {}): JsonObject =>
  node(id, 'interrupt', { kind: 'approval', title: 'Refund {{input.amount}}?', actions: ACTIONS, ...more });
const input = (id: string, more: JsonObject = {}): JsonObject =>
  node(id, 'interrupt', { kind: 'input', ...more });
const interruptsOf = (played: Played): string[] =>
  (played.end['interrupts'] as JsonObject[]).map((each) => String(each['node_id']));
const stale = (played: Played, nodeId: string): Promise<unknown> =>
  resume(engine, played, { interrupt_id: questionsOf(played)[nodeId] ?? '', data: {} });

describe('an answer', () => {
  test('goes to the handle of its action; what came before is not done again', async () => {
    const [before, after] = [tag(), tag()];
    const definition = workflow(
      [
        http('before', recorder.url(before)),
        approval('ask', { payload: { n: '{{before.data.number}}' } }),
        http('after', recorder.url(after), { body: { n: '{{before.data.number}}', ask: '{{ask}}' } }),
        transform('rejected'),
      ],
      [
        edge(START, 'before'),
        edge('before', 'ask'),
        edge('ask', 'after', 'approve'),
        edge('ask', 'rejected', 'reject'),
      ],
    );
    const asked = await engine.play(definition, { amount: 12 });
    expect(asked.end.type).toBe('run_interrupted');
    expect(asked.of('interrupt', 'ask')[0]).toMatchObject({
      kind: 'approval',
      title: 'Refund 12?',
      payload: { n: 1 },
      expires_at: null,
    });
    expect(interruptsOf(asked)).toEqual(['ask']);
    const [waiting] = await stepsOf(engine.db, asked.accepted.runPk, 'ask');
    expect(waiting?.status).toBe('interrupted');

    const resumed = await resume(engine, asked, {
      interrupt_id: questionsOf(asked)['ask'] ?? '',
      action: 'approve',
      data: { comment: 'fine' },
    });
    expect(resumed.frames.slice(0, 2).map((frame) => [frame.seq, frame.type])).toEqual([
      [1, 'run_started'],
      [2, 'interrupt_resolved'],
    ]);
    expect(resumed.frames[0]).toMatchObject({
      reason: 'resume',
      resumed_from_run_id: asked.accepted.runId,
    });
    expect(resumed.end.type).toBe('run_completed');
    const [call] = recorder.calls(after);
    expect(call?.body).toMatchObject({
      n: 1,
      ask: { action: 'approve', data: { comment: 'fine' }, timed_out: false },
    });
    expect(recorder.calls(before)).toHaveLength(1);
    expect(resumed.of('node_skipped').map((frame) => frame['node_id'])).toEqual(['rejected']);
    expect(await closedAs(engine, asked.accepted)).toBe('COMPLETED');
    await expect(stale(asked, 'ask')).rejects.toMatchObject({ failure: { status: 410 } });
  });

  test('of several people: the output names each, and the run goes on after the last that is needed', async () => {
    const played = await engine.play(
      chain(approval('ask', { required_responses: 2 }), transform('last', { ask: '{{ask}}' })),
    );
    expect(played.of('interrupt', 'ask')[0]).toMatchObject({ required_responses: 2 });
    const body = { interrupt_id: questionsOf(played)['ask'] ?? '', action: 'approve' };
    const [ada, bob] = ['ada@example.com', 'bob@example.com'].map((email) => {
      const scope = owner(engine);
      return { ...scope, caller: { ...scope.caller, email } };
    });
    const waiting = await answer(engine, played, { ...body, data: { n: 1 } }, ada);
    expect(waiting.runPk).toBe(played.accepted.runPk);
    const last = await engine.follow(await answer(engine, played, { ...body, data: { n: 2 } }, bob));
    expect(last.output).toMatchObject({
      ask: {
        action: 'approve',
        data: { n: 2 },
        responded_by: bob?.caller.userId,
        responses: [
          { action: 'approve', data: { n: 1 }, responded_by: ada?.caller.userId },
          { action: 'approve', data: { n: 2 }, responded_by: bob?.caller.userId },
        ],
      },
    });
  });

  test('two questions may be answered one by one; running branches finish before the pause', async () => {
    const name = tag();
    const definition = workflow(
      [
        input('a'),
        input('b'),
        http('slow', recorder.url(name, { delay_ms: 500 })),
        transform('last', { a: '{{a.data.v}}', b: '{{b.data.v}}', slow: '{{slow.status}}' }),
      ],
      [...['a', 'b', 'slow'].flatMap((id) => [edge(START, id), edge(id, 'last')]), edge('last', END)],
    );
    const first = await engine.play(definition);
    expect(interruptsOf(first)).toEqual(['a', 'b']);
    expect(first.of('node_completed', 'slow')).toHaveLength(1);
    const asked = questionsOf(first);
    const second = await resume(engine, first, { interrupt_id: asked['a'] ?? '', data: { v: 1 } });
    expect(interruptsOf(second)).toEqual(['b']);
    expect(questionsOf(second)).toEqual({ b: asked['b'] });
    const last = await resume(engine, first, { interrupt_id: asked['b'] ?? '', data: { v: 2 } });
    expect(last.output).toEqual({ a: 1, b: 2, slow: 200 });
    expect(recorder.calls(name)).toHaveLength(1);
  });

  test('two questions may be answered at once', async () => {
    const played = await engine.play(
      workflow(
        [input('a'), input('b'), transform('last', { a: '{{a.data.v}}', b: '{{b.data.v}}' })],
        [edge(START, 'a'), edge(START, 'b'), edge('a', 'last'), edge('b', 'last')],
      ),
    );
    const asked = questionsOf(played);
    const responses = Object.entries(asked).map(([v, id]) => ({ interrupt_id: id, data: { v } }));
    expect((await resume(engine, played, { responses })).output).toEqual({ a: 'a', b: 'b' });
  });

  test('a question in a loop is asked anew each round', async () => {
    const definition = workflow(
      [
        approval('ask'),
        conditional('check', when('again', rule('{{ask.action}}', 'eq', 'reject'))),
        transform('last', { rounds: '{{loop.back.iteration}}' }),
      ],
      [
        edge(START, 'ask'),
        edge('ask', 'check'),
        { ...edge('check', 'ask', 'again'), id: 'back' },
        edge('check', 'last', 'else'),
      ],
    );
    const first = await engine.play(definition);
    const ask = (played: Played): string => questionsOf(played)['ask'] ?? '';
    const second = await resume(engine, first, { interrupt_id: ask(first), action: 'reject' });
    expect(second.end.type).toBe('run_interrupted');
    expect(ask(second)).not.toBe(ask(first));
    const last = await resume(engine, second, { interrupt_id: ask(second), action: 'approve' });
    expect(last.output).toEqual({ rounds: 1 });
  });

  test('a question keeps open what its loop may still bring', async () => {
    // The head's way out is not taken in the first round; the answer brings the loop round, and then it is.
    const definition = {
      ...workflow(
        [
          transform('head', {}, { state_updates: { count: 1 } }),
          approval('ask'),
          transform('out', { n: '{{state.count | length}}' }),
          transform('done'),
        ],
        [
          edge(START, 'head'),
          edge('head', 'out', undefined, { when: rule('{{state.count | length}}', 'eq', 2) }),
          edge('head', 'ask'),
          { ...edge('ask', 'head', 'reject'), id: 'back' },
          edge('ask', 'done', 'approve'),
        ],
      ),
      state_schema: { fields: { count: { type: 'array', reducer: 'add', default: [] } } },
    };
    const ask = (played: Played): string => questionsOf(played)['ask'] ?? '';
    const first = await engine.play(definition);
    const second = await resume(engine, first, { interrupt_id: ask(first), action: 'reject' });
    expect(second.of('node_completed', 'out')[0]?.['output']).toEqual({ n: 2 });
    const last = await resume(engine, second, { interrupt_id: ask(second), action: 'approve' });
    expect(last.output).toEqual({ out: { n: 2 }, done: {} });
  });

  test('a signal without an answer changes nothing', async () => {
    const played = await engine.play(chain(input('a'), transform('t', { v: '{{a.data.v}}' })));
    const ref = { organizationId: engine.organizationId, rootRunPk: played.accepted.runPk };
    for (let i = 0; i < 3; i += 1) expect(await engine.engine.resume(ref)).toBe(true);
    const resumed = await resume(engine, played, {
      interrupt_id: questionsOf(played)['a'] ?? '',
      data: { v: 1 },
    });
    expect(resumed.output).toEqual({ v: 1 });
  });
});

describe('time', () => {
  const late = { timeout_seconds: 1 };
  const timed = (more: JsonObject): JsonObject =>
    workflow(
      [
        approval('ask', { ...late, ...more }),
        transform('approved', { ask: '{{ask}}' }),
        transform('late', { ask: '{{ask}}' }),
      ],
      [edge(START, 'ask'), edge('ask', 'approved', 'approve'), edge('ask', 'late', 'timeout')],
    );

  test('an expired question of a paused run opens a run of its own: by branch, by default, by failure', async () => {
    const [branch, standard, fail] = await Promise.all(
      [
        { on_timeout: 'branch' },
        { on_timeout: 'default', default_response: { action: 'approve', data: { by: 'default' } } },
        { on_timeout: 'fail' },
      ].map(async (more) => {
        const asked = await engine.play(timed(more));
        expect(asked.end.type).toBe('run_interrupted');
        expect(asked.of('interrupt', 'ask')[0]?.['expires_at']).toEqual(expect.any(String));
        const next = await engine.follow(await nextSegment(engine, asked));
        await expect(stale(asked, 'ask')).rejects.toMatchObject({ failure: { status: 410 } });
        // RUN-3.5: who has seen it waiting finds where it goes on.
        const { end } = await engine.follow(asked.accepted);
        expect(end).toMatchObject({ seq: asked.end.seq, resumed_by_run_id: next.accepted.runId });
        return next;
      }),
    );
    expect(branch?.of('interrupt_resolved')[0]).toMatchObject({ timed_out: true, action: null });
    expect(branch?.output).toMatchObject({ ask: { timed_out: true, action: null } });
    expect(branch?.of('node_skipped').map((frame) => frame['node_id'])).toEqual(['approved']);
    expect(standard?.output).toMatchObject({
      ask: { timed_out: true, action: 'approve', data: { by: 'default' } },
    });
    expect(fail?.end.type).toBe('run_failed');
    expect(fail?.error).toMatchObject({ code: 'interrupt_timeout', node_id: 'ask' });
  });

  test('a question that expires while other nodes run is settled in the same run', async () => {
    const slow = tag();
    const definition = workflow(
      [
        approval('ask', { ...late, on_timeout: 'branch' }),
        transform('approved'),
        transform('late', { t: '{{ask.timed_out}}' }),
        http('slow', recorder.url(slow, { hold: 1 })),
      ],
      [
        edge(START, 'ask'),
        edge(START, 'slow'),
        edge('ask', 'approved', 'approve'),
        edge('ask', 'late', 'timeout'),
      ],
    );
    const accepted = await engine.accept(definition);
    // The call is answered once the question has been settled.
    await Promise.all([
      recorder.waitFor(slow, 1),
      happened(engine.db, accepted.runPk, 'interrupt_resolved', 'ask'),
    ]);
    recorder.release();
    const played = await engine.follow(accepted);
    expect(played.end.type).toBe('run_completed');
    expect(played.output).toMatchObject({ late: { t: true } });
  });

  test('an answer before the expiry keeps the timer from doing anything', async () => {
    const asked = await engine.play(timed({ timeout_seconds: 15, on_timeout: 'fail' }));
    const resumed = await resume(engine, asked, {
      interrupt_id: questionsOf(asked)['ask'] ?? '',
      action: 'approve',
    });
    expect(resumed.end.type).toBe('run_completed');
    expect(await closedAs(engine, asked.accepted)).toBe('COMPLETED');
  });

  test('a wait sleeps as long as it says, beside running nodes', async () => {
    const definition = workflow(
      [
        node('w', 'interrupt', { kind: 'wait', duration_seconds: '{{input.s}}' }),
        node('past', 'interrupt', { kind: 'wait', until: '2020-01-01T00:00:00Z' }),
        http('h', recorder.url(tag())),
        transform('after', { until: '{{w.until}}' }),
      ],
      [edge(START, 'w'), edge(START, 'h'), edge(START, 'past'), edge('w', 'after'), edge('past', END)],
    );
    const played = await engine.play(definition, { s: 1 });
    expect(played.end.type).toBe('run_completed');
    expect(played.of('node_started', 'w')).toHaveLength(1);
    const took = Number(played.of('node_completed', 'w')[0]?.['duration_ms']);
    expect(took).toBeGreaterThanOrEqual(1_000);
    expect(played.output).toMatchObject({ after: { until: expect.any(String) } });
  });
});

describe('cancelling', () => {
  const terminal = (played: Played): string[] =>
    played.frames.map((frame) => frame.type).filter((type) => /^run_(?!started)/.test(type));

  test('aborts a call under way; one terminal frame; Temporal agrees', async () => {
    const name = tag();
    const accepted = await engine.accept(
      chain(http('h', recorder.url(name, { delay_ms: 60_000 })), http('after', recorder.url('after-cancel'))),
    );
    await recorder.waitFor(name, 1);
    const [first, second] = await Promise.all([cancel(engine, accepted), cancel(engine, accepted)]);
    expect([first['status'], second['status']]).toEqual(['cancelled', 'cancelled']);
    const played = await engine.follow(accepted);
    expect(terminal(played)).toEqual(['run_cancelled']);
    expect(await closedAs(engine, accepted)).toBe('CANCELLED');
    await expect.poll(() => recorder.calls(name).map((call) => call.aborted)).toEqual([true]);
    expect(recorder.calls('after-cancel')).toEqual([]);
    const [step] = await stepsOf(engine.db, accepted.runPk, 'h');
    expect(step?.status).toBe('cancelled');
    const { frames } = await engine.follow(accepted);
    expect(frames.at(-1)?.type).toBe('run_cancelled');
  });

  test('ends a run that waits for an answer', async () => {
    const asked = await engine.play(chain(approval('ask')));
    expect((await cancel(engine, asked.accepted))['previous_status']).toBe('interrupted');
    expect(await closedAs(engine, asked.accepted)).toBe('CANCELLED');
    await expect(stale(asked, 'ask')).rejects.toMatchObject({ failure: { status: 410 } });
    const [row] = await engine.db.query('SELECT status FROM runs WHERE id = $1', [asked.accepted.runPk]);
    expect(row).toEqual({ status: 'cancelled' });
  });

  test("by Temporal's operators ends the run's row too", async () => {
    const name = tag();
    const accepted = await engine.accept(chain(http('h', recorder.url(name, { delay_ms: 60_000 }))));
    const run = { organizationId: engine.organizationId, rootRunPk: accepted.runPk };
    // Operators see it once the call has taken a while.
    await seenInTemporal(engine, run, ({ status }) => status === 'RUNNING' || null);
    await engine.engine.cancel(run);
    const played = await engine.follow(accepted);
    expect(terminal(played)).toEqual(['run_cancelled']);
    expect(await closedAs(engine, accepted)).toBe('CANCELLED');
  });

  test('no further node starts once the row is cancelled, before Temporal hears of it', async () => {
    const [name, later] = [tag(), tag()];
    const accepted = await engine.accept(
      chain(http('h', recorder.url(name, { hold: 1 })), transform('t'), http('later', recorder.url(later))),
    );
    await recorder.waitFor(name, 1);
    // As if the outbox were late: the row alone says it.
    await engine.db.query(`UPDATE runs SET status = 'cancelled' WHERE id = $1`, [accepted.runPk]);
    recorder.release();
    await recorder.waitFor(name, 1).then(([call]) => expect.poll(() => call?.endedAtMs).not.toBeNull());
    await engine.engine.cancel({ organizationId: engine.organizationId, rootRunPk: accepted.runPk });
    expect(await closedAs(engine, accepted)).toBe('CANCELLED');
    expect(recorder.calls(later)).toEqual([]);
  });
});
