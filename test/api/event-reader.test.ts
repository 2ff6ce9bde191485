/** A stream would show events of another run, or miss some when many streams read at the same moment. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../src/base/db/client.ts';
import { appendEvents } from '../../src/engine/runs/ledger/write/events.ts';
import { EventReader, PAGE_SIZE } from '../../src/engine/runs/ledger/read/event-reader.ts';
import { openTestDatabase, type TestDb } from '../support/database.ts';
import { accept } from '../support/runs.ts';

let db: TestDb;
let statements = 0;
/** The database, counting. */
const counted: Sql = {
  query: (text, params) => {
    statements += 1;
    return db.query(text, params);
  },
};
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

async function runWith(events: number): Promise<string> {
  const { runPk } = await accept(db);
  const said = Array.from({ length: events }, (_, at) => ({ type: 'progress' as const, payload: { at } }));
  await appendEvents(db, runPk, said);
  return runPk;
}

test('those who ask together are answered by one statement, each with its own events', async () => {
  const [short, long, empty] = [await runWith(2), await runWith(PAGE_SIZE + 10), await runWith(0)];
  const reader = new EventReader(counted);
  statements = 0;
  const [first, again, page, none] = await Promise.all([
    reader.read(short, 0),
    reader.read(short, 2),
    reader.read(long, 5),
    reader.read(empty, 1),
  ]);
  expect(statements).toBe(1);
  expect(first?.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'run_started'],
    [2, 'progress'],
    [3, 'progress'],
  ]);
  expect(again?.map((row) => [row.seq, JSON.parse(row.payload)])).toEqual([[3, { at: 1 }]]);
  expect(page).toHaveLength(PAGE_SIZE);
  expect([page?.[0]?.seq, page?.at(-1)?.seq]).toEqual([6, PAGE_SIZE + 5]);
  expect(none).toEqual([]);
});

test('however many ask, everybody is answered', async () => {
  const runPk = await runWith(1);
  const reader = new EventReader(counted);
  statements = 0;
  const asked = Array.from({ length: 1_001 }, (_, at) => reader.read(runPk, at % 3));
  const lengths = (await Promise.all(asked)).map((rows) => rows.length);
  expect(lengths).toEqual(asked.map((_, at) => 2 - (at % 3)));
  expect(statements).toBe(6);
});

test('a failing statement rejects all reads that share it, and the next ones are answered', async () => {
  const runPk = await runWith(1);
  let fails = true;
  const reader = new EventReader({
    query: (text, params) => (fails ? Promise.reject(new Error('away')) : db.query(text, params)),
  });
  const failed = await Promise.allSettled([reader.read(runPk, 0), reader.read(runPk, 1)]);
  expect(failed.map((one) => one.status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await reader.read(runPk, 0)).toHaveLength(2);
});

test('those who catch up share statements of four: a page of each is in memory together', async () => {
  const runs = await Promise.all(Array.from({ length: 9 }, () => runWith(20)));
  const reader = new EventReader(counted);
  statements = 0;
  const pages = await Promise.all(runs.map((runPk) => reader.read(runPk, 0, true)));
  expect(pages.map((page) => page.length)).toEqual(runs.map(() => 21));
  expect(statements).toBe(3);
});
