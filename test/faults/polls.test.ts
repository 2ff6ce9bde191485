/**
 * A poll whose worker is killed would act on an item twice, or never (SPEC REL-unseen). `POLLED_ITEMS=10000` polls more.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/language/graph/values/value.ts';
import { chain, http, node } from '../support/definitions.ts';
import { PatientClient } from './support/client.ts';
import { settled } from './support/promises.ts';
import { startSituation, type Situation } from './support/situation.ts';

const ITEMS = Number(process.env['POLLED_ITEMS'] ?? 60);
/** Items of one poll. */
const LIMIT = Math.min(1_000, ITEMS / 3);

let situation: Situation;
let client: PatientClient;
beforeAll(async () => {
  situation = await startSituation();
  client = new PatientClient(situation.service);
});
afterAll(() => situation.close());

async function makeTable(): Promise<string> {
  const id = randomUUID();
  await situation.db.query(
    'INSERT INTO data_tables (id, organization_id, name) SELECT $1::uuid, o.id, $1::uuid::text FROM organizations o LIMIT 1',
    [id],
  );
  return id;
}

const poll = (tableId: string, act: JsonObject): JsonObject =>
  chain(
    node('fresh', 'tool', {
      kind: 'table',
      operation: 'unseen',
      table_id: tableId,
      items: '{{input.items}}',
      mark_after: 'act',
      limit: LIMIT,
    }),
    act,
  );

interface Mark {
  readonly key: string;
  readonly seen: string;
}
const readMarks = (tableId: string): Promise<Mark[]> =>
  situation.db.query<Mark>(`SELECT key, value->>'seen' AS seen FROM data_rows WHERE table_id = $1`, [
    tableId,
  ]);

async function countMarks(tableId: string): Promise<number> {
  return (await readMarks(tableId)).length;
}

/** Polls until nothing is new. The worker is killed in the middle of each poll; a second poll runs beside it. @returns the polls */
async function pollAll(tableId: string, act: JsonObject): Promise<number> {
  const items: Json = Array.from({ length: ITEMS }, (_, index) => index);
  const { workers } = situation.service;
  for (let polls = 0; ; polls += 2) {
    const before = await countMarks(tableId);
    if (before === ITEMS) return polls;
    const runs = await Promise.all([1, 2].map(() => client.run(poll(tableId, act), { items })));
    const aim = Math.min(before + LIMIT / 2, ITEMS);
    await expect.poll(() => countMarks(tableId), { timeout: 60_000 }).toBeGreaterThanOrEqual(aim);
    await Promise.all(workers.map((worker) => worker.kill()));
    await Promise.all(workers.map((worker) => worker.start()));
    for (const runId of runs) await client.read(runId);
  }
}

test('REL-unseen: workers are killed in the middle of polls, and each item is acted on once', async () => {
  const [seen, done] = [await makeTable(), await makeTable()];
  const count = { kind: 'table', operation: 'increment', table_id: done, key: '{{item}}' };
  await pollAll(seen, node('act', 'tool', count, { for_each: { items: '{{fresh.items}}' } }));
  expect(
    await situation.db.query(
      `SELECT count(*)::int AS items, max(value::text) AS most FROM data_rows WHERE table_id = $1`,
      [done],
    ),
  ).toEqual([{ items: ITEMS, most: '1' }]);
  expect(new Set((await readMarks(seen)).map((mark) => mark.seen))).toEqual(new Set(['done']));
});

test('REL-unseen: of requests that must not be repeated each item is sent once, and what nobody knows is marked so', async () => {
  const seen = await makeTable();
  const tag = randomUUID();
  const each = { items: '{{fresh.items}}', on_item_error: 'continue' };
  const post = http('act', situation.recorder.url(tag), { body: { item: '{{item}}' } }, { for_each: each });
  await pollAll(seen, post);
  const sent = situation.recorder.calls(tag).map(({ body }) => String((body as { item: number }).item));
  expect(new Set(sent).size).toBe(sent.length);
  const marks = await readMarks(seen);
  const known = marks.filter((mark) => mark.seen === 'done').map(({ key }) => key);
  expect(sent).toEqual(expect.arrayContaining(known));
  const unsent = marks.filter(({ key }) => !sent.includes(key));
  expect(unsent.filter((mark) => mark.seen !== 'unknown')).toEqual([]);
  await settled(situation);
});
