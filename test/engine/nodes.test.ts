/** A kind of node would give another output, other events or another step record than documented. */
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
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import type { ModelServer } from '../support/model-server.ts';
import { stepsOf } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
beforeAll(async () => {
  ({ engine, recorder, model } = await startEngineWithModel());
});
afterAll(() => engine.close());

/** Short pauses between attempts; Temporal rounds them up as it likes. */
const FAST = { max_attempts: 3, initial_interval_ms: 1, backoff_coefficient: 1, max_interval_ms: 1 };
const ONCE = { max_attempts: 1 };

const tag = (): string => randomUUID();
const outputOf = (played: Played, nodeId: string): unknown =>
  played.of('node_completed', nodeId)[0]?.['output'];
const errorFrame = (played: Played, nodeId: string): JsonObject =>
  (played.of('node_failed', nodeId)[0]?.['error'] ?? {}) as JsonObject;
const llm = (id: string, content: string, config: JsonObject = {}, envelope: JsonObject = {}): JsonObject =>
  node(
    id,
    'llm',
    { provider: 'openai', model: 'test-model', messages: [{ role: 'user', content }], ...config },
    envelope,
  );
const code = (id: string, source: string, config: JsonObject = {}, envelope: JsonObject = {}): JsonObject =>
  node(id, 'function', { code: source, ...config }, envelope);

/** first -> fine; first -(error)-> rescue */
function rescued(first: JsonObject): JsonObject {
  const name = String(first['id']);
  return workflow(
    [
      first,
      transform('fine', { went: 'fine' }),
      transform('rescue', { code: `{{${name}.error.code}}`, attempts: `{{${name}.error.attempts}}` }),
    ],
    [
      edge(START, name),
      edge(name, 'fine'),
      edge(name, 'rescue', 'error'),
      edge('fine', END),
      edge('rescue', END),
    ],
  );
}

describe('transformer and conditional', () => {
  test('templates keep types, and the list, template and merge modes give their shapes', async () => {
    const given = { n: 7, b: true, z: null, o: { k: [1, 2] }, rows: [{ s: 1 }, { s: 3 }, { s: 2 }] };
    const played = await engine.play(
      workflow(
        [
          transform('map', { n: '{{input.n}}', b: '{{ input.b }}', z: '{{input.z}}', text: '<{{input.o}}>' }),
          node('list', 'transformer', {
            mode: 'list',
            source: '{{input.rows}}',
            filter: { match: 'all', rules: [rule('{{item.s}}', 'gte', 2)] },
            sort: [{ by: 's', order: 'desc' }],
            select: '{{item.s}}',
          }),
          node('json', 'transformer', { mode: 'template', template: '[{{input.n}}]', parse_as: 'json' }),
          node('merge', 'transformer', { mode: 'merge', sources: ['{{input.z}}', '{{input.n}}'] }),
        ],
        ['map', 'list', 'json', 'merge'].flatMap((id) => [edge(START, id), edge(id, END)]),
      ),
      given,
    );
    expect(played.output).toEqual({
      map: { n: 7, b: true, z: null, text: '<{"k":[1,2]}>' },
      list: { items: [3, 2], count: 2 },
      json: [7],
      merge: { value: 7 },
    });
  });

  test('a conditional takes the handle of its first case that matches and skips the others', async () => {
    const definition = workflow(
      [
        conditional(
          'c',
          when('big', rule('{{input.n}}', 'gt', 10)),
          when('some', rule('{{input.n}}', 'gt', 1)),
        ),
        transform('a', { went: 'big' }),
        transform('b', { went: 'some' }),
        transform('d', { went: 'else' }),
      ],
      [
        edge(START, 'c'),
        edge('c', 'a', 'big'),
        edge('c', 'b', 'some'),
        edge('c', 'd', 'else'),
        ...['a', 'b', 'd'].map((id) => edge(id, END)),
      ],
    );
    const played = await engine.play(definition, { n: 50 });
    expect(played.output).toEqual({ went: 'big' });
    expect(outputOf(played, 'c')).toEqual({ selected: 'big', matched: true, reason: null });
    expect(played.of('node_completed', 'c')[0]?.['selected_handle']).toBe('big');
    expect(played.of('node_skipped').map((frame) => frame['node_id'])).toEqual(['b', 'd']);
    expect((await engine.play(definition, { n: 0 })).output).toEqual({ went: 'else' });
  });

  test('an edge condition branches after any node', async () => {
    const definition = workflow(
      [transform('a', { n: '{{input.n}}' }), transform('low', { went: 1 }), transform('high', { went: 2 })],
      [
        edge(START, 'a'),
        edge('a', 'low', undefined, { when: rule('{{a.n}}', 'lt', 10) }),
        edge('a', 'high', undefined, { when: rule('{{a.n}}', 'gte', 10) }),
      ],
    );
    expect((await engine.play(definition, { n: 3 })).output).toEqual({ went: 1 });
    expect((await engine.play(definition, { n: 30 })).output).toEqual({ went: 2 });
  });
});

