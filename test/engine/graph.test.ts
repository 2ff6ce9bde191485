/** A node would run too often, too early or never where a run branches, joins, loops or fails. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import {
  END,
  START,
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
import { closedAs } from '../support/journeys.ts';
import { happened, stepsOf } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterAll(() => engine.close());

const tag = (): string => randomUUID();
const order = (played: Played): string[] =>
  played.frames
    .filter((frame) => frame.type === 'node_started' || frame.type === 'node_completed')
    .map((frame) => `${frame.type === 'node_started' ? '+' : '-'}${String(frame['node_id'])}`);

/** start -> left, right -> last */
function diamond(left: JsonObject, right: JsonObject, last: JsonObject): JsonObject {
  const [l, r, end] = [left, right, last].map((each) => String(each['id'])) as [string, string, string];
  return workflow(
    [left, right, last],
    [edge(START, l), edge(START, r), edge(l, end), edge(r, end), edge(end, END)],
  );
}

describe('RUN-handled-failures: a failure that was handled', () => {
  test.each([
    ['by an error edge', {}, 'error'],
    ['by going on', { on_error: 'continue' }, 'default'],
  ])('%s is no value, and its error is read by name', async (_, envelope, handle) => {
    const name = tag();
    const read = {
      whole: '{{x}}',
      text: 'a{{x}}b',
      fallback: '{{x | default("none")}}',
      code: '{{x.error.code}}',
      passed_on: '{{t}}',
    };
    const played = await engine.play(
      workflow(
        [
          http('x', recorder.url(name, { fail: 1 }), {}, { retry: { max_attempts: 1 }, ...envelope }),
          transform('t', { error: '{{x.error.code}}' }),
          node('first', 'transformer', { mode: 'merge', sources: ['{{x}}', '{{state.x}}', 'second'] }),
          conditional('if', when('is', rule('{{x}}', 'exists'))),
          transform('last', { ...read, first: '{{first.value}}', handle: '{{if.handle}}' }),
        ],
        [
          edge(START, 'x'),
          edge('x', 't', handle),
          edge('t', 'first'),
          edge('first', 'if'),
          edge('if', 'last', 'else'),
          edge('last', END),
        ],
      ),
    );
    expect(played.output).toMatchObject({
      whole: null,
      text: 'ab',
      fallback: 'none',
      code: 'http_error',
      // An output of this shape that a node has made is its value.
      passed_on: { error: 'http_error' },
      first: 'second',
    });
  });

  test('with a default output is that value', async () => {
    const envelope = { retry: { max_attempts: 1 }, on_error: 'continue', default_output: { n: 1 } };
    const played = await engine.play(
      workflow(
        [
          http('x', recorder.url(tag(), { fail: 1 }), {}, envelope),
          transform('last', { n: '{{x.n}}', all: '{{x}}' }),
        ],
        [edge(START, 'x'), edge('x', 'last'), edge('last', END)],
      ),
    );
    expect(played.output).toMatchObject({ n: 1, all: { n: 1, error: { code: 'http_error' } } });
  });

  test('a missing path in the output of a run warns in its last frame', async () => {
    const played = await engine.play({
      ...workflow([transform('t', { a: 1 })], [edge(START, 't'), edge('t', END)]),
      config: { output: { a: '{{t.a}}', b: '{{t.gone}}' } },
    });
    expect(played.output).toEqual({ a: 1, b: null });
    expect(played.end['warnings']).toMatchObject([{ code: 'missing_path', reference: 't.gone' }]);
  });
});

