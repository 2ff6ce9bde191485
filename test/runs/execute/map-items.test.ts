/**
 * Items of mapped nodes in a stretch: as many at once as the node allows, each recorded before it is sent, and what the
 * interpreter goes on with when a process is lost or an item takes long.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import type { JsonObject } from '../../../src/graph/value.ts';
import type { SandboxPort } from '../../../src/nodes/tools.ts';
import { advance, firstAdvance } from '../../../src/runs/execute/advance.ts';
import { executeDeps, type ExecuteDeps } from '../../../src/runs/execute/deps.ts';
import { MAX_IN_FLIGHT } from '../../../src/runs/execute/protocol.ts';
import type {
  AdvanceInput,
  AdvanceResult,
  MapStarted,
  NodeTask,
  OpenCall,
} from '../../../src/runs/execute/protocol.ts';
import { runNode } from '../../../src/runs/execute/run-node.ts';
import { settleMap } from '../../../src/runs/execute/settle-tasks.ts';
import type { RunRef } from '../../../src/runs/engine.ts';
import { startAdvancing, type Advancing } from '../../support/advancing.ts';
import { END, START, chain, edge, http, node, transform, workflow } from '../../support/definitions.ts';
import { mostAtOnce, startHttpRecorder, type HttpRecorder } from '../../support/http-recorder.ts';
import { eventsOf, stepsOf } from '../../support/records.ts';
import { firstTry, silenced } from '../../support/stretches.ts';

let advancing: Advancing;
let recorder: HttpRecorder;
let db: Db;
let here: ExecuteDeps;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  advancing = await startAdvancing({ OUTBOUND_ALLOW: recorder.hostPort });
  ({ db, deps: here } = advancing);
});
afterEach(() => recorder.release());
afterAll(async () => {
  await advancing.close();
  await recorder.close();
});

/** Another process, over the same database. */
const elsewhere = (other: Db = db): ExecuteDeps =>
  executeDeps({ db: other, tools: advancing.deps.tools, log: advancing.deps.log, home: 'other' });

/** A machine that stands still for 300 ms makes a short call a long one, which is another case. */
const STALLS = { retry: 3 };

const asked = (ref: RunRef): AdvanceInput => ({ ...firstAdvance(ref), runsEffects: true, runsItems: true });
const each = (more: JsonObject = {}): JsonObject => ({ for_each: { items: '{{input.rows}}', ...more } });
const rowsOf = (count: number): JsonObject => ({ rows: Array.from({ length: count }, (_, n) => n) });
/** A call of a mapped node `m` that tells its item. */
const call = (method: string, url: string, more: JsonObject = {}, envelope: JsonObject = {}): JsonObject =>
  http(
    'm',
    url,
    method === 'GET' ? { method, query: { n: '{{item}}' } } : { method, body: { n: '{{item}}' } },
    { ...each(more), ...envelope },
  );
const itemsCalled = (tag: string): unknown[] =>
  recorder.calls(tag).map(({ query, body }) => (body as JsonObject | null)?.['n'] ?? Number(query['n']));
const typesOf = async (ref: RunRef): Promise<string[]> =>
  (await eventsOf(db, ref.rootRunPk)).map(({ type }) => type);
const stepOf = async (ref: RunRef, item: number) =>
  (await stepsOf(db, ref.rootRunPk)).find((step) => step['node_id'] === 'm' && step['item_index'] === item);
const outputOf = async (ref: RunRef): Promise<Record<string, unknown>> =>
  (await stepOf(ref, -1))?.output as Record<string, unknown>;

/** The interpreter's part: goes on with what a stretch has left of a map. */
async function seeThrough(deps: ExecuteDeps, ref: RunRef, map: MapStarted, runPk: string): Promise<void> {
  for (const begun of map.calls ?? []) await runNode(deps, firstTry, begun);
  const task = (itemIndex: number): NodeTask => ({
    organizationId: ref.organizationId,
    rootRunPk: ref.rootRunPk,
    runPk,
    nodeId: 'm',
    visit: map.visit,
    depth: map.depth,
    position: map.position,
    itemIndex,
    iteration: null,
    loop: {},
  });
  for (let item = map.next ?? 0; item < map.count; item += 1) await runNode(deps, firstTry, task(item));
  await settleMap(deps, task(-1));
}

