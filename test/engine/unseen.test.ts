/** An item of a poll would be acted on twice, or never: by two runs at once, after a failure, or by a rerun (SPEC REL-unseen). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/language/graph/values/value.ts';
import { cancelByRunId } from '../../src/engine/runs/accept/cancel.ts';
import { rerunBody } from '../../src/engine/runs/api/rerun-schema.ts';
import { rerun } from '../../src/engine/runs/rerun/rerun.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import { startEngine, type Played, type TestEngine } from '../support/engine.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { owner, runBy } from '../support/journeys.ts';
import { stepsOf } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  engine = await startEngine({ OUTBOUND_ALLOW: recorder.hostPort });
});
afterAll(async () => {
  await engine.close();
  await recorder.close();
});

async function makeTable(): Promise<string> {
  const id = randomUUID();
  await engine.db.query('INSERT INTO data_tables (id, organization_id, name) VALUES ($1, $2, $3)', [
    id,
    engine.organizationId,
    id,
  ]);
  return id;
}

const unseen = (tableId: string, items: Json, config: JsonObject = {}): JsonObject =>
  node('fresh', 'tool', {
    kind: 'table',
    operation: 'unseen',
    table_id: tableId,
    items,
    mark_after: 'act',
    ...config,
  });
/** Counts, in a second table, how often each item was acted on. A row that is no number fails its item. */
const act = (tableId: string, envelope: JsonObject = {}): JsonObject =>
  node(
    'act',
    'tool',
    { kind: 'table', operation: 'increment', table_id: tableId, key: '{{item}}' },
    { for_each: { items: '{{fresh.items}}' }, ...envelope },
  );

const readValues = async (tableId: string): Promise<Record<string, unknown>> => {
  const rows = await engine.db.query<{ key: string; value: unknown }>(
    'SELECT key, value FROM data_rows WHERE table_id = $1 ORDER BY key',
    [tableId],
  );
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
};
const readOffer = async ({ accepted }: Played): Promise<unknown> =>
  (await stepsOf(engine.db, accepted.runPk, 'fresh'))[0]?.output;
const countRows = async (tableId: string): Promise<unknown> => {
  const rows = await engine.db.query('SELECT row_count FROM data_tables WHERE id = $1', [tableId]);
  return rows[0];
};
const setText = (tableId: string, key: string): Promise<unknown> =>
  engine.db.query(
    `INSERT INTO data_rows (table_id, organization_id, key, value, version) VALUES ($1, $2, $3, '"text"', 1)`,
    [tableId, engine.organizationId, key],
  );

const SEEN = { seen: 'done' };

test('REL-unseen: items are given in their order, marked as each ends, and never given again', async () => {
  const [seen, done] = [await makeTable(), await makeTable()];
  const definition = (items: Json): JsonObject => chain(unseen(seen, items), act(done));
  expect(await readOffer(await engine.play(definition(['c', 'a', 'c', 7])))).toEqual({
    items: ['c', 'a', 7],
    count: 3,
    seen: 0,
    busy: 0,
    left: 0,
  });
  expect(await readOffer(await engine.play(definition(['b', 'a', '7'])))).toMatchObject({
    items: ['b'],
    seen: 2,
  });
  expect(await readValues(done)).toEqual({ 7: 1, a: 1, b: 1, c: 1 });
  expect(await readValues(seen)).toEqual({ 7: SEEN, a: SEEN, b: SEEN, c: SEEN });
  expect(await countRows(seen)).toEqual({ row_count: 4 });
});

test('REL-unseen: after a failure the next poll gives what did not happen, and nothing else', async () => {
  const [seen, done] = [await makeTable(), await makeTable()];
  await setText(done, 'b');
  const definition = chain(unseen(seen, ['a', 'b', 'c']), act(done));
  const failed = await engine.play(definition);
  expect(failed.error).toMatchObject({ code: 'not_a_number' });
  expect(await readValues(seen)).toMatchObject({ a: SEEN });
  await engine.db.query('DELETE FROM data_rows WHERE table_id = $1 AND key = $2', [done, 'b']);
  expect(await readOffer(await engine.play(definition))).toMatchObject({
    items: expect.not.arrayContaining(['a']),
  });
  expect(await readValues(done)).toEqual({ a: 1, b: 1, c: 1 });
  expect(await readOffer(await engine.play(definition))).toMatchObject({ items: [], seen: 3 });
});

