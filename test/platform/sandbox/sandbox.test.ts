/** Code of a tenant could leave the sandbox, or harm the worker (SPEC SEC-X). */
import { readFile, readlink } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../src/language/graph/values/value.ts';
import { networkless } from '../../../src/platform/sandbox/isolation.ts';
import { openSandbox, type Sandbox } from '../../../src/platform/sandbox/sandbox.ts';

/** Of what is not about time: a machine that stalls must not turn another end into a timeout. */
const PATIENCE_MS = 20_000;

let sandbox: Sandbox;
beforeAll(async () => {
  process.env['CANARY_SECRET'] = 'CANARY-sandbox';
  sandbox = await openSandbox(pino({ level: 'silent' }));
});
afterAll(() => sandbox.close());

const run = (
  code: string,
  argument: Json = {},
  more: { timeoutMs?: number; memoryMb?: number; signal?: AbortSignal } = {},
) =>
  sandbox.run({
    organizationId: 'o',
    code,
    argument,
    timeoutMs: PATIENCE_MS,
    memoryMb: 64,
    signal: new AbortController().signal,
    ...more,
  });
const failure = (code: string, more = {}) =>
  run(code, {}, more).then(
    () => 'no failure',
    (error: { code: string }) => error.code,
  );

test('there is no process before the first function, and one for those that follow', async () => {
  const own = await openSandbox(pino({ level: 'silent' }));
  const job = {
    organizationId: 'o',
    code: 'export default () => 1',
    argument: {},
    timeoutMs: PATIENCE_MS,
    memoryMb: 64,
    signal: new AbortController().signal,
  };
  expect(own.pid).toBeUndefined();
  await own.run(job);
  const { pid } = own;
  expect(pid).toBeGreaterThan(0);
  await own.run(job);
  expect(own.pid).toBe(pid);
  await own.close();
});
test('every function is answered while threads that have done their share are replaced', async () => {
  // Each of two threads is replaced at least once.
  const numbers = Array.from({ length: 2_500 }, (_, n) => n);
  const results = await Promise.all(numbers.map((n) => run('export default ({n}) => n', { n })));
  expect(results.map(({ value }) => value)).toEqual(numbers);
});
test('a sandbox that ran nothing closes', async () => {
  await (await openSandbox(pino({ level: 'silent' }))).close();
});
test('a function gets its argument and returns its value', async () => {
  expect(await run('export default ({a}) => ({b: a + 1})', { a: 1 })).toEqual({ value: { b: 2 }, logs: [] });
});
test('a function may be asynchronous', async () => {
  expect((await run('export default async ({a}) => { await null; return a * 2 }', { a: 4 })).value).toBe(8);
});
test('a function that returns nothing returns null', async () => {
  expect((await run('export default () => {}')).value).toBeNull();
});
test.each([
  "new Date(0).toLocaleString('de-DE')",
  "new Date(0).toLocaleDateString(undefined, { timeZone: 'America/New_York' })",
  "new Date(0).toLocaleTimeString('en-US')",
  "(1234.5).toLocaleString('de-DE')",
  "(1234.5).toLocaleString(undefined, { style: 'percent' })",
  "1n.toLocaleString('de')",
  "[1].toLocaleString('de')",
  "new Uint8Array(1).toLocaleString('de')",
  "'a'.localeCompare('b', 'sv')",
  "'a'.localeCompare('b', undefined, { numeric: true })",
  "'i'.toLocaleUpperCase('tr')",
  "'I'.toLocaleLowerCase(['az'])",
  'new Intl.DateTimeFormat()',
])('a language or a time zone that would be ignored fails in words: %s', async (code) => {
  await expect(run(`export default () => ${code}`)).rejects.toMatchObject({
    code: 'function_error',
    message: expect.stringContaining('code nodes have no Intl') as string,
  });
});
test('without them the same methods are there, and code can tell that there is no Intl', async () => {
  const code = `export default () => [
    new Date(0).toLocaleDateString(), (5).toLocaleString(undefined), [1, 2].toLocaleString(), 'b'.localeCompare('a'),
    'i'.toLocaleUpperCase('en'), 'I'.toLocaleLowerCase(), typeof Intl, Number.prototype.toLocaleString.name,
    Object.keys(Date.prototype),
  ]`;
  expect((await run(code)).value).toEqual([
    '01/01/1970',
    '5',
    '1,2',
    1,
    'I',
    'i',
    'undefined',
    'toLocaleString',
    [],
  ]);
});
test('logs come back beside the value, at most a hundred lines', async () => {
  const { logs } = await run(
    'export default () => { console.log("x", {a: 1}); for (let i = 0; i < 200; i++) console.warn("l" + i) }',
  );
  expect(logs[0]).toBe('x {"a":1}');
  expect(logs).toHaveLength(100);
});
test('an argument of 600 kB passes', async () => {
  expect((await run('export default ({s}) => s.length', { s: 'x'.repeat(600_000) })).value).toBe(600_000);
});