test(
  'the items of a map run in one stretch, never more of them at once than the node allows',
  STALLS,
  async () => {
    const tag = randomUUID();
    const definition = chain(
      call('POST', recorder.url(tag, { delay_ms: 20 }), { max_concurrency: 3 }),
      transform('after', { all: '{{m.results}}' }),
    );
    const ref = await advancing.run(definition, rowsOf(8));
    expect(await advance(here, asked(ref))).toMatchObject({ state: 'closed', status: 'completed', maps: [] });
    expect(mostAtOnce(recorder.calls(tag))).toBe(3);
    expect(itemsCalled(tag).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const { results, count } = await outputOf(ref);
    expect((results as { data: { body: unknown } }[]).map(({ data }) => data.body)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({ n })),
    );
    expect(count).toBe(8);
    const parent = await stepOf(ref, -1);
    expect(await stepOf(ref, 5)).toMatchObject({ parent_step_id: parent?.['step_id'], status: 'succeeded' });
  },
);

test('every item is recorded before it is sent', async () => {
  const tag = randomUUID();
  const ref = await advancing.run(chain(call('POST', recorder.url(tag, { hold: 4 }))), rowsOf(4));
  const played = advance(here, asked(ref));
  await recorder.waitFor(tag, 1);
  const steps = (await stepsOf(db, ref.rootRunPk)).map((step) => [step['item_index'], step['status']]);
  expect(steps).toEqual([-1, 0, 1, 2, 3].map((item) => [item, 'running']));
  recorder.release();
  await played;
});

test('functions as items are one advance', STALLS, async () => {
  await here.tools.sandbox.run({
    organizationId: 'o',
    code: 'export default () => 1',
    argument: {},
    timeoutMs: 20_000,
    memoryMb: 128,
    signal: new AbortController().signal,
  });
  const fn = node(
    'm',
    'function',
    { code: 'export default ({n}) => n * 2', arguments: { n: '{{item}}' } },
    each(),
  );
  const ref = await advancing.run(chain(fn), rowsOf(6));
  expect(await advance(here, asked(ref))).toMatchObject({ state: 'closed', advance: 1 });
  expect((await outputOf(ref))['results']).toEqual([0, 2, 4, 6, 8, 10]);
  expect((await typesOf(ref)).filter((type) => type === 'node_started')).toHaveLength(7);
});

test(
  'more of them than one advance writes are several, and none is left to the interpreter',
  STALLS,
  async () => {
    const { tools, log } = here;
    // Two at once, 5 ms each: 300 ms, of which one advance takes 200.
    const sandbox: SandboxPort = {
      run: ({ argument }) =>
        new Promise((resolve) => setTimeout(() => resolve({ value: argument, logs: [] }), 5)),
    };
    const attempt: typeof tools.attempt = (secrets, user) => ({ ...tools.attempt(secrets, user), sandbox });
    const deps = executeDeps({ db, tools: { ...tools, attempt }, log, home: 'home' });
    const config = { code: 'export default () => null', arguments: '{{item}}' };
    const fn = node('m', 'function', config, each({ max_concurrency: 2 }));
    const ref = await advancing.run(chain(fn), rowsOf(120));
    const result = await advance(deps, asked(ref));
    expect(result).toMatchObject({ state: 'closed', status: 'completed', maps: [] });
    expect(result.advance).toBeGreaterThan(1);
    expect((await outputOf(ref))['results']).toEqual(rowsOf(120)['rows']);
  },
);

test('no items are no calls, and a node that ends', async () => {
  const ref = await advancing.run(chain(call('GET', recorder.url('none'))), { rows: [] });
  expect(await advance(here, asked(ref))).toMatchObject({ state: 'closed', status: 'completed', advance: 1 });
  expect(await outputOf(ref)).toEqual({ results: [], errors: [], count: 0 });
});