describe('guardrails', () => {
  const PII = { type: 'pii', entities: ['EMAIL'], action: 'mask' };
  const SECRET = { type: 'regex', pattern: '(?i)internal only', expect: 'no_match', action: 'block' };
  function guarded(check: JsonObject, withFail: boolean): JsonObject {
    const guard = node('g', 'guardrails', { input: '{{input.text}}', checks: [check] });
    const nodes = [guard, transform('good', { text: '{{g.text}}' })];
    const edges = [edge(START, 'g'), edge('g', 'good', 'pass')];
    if (!withFail) return workflow(nodes, edges);
    return workflow(
      [...nodes, transform('bad', { why: '{{g.violations[0].check}}' })],
      [...edges, edge('g', 'bad', 'fail')],
    );
  }

  test('pass, mask, the fail edge, and guardrail_blocked without one', async () => {
    expect((await engine.play(guarded(SECRET, true), { text: 'hello' })).output).toEqual({ text: 'hello' });
    const masked = await engine.play(guarded(PII, true), { text: 'Mail ada@example.com today' });
    expect(JSON.stringify(masked.output)).not.toContain('ada@example.com');
    expect(outputOf(masked, 'g')).toMatchObject({ passed: true });
    const blocked = await engine.play(guarded(SECRET, true), { text: 'INTERNAL ONLY' });
    expect(blocked.output).toEqual({ why: 'regex' });
    const failed = await engine.play(guarded(SECRET, false), { text: 'internal only' });
    expect(failed.end.type).toBe('run_failed');
    expect(failed.error).toMatchObject({ code: 'guardrail_blocked', node_id: 'g' });
  });
});

describe('function', () => {
  test('returns its value, keeps its logs in the step, sees arguments only', async () => {
    const source = 'export default ({rows}) => { console.log("noise"); return {total: rows.length} }';
    const played = await engine.play(
      chain(
        code('f', source, { arguments: { rows: '{{input.rows}}' } }),
        transform('t', { n: '{{f.total}}' }),
      ),
      { rows: [1, 2, 3] },
    );
    expect(played.output).toEqual({ n: 3 });
    const [step] = await stepsOf(engine.db, played.accepted.runPk, 'f');
    expect(JSON.stringify(step?.logs)).toContain('noise');
    expect(step).toMatchObject({ status: 'succeeded', attempt: 1, input: { rows: [1, 2, 3] } });
  });

  test('throwing, running for ever and eating memory fail the node once, with words', async () => {
    const cases = {
      throws: code('f', 'export default () => { throw new Error("boom-4711") }'),
      forever: code('f', 'export default () => { for (;;); }', { limits: { timeout_ms: 300 } }),
      greedy: code('f', 'export default () => { const a = []; for (;;) a.push(new Array(1e6).fill(1)) }', {
        limits: { timeout_ms: 20_000, memory_mb: 32 },
      }),
    };
    const [throws, forever, greedy] = await Promise.all(
      Object.values(cases).map((each) => engine.play(chain(each))),
    );
    expect(throws?.error?.code).toBe('function_error');
    expect(throws?.error?.message).toContain('boom-4711');
    expect(forever?.error?.code).toBe('timeout');
    expect(greedy?.error?.code).toBe('memory');
    for (const played of [throws, forever, greedy]) {
      expect(played?.error?.node_id).toBe('f');
      expect(played?.of('node_retry', 'f')).toEqual([]);
    }
  });
});