test('a node without for_each marks all that it was given, when it succeeds', async () => {
  const [seen, done] = [await makeTable(), await makeTable()];
  await setText(done, 'digest');
  const digest = node('act', 'tool', {
    kind: 'table',
    operation: 'increment',
    table_id: done,
    key: 'digest',
    by: '{{fresh.count}}',
  });
  const items = [{ link: { id: 'x' } }, { link: { id: 'y' } }];
  const definition = chain(unseen(seen, items, { item_key: '{{item.link.id}}' }), digest);
  expect((await engine.play(definition)).error).toMatchObject({ code: 'not_a_number' });
  expect(await readValues(seen)).toEqual({});
  await engine.db.query('DELETE FROM data_rows WHERE table_id = $1', [done]);
  await engine.play(definition);
  expect(await readValues(seen)).toEqual({ x: SEEN, y: SEEN });
  expect(await readValues(done)).toEqual({ digest: 2 });
});

test('REL-unseen: what an open run was given is given to no other, until that run ends', async () => {
  const [seen, done] = [await makeTable(), await makeTable()];
  const ask = node('ask', 'interrupt', { kind: 'approval', actions: [{ id: 'approve' }] });
  const waiting = await engine.play(chain(unseen(seen, ['a', 'b'], { limit: 1 }), ask, act(done)));
  expect(await readOffer(waiting)).toMatchObject({ items: ['a'], left: 1 });
  const plain = chain(unseen(seen, ['a', 'b']), act(done));
  expect(await readOffer(await engine.play(plain))).toMatchObject({ items: ['b'], busy: 1 });
  await cancelByRunId(engine, owner(engine), { runId: waiting.accepted.runId, reason: null });
  expect(await readOffer(await engine.play(plain))).toMatchObject({ items: ['a'], busy: 0, seen: 1 });
  expect(await readValues(done)).toEqual({ a: 1, b: 1 });
});

test('two polls at the same time are given each item once', async () => {
  const [seen, done] = [await makeTable(), await makeTable()];
  const items = Array.from({ length: 40 }, (_, index) => index);
  const definition = chain(unseen(seen, items, { limit: 15 }), act(done));
  for (let round = 0; round < 2; round += 1)
    await Promise.all([engine.play(definition), engine.play(definition), engine.play(definition)]);
  expect(Object.values(await readValues(done))).toEqual(items.map(() => 1));
  expect(await countRows(seen)).toEqual({ row_count: 40 });
});

test.each([
  [null, ['a', 'b', 'c'], 0],
  [2, ['a', 'b'], 1],
  [0, [], 3],
])('the first poll of a table gives %s, and the others are marked', async (first, given, skipped) => {
  const [seen, done] = [await makeTable(), await makeTable()];
  const poll = (items: Json): Promise<Played> =>
    engine.play(chain(unseen(seen, items, { first }), act(done)));
  expect(await readOffer(await poll(['a', 'b', 'c']))).toMatchObject({ items: given, seen: skipped });
  expect(await countRows(seen)).toEqual({ row_count: 3 });
  expect(await readOffer(await poll(['d', 'a', 'b', 'c']))).toMatchObject({ items: ['d'], seen: 3 });
});

test('REL-unseen: a rerun of a failed poll takes over what that was given, and acts on what did not happen', async () => {
  const [seen, done] = [await makeTable(), await makeTable()];
  await setText(done, 'b');
  const again = async (runPk: string): Promise<Played> => {
    const request = { runPk, body: rerunBody.parse({ from: 'failed' }), idempotencyKey: null };
    const made = await rerun(engine, owner(engine), request);
    return engine.follow(await runBy(engine, 'run_id', String(made['run_id'])));
  };
  const failed = await engine.play(chain(unseen(seen, ['a', 'b']), act(done)));
  const second = await again(failed.accepted.runPk);
  expect([failed.end.type, second.end.type]).toEqual(['run_failed', 'run_failed']);
  expect(
    await engine.db.query('SELECT key, root_run_pk FROM data_claims WHERE table_id = $1', [seen]),
  ).toEqual([{ key: 'b', root_run_pk: second.accepted.runPk }]);
  await engine.db.query('DELETE FROM data_rows WHERE table_id = $1 AND key = $2', [done, 'b']);
  await again(second.accepted.runPk);
  expect(await readValues(done)).toEqual({ a: 1, b: 1 });
  expect(await readValues(seen)).toEqual({ a: SEEN, b: SEEN });
  expect(await engine.db.query('SELECT key FROM data_claims WHERE table_id = $1', [seen])).toEqual([]);
});