describe('fan-out and joins', () => {
  test('branches run at once, and a join of all waits for both', async () => {
    const [a, b] = [tag(), tag()];
    const accepted = await engine.accept(
      diamond(
        http('a', recorder.url(a, { hold: 1 })),
        http('b', recorder.url(b, { hold: 1 })),
        transform('last', { a: '{{a.status}}', b: '{{b.status}}' }),
      ),
    );
    // Neither is answered before both have been called.
    await Promise.all([recorder.waitFor(a, 1), recorder.waitFor(b, 1)]);
    recorder.release();
    const played = await engine.follow(accepted);
    expect(played.output).toEqual({ a: 200, b: 200 });
    expect(played.of('node_started', 'last')).toHaveLength(1);
    expect(played.of('node_started', 'last')[0]?.['depth']).toBe(2);
  });

  test('a join of any runs on the first, once; the run still waits for the slow branch', async () => {
    const slow = tag();
    const accepted = await engine.accept(
      diamond(
        transform('fast', { x: 1 }),
        http('slow', recorder.url(slow, { hold: 1 })),
        transform('last', { slow: '{{slow}}' }, { join: 'any' }),
      ),
    );
    await Promise.all([
      recorder.waitFor(slow, 1),
      happened(engine.db, accepted.runPk, 'node_completed', 'last'),
    ]);
    recorder.release();
    const played = await engine.follow(accepted);
    const seen = order(played);
    expect(seen.filter((entry) => entry === '-slow')).toHaveLength(1);
    expect(seen.filter((entry) => entry === '+last')).toHaveLength(1);
    expect(played.output).toEqual({ slow: null });
  });

  test('skips spread, leave frames and steps, and do not hold up a join', async () => {
    const played = await engine.play(
      workflow(
        [
          conditional('c', when('yes', rule('{{input.n}}', 'eq', 1))),
          http('a', recorder.url(tag())),
          transform('b'),
          http('b2', recorder.url(tag())),
          transform('last', { x: '{{a.status}}', b: '{{b2}}' }),
        ],
        [
          edge(START, 'c'),
          edge('c', 'a', 'yes'),
          edge('c', 'b', 'else'),
          edge('b', 'b2'),
          edge('a', 'last'),
          edge('b2', 'last'),
        ],
      ),
      { n: 1 },
    );
    expect(played.output).toEqual({ x: 200, b: null });
    expect(played.of('node_skipped').map((frame) => [frame['node_id'], frame['reason']])).toEqual([
      ['b', 'branch'],
      ['b2', 'branch'],
    ]);
    const steps = await stepsOf(engine.db, played.accepted.runPk);
    expect(new Map(steps.map((step) => [step.node_id, step.status]))).toEqual(
      new Map([
        ['c', 'succeeded'],
        ['a', 'succeeded'],
        ['b', 'skipped'],
        ['b2', 'skipped'],
        ['last', 'succeeded'],
      ]),
    );
  });

  test('an effectful node may skip its successors, and the skips are events', async () => {
    const played = await engine.play(
      workflow(
        [http('a', recorder.url(tag())), http('never', recorder.url('never')), transform('good', { x: 1 })],
        [
          edge(START, 'a'),
          edge('a', 'never', undefined, { when: rule('{{a.status}}', 'eq', 404) }),
          edge('a', 'good', undefined, { when: rule('{{a.status}}', 'eq', 200) }),
        ],
      ),
    );
    expect(played.output).toEqual({ x: 1 });
    expect(played.of('node_skipped').map((frame) => frame['node_id'])).toEqual(['never']);
    expect(recorder.calls('never')).toEqual([]);
  });
});

describe('loops', () => {
  /** inc -> check -(again)-> inc ... -(else)-> last */
  function counting(inc: JsonObject, limit: number): JsonObject {
    return {
      ...workflow(
        [
          inc,
          conditional('check', when('again', rule('{{state.count | length}}', 'lt', limit))),
          transform('last', { n: '{{state.count | length}}', rounds: '{{loop.back.iteration}}' }),
        ],
        [
          edge(START, 'inc'),
          edge('inc', 'check'),
          { ...edge('check', 'inc', 'again'), id: 'back' },
          edge('check', 'last', 'else'),
        ],
      ),
      state_schema: { fields: { count: { type: 'array', reducer: 'add', default: [] } } },
    };
  }
  const updates = { state_updates: { count: 1 } };

  test('an effectful body runs until the condition ends it; the iteration is readable', async () => {
    const name = tag();
    const inc = http('inc', recorder.url(name), { body: { round: '{{loop.back.iteration}}' } }, updates);
    const played = await engine.play(counting(inc, 4));
    expect(played.output).toEqual({ n: 4, rounds: 3 });
    expect(recorder.calls(name).map((call) => call.body)).toEqual([0, 1, 2, 3].map((round) => ({ round })));
    const completed = played.of('node_completed', 'inc');
    expect(completed.map((frame) => frame['iteration'])).toEqual([0, 1, 2, 3]);
    const steps = await stepsOf(engine.db, played.accepted.runPk, 'inc');
    expect(steps.map((step) => step.visit)).toEqual([1, 2, 3, 4]);
    expect(steps.map((step) => step.depth)).toEqual([1, 3, 5, 7]);
  });

  test('a loop of effectful nodes alone, over an edge condition', async () => {
    const name = tag();
    const body = { ...http('a', recorder.url(name), {}, updates) };
    const definition = {
      ...workflow(
        [body, http('b', recorder.url(name)), http('last', recorder.url(name))],
        [
          edge(START, 'a'),
          edge('a', 'b'),
          {
            ...edge('b', 'a', undefined, { when: rule('{{state.count | length}}', 'lt', 3) }),
            id: 'back',
          },
          edge('b', 'last', undefined, { when: rule('{{state.count | length}}', 'gte', 3) }),
        ],
      ),
      state_schema: { fields: { count: { type: 'array', reducer: 'add', default: [] } } },
    };
    const played = await engine.play(definition);
    expect(played.end.type).toBe('run_completed');
    expect(recorder.calls(name)).toHaveLength(7);
  });

  test('SEC-G09: a loop without end reaches the recursion limit', async () => {
    const played = await engine.play(
      counting(transform('inc', {}, updates), 1e9),
      {},
      { recursionLimit: 50 },
    );
    expect(played.end.type).toBe('run_failed');
    expect(played.error?.code).toBe('recursion_limit_exceeded');
    expect(played.of('node_completed', 'inc')).toHaveLength(25);
    expect(await closedAs(engine, played.accepted)).toBe('FAILED');
  });

  test('the recursion limit holds for effectful nodes too, and counts depth, not width', async () => {
    const name = tag();
    const deep = await engine.play(
      counting(http('inc', recorder.url(name), {}, updates), 1e9),
      {},
      { recursionLimit: 4 },
    );
    expect(deep.error?.code).toBe('recursion_limit_exceeded');
    expect(recorder.calls(name)).toHaveLength(2);
    const ids = Array.from({ length: 12 }, (_, i) => `w${i}`);
    const wide = await engine.play(
      workflow(
        ids.map((id) => transform(id, { x: 1 })),
        ids.map((id) => edge(START, id)),
      ),
      {},
      { recursionLimit: 1 },
    );
    expect(wide.end.type).toBe('run_completed');
  });

  test('an exit that is not taken is skipped only when the loop is over', async () => {
    // b joins the exit of the loop's head and the end of the loop: it must wait for both.
    const definition = {
      ...workflow(
        [
          transform('head', {}, updates),
          conditional('check', when('again', rule('{{state.count | length}}', 'lt', 3))),
          transform('b', { n: '{{state.count | length}}' }),
        ],
        [
          edge(START, 'head'),
          edge('head', 'check'),
          edge('head', 'b', undefined, { when: rule('{{state.count | length}}', 'gte', 2) }),
          { ...edge('check', 'head', 'again'), id: 'back' },
          edge('check', 'b', 'else'),
        ],
      ),
      state_schema: { fields: { count: { type: 'array', reducer: 'add', default: [] } } },
    };
    const played = await engine.play(definition);
    expect(played.output).toEqual({ n: 3 });
    expect(played.of('node_completed', 'b')).toHaveLength(1);
    expect(played.of('node_skipped')).toEqual([]);
  });
});