describe('tool, kind http', () => {
  test('types are kept on the way out and in', async () => {
    const name = tag();
    const definition = chain(
      http('h', recorder.url(name), {
        body: { id: '{{input.id}}', list: '{{input.list}}', text: '#{{input.id}}' },
        query: { q: '{{input.q}}' },
        headers: { 'x-trace': '{{run.id}}' },
      }),
      transform('t', { id: '{{h.data.body.id}}', status: '{{h.status}}' }),
    );
    const played = await engine.play(definition, { id: 5, list: [1, null], q: 'a b&c' });
    expect(played.output).toEqual({ id: 5, status: 200 });
    const [call] = recorder.calls(name);
    expect(call?.body).toEqual({ id: 5, list: [1, null], text: '#5' });
    expect(call?.query['q']).toBe('a b&c');
    expect(call?.headers['x-trace']).toBe(played.accepted.runId);
  });

  test('a repeatable call is retried with one idempotency key, and each retry is an event', async () => {
    const name = tag();
    const played = await engine.play(
      chain(http('h', recorder.url(name, { fail: 2 }), { method: 'PUT' }, { retry: FAST })),
    );
    expect(outputOf(played, 'h')).toMatchObject({ status: 200, data: { number: 3 } });
    const retries = played.of('node_retry', 'h');
    expect(retries.map((frame) => [frame['attempt'], frame['next_attempt']])).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect(retries[0]?.['error']).toMatchObject({ code: 'http_error', retryable: true });
    expect(played.of('node_started', 'h')).toHaveLength(1);
    expect(played.of('node_completed', 'h')[0]?.['attempt']).toBe(3);
    const keys = new Set(recorder.calls(name).map((call) => call.headers['idempotency-key']));
    expect(keys).toEqual(new Set([`${played.accepted.runPk}:h:1`]));
    const [step] = await stepsOf(engine.db, played.accepted.runPk, 'h');
    expect(step?.attempts.map((attempt) => attempt.status)).toEqual(['failed', 'failed', 'succeeded']);
  });

  test('Retry-After decides the pause', async () => {
    const url = recorder.url(tag(), { fail: 1, status: 429, retry_after: 2 });
    const played = await engine.play(chain(http('h', url, { method: 'GET' }, { retry: FAST })));
    expect(played.of('node_retry', 'h')[0]?.['delay_ms']).toBe(2_000);
    expect(outputOf(played, 'h')).toMatchObject({ status: 200 });
  });

  test('Retry-After is cut at the time that the node itself may take', async () => {
    const url = recorder.url(tag(), { fail: 1, status: 429, retry_after: 3_600 });
    const played = await engine.play(
      chain(http('h', url, { method: 'GET' }, { retry: FAST, timeout_ms: 1_500 })),
    );
    expect(played.of('node_retry', 'h')[0]?.['delay_ms']).toBe(1_500);
    expect(outputOf(played, 'h')).toMatchObject({ status: 200 });
  });

  test('a POST is sent once, also when attempts are allowed; unless the server said later', async () => {
    const [failing, later] = [tag(), tag()];
    const [once, twice] = await Promise.all([
      engine.play(chain(http('h', recorder.url(failing, { fail: 9 }), {}, { retry: FAST }))),
      engine.play(
        chain(http('h', recorder.url(later, { fail: 1, status: 503, retry_after: 0 }), {}, { retry: FAST })),
      ),
    ]);
    expect(once.error).toMatchObject({ code: 'http_error', node_id: 'h' });
    expect(recorder.calls(failing)).toHaveLength(1);
    expect(twice.end.type).toBe('run_completed');
    expect(recorder.calls(later)).toHaveLength(2);
  });

  test('fail_on_status lets a status through', async () => {
    const url = recorder.url(tag(), { status: 404 });
    const played = await engine.play(chain(http('h', url, { method: 'GET', fail_on_status: [500, 599] })));
    expect(outputOf(played, 'h')).toMatchObject({ status: 404 });
    const refused = await engine.play(chain(http('h', url, { method: 'GET' })));
    expect(refused.error?.code).toBe('http_error');
    expect(errorFrame(refused, 'h')).toMatchObject({ retryable: false });
  });

  test('timeout_ms ends the call', async () => {
    const [get, post] = [tag(), tag()];
    const slow = (name: string): string => recorder.url(name, { delay_ms: 60_000 });
    // It counts from before the call is made, which must be sent all the same.
    const envelope = { timeout_ms: 2_000, retry: ONCE };
    const [timedOut, unknown] = await Promise.all([
      engine.play(chain(http('h', slow(get), { method: 'GET' }, envelope))),
      engine.play(chain(http('h', slow(post), {}, envelope))),
    ]);
    expect(timedOut.error?.code).toBe('timeout');
    await expect.poll(() => recorder.calls(get).map((call) => call.aborted)).toEqual([true]);
    // What a POST that never answered did is not known.
    expect(unknown.error?.code).toBe('outcome_unknown');
  });

  test('a large output is cut in its frame and whole in the next node', async () => {
    const played = await engine.play(
      chain(
        http('big', recorder.url(tag(), { size: 600_000 }), { method: 'GET' }),
        code('count', 'export default ({s}) => ({n: s.length})', { arguments: { s: '{{big.data.blob}}' } }),
      ),
    );
    expect(played.output).toEqual({ n: 600_000 });
    expect(played.of('node_completed', 'big')[0]).toMatchObject({ output: null, output_truncated: true });
  });
});

