/** A node would read a value of an earlier visit instead of the newest one. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../../src/base/db/client.ts';
import { WHOLE_STATE } from '../../../../src/language/graph/template/roots.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { FREE_STATE_BYTES } from '../../../../src/engine/runs/ledger/read/value-share.ts';
import { StateTooLarge } from '../../../../src/engine/runs/walk/values.ts';
import { ByteBudget } from '../../../../src/base/shares/byte-budget.ts';
import { createValues } from '../../../support/run-values.ts';
import { accept } from '../../../support/runs.ts';

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

/** The statuses of a node's visits, from the first. The output of a visit is its number. */
async function runWith(visits: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const { runPk } = await accept(db);
  for (const [nodeId, statuses] of Object.entries(visits))
    for (const [at, status] of statuses.entries())
      await db.query(
        `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position,
                                status, effect, output)
         VALUES ($1, $2, $2, $3, 'transformer', $3, $4, 1, $4, $5, 'pure', $6::json)`,
        [randomUUID(), runPk, nodeId, at + 1, status, status === 'skipped' ? null : JSON.stringify(at + 1)],
      );
  return runPk;
}

const VISITS = {
  ran: ['succeeded', 'failed'],
  skipped: ['succeeded', 'skipped'],
  back: ['skipped', 'skipped', 'succeeded'],
  running: ['succeeded', 'running'],
  asking: ['succeeded', 'interrupted'],
  failed: ['skipped', 'failed'],
  reused: ['reused', 'skipped', 'running'],
};
const READ = {
  ran: 2,
  skipped: undefined,
  back: 3,
  running: 1,
  asking: 1,
  failed: 2,
  reused: undefined,
  never: undefined,
};

test.each([
  ['some of them', Object.keys(READ)],
  ['all of them', [WHOLE_STATE]],
])('DEF-2.15: of %s, the newest visit that has ended counts, in one statement', async (_, names) => {
  const runPk = await runWith(VISITS);
  let count = 0;
  const counted = {
    ...db,
    query: (text: string, params?: unknown[]) => {
      count += 1;
      return db.query(text, params);
    },
  } as Sql;
  const values = createValues(counted, runPk);
  await values.load(names);
  const read = Object.fromEntries(Object.keys(READ).map((name) => [name, values.output(name)]));
  expect(read).toEqual(READ);
  expect(values.state()).toEqual({ ran: 2, back: 3, running: 1, asking: 1, failed: 2 });
  await values.load(names);
  expect(count).toBe(1);
});

test('DEF-2.15: a skip that is not written yet counts, whatever is read then', async () => {
  const runPk = await runWith(VISITS);
  const values = createValues(db, runPk);
  values.setOutput('ran', { visit: 3, value: undefined });
  await values.load(['ran', 'running']);
  expect([values.output('ran'), values.output('running')]).toEqual([undefined, 1]);
  await values.load([WHOLE_STATE]);
  expect(values.output('ran')).toBeUndefined();
  expect(values.state()).not.toHaveProperty('ran');
});

test('an output of a visit that is not the newest changes nothing', async () => {
  const runPk = await runWith(VISITS);
  const values = createValues(db, runPk);
  await values.load(['skipped']);
  values.setOutput('skipped', { visit: 1, value: 'late' });
  expect(values.output('skipped')).toBeUndefined();
  values.setOutput('back', { visit: 2, value: 'late' });
  await values.load([WHOLE_STATE]);
  expect([values.output('skipped'), values.output('back')]).toEqual([undefined, 3]);
  values.setOutput('skipped', { visit: 3, value: 'again' });
  expect(values.output('skipped')).toBe('again');
});

/** A run whose nodes have texts as outputs, by their bytes as JSON; and the statements that read them. */
async function runOfSizes(
  sizes: Readonly<Record<string, number>>,
): Promise<{ runPk: string; sql: Sql; count: () => number }> {
  const { runPk } = await accept(db);
  let statements = 0;
  for (const [nodeId, bytes] of Object.entries(sizes))
    await db.query(
      `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status, effect,
                              output)
       VALUES ($1, $2, $2, $3, 'transformer', $3, 1, 1, 1, 'succeeded', 'pure', to_json(repeat('x', $4 - 2)))`,
      [randomUUID(), runPk, nodeId, bytes],
    );
  const query: Sql['query'] = (text, params) => {
    statements += 1;
    return db.query(text, params);
  };
  return { runPk, sql: { query }, count: () => statements };
}

const lengthOf = (value: unknown): number => JSON.stringify(value).length;

test('SEC-F23: what one node loads has a limit: beyond it every value is left out, and it is the reading that fails', async () => {
  const { runPk, sql } = await runOfSizes({ a: 500, b: 500, c: 501, small: 10 });
  const values = createValues(sql, runPk, 1_000);
  await values.load(['a', 'b']);
  expect([values.output('a'), values.output('b')].map(lengthOf)).toEqual([500, 500]);
  await values.load(['a', 'c']);
  expect(lengthOf(values.output('a'))).toBe(500);
  expect(() => values.output('c')).toThrow('More than 1000 bytes of the state would be read');
  await values.load(['small', 'b']);
  expect([values.output('small'), values.output('b')].map(lengthOf)).toEqual([10, 500]);
  await values.load([WHOLE_STATE]);
  expect(() => values.state()).toThrow(StateTooLarge);
  expect(values.lastVisit('c')).toBe(1);
  const all = createValues(sql, runPk, 1_511);
  await all.load([WHOLE_STATE]);
  expect(lengthOf(all.state()['c'])).toBe(501);
  const less = createValues(sql, runPk, 1_510);
  await less.load([WHOLE_STATE]);
  expect(() => less.state()).toThrow(StateTooLarge);
});

test('SEC-F23: of compressed values the bytes count that they have in memory', async () => {
  const { runPk, sql } = await runOfSizes({ a: 600_000 });
  const values = createValues(sql, runPk, 599_999);
  await values.load(['a']);
  expect(() => values.output('a')).toThrow(StateTooLarge);
});

test('SEC-F23: small values are one statement and do not count; larger ones count before they are read', async () => {
  const { runPk, sql, count } = await runOfSizes({ free: FREE_STATE_BYTES, more: FREE_STATE_BYTES + 1 });
  const budget = new ByteBudget({ capacity: 10, perOrganization: 10 });
  await createValues(sql, runPk, undefined, budget).load(['free']);
  expect([count(), budget.held]).toEqual([1, 0]);
  await createValues(sql, runPk, undefined, budget).load(['more']);
  expect([count(), budget.held]).toEqual([3, 1]);
});

test('SEC-F23: an advance of many nodes holds no more than one of them may load', async () => {
  const { runPk, sql, count } = await runOfSizes({ a: 600, b: 600 });
  const values = createValues(sql, runPk, 1_000);
  values.setOutput('own', { visit: 1, value: 'x'.repeat(600) });
  await values.load(['a', 'own']);
  await values.load(['b']);
  expect(lengthOf(values.output('b'))).toBe(600);
  expect(lengthOf(values.output('own'))).toBe(602);
  values.setOutput('a', { visit: 0, value: 'older' });
  const before = count();
  await values.load(['a']);
  expect(lengthOf(values.output('a'))).toBe(600);
  expect(count()).toBeGreaterThan(before);
});
