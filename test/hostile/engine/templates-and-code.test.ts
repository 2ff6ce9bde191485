/**
 * A template or code of a tenant could read or send what it must not, in real runs by real workers (SPEC SEC-M,
 * SEC-X).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { chain, http, node, transform } from '../../support/definitions.ts';
import type { TestEngine } from '../../support/engine.ts';
import { startEngineWithRecorder } from '../../support/engine-with-servers.ts';
import type { HttpRecorder } from '../../support/http-recorder.ts';

let engine: TestEngine;
let sink: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder: sink } = await startEngineWithRecorder());
});
afterAll(() => engine.close());

/** Each node's value in the run's state. */
const outputOf = async (definition: JsonObject, input: JsonObject = {}): Promise<unknown> => {
  const played = await engine.play(definition, input);
  expect(played.error).toBeNull();
  return played.output;
};
const code = (source: string): JsonObject =>
  node('f', 'function', { language: 'javascript', code: source, arguments: { a: '{{input.a}}' } });

test('SEC-M01: a template sees nothing that the data does not have itself', async () => {
  const first = transform('first', { said: 'x', list: [1] });
  const fields = {
    a: '{{first.constructor.constructor}}',
    b: '{{first.__proto__.x}}',
    c: '{{first["constructor"]}}',
    d: '{{first.list.length}}',
    e: '<{{first.said.toString}}>',
    f: '{{input.__proto__}}',
  };
  const output = await outputOf(chain(first, transform('second', fields)));
  expect(output).toEqual({ a: null, b: null, c: null, d: null, e: '<>', f: null });
});

test('SEC-M03: the output of a node is never read as a template', async () => {
  const output = await outputOf(
    chain(
      transform('first', { said: '{{input.said}}' }),
      transform('second', { whole: '{{first.said}}', part: 'It said: {{first.said}}' }),
      transform('third', { again: '{{second.part}} / {{second.whole}}' }),
    ),
    { said: '{{input.secret}}', secret: 'CANARY' },
  );
  expect(output).toEqual({ again: 'It said: {{input.secret}} / {{input.secret}}' });
});

test('SEC-M04: a value does not break out of the JSON around it', async () => {
  const evil = '","admin":true,"x":"';
  await outputOf(chain(http('call', sink.url('m04'), { body: '{"q":"{{input.a}}"}' })), { a: evil });
  expect(sink.calls('m04').map(({ body }) => body)).toEqual([{ q: evil }]);
});

test('SEC-M05: a value that would begin a header of its own is not sent', async () => {
  const call = http('call', sink.url('m05'), { headers: { 'x-a': '{{input.a}}' } });
  const played = await engine.play(chain(call), { a: 'x\r\nX-Admin: 1' });
  expect(played.error).toMatchObject({ code: 'invalid_header', node_id: 'call' });
  expect(sink.calls('m05')).toEqual([]);
});

test('SEC-M07: a value in a path stays one segment', async () => {
  await outputOf(chain(http('call', `${sink.origin}/m07/{{input.a}}/z`)), { a: '../../admin?x=' });
  expect(sink.calls('m07').map(({ query }) => query)).toEqual([{}]);
  expect(sink.calls('admin')).toEqual([]);
});

test('SEC-M08: a text that grows beyond 1 MB fails its node, and only that', async () => {
  const a = 'x'.repeat(10_000);
  const played = await engine.play(chain(transform('big', { text: '{{input.a}}'.repeat(200) })), { a });
  expect(played.error).toMatchObject({ code: 'output_too_large', node_id: 'big' });
  expect(await outputOf(chain(transform('small', { n: 1 })))).toEqual({ n: 1 });
});

const repeated = (one: string): JsonObject =>
  Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, one]));
const list = { type: 'array', reducer: 'append', default: [] };