describe('llm', () => {
  const text = (played: Played): string => {
    let all = '';
    for (const frame of played.frames) {
      if (frame.type === 'token_reset') all = '';
      else if (frame.type === 'token') all += String(frame['delta']);
    }
    return all;
  };

  test('its tokens stream and are the content', async () => {
    const words = Array.from({ length: 40 }, (_, i) => `word${i} `);
    model.script({ text: words, delayMs: 25, usage: { input: 11, output: 40 } });
    const played = await engine.play(chain(llm('m', 'Hello {{input.who}}')), { who: 'Ada' });
    expect(played.output).toMatchObject({ content: words.join(''), data: null, finish_reason: 'stop' });
    expect(played.of('token', 'm').length).toBeGreaterThan(1);
    expect(text(played)).toBe(words.join(''));
    expect(played.end['usage']).toEqual({ input_tokens: 11, output_tokens: 40, total_tokens: 51 });
    expect(played.of('node_completed', 'm')[0]?.['usage']).toMatchObject({ total_tokens: 51 });
    expect(model.requests.at(-1)?.body['messages']).toEqual([{ role: 'user', content: 'Hello Ada' }]);
  });

  test('a broken stream is tried again after token_reset; only the last attempt counts', async () => {
    model.script({ text: ['half of ', 'it'], breaks: true }, { text: ['all', ' of it'] });
    const played = await engine.play(chain(llm('m', 'x', {}, { retry: FAST })));
    expect(played.output).toMatchObject({ content: 'all of it' });
    expect(text(played)).toBe('all of it');
    const types = played.frames.map((frame) => frame.type);
    expect(types.indexOf('node_retry')).toBeLessThan(types.indexOf('token_reset'));
    expect(played.of('token_reset', 'm').map((frame) => [frame['attempt'], frame['reason']])).toEqual([
      [2, 'retry'],
    ]);
  });

  test('three attempts by default; none after 401', async () => {
    const before = model.requests.length;
    model.script({ status: 500 });
    const failing = await engine.play(chain(llm('m', 'x', {}, { retry: { ...FAST } })));
    expect(failing.error?.node_id).toBe('m');
    expect(model.requests.length - before).toBe(3);
    model.script({ status: 401 });
    await engine.play(chain(llm('m', 'x')));
    expect(model.requests.length - before).toBe(4);
  });

  test('a reply outside the schema is repaired once, then output_schema_mismatch', async () => {
    const schema = { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] };
    const config = { response_format: { type: 'json_schema', schema } };
    model.script({ text: ['{"wrong": 1}'] }, { text: ['{"topic": "x"}'] });
    const repaired = await engine.play(chain(llm('m', 'x', config)));
    expect(repaired.output).toMatchObject({ data: { topic: 'x' } });
    expect(text(repaired)).toBe('{"topic": "x"}');
    model.script({ text: ['{"wrong": 1}'] });
    const before = model.requests.length;
    const failed = await engine.play(chain(llm('m', 'x', config)));
    expect(failed.error?.code).toBe('output_schema_mismatch');
    expect(model.requests.length - before).toBe(2);
  });

  test('a conditional may ask a model', async () => {
    model.script({ text: ['billing'] });
    const ask = node('c', 'conditional', {
      mode: 'llm',
      provider: 'openai',
      model: 'test-model',
      input: '{{input.text}}',
      cases: [{ id: 'billing', description: 'Money' }],
    });
    const played = await engine.play(
      workflow(
        [ask, transform('yes', { went: 'billing' }), transform('no', { went: 'else' })],
        [edge(START, 'c'), edge('c', 'yes', 'billing'), edge('c', 'no', 'else')],
      ),
      { text: 'my invoice' },
    );
    expect(played.output).toEqual({ went: 'billing' });
  });
});