describe('an unhandled failure', () => {
  test('lets running nodes finish, starts nothing more, and fails the run with its reason', async () => {
    const [bad, good, never] = [tag(), tag(), tag()];
    const accepted = await engine.accept(
      workflow(
        [
          http('bad', recorder.url(bad, { fail: 9 })),
          http('good', recorder.url(good, { hold: 1 })),
          http('never', recorder.url(never)),
          transform('pure'),
        ],
        [edge(START, 'bad'), edge(START, 'good'), edge('good', 'never'), edge('good', 'pure')],
      ),
    );
    await Promise.all([recorder.waitFor(good, 1), happened(engine.db, accepted.runPk, 'node_failed', 'bad')]);
    recorder.release();
    const played = await engine.follow(accepted);
    expect(played.end.type).toBe('run_failed');
    expect(played.error).toMatchObject({ code: 'http_error', node_id: 'bad' });
    expect(recorder.calls(good).map((call) => call.aborted)).toEqual([false]);
    expect(recorder.calls(never)).toEqual([]);
    expect(order(played)).toEqual(expect.arrayContaining(['-good']));
    expect(played.of('node_started', 'pure')).toEqual([]);
    expect(played.of('node_failed', 'bad')[0]).toMatchObject({ handled: false, on_error: 'fail' });
    const terminal = played.frames.filter((frame) => frame.type.startsWith('run_') && frame.seq > 1);
    expect(terminal).toHaveLength(1);
    expect(await closedAs(engine, played.accepted)).toBe('FAILED');
  });

  test('of a disabled node is its own, where a condition behind it cannot be evaluated', async () => {
    const played = await engine.play({
      ...workflow(
        [transform('a', { x: 1 }), transform('off', {}, { disabled: true }), transform('b')],
        [
          edge(START, 'a'),
          edge('a', 'off'),
          edge('off', 'b', undefined, { when: rule('{{a.y}}', 'is_true') }),
        ],
      ),
      config: { strict_templates: true },
    });
    expect(played.error).toMatchObject({ code: 'missing_path', node_id: 'off' });
    expect(order(played)).toEqual(['+a', '-a', '+off']);
    expect(played.of('node_failed', 'off')).toHaveLength(1);
    const steps = await stepsOf(engine.db, played.accepted.runPk);
    expect(steps.map((step) => [step.node_id, step.status])).toEqual([
      ['a', 'succeeded'],
      ['off', 'failed'],
      ['b', 'skipped'],
    ]);
  });

  test('in a pure node waits for an effectful sibling', async () => {
    const name = tag();
    const played = await engine.play(
      workflow(
        [
          node('bad', 'transformer', { mode: 'template', template: 'no', parse_as: 'json' }),
          transform('first'),
          http('good', recorder.url(name, { delay_ms: 300 })),
        ],
        [edge(START, 'good'), edge(START, 'first'), edge('first', 'bad')],
      ),
    );
    expect(played.error).toMatchObject({ code: 'invalid_json', node_id: 'bad' });
    expect(recorder.calls(name).every((call) => !call.aborted)).toBe(true);
  });
});