test.each([
  ['fail', 'failed', null],
  ['continue', 'completed', 4],
  ['drop', 'completed', 3],
] as const)('items that fail: on_item_error %s', STALLS, async (policy, status, kept) => {
  const tag = randomUUID();
  const code = 'export default ({n}) => { if (n === 1) throw new Error("no"); return n }';
  const fn = node(
    'm',
    'function',
    { code, arguments: { n: '{{item}}' } },
    each({ on_item_error: policy, max_concurrency: 1 }),
  );
  const ref = await advancing.run(chain(fn, http('after', recorder.url(tag), { method: 'GET' })), rowsOf(4));
  expect(await advance(here, asked(ref))).toMatchObject({ state: 'closed', status });
  expect(recorder.calls(tag)).toHaveLength(kept === null ? 0 : 1);
  if (kept === null) {
    // One at a time: those behind it never began.
    expect(await stepOf(ref, 2)).toBeUndefined();
    expect(await stepOf(ref, -1)).toMatchObject({ status: 'failed', error: { code: 'function_error' } });
  } else {
    const { results, errors } = (await outputOf(ref)) as { results: unknown[]; errors: unknown[] };
    expect(results).toEqual(policy === 'drop' ? [0, 2, 3] : [0, null, 2, 3]);
    expect(errors).toMatchObject([{ index: 1, error: { code: 'function_error' } }]);
  }
});

/** A run whose first items are held; its advance has left them to the interpreter. */
async function held(
  method: string,
  { count = 5, hold = 2, more = {} }: { count?: number; hold?: number; more?: JsonObject } = {},
): Promise<{ tag: string; ref: RunRef; result: AdvanceResult; map: MapStarted }> {
  const tag = randomUUID();
  const url = recorder.url(tag, { hold });
  const ref = await advancing.run(chain(call(method, url, { max_concurrency: 2, ...more })), rowsOf(count));
  const result = await advance(here, asked(ref));
  const [map] = result.maps;
  if (map === undefined) throw new Error('The map was not left');
  return { tag, ref, result, map };
}

test('items that take long are left under way, and activities of their process see them to their ends', async () => {
  const { tag, ref, result, map } = await held('POST');
  expect(result).toMatchObject({ state: 'running', more: false, calls: [], home: 'home' });
  expect(map).toMatchObject({ count: 5, next: 2, calls: [{ itemIndex: 0 }, { itemIndex: 1 }] });
  const through = seeThrough(here, ref, map, result.runPk);
  recorder.release();
  await through;
  expect(itemsCalled(tag).toSorted()).toEqual([0, 1, 2, 3, 4]);
  expect((await outputOf(ref))['count']).toBe(5);
  expect(await stepOf(ref, -1)).toMatchObject({ status: 'succeeded' });
});

test.each([
  ['may be repeated is', 'GET', 7, { status: 'succeeded', attempt: 2 }],
  ['may happen once only is not', 'POST', 5, { status: 'failed', error: { code: 'outcome_unknown' } }],
] as const)('another process decides by the record: an item that %s', async (_, method, calls, item) => {
  const { tag, ref } = await held(method, { more: { on_item_error: 'continue' } });
  // The same advance again, for the answer was lost with its process.
  const again = await advance(elsewhere(), asked(ref));
  expect(again).toMatchObject({ state: 'running', repeated: true, home: 'other' });
  const [map] = again.maps;
  expect(map).toMatchObject({ next: 2, calls: [{ itemIndex: 0 }, { itemIndex: 1 }] });
  if (map !== undefined) await seeThrough(elsewhere(), ref, map, again.runPk);
  expect(itemsCalled(tag)).toHaveLength(calls);
  expect(await stepOf(ref, 0)).toMatchObject(item);
  expect(await stepOf(ref, 4)).toMatchObject({ status: 'succeeded', attempt: 1 });
});