test.each([
  ['SEC-X01: an endless loop', 'export default () => { for (;;) {} }', 'timeout'],
  [
    'SEC-X02: a stalling builtin',
    'export default () => { const s = "a".repeat(5e6); for (;;) s.replaceAll("a", "bb") }',
    'timeout',
  ],
  ['SEC-X14: an endless chain of jobs', 'export default async () => { for (;;) await null }', 'timeout'],
  ['SEC-X14: a promise that never resolves', 'export default () => new Promise(() => {})', 'timeout'],
  [
    'SEC-X14: a top-level promise that never resolves',
    'await new Promise(() => {}); export default () => 1',
    'timeout',
  ],
  ['SEC-X08: a getter that loops', 'export default () => ({get a() { for (;;) {} }})', 'timeout'],
  [
    'an error whose message loops',
    'export default () => { throw {get message() { for (;;) {} }} }',
    'timeout',
  ],
  [
    'too much memory',
    'export default () => { const a = []; for (;;) a.push(new Array(1e6).fill(1)) }',
    'memory',
  ],
  ['SEC-X04: endless recursion', 'export default () => (function f() { f() })()', 'function_error'],
  ['SEC-X04: deep JSON', 'export default () => JSON.parse("[".repeat(1e5))', 'function_error'],
  [
    'SEC-X04: ten thousand proxies',
    'export default () => { let p = {}; for (let i = 0; i < 1e4; i++) p = new Proxy(p, {}); return p.x }',
    'function_error',
  ],
  [
    'SEC-X08: a toJSON that throws',
    'export default () => ({toJSON() { throw new Error("no") }})',
    'function_error',
  ],
  ['SEC-X08: a cycle', 'export default () => { const a = {}; a.a = a; return a }', 'function_error'],
  ['SEC-X08: a bigint', 'export default () => 10n', 'function_error'],
  ['SEC-X08: 2 MB of text', 'export default () => "x".repeat(2e6)', 'function_error'],
  [
    'SEC-X08: depth 100',
    'export default () => { let o = {}; for (let i = 0; i < 100; i++) o = {o}; return o }',
    'function_error',
  ],
  ['a syntax error', 'export default ({ => ', 'function_error'],
  ['SEC-X12: with', '"use strict"; with (x) {}; export default () => 1', 'function_error'],
  ['no function', 'export default 1', 'function_error'],
  ['SEC-X06: a static import', 'import fs from "fs"; export default () => fs', 'function_error'],
  [
    'SEC-X06: a dynamic import',
    'export default async () => (await import("node:fs")).readdirSync("/")',
    'function_error',
  ],
  [
    'SEC-X05: process',
    'export default () => ({}).constructor.constructor("return process")().env',
    'function_error',
  ],
  [
    'SEC-X06: fetch',
    'export default async () => (await fetch("http://127.0.0.1/")).status',
    'function_error',
  ],
])('%s fails, and the next run is right', async (_name, code, expected) => {
  expect(await failure(code, expected === 'timeout' ? { timeoutMs: 700 } : {})).toBe(expected);
  expect((await run('export default () => "fine"')).value).toBe('fine');
});