describe('the envelope', () => {
  test('a mocked node makes no call; a disabled one passes null on', async () => {
    const name = tag();
    const mocked = await engine.play(
      chain(http('h', recorder.url(name), {}, { mock: { enabled: true, output: { data: 'mocked' } } })),
    );
    expect(mocked.output).toEqual({ data: 'mocked' });
    const disabled = await engine.play(
      chain(http('h', recorder.url(name), {}, { disabled: true }), transform('t', { got: '{{h}}' })),
    );
    expect(disabled.output).toEqual({ got: null });
    expect(disabled.of('node_skipped').map((frame) => [frame['node_id'], frame['reason']])).toEqual([
      ['h', 'disabled'],
    ]);
    expect(recorder.calls(name)).toEqual([]);
    const [step] = await stepsOf(engine.db, disabled.accepted.runPk, 'h');
    expect(step?.status).toBe('skipped');
  });

  test('a mocked node leaves by the handle that its output selects, as the node itself would', async () => {
    const guard = node('n', 'guardrails', {
      input: 'x',
      checks: [{ type: 'keywords', keywords: ['bad'], action: 'block' }],
    });
    const choice = conditional('n', when('yes', rule('{{input.n}}', 'eq', 1)));
    const question = node('n', 'interrupt', {
      kind: 'approval',
      title: 'Go?',
      actions: [{ id: 'yes' }, { id: 'no' }],
      timeout_seconds: 60,
      on_timeout: 'branch',
    });
    const routes: readonly (readonly [JsonObject, JsonObject, string])[] = [
      [guard, { passed: true, text: 'x', violations: [] }, 'pass'],
      [guard, { text: 'x' }, 'pass'],
      [guard, { passed: false, text: 'x', violations: [] }, 'fail'],
      [choice, { selected: 'yes', matched: true }, 'yes'],
      [choice, { selected: 'else', matched: false }, 'else'],
      [question, { action: 'no', data: {}, timed_out: false }, 'no'],
      [question, { action: 'no', data: {}, timed_out: true }, 'no'],
      [question, { action: null, data: null, timed_out: true }, 'timeout'],
    ];
    const handles = new Map([
      [guard, ['pass', 'fail']],
      [choice, ['yes', 'else']],
      [question, ['yes', 'no', 'timeout']],
    ]);
    for (const [mocked, output, expected] of routes) {
      const all = handles.get(mocked) ?? [];
      const played = await engine.play(
        workflow(
          [{ ...mocked, mock: { enabled: true, output } }, ...all.map((one) => transform(one, { to: one }))],
          [edge(START, 'n'), ...all.map((one) => edge('n', one, one))],
        ),
      );
      expect(played.output).toEqual({ to: expected });
      expect(played.of('node_completed', 'n')[0]?.['selected_handle']).toBe(expected);
    }
    const fallen = await engine.play(
      workflow(
        [
          { ...choice, mock: { enabled: true, output: { selected: 'gone' } } },
          transform('rest', { to: 'rest' }),
        ],
        [edge(START, 'n'), edge('n', 'rest')],
      ),
    );
    expect(fallen.output).toEqual({ to: 'rest' });
  });

  test('on_error continue: default_output plus the error; the run completes and counts it', async () => {
    const played = await engine.play(
      chain(
        http(
          'bad',
          recorder.url(tag(), { fail: 9 }),
          {},
          { on_error: 'continue', default_output: { data: 'fallback' } },
        ),
        transform('t', {
          data: '{{bad.data}}',
          code: '{{bad.error.code}}',
          status: '{{bad.error.status}}',
          attempts: '{{bad.error.attempts}}',
        }),
      ),
    );
    expect(played.output).toEqual({ data: 'fallback', code: 'http_error', status: 500, attempts: 1 });
    expect(played.end).toMatchObject({ type: 'run_completed', handled_error_count: 1 });
    expect(played.of('node_failed', 'bad')[0]).toMatchObject({ handled: true, on_error: 'continue' });
  });

  test('on_error branch: the error edge is taken, for effectful and for pure nodes', async () => {
    const effectful = await engine.play(rescued(http('bad', recorder.url(tag(), { fail: 9 }))));
    expect(effectful.output).toEqual({ code: 'http_error', attempts: 1 });
    const pure = await engine.play(
      rescued(node('bad', 'transformer', { mode: 'template', template: 'no json', parse_as: 'json' })),
    );
    expect(pure.output).toEqual({ code: 'invalid_json', attempts: 1 });
    expect(pure.of('node_skipped').map((frame) => frame['node_id'])).toEqual(['fine']);
  });

  test('on_error fail wins over an error edge', async () => {
    const bad = http('bad', recorder.url(tag(), { fail: 9 }), {}, { on_error: 'fail' });
    const played = await engine.play(rescued(bad));
    expect(played.end.type).toBe('run_failed');
    expect(played.error).toMatchObject({ code: 'http_error', node_id: 'bad' });
  });

  test('an edge condition that fails after a failure ends the run, it does not hang it', async () => {
    const strict = workflow(
      [
        http('bad', recorder.url(tag(), { fail: 9 }), {}, { on_error: 'continue' }),
        node(
          'pure',
          'transformer',
          { mode: 'template', template: 'x', parse_as: 'json' },
          { on_error: 'continue' },
        ),
        transform('after'),
      ],
      [
        edge(START, 'bad'),
        edge(START, 'pure'),
        edge('bad', 'after', undefined, { when: rule('{{bad.data}}', 'eq', 1) }),
        edge('pure', END, undefined, { when: rule('{{pure.text}}', 'eq', 1) }),
      ],
      { config: { strict_templates: true } },
    );
    const played = await engine.play(strict);
    expect(played.end.type).toBe('run_failed');
    expect(['bad', 'pure']).toContain(played.error?.node_id);
    expect(played.of('node_failed').every((frame) => frame['handled'] === false)).toBe(true);
  });
});