test('an item that may be tried again is left with its delay; the others have ended', STALLS, async () => {
  const tag = randomUUID();
  const retry = { retry: { max_attempts: 2, initial_interval_ms: 700 } };
  const url = recorder.url(tag, { fail: 1, status: 503 });
  const ref = await advancing.run(chain(call('PUT', url, { max_concurrency: 1 }, retry)), rowsOf(3));
  const result = await advance(here, asked(ref));
  const [map] = result.maps;
  // With one at a time, an item that waits for its next attempt keeps its place.
  expect(map).toMatchObject({ next: 1, calls: [{ itemIndex: 0, retryInMs: 700 }] });
  if (map !== undefined) await seeThrough(elsewhere(), ref, map, result.runPk);
  expect((await typesOf(ref)).filter((type) => type === 'node_retry')).toHaveLength(1);
  expect(itemsCalled(tag)).toEqual([0, 0, 1, 2]);
  expect((await outputOf(ref))['count']).toBe(3);
});

test('when an item fails the node while others are under way, no other begins, whoever goes on', async () => {
  const tag = randomUUID();
  const url = `${recorder.origin}/${tag}-{{index}}?status={{item.status}}&hold={{item.hold}}`;
  const definition = chain(http('m', url, { method: 'POST' }, each({ max_concurrency: 2 })));
  const ref = await advancing.run(definition, {
    rows: [200, 404, 200, 200].map((status) => ({ status, hold: status === 200 ? 1 : 0 })),
  });
  const result = await advance(here, asked(ref));
  const [map] = result.maps;
  expect(map).toMatchObject({ count: 4, next: 4, calls: [{ itemIndex: 0 }] });
  recorder.release();
  if (map !== undefined) await seeThrough(here, ref, map, result.runPk);
  expect([0, 1, 2, 3].map((item) => recorder.calls(`${tag}-${item}`).length)).toEqual([1, 1, 0, 0]);
  expect(await stepOf(ref, -1)).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('Item 1') },
  });
});