test('the error carries the message of the code', async () => {
  await expect(run('export default () => { throw new TypeError("boom-4711") }')).rejects.toMatchObject({
    code: 'function_error',
    message: 'TypeError: boom-4711',
    retryable: false,
  });
});
test.each<[string, string]>([
  ['{code: 5, why: ["full"]}', 'Error: {"code":5,"why":["full"]}'],
  ['null', 'Error: null'],
  ['undefined', 'Error: undefined'],
  ['Symbol("q")', 'Error: Symbol(q)'],
  ['5', 'Error: 5'],
  ['[1]', 'Error: [1]'],
  ['"words"', 'Error: words'],
  ['{message: "m", name: "Mine"}', 'Mine: m'],
  ['((a) => (a.a = a))({})', 'Error: [object Object]'],
  ['{get a() { throw 1 }}', 'Error: [object Object]'],
  ['{a: "x".repeat(2000000)}', 'Error: [value too long]'],
])('a function that throws %s fails with words that tell of it', async (thrown, message) => {
  await expect(run(`export default () => { throw ${thrown} }`)).rejects.toMatchObject({
    code: 'function_error',
    message,
  });
});
test('SEC-X06: nothing of the host is within reach', async () => {
  const names = [
    'process',
    'require',
    'fetch',
    'XMLHttpRequest',
    'WebAssembly',
    'SharedArrayBuffer',
    'setTimeout',
    'write',
    'std',
    'os',
  ];
  const { value } = await run(
    `export default () => ${JSON.stringify(names)}.filter((name) => globalThis[name] !== undefined)`,
  );
  expect(value).toEqual([]);
});
test('SEC-X10: nothing persists between runs, and patched globals change nothing outside', async () => {
  await run(
    'globalThis.leak = 1; JSON.stringify = () => "hacked"; Promise.prototype.then = null; export default () => 1',
  );
  expect((await run('export default async () => ({leak: typeof globalThis.leak})')).value).toEqual({
    leak: 'undefined',
  });
});
test('SEC-X09: __proto__ in a result is stripped at every depth', async () => {
  const { value } = await run(
    `export default () => JSON.parse('{"__proto__":{"polluted":1},"k":[{"__proto__":1,"z":2}]}')`,
  );
  expect(value).toEqual({ k: [{ z: 2 }] });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  expect(Object.keys(value as object)).toEqual(['k']);
});
test('an abort ends the run and frees its thread', async () => {
  const stop = new AbortController();
  const reason = new Error('cancelled by the test');
  const running = run('export default () => { for (;;) {} }', {}, { timeoutMs: 30_000, signal: stop.signal });
  stop.abort(reason);
  await expect(running).rejects.toBe(reason);
  expect((await run('export default () => 1')).value).toBe(1);
});
test('more runs than threads all come back, each with its own value', async () => {
  const runs = Array.from({ length: 40 }, (_, at) => run('export default ({at}) => at', { at }));
  expect((await Promise.all(runs)).map(({ value }) => value)).toEqual(runs.map((_, at) => at));
});
test('SEC-X13: the process has no secrets in its environment', async () => {
  const environment = await readFile(`/proc/${sandbox.pid}/environ`, 'utf8');
  expect(environment).not.toContain('CANARY');
  expect(
    environment
      .split('\0')
      .filter(Boolean)
      .every((line) => line.startsWith('NODE_CHANNEL')),
  ).toBe(true);
});
test.runIf((await networkless()) !== null)(
  'SEC-X13: the process has a network of its own, which is empty',
  async () => {
    const [own, its] = await Promise.all([
      readlink('/proc/self/ns/net'),
      readlink(`/proc/${sandbox.pid}/ns/net`),
    ]);
    expect(its).not.toBe(own);
    const devices = await readFile(`/proc/${sandbox.pid}/net/dev`, 'utf8');
    expect(
      devices
        .split('\n')
        .slice(2)
        .filter(Boolean)
        .map((line) => line.trim().split(':')[0]),
    ).toEqual(['lo']);
  },
);
test('a run survives the death of the process: it is run once more in the next one', async () => {
  const { pid } = sandbox;
  const running = run(
    'export default () => { const end = Date.now() + 400; while (Date.now() < end); return "done" }',
  );
  process.kill(pid ?? 0, 'SIGKILL');
  expect((await running).value).toBe('done');
  expect(sandbox.pid).not.toBe(pid);
});
test('a process whose death was not noticed yet is not given the run again', async () => {
  const { pid } = sandbox;
  process.kill(pid ?? 0, 'SIGKILL');
  // Its channel is closed by then, and its `exit` is not handled before this turn ends.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  expect((await run('export default () => "done"')).value).toBe('done');
  expect(sandbox.pid).not.toBe(pid);
});
test('a process that dies twice under a run fails it, retryably', async () => {
  const running = run('export default () => { for (;;) {} }', {}, { timeoutMs: 30_000 });
  const first = sandbox.pid ?? 0;
  process.kill(first, 'SIGKILL');
  await expect
    .poll(() => sandbox.pid !== undefined && sandbox.pid !== first, { timeout: PATIENCE_MS })
    .toBe(true);
  process.kill(sandbox.pid ?? 0, 'SIGKILL');
  await expect(running).rejects.toMatchObject({ code: 'sandbox_lost', retryable: true });
});
