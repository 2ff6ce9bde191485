/**
 * A stretch of the walk: short effectful nodes run with the advance, and what becomes of them in each window in which a
 * process may die. Two sets of dependencies over one database are two processes.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import type { JsonObject } from '../../../src/graph/value.ts';
import { Overtaken } from '../../../src/runs/ledger/advances.ts';
import { cancelTree } from '../../../src/runs/ledger/cancel.ts';
import { currentSegment } from '../../../src/runs/ledger/segments.ts';
import { advance, firstAdvance } from '../../../src/runs/execute/advance.ts';
import { executeDeps, type ExecuteDeps } from '../../../src/runs/execute/deps.ts';
import type { AdvanceInput, AdvanceResult } from '../../../src/runs/execute/protocol.ts';
import { runNode } from '../../../src/runs/execute/run-node.ts';
import type { RunRef } from '../../../src/runs/engine.ts';
import { startAdvancing, type Advancing } from '../../support/advancing.ts';
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
} from '../../support/definitions.ts';
import { startHttpRecorder, type HttpRecorder } from '../../support/http-recorder.ts';
import { eventsOf, stepsOf } from '../../support/records.ts';
import { firstTry, meddled, silenced } from '../../support/stretches.ts';

let advancing: Advancing;
let recorder: HttpRecorder;
let db: Db;
let here: ExecuteDeps;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  advancing = await startAdvancing({ OUTBOUND_ALLOW: recorder.hostPort });
  ({ db, deps: here } = advancing);
});
afterAll(async () => {
  recorder.release();
  await advancing.close();
  await recorder.close();
});

/** Another process, over the same database. */
const elsewhere = (other: Db = db): ExecuteDeps =>
  executeDeps({ db: other, tools: advancing.deps.tools, log: advancing.deps.log, home: 'other' });

/** A machine that stands still for 300 ms makes a short call a long one, which is another case. */
const STALLS = { retry: 3 };

const asked = (ref: RunRef): AdvanceInput => ({ ...firstAdvance(ref), runsEffects: true });
const get = (id: string, url: string, envelope: JsonObject = {}): JsonObject =>
  http(id, url, { method: 'GET' }, envelope);
const post = (id: string, url: string): JsonObject => http(id, url, { method: 'POST' });
const typesOf = async (ref: RunRef): Promise<string[]> =>
  (await eventsOf(db, ref.rootRunPk)).map(({ type }) => type);

test(
  'a line of short calls is one stretch: an advance for each end, and nothing is left for the interpreter',
  STALLS,
  async () => {
    const tag = randomUUID();
    const ids = ['a', 'b', 'c'];
    const ref = await advancing.run(
      chain(...ids.map((id) => get(id, recorder.url(tag))), transform('t', {})),
    );
    const result = await advance(here, asked(ref));
    expect(result).toMatchObject({ state: 'closed', status: 'completed', advance: 4, calls: [] });
    expect(recorder.calls(tag)).toHaveLength(3);
    const node = ['node_started', 'node_completed'];
    expect(await typesOf(ref)).toEqual(['run_started', ...node, ...node, ...node, ...node, 'run_completed']);
  },
);

test('branches run side by side, and their ends meet in a join', STALLS, async () => {
  const tag = randomUUID();
  const ids = Array.from({ length: 8 }, (_, at) => `n${at}`);
  const url = recorder.url(tag, { hold: ids.length });
  const ref = await advancing.run(
    workflow(
      [...ids.map((id) => get(id, url)), transform('join', { v: '{{n3.status}}' })],
      [...ids.flatMap((id) => [edge(START, id), edge(id, 'join')]), edge('join', END)],
    ),
  );
  const result = advance(here, asked(ref));
  await recorder.waitFor(tag, ids.length);
  recorder.release();
  expect(await result).toMatchObject({ state: 'closed', status: 'completed' });
});

/** A run whose one call is held; its advance has left the call to the interpreter. */
async function held(node: (url: string) => JsonObject, more: readonly JsonObject[] = []) {
  const tag = randomUUID();
  const ref = await advancing.run(chain(node(recorder.url(tag, { hold: 1 })), ...more));
  const result = await advance(here, asked(ref));
  const [call] = result.calls ?? [];
  if (call === undefined) throw new Error('The call was not left');
  return { tag, ref, result, call };
}