test('REL-unseen: an item whose outcome is unknown is not given again', async () => {
  const seen = await makeTable();
  const tag = randomUUID();
  const post = http(
    'act',
    recorder.url(tag, { drop: 1 }),
    {},
    { for_each: { items: '{{fresh.items}}', on_item_error: 'continue' } },
  );
  const definition = chain(unseen(seen, ['a']), post);
  await engine.play(definition);
  expect(await readValues(seen)).toEqual({ a: { seen: 'unknown' } });
  expect(await readOffer(await engine.play(definition))).toMatchObject({ items: [] });
  expect(recorder.calls(tag)).toHaveLength(1);
});

test('a poll that is tested alone, or whose acting node has a pinned output, marks nothing', async () => {
  const [seen, done] = [await makeTable(), await makeTable()];
  await engine.play(chain(unseen(seen, ['a'])));
  await engine.play(
    chain(unseen(seen, ['a']), { ...act(done), mock: { enabled: true, output: { results: [] } } }),
  );
  expect(await readValues(seen)).toEqual({});
});

const LONG = `https://feed.example/${'ü'.repeat(300)}`;

test('a key of 255 characters is a row, and a longer one ends in its hash', async () => {
  const [seen, done] = [await makeTable(), await makeTable()];
  const items = ['x'.repeat(255), 'x'.repeat(256), `${LONG}1`, `${LONG}2`].map((id) => ({ id }));
  const count = node(
    'act',
    'tool',
    { kind: 'table', operation: 'increment', table_id: done, key: 'all' },
    { for_each: { items: '{{fresh.items}}' } },
  );
  const definition = chain(unseen(seen, items, { item_key: '{{item.id}}' }), count);
  await engine.play(definition);
  const keys = Object.keys(await readValues(seen));
  expect(keys.map(({ length }) => length)).toEqual([255, 255, 255, 255]);
  expect(await readOffer(await engine.play(definition))).toMatchObject({ count: 0, seen: 4 });
});

test.each([
  ['invalid_items', 'no list', {}],
  ['invalid_key', [{ id: 1 }, { id: null }], { item_key: '{{item.id}}' }],
  ['invalid_key', ['..'], {}],
  ['too_many_items', '{{many.items}}', {}],
  ['table_not_found', ['a'], { table_id: randomUUID() }],
])('a poll fails with %s', async (code, items, config) => {
  const seen = await makeTable();
  const many = transform('many', { items: Array.from({ length: 10_001 }, (_, index) => index) });
  const { error } = await engine.play(chain(many, unseen(seen, items, config), act(seen)));
  expect(error).toMatchObject({ code });
  expect(await readValues(seen)).toEqual({});
});

test('a poll is given as many items as the plan has rows for, then it fails', async () => {
  const [seen, done] = [await makeTable(), await makeTable()];
  const setRows = (json: string): Promise<unknown> =>
    engine.db.query('UPDATE organizations SET entitlements = $2 WHERE id = $1', [
      engine.organizationId,
      json,
    ]);
  await setRows('{"table_rows":2}');
  const definition = chain(unseen(seen, ['a', 'b', 'c']), act(done));
  const first = await engine.play(definition);
  const second = await engine.play(definition);
  const third = await engine.play(chain(unseen(seen, ['a', 'b']), act(done)));
  await setRows('{}');
  expect(await readOffer(first)).toMatchObject({ items: ['a', 'b'], left: 1 });
  expect(second.error).toMatchObject({ code: 'table_full' });
  expect(await readOffer(third)).toMatchObject({ items: [], seen: 2 });
});