test('a commit whose answer is lost is recognised: each item is called once', STALLS, async () => {
  const tag = randomUUID();
  // The first is the advance that was asked for.
  const silent = silenced(db, 3);
  const ref = await advancing.run(chain(call('POST', recorder.url(tag), { max_concurrency: 2 })), rowsOf(9));
  expect(await advance(elsewhere(silent.db), asked(ref))).toMatchObject({
    state: 'closed',
    status: 'completed',
  });
  // It was recalled in one more, and the walk went on.
  expect(silent.count()).toBeGreaterThan(4);
  expect(itemsCalled(tag).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('an item whose end the database refuses fails in words; the others are kept', STALLS, async () => {
  const tag = randomUUID();
  await db.query(
    `ALTER TABLE run_steps ADD CONSTRAINT refuses CHECK (output IS NULL OR item_index < 0 OR output::text NOT LIKE '%unwritable%')`,
  );
  try {
    const code = 'export default ({n}) => n === 2 ? "unwritable" : n';
    const fn = node(
      'm',
      'function',
      { code, arguments: { n: '{{item}}' } },
      each({ on_item_error: 'continue' }),
    );
    const ref = await advancing.run(
      chain(fn, http('after', recorder.url(tag), { method: 'GET' })),
      rowsOf(4),
    );
    expect(await advance(here, asked(ref))).toMatchObject({ state: 'closed', status: 'completed' });
    expect(await outputOf(ref)).toMatchObject({
      results: [0, 1, null, 3],
      errors: [{ index: 2, error: { code: 'result_not_storable' } }],
    });
  } finally {
    await db.query('ALTER TABLE run_steps DROP CONSTRAINT refuses');
  }
});

test('items that are too large together fail their node', STALLS, async () => {
  const code = 'export default () => "x".repeat(1_000_000)';
  const large = (count: number): Promise<RunRef> =>
    advancing.run(chain(node('m', 'function', { code, arguments: {} }, each())), rowsOf(count));
  const [fits, not] = [await large(8), await large(9)];
  expect(await advance(here, asked(fits))).toMatchObject({ status: 'completed' });
  expect(await advance(here, asked(not))).toMatchObject({ error: { code: 'output_too_large', nodeId: 'm' } });
});

test('answers that are large are written a few at a time, though they came together', async () => {
  const [tag, size] = [randomUUID(), 5_000_000];
  const written: number[] = [];
  let isFirst = true;
  const slow: Db = {
    ...db,
    async deferred(begun, work) {
      // The small one's advance takes until all others are back.
      if (isFirst)
        await expect.poll(() => recorder.calls(tag).filter((one) => one.endedAtMs !== null).length).toBe(5);
      if (isFirst) await new Promise((resolve) => setTimeout(resolve, 200));
      isFirst = false;
      return db.deferred(begun, (tx) =>
        work({
          ...tx,
          queryLast(text, params = []) {
            written.push(Math.max(...params.map((param) => (typeof param === 'string' ? param.length : 0))));
            return tx.queryLast(text, params);
          },
        }),
      );
    },
  };
  const url = `${recorder.origin}/${tag}?size={{item.size}}&delay_ms={{item.ms}}`;
  const rows = [0, size, size, size, size].map((chars, n) => ({ size: chars, ms: n === 0 ? 0 : 20 }));
  const ref = await advancing.run(chain(http('m', url, { method: 'GET' }, each({ on_item_error: 'drop' }))), {
    rows,
  });
  await advance(elsewhere(slow), asked(ref));
  expect(await stepOf(ref, 4)).toMatchObject({ status: 'succeeded' });
  expect(Math.max(...written)).toBeLessThan(3 * size);
  expect(Math.max(...written)).toBeGreaterThan(size);
});

test('items of all maps of a run are no more at once than its nodes may be', async () => {
  const tag = randomUUID();
  const url = recorder.url(tag, { hold: 1_000 });
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const ref = await advancing.run(
    workflow(
      ids.map((id) => http(id, url, { method: 'GET' }, each({ max_concurrency: 50 }))),
      ids.flatMap((id) => [edge(START, id), edge(id, END)]),
    ),
    rowsOf(60),
  );
  const { maps } = await advance(here, asked(ref));
  expect(maps).toHaveLength(ids.length);
  expect(maps.flatMap(({ calls = [] }) => calls)).toHaveLength(MAX_IN_FLIGHT);
});

test('two maps and a node side by side meet in what follows them', STALLS, async () => {
  const tag = randomUUID();
  const map = (id: string): JsonObject =>
    http(id, recorder.url(tag), { method: 'POST', body: { n: '{{item}}' } }, each({ max_concurrency: 2 }));
  const ref = await advancing.run(
    workflow(
      [
        map('a'),
        map('b'),
        http('c', recorder.url(tag)),
        transform('join', { n: '{{a.count}}', m: '{{b.count}}' }),
      ],
      [...['a', 'b', 'c'].flatMap((id) => [edge(START, id), edge(id, 'join')]), edge('join', END)],
    ),
    rowsOf(5),
  );
  expect(await advance(here, asked(ref))).toMatchObject({ state: 'closed', status: 'completed' });
  expect(recorder.calls(tag)).toHaveLength(11);
  const join = (await stepsOf(db, ref.rootRunPk)).find((step) => step['node_id'] === 'join');
  expect(join?.['output']).toEqual({ n: 5, m: 5 });
});

test('an interpreter that does not know of it is left the map as it is', async () => {
  const tag = randomUUID();
  const ref = await advancing.run(chain(call('GET', recorder.url(tag))), rowsOf(3));
  const result = await advance(here, { ...firstAdvance(ref), runsEffects: true });
  expect(result.maps).toEqual([{ node: 0, visit: 1, depth: expect.any(Number), position: 1, count: 3 }]);
  expect(recorder.calls(tag)).toEqual([]);
});

test('a call that a stretch leaves is found by its activity, which has no other', async () => {
  const { result, map } = await held('GET', { count: 2 });
  const [first] = map.calls ?? [];
  expect(here.calls.has(first as OpenCall)).toBe(true);
  expect(elsewhere().calls.has(first as OpenCall)).toBe(false);
  expect(result.state).toBe('running');
});
