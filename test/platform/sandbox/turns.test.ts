/** Code of one organization would keep that of others waiting (SPEC SEC-X15). */
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { Json } from '../../../src/language/graph/values/value.ts';
import { MAX_ARGUMENT_BYTES, MAX_RESULT_BYTES } from '../../../src/platform/sandbox/messages.ts';
import { openSandbox, type Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { SANDBOX_LIMITS, type SandboxLimits } from '../../../src/platform/sandbox/shares.ts';

/** The timeout where nothing is about time: a machine that stalls must not turn another end into a timeout. */
const PATIENCE_MS = 20_000;
const ENDLESS = 'export default () => { for (;;) {} }';
const QUICK = 'export default () => "done"';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

/** A sandbox whose process has started. */
async function open(limits: Partial<SandboxLimits>): Promise<void> {
  sandbox = await openSandbox(pino({ level: 'silent' }), { ...SANDBOX_LIMITS, ...limits });
  await run('first', QUICK);
}
const threads = (capacity: number, perOrganization: number): Pick<SandboxLimits, 'threads'> => ({
  threads: { capacity, perOrganization },
});

interface More {
  readonly argument?: Json;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly pauseTimeout?: () => () => void;
}
async function run(organizationId: string, code: string, more: More = {}): Promise<Json> {
  const { argument = null, timeoutMs = PATIENCE_MS, signal = new AbortController().signal } = more;
  const job = { organizationId, code, argument, timeoutMs, memoryMb: 256, signal };
  return (await sandbox.run(job, more.pauseTimeout)).value;
}
/** Ends as `done` or with the code of its failure. */
const endOf = (...given: Parameters<typeof run>): Promise<unknown> =>
  run(...given).catch((error: Error & { code?: string }) => error.code ?? error.message);

/** A function that holds its thread until it is ended. */
function hold(organizationId: string, argument: Json = null): { end(): Promise<unknown> } {
  const stop = new AbortController();
  const held = endOf(organizationId, ENDLESS, { argument, signal: stop.signal });
  return {
    end() {
      stop.abort(new Error('ended'));
      return held;
    },
  };
}

/** An argument that notes when it is serialized. */
function watched(size: number): { readonly argument: Json; readonly isSerialized: () => boolean } {
  let isSerialized = false;
  const argument = { text: 'x'.repeat(size) };
  const toJSON = (): Json => {
    isSerialized = true;
    return { text: argument.text };
  };
  Object.defineProperty(argument, 'toJSON', { value: toJSON, enumerable: false });
  return { argument, isSerialized: () => isSerialized };
}

test('SEC-X15: an organization that floods the sandbox with endless functions leaves a thread to the others', async () => {
  await open(threads(3, 2));
  const flood = Array.from({ length: 20 }, () => hold('a'));
  expect(await run('b', QUICK, { timeoutMs: 5_000 })).toBe('done');
  const ends = await Promise.all(flood.map((one) => one.end()));
  expect(new Set(ends)).toEqual(new Set(['ended']));
});

test('one organization never takes all threads of a worker, on one processor as on many', () => {
  const { capacity, perOrganization } = SANDBOX_LIMITS.threads;
  expect(perOrganization).toBeGreaterThanOrEqual(2);
  expect(capacity).toBe(perOrganization + 1);
});

test('SEC-X15: on a single thread organizations take turns', async () => {
  await open(threads(1, 1));
  const order: string[] = [];
  const noted = async (organizationId: string, code: string, timeoutMs: number): Promise<void> => {
    order.push(`${organizationId} ${String(await endOf(organizationId, code, { timeoutMs }))}`);
  };
  const flood = Array.from({ length: 4 }, () => noted('a', ENDLESS, 300));
  await Promise.all([...flood, noted('b', QUICK, 5_000), noted('b', QUICK, 5_000)]);
  expect(order).toEqual(['a timeout', 'b done', 'a timeout', 'b done', 'a timeout', 'a timeout']);
});

test('SEC-X15: waiting for a turn is not counted as the time of the function', async () => {
  await open(threads(1, 1));
  const flood = Array.from({ length: 4 }, () => endOf('a', ENDLESS, { timeoutMs: 600 }));
  const waited = Array.from({ length: 4 }, () => endOf('b', QUICK, { timeoutMs: 1_500 }));
  expect(await Promise.all(waited)).toEqual(['done', 'done', 'done', 'done']);
  expect(await Promise.all(flood)).toEqual(['timeout', 'timeout', 'timeout', 'timeout']);
});

test('the clock of the caller stands still from the call until the turn', async () => {
  await open(threads(1, 1));
  const clock: string[] = [];
  const pauseTimeout = (): (() => void) => {
    clock.push('paused');
    return () => clock.push('resumed');
  };
  const holder = hold('a');
  const waiting = endOf('b', QUICK, { pauseTimeout });
  await endOf('c', QUICK, { signal: AbortSignal.abort(new Error('gone')) });
  expect(clock).toEqual(['paused']);
  await holder.end();
  expect(await waiting).toBe('done');
  expect(clock).toEqual(['paused', 'resumed']);
});

test('an aborted waiter leaves with its reason, its arguments untouched', async () => {
  await open(threads(1, 1));
  const holder = hold('a');
  const stop = new AbortController();
  const { argument, isSerialized } = watched(10);
  const waiting = run('b', QUICK, { argument, signal: stop.signal });
  stop.abort(new Error('not wanted any more'));
  await expect(waiting).rejects.toBe(stop.signal.reason);
  await holder.end();
  expect(await run('b', QUICK)).toBe('done');
  expect(isSerialized()).toBe(false);
});

test('a waiter whose time is over fails as the node does', async () => {
  await open(threads(1, 1));
  const holder = hold('a');
  await expect(run('b', QUICK, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    code: 'timeout',
    retryable: true,
  });
  await holder.end();
});

test('a turn that was aborted in its first moment runs nothing', async () => {
  await open(threads(1, 1));
  const holder = hold('a');
  const stop = new AbortController();
  const { argument, isSerialized } = watched(10);
  // The turn has come when the clock goes on.
  const pauseTimeout = () => () => stop.abort(new Error('just now'));
  const waiting = endOf('b', QUICK, { argument, signal: stop.signal, pauseTimeout });
  await holder.end();
  expect(await waiting).toBe('just now');
  expect(isSerialized()).toBe(false);
  expect(await run('b', QUICK)).toBe('done');
});

const SIZE = 1_000_000;
/** The weight of `{"text":"…"}` and the code, as the sandbox counts. */
const weightOf = (code: string): number => SIZE + 2 + 'text'.length + 4 + 1 + code.length + MAX_RESULT_BYTES;
const BOUND = weightOf(ENDLESS) + weightOf(QUICK);

test.each([
  ['at the bound of its organization it runs', BOUND, true],
  ['over the bound of its organization it waits, and is not serialized', BOUND - 1, false],
])('SEC-X16: an argument: %s', async (_name, perOrganization, isRun) => {
  await open({ ...threads(4, 4), bytes: { capacity: 100 * SIZE, perOrganization } });
  const holder = hold('a', { text: 'x'.repeat(SIZE) });
  const { argument, isSerialized } = watched(SIZE);
  const waiting = run('a', QUICK, { argument });
  const other = watched(SIZE);
  expect(await run('b', QUICK, other)).toBe('done');
  expect([isSerialized(), other.isSerialized()]).toEqual([isRun, true]);
  await holder.end();
  expect(await waiting).toBe('done');
  expect(isSerialized()).toBe(true);
});

/** Large arguments that note whose is serialized, and in which turn of the event loop. */
function noted() {
  const order: string[] = [];
  const turns: number[] = [];
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return {
    order,
    turns,
    end: () => (isOver = true),
    argument: (organizationId: string): Json => {
      const argument = { text: 'x'.repeat(SIZE) };
      const toJSON = (): Json => {
        order.push(organizationId);
        turns.push(turn);
        return { text: argument.text };
      };
      return Object.defineProperty(argument, 'toJSON', { value: toJSON, enumerable: false });
    },
  };
}

test('SEC-X15: large arguments are serialized one in each turn of the event loop, and organizations take turns', async () => {
  await open(threads(6, 4));
  const { order, turns, end, argument } = noted();
  const ended = ['a', 'a', 'a', 'a', 'b', 'b'].map((organizationId) =>
    run(organizationId, QUICK, { argument: argument(organizationId) }),
  );
  await Promise.all(ended);
  end();
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
  expect(new Set(turns).size).toBe(turns.length);
});

test('SEC-X15: a small argument does not wait for the large ones', async () => {
  await open(threads(6, 4));
  const { order, end, argument } = noted();
  const large = ['a', 'a', 'a'].map((organizationId) =>
    run(organizationId, QUICK, { argument: argument(organizationId) }),
  );
  const small = {};
  const toJSON = (): Json => {
    order.push('small');
    return {};
  };
  Object.defineProperty(small, 'toJSON', { value: toJSON, enumerable: false });
  await Promise.all([...large, run('b', QUICK, { argument: small })]);
  end();
  expect(order.slice(0, 2)).toContain('small');
});

test('a large argument whose function is given up in the line is not serialized', async () => {
  await open(threads(6, 4));
  const { order, end, argument } = noted();
  const stop = new AbortController();
  const first = run('a', QUICK, { argument: argument('a') });
  const second = endOf('a', QUICK, { argument: argument('a'), signal: stop.signal });
  await new Promise<void>((resolve) => process.nextTick(resolve));
  stop.abort(new Error('not wanted any more'));
  expect([await first, await second]).toEqual(['done', 'not wanted any more']);
  end();
  expect(order).toEqual(['a']);
});

test('an aborted waiter gives back the bytes that it held in the line for a thread', async () => {
  await open({ ...threads(1, 1), bytes: { capacity: 100 * SIZE, perOrganization: BOUND } });
  const holder = hold('a', { text: 'x'.repeat(SIZE) });
  const stop = new AbortController();
  const leaver = endOf('a', QUICK, { argument: { text: 'x'.repeat(SIZE) }, signal: stop.signal });
  await endOf('b', QUICK, { signal: AbortSignal.timeout(50) });
  stop.abort(new Error('not wanted any more'));
  expect(await leaver).toBe('not wanted any more');
  await holder.end();
  expect(await run('a', QUICK, { argument: { text: 'x'.repeat(2 * SIZE) } })).toBe('done');
});

test.each([
  ['of 8 MiB passes', MAX_ARGUMENT_BYTES, 'done'],
  ['over 8 MiB is refused', MAX_ARGUMENT_BYTES + 1, 'argument_too_large'],
])('an argument %s', async (_name, bytes, end) => {
  await open({});
  // Two quotes beside it.
  expect(await endOf('a', QUICK, { argument: 'x'.repeat(bytes - 2) })).toBe(end);
});

test('an argument that is too large is refused without a turn', async () => {
  await open(threads(1, 1));
  const holder = hold('a');
  expect(await endOf('b', QUICK, { argument: 'x'.repeat(MAX_ARGUMENT_BYTES) })).toBe('argument_too_large');
  await holder.end();
});

test('a sandbox that is closed ends those that wait', async () => {
  await open(threads(1, 1));
  const ends = Promise.all(['a', 'b', 'b'].map((organizationId) => endOf(organizationId, ENDLESS)));
  await sandbox.close();
  expect(await ends).toEqual(['sandbox_lost', 'sandbox_lost', 'sandbox_lost']);
});
