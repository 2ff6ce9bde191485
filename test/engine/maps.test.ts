/** A mapped node would lose or reorder items, or run more of them at a time than is allowed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import { mostAtOnce } from '../support/http-recorder.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { stepsOf } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterAll(() => engine.close());

const tag = (): string => randomUUID();
const each = (more: JsonObject = {}): JsonObject => ({ for_each: { items: '{{input.rows}}', ...more } });
const PURE = 'pure';
const EFFECTFUL = 'effectful';
const kinds = [PURE, EFFECTFUL] as const;

/** A mapped node `t` that fails for items that are not numbers. */
function failing(kind: (typeof kinds)[number], onItemError: string): JsonObject {
  const mapped = each({ on_item_error: onItemError, max_concurrency: 1 });
  const template = '{{item}}';
  if (kind === PURE)
    return node('t', 'transformer', { mode: 'template', template, parse_as: 'json' }, mapped);
  const code = 'export default ({text}) => JSON.parse(text)';
  return node('t', 'function', { code, arguments: { text: template } }, mapped);
}

test('pure items keep their order and see item, index and the chosen name', async () => {
  const mapped = each({ as: 'row' });
  const played = await engine.play(
    chain(transform('t', { v: '{{row.v}}', same: '{{item.v}}', i: '{{index}}' }, mapped)),
    { rows: [{ v: 'a' }, { v: 'b' }, { v: 'c' }] },
  );
  expect(played.output).toEqual({
    results: ['a', 'b', 'c'].map((v, i) => ({ v, same: v, i })),
    errors: [],
    count: 3,
  });
  const [parent, ...items] = await stepsOf(engine.db, played.accepted.runPk, 't');
  expect(items.map((step) => step.parent_step_id)).toEqual(Array(3).fill(parent?.step_id));
  expect(played.of('node_completed', 't').map((frame) => frame['item_index'])).toEqual([0, 1, 2, undefined]);
});

test('effectful items keep their order whoever is first, and no more than max_concurrency run at once', async () => {
  const name = tag();
  const definition = chain(
    http(
      't',
      recorder.url(name),
      { body: { i: '{{index}}', v: '{{item.v}}' }, query: { delay_ms: '{{item.ms}}' } },
      each({ max_concurrency: 2 }),
    ),
    transform('after', { all: '{{t.results}}', n: '{{t.count}}' }),
  );
  const rows = [500, 20, 300, 20, 100].map((ms, v) => ({ ms, v }));
  const played = await engine.play(definition, { rows });
  const { all, n } = played.output as { all: { data: { body: unknown } }[]; n: number };
  expect(n).toBe(5);
  expect(all.map((item) => item.data.body)).toEqual([0, 1, 2, 3, 4].map((i) => ({ i, v: i })));
  expect(mostAtOnce(recorder.calls(name))).toBe(2);
  const keys = (await stepsOf(engine.db, played.accepted.runPk, 't')).map((step) => step.item_index);
  expect(keys).toEqual([-1, 0, 1, 2, 3, 4]);
});