test.each<[string, JsonObject]>([
  ['fields', chain(transform('big', repeated('{{input.a}}')))],
  ['texts', chain(transform('big', repeated('<{{input.a}}>')))],
  [
    'items of a list',
    chain(
      node('big', 'transformer', { mode: 'list', source: '{{input.many}}', select: { all: '{{input.a}}' } }),
    ),
  ],
  [
    'items of a map',
    chain({ ...transform('big', { all: '{{input.a}}' }), for_each: { items: '{{input.many}}' } }),
  ],
  [
    'arguments of a function',
    chain(
      node('big', 'function', {
        language: 'javascript',
        code: 'export default () => 1',
        arguments: repeated('{{input.a}}'),
      }),
    ),
  ],
  ['headers', chain(http('big', 'http://localhost:1/', { headers: repeated('{{input.a}}') }))],
  [
    'a question',
    chain(
      node('big', 'interrupt', {
        kind: 'approval',
        title: 'Look',
        actions: [{ id: 'yes', label: 'Yes' }],
        payload: repeated('{{input.a}}'),
      }),
    ),
  ],
  [
    'updates of the state',
    {
      ...chain(transform('big', { n: 1 }, { state_updates: repeated('{{input.a}}') })),
      state_schema: { fields: Object.fromEntries(Object.keys(repeated('')).map((name) => [name, list])) },
    },
  ],
])('SEC-M08: a megabyte that is repeated by %s fails its node before it is built', async (_, definition) => {
  const before = process.memoryUsage.rss();
  const input = { a: 'x'.repeat(900_000), many: Array.from({ length: 300 }, (__, at) => at) };
  const played = await engine.play(definition, input);
  expect(played.error).toMatchObject({ code: 'output_too_large', node_id: 'big' });
  expect(process.memoryUsage.rss() - before).toBeLessThan(300_000_000);
});

test("SEC-M08: a run's own output is bounded as a node's is", async () => {
  const small = chain(transform('small', { n: 1 }));
  const a = 'x'.repeat(900_000);
  const fits = await engine.play(
    { ...small, config: { output: Array.from({ length: 8 }, () => '{{input.a}}') } },
    { a },
  );
  expect(fits.end.type).toBe('run_completed');
  const over = await engine.play(
    { ...small, config: { output: Array.from({ length: 10 }, () => '{{input.a}}') } },
    { a },
  );
  expect(over.error).toMatchObject({ code: 'output_too_large' });
});

test('SEC-M09: a template that is no template fails the run, in few words', async () => {
  for (const text of [`{{input${'.a'.repeat(10_000)}}}`, '{{input.a[999999999999]}}', '{{'.repeat(100_000)]) {
    const played = await engine.play(chain(transform('bad', { text })));
    expect(played.end.type).toBe('run_failed');
    expect(played.error?.message.length).toBeLessThan(1_000);
  }
});

test('SEC-X01: code that never ends fails its node; the worker runs the next', async () => {
  const endless = { ...code('export default () => { for (;;) {} }'), timeout_ms: 500 };
  const played = await engine.play(chain(endless));
  expect(played.error).toMatchObject({ code: 'timeout', node_id: 'f' });
  expect(await outputOf(chain(code('export default ({ a }) => a + 1')), { a: 1 })).toBe(2);
});

test('SEC-X05, SEC-X06: code reaches nothing of its host', async () => {
  for (const source of [
    'export default () => ({}).constructor.constructor("return process")().env',
    'export default async () => (await import("node:fs")).readFileSync("/etc/passwd")',
    `export default async () => (await fetch("${sink.url('x06')}")).status`,
  ]) {
    expect((await engine.play(chain(code(source)))).error).toMatchObject({ code: 'function_error' });
  }
  expect(sink.calls('x06')).toEqual([]);
});

test('SEC-X09, SEC-X10: results pollute nothing, and nothing of one run is there in the next', async () => {
  const first = `globalThis.leak = 1; Object.prototype.polluted = 1;
    export default () => JSON.parse('{"__proto__":{"polluted":1},"kept":1}')`;
  const kept = await outputOf(
    chain(code(first), transform('seen', { p: '{{f.polluted}}', k: '{{f.kept}}' })),
  );
  expect(kept).toEqual({ p: null, k: 1 });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  const second =
    'export default () => ({ leak: typeof globalThis.leak, clean: ({}).polluted === undefined })';
  expect(await outputOf(chain(code(second)))).toEqual({ leak: 'undefined', clean: true });
});