// Whether an advance knows the values of the run, or reads them, as in a run that may ask people.
test.each([
  ['alone', []],
  ['and may ask people', [node('ask', 'interrupt', { kind: 'input' })]],
])(
  'DEF-2.15: a call that its loop has overtaken does not undo a skip, in a run that walks %s',
  async (_, more) => {
    const [name, tick] = [randomUUID(), randomUUID()];
    const isFirst = rule('{{loop.again.iteration}}', 'eq', 0);
    const ref = await advancing.run(
      workflow(
        [
          transform('head'),
          get('a', recorder.url(name, { hold: 2 })),
          transform('fast'),
          { ...conditional('join', when('yes', isFirst)), join: 'any' },
          get('other', recorder.url(name, { hold: 2 })),
          get('tick', recorder.url(tick)),
          transform('last', { a: '{{a.status}}' }),
          ...more,
        ],
        [
          ...['head', 'other', 'tick'].map((id) => edge(START, id)),
          edge('head', 'a', undefined, { when: isFirst }),
          edge('head', 'fast'),
          edge('a', 'join'),
          edge('fast', 'join'),
          edge('join', 'head', 'yes', { id: 'again' }),
          edge('join', 'last', 'else'),
          edge('other', 'last'),
          edge('tick', END),
          edge('last', END),
          ...more.map(({ id }) => edge('last', String(id), undefined, { when: rule(1, 'eq', 2) })),
        ],
        { config: { output: '{{last}}' } },
      ),
    );
    // Both come back while the second advance is made, which the tick has asked for; so the third one ends both.
    const busy = meddled(db, 2, async (transact) => {
      await recorder.waitFor(name, 2);
      recorder.release();
      await vi.waitFor(() => expect(recorder.calls(name).map((call) => call.endedAtMs)).not.toContain(null));
      await setTimeout(20);
      return transact();
    });
    const result = await advance(elsewhere(busy.db), asked(ref));
    expect(result).toMatchObject({ state: 'closed', status: 'completed' });
    const [run] = await db.query<{ output: JsonObject }>('SELECT output FROM runs WHERE id = $1', [
      ref.rootRunPk,
    ]);
    expect(run?.output).toEqual({ a: null });
  },
);

test('a call that takes long is left under way, and an activity of its process sees it to its end', async () => {
  const { tag, result, call, ref } = await held((url) => get('h', url));
  expect(result).toMatchObject({ state: 'running', more: false, advance: 1 });
  expect(call).toMatchObject({ nodeId: 'h', attempt: 1, retryInMs: null });
  const end = runNode(here, firstTry, call);
  recorder.release();
  expect(await end).toEqual({ kind: 'done', result: { taken: [0], failed: false } });
  expect(recorder.calls(tag)).toHaveLength(1);
  expect(await stepsOf(db, ref.rootRunPk)).toMatchObject([{ status: 'succeeded', attempt: 1 }]);
});

test.each([
  ['may be repeated: it is', get, 2, { status: 'succeeded', attempt: 2 }, ['node_retry']],
  ['may happen once only: it is not', post, 1, { status: 'failed', error: { code: 'outcome_unknown' } }, []],
] as const)('another process takes over a call that %s', async (_, kind, calls, step, told) => {
  const { tag, ref } = await held((url) => kind('h', url));
  // The same advance again, for the answer was lost with its process.
  const again = await advance(elsewhere(), asked(ref));
  expect(again).toMatchObject({ state: 'closed', repeated: true });
  expect(recorder.calls(tag)).toHaveLength(calls);
  expect(await stepsOf(db, ref.rootRunPk)).toMatchObject([step]);
  expect((await typesOf(ref)).filter((type) => type === 'node_retry')).toEqual(told);
});

test('a process whose run was taken over writes nothing more', STALLS, async () => {
  const tag = randomUUID();
  const ref = await advancing.run(chain(get('h', recorder.url(tag)), get('after', recorder.url(tag))));
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const waiting = meddled(db, 2, async (transact) => {
    await gate;
    return transact();
  });
  const late = advance(elsewhere(waiting.db), asked(ref)).catch((error: unknown) => error);
  await recorder.waitFor(tag, 1);
  expect(await advance(here, asked(ref))).toMatchObject({ state: 'closed', status: 'completed' });
  open();
  expect(await late).toBeInstanceOf(Overtaken);
  // The first node's was made by both, the second by the one that took over.
  expect(recorder.calls(tag)).toHaveLength(3);
  expect((await typesOf(ref)).filter((type) => type === 'node_completed')).toHaveLength(2);
});

test('a repeated advance in the same process goes on with the call that is under way', async () => {
  const { tag, ref } = await held((url) => post('h', url), [transform('t', {})]);
  const again = advance(here, asked(ref));
  recorder.release();
  expect(await again).toMatchObject({ state: 'closed', status: 'completed', repeated: true });
  expect(recorder.calls(tag)).toHaveLength(1);
  expect(await stepsOf(db, ref.rootRunPk)).toMatchObject([{ attempt: 1 }, {}]);
});

test('a commit whose answer is lost is recognised: each call is made once', STALLS, async () => {
  const tag = randomUUID();
  const ref = await advancing.run(
    chain(post('a', recorder.url(tag)), post('b', recorder.url(tag)), post('c', recorder.url(tag))),
  );
  const silent = silenced(db, 2);
  const result = await advance(elsewhere(silent.db), asked(ref));
  expect(result).toMatchObject({ state: 'closed', status: 'completed' });
  expect(recorder.calls(tag)).toHaveLength(3);
});