for (const kind of kinds) {
  test(`on_item_error of ${kind} items: continue keeps a null, drop leaves it out, fail ends the node`, async () => {
    const rows = [1, 'x', 3];
    const [kept, dropped, failed] = await Promise.all([
      engine.play(chain(failing(kind, 'continue')), { rows }),
      engine.play(chain(failing(kind, 'drop')), { rows }),
      engine.play(chain(failing(kind, 'fail')), { rows }),
    ]);
    const errors = [{ index: 1, error: expect.objectContaining({ code: expect.any(String) }) }];
    expect(kept.output).toEqual({ results: [1, null, 3], errors, count: 3 });
    expect(dropped.output).toEqual({ results: [1, 3], errors, count: 3 });
    expect(kept.end).toMatchObject({ type: 'run_completed' });
    expect(failed.end.type).toBe('run_failed');
    expect(failed.error).toMatchObject({ node_id: 't' });
    expect(failed.error?.message).toContain('Item 1');
    // One at a time: the third item was never started.
    expect(failed.of('node_started', 't').map((frame) => frame['item_index'])).toEqual([undefined, 0, 1]);
  });

  test(`no items, too many items and no array, with ${kind} items`, async () => {
    const one = (limit: number): JsonObject =>
      kind === PURE
        ? transform('t', { v: '{{item}}' }, each({ max_items: limit }))
        : http('t', recorder.url('unused'), {}, each({ max_items: limit }));
    const [empty, many, wrong] = await Promise.all([
      engine.play(chain(one(2), transform('after', { got: '{{t}}' })), { rows: [] }),
      engine.play(chain(one(2)), { rows: [1, 2, 3] }),
      engine.play(chain(one(2)), { rows: 'text' }),
    ]);
    expect(empty.output).toEqual({ got: { results: [], errors: [], count: 0 } });
    expect(many.error).toMatchObject({ code: 'too_many_items', node_id: 't' });
    expect(wrong.error).toMatchObject({ code: 'invalid_items', node_id: 't' });
    expect(recorder.calls('unused')).toEqual([]);
  });
}

test.each(kinds)('the output of a list transformer means its items, with %s items', async (kind) => {
  const mapped = { for_each: { items: '{{list}}' } };
  const square =
    kind === PURE
      ? node('t', 'transformer', { mode: 'template', template: '{{item}}', parse_as: 'json' }, mapped)
      : node('t', 'function', { code: 'export default ({n}) => n', arguments: { n: '{{item}}' } }, mapped);
  const list = node('list', 'transformer', { mode: 'list', source: '{{input.rows}}', limit: 2 });
  const again = node(
    'again',
    'transformer',
    { mode: 'map', fields: { n: '{{item}}' } },
    {
      for_each: { items: '{{t}}' },
    },
  );
  const played = await engine.play(chain(list, square, again), { rows: [1, 2, 3] });
  expect(played.output).toMatchObject({ results: [{ n: 1 }, { n: 2 }], count: 2 });
});

test('state updates of a mapped node happen once, with all results', async () => {
  const definition = {
    ...chain(
      transform('t', { v: '{{item}}' }, { ...each(), state_updates: { log: '{{t.results}}' } }),
      transform('end', { log: '{{state.log}}' }),
    ),
    state_schema: { fields: { log: { type: 'array', reducer: 'add', default: [] } } },
  };
  const played = await engine.play(definition, { rows: [1, 2] });
  expect(played.output).toEqual({ log: [{ v: 1 }, { v: 2 }] });
});

test('an item is tried again by itself', async () => {
  const name = tag();
  const retry = { max_attempts: 3, initial_interval_ms: 1 };
  const played = await engine.play(
    chain(http('t', recorder.url(name, { fail: 1 }), { method: 'PUT' }, { ...each(), retry })),
    { rows: [1, 2] },
  );
  expect(played.end.type).toBe('run_completed');
  expect(played.of('node_retry', 't')).toHaveLength(1);
  const keys = recorder.calls(name).map((call) => call.headers['idempotency-key']);
  expect(new Set(keys)).toEqual(new Set([0, 1].map((item) => `${played.accepted.runPk}:t:1:${item}`)));
  expect(keys).toHaveLength(3);
});

test('an item that a paused worker begins when others have gone on without it is ended with the run that fails', async () => {
  const name = randomUUID();
  const accepted = await engine.accept(chain(http('h', recorder.url(name, { hold: 1, status: 400 }))));
  await recorder.waitFor(name, 1);
  await engine.db.query(
    `INSERT INTO run_steps SELECT (json_populate_record(s, json_build_object('step_id', gen_random_uuid(), 'item_index', 7))).*
     FROM run_steps s WHERE run_pk = $1`,
    [accepted.runPk],
  );
  recorder.release();
  expect((await engine.follow(accepted)).end.type).toBe('run_failed');
  const steps = await stepsOf(engine.db, accepted.runPk);
  expect(steps.map((step) => [step.item_index, step.status])).toEqual([
    [-1, 'failed'],
    [7, 'cancelled'],
  ]);
});