describe('state and output', () => {
  const state_schema = {
    fields: {
      log: { type: 'array', reducer: 'add', default: ['default'] },
      who: { type: 'object', reducer: 'update' },
      last: { type: 'string', reducer: 'none' },
    },
  };

  test('state updates go through their reducers, from pure and from effectful nodes', async () => {
    const definition = {
      ...chain(
        transform('a', {}, { state_updates: { log: ['a', 'b'], who: { x: 1, y: 1 }, last: 'a' } }),
        http(
          'b',
          recorder.url(tag()),
          {},
          { state_updates: { log: 'c', who: { y: 2, z: null }, last: '{{b.status}}' } },
        ),
        transform('c', { log: '{{state.log}}', who: '{{who}}', last: '{{last}}', free: '{{state.free}}' }),
        transform('d', {}, { state_updates: { log: { __overwrite__: ['only'] } } }),
        transform('e', { c: '{{c}}', log: '{{log}}', all: '{{state}}' }),
      ),
      state_schema,
    };
    const played = await engine.play(definition, { log: ['run'], free: 1 });
    const c = {
      log: ['default', 'run', 'a', 'b', 'c'],
      who: { x: 1, y: 2, z: null },
      last: 200,
      free: 1,
    };
    expect(played.output).toMatchObject({ c, log: ['only'] });
    expect(played.output).toMatchObject({ all: { c, log: ['only'], free: 1 } });
    expect(played.of('state_updated').map((frame) => [frame['node_id'], frame['fields']])).toEqual([
      ['a', ['log', 'who', 'last']],
      ['b', ['log', 'who', 'last']],
      ['d', ['log']],
    ]);
  });

  test('a missing path warns; with strict_templates it fails the node', async () => {
    const nodes = [transform('a', { x: 1 }), transform('b', { n: '{{a.nope}}', s: '<{{a.nope}}>' })];
    const lenient = await engine.play(chain(...nodes));
    expect(lenient.output).toEqual({ n: null, s: '<>' });
    expect(lenient.of('node_completed', 'b')[0]?.['warnings']).toEqual([
      expect.objectContaining({ code: 'missing_path', reference: 'a.nope', available: ['x'] }),
    ]);
    const [step] = await stepsOf(engine.db, lenient.accepted.runPk, 'b');
    expect(step?.warnings).toHaveLength(1);
    const strict = await engine.play({ ...chain(...nodes), config: { strict_templates: true } });
    expect(strict.error).toMatchObject({ code: 'missing_path', node_id: 'b' });
  });

  test('a rule that asks whether a path exists neither warns nor fails when it does not', async () => {
    const asks = (op: string, config: JsonObject): JsonObject => ({
      ...workflow(
        [
          conditional('c', when('yes', rule('{{input.vip}}', op))),
          transform('yes', { x: 1 }),
          transform('no', { x: 2 }),
          transform('more', { x: 3 }),
        ],
        [
          edge(START, 'c'),
          edge('c', 'yes', 'yes'),
          edge('c', 'no', 'else'),
          edge('no', 'more', undefined, { when: rule('{{c.nope}}', 'not_exists') }),
        ],
      ),
      config,
    });
    for (const config of [{}, { strict_templates: true }]) {
      const played = await engine.play(asks('exists', config));
      expect(played.output).toEqual({ x: 3 });
      expect(played.of('node_completed').flatMap((frame) => frame['warnings'])).toEqual([]);
    }
    const strict = await engine.play(asks('is_empty', { strict_templates: true }));
    expect(strict.error).toMatchObject({ code: 'missing_path', node_id: 'c' });
  });

  test('a state field may be called like another root, and state.name reads it before that root', async () => {
    const names = ['item', 'index', 'row', 'run', 'loop', 'input', 'state'];
    const own = Object.fromEntries(names.map((name) => [name, `own ${name}`]));
    const fields = Object.fromEntries(names.map((name) => [name, `{{state.${name}}}`]));
    const each = { for_each: { items: ['first'], as: 'row' } };
    const played = await engine.play(
      {
        ...chain(
          transform('before', fields),
          // What comes after a call is loaded anew.
          http('h', recorder.url(tag())),
          transform('after', fields),
          transform('each', { own: fields, row: '{{row}}', item: '{{item}}', index: '{{index}}' }, each),
          node('list', 'transformer', { mode: 'list', source: ['x'], select: '{{state.item}} {{item}}' }),
        ),
        config: { output: { before: '{{before}}', after: '{{after}}', each: '{{each}}', list: '{{list}}' } },
      },
      own,
    );
    expect(played.output).toMatchObject({
      before: own,
      after: own,
      each: { results: [{ own, row: 'first', item: 'first', index: 0 }] },
      list: { items: ['own item x'] },
    });
    const without = await engine.play(
      { ...chain(transform('t', { n: '{{state.input.n}}', kind: '{{state.run.trigger_type}}' })) },
      { n: 1 },
    );
    expect(without.output).toEqual({ n: 1, kind: 'api' });
  });

  test('several ends make an object; config.output overrides', async () => {
    const definition = workflow(
      [transform('a', { x: 1 }), http('b', recorder.url(tag()))],
      [edge(START, 'a'), edge(START, 'b'), edge('a', END), edge('b', END)],
    );
    const several = await engine.play(definition);
    expect(several.output).toMatchObject({ a: { x: 1 }, b: { status: 200 } });
    const template = await engine.play({ ...definition, config: { output: { n: '{{b.status}}' } } });
    expect(template.output).toEqual({ n: 200 });
    expect(template.end['output']).toEqual({ n: 200 });
  });

  test('an output that cannot be made fails the run', async () => {
    const definition = chain(transform('a', { x: 1 }));
    const config = { output: '{{a.nope}}', strict_templates: true };
    const played = await engine.play({ ...definition, config });
    expect(played.error).toMatchObject({ code: 'missing_path', node_id: null });
  });
});