test(
  'a failure that may be tried again is left with its delay, and the next attempt follows its record',
  STALLS,
  async () => {
    const tag = randomUUID();
    const retry = { retry: { max_attempts: 2, initial_interval_ms: 700 } };
    const ref = await advancing.run(chain(get('h', recorder.url(tag, { fail: 1, status: 503 }), retry)));
    const { calls } = await advance(here, asked(ref));
    expect(calls).toMatchObject([{ nodeId: 'h', retryInMs: 700 }]);
    const [call] = calls ?? [];
    if (call === undefined) throw new Error('The call was not left');
    expect(await runNode(elsewhere(), firstTry, call)).toMatchObject({ kind: 'done' });
    expect(recorder.calls(tag)).toHaveLength(2);
    expect((await typesOf(ref)).filter((type) => type === 'node_retry')).toHaveLength(1);
  },
);

test('a failure for good ends the run in the same stretch', STALLS, async () => {
  const tag = randomUUID();
  const ref = await advancing.run(
    chain(get('h', recorder.url(tag, { status: 404 })), get('never', recorder.url(tag))),
  );
  const result = await advance(here, asked(ref));
  expect(result).toMatchObject({
    state: 'closed',
    status: 'failed',
    error: { code: 'http_error', nodeId: 'h' },
  });
  expect(recorder.calls(tag)).toHaveLength(1);
});

test('a cancellation ends the call, and the advance says so', async () => {
  const tag = randomUUID();
  const ref = await advancing.run(chain(get('h', recorder.url(tag, { hold: 1 }))));
  const result: Promise<AdvanceResult> = advance(here, asked(ref));
  await recorder.waitFor(tag, 1);
  await db.transaction(async (tx) => {
    const segment = await currentSegment(tx, ref, true);
    if (segment !== null) await cancelTree(tx, segment, 'test');
  });
  here.liveRuns.cancelled(ref.rootRunPk);
  // On a busy machine the call may have been left before it was cancelled; then the next advance sees it.
  const { state } = await result;
  const end = state === 'closed' ? await result : await advance(here, { ...asked(ref), advance: 2 });
  expect(end).toMatchObject({ state: 'closed', status: 'cancelled' });
  await expect.poll(() => recorder.calls(tag).map((call) => call.aborted)).toEqual([true]);
});

test(
  'an end that the database refuses fails its node in words, once; what came back with it is kept, and counts once',
  STALLS,
  async () => {
    const tag = randomUUID();
    const url = recorder.url(tag, { hold: 2 });
    const good = http('good', url, { method: 'POST' }, { state_updates: { log: 'good' } });
    const bad = http('bad', url, { method: 'POST' }, { on_error: 'continue' });
    const ref = await advancing.run({
      ...workflow(
        [bad, good, transform('t', { log: '{{state.log}}' })],
        [edge(START, 'bad'), edge(START, 'good'), edge('bad', 't'), edge('good', 't'), edge('t', END)],
      ),
      state_schema: { fields: { log: { type: 'array', reducer: 'add', default: [] } } },
    });
    const isRefused = (params: readonly unknown[] = []): boolean =>
      params.some(
        (param) => typeof param === 'string' && /"node_id":"bad".*"status":"succeeded"/u.test(param),
      );
    const judge = (params?: readonly unknown[]): void => {
      if (isRefused(params)) throw Object.assign(new Error('unsupported Unicode'), { code: '22P05' });
    };
    const refusing: Db = {
      ...db,
      transaction: (work) =>
        db.transaction((tx) =>
          work({
            ...tx,
            query(text, params) {
              judge(params);
              return tx.query(text, params);
            },
          }),
        ),
      deferred: (begun, work) =>
        db.deferred(begun, (tx) =>
          work({
            ...tx,
            query(text, params) {
              judge(params);
              return tx.query(text, params);
            },
            queryLast(text, params) {
              judge(params);
              return tx.queryLast(text, params);
            },
          }),
        ),
    };
    const result = advance(elsewhere(refusing), asked(ref));
    await recorder.waitFor(tag, 2);
    recorder.release();
    expect(await result).toMatchObject({ state: 'closed', status: 'completed' });
    expect(recorder.calls(tag)).toHaveLength(2);
    const steps = await stepsOf(db, ref.rootRunPk);
    expect(new Map(steps.map((step) => [step['node_id'], step['error']]))).toEqual(
      new Map([
        ['bad', expect.objectContaining({ code: 'result_not_storable' })],
        ['good', null],
        ['t', null],
      ]),
    );
    expect(steps.find((step) => step['node_id'] === 't')?.['output']).toEqual({ log: ['good'] });
  },
);
