/** A node would read a value of an earlier visit instead of the newest one. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../src/db/client.ts';
import { WHOLE_STATE } from '../../../src/graph/roots.ts';
import { RunValues } from '../../../src/runs/ledger/values.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';
import { accept } from '../../support/runs.ts';

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
  const values = new RunValues(counted, runPk);
  await values.load(names);
  const read = Object.fromEntries(Object.keys(READ).map((name) => [name, values.output(name)]));
  expect(read).toEqual(READ);
  expect(values.state()).toEqual({ ran: 2, back: 3, running: 1, asking: 1, failed: 2 });
  await values.load(names);
  expect(count).toBe(1);
});

test('DEF-2.15: a skip that is not written yet counts, whatever is read then', async () => {
  const runPk = await runWith(VISITS);
  const values = new RunValues(db, runPk);
  values.setOutput('ran', { visit: 3, value: undefined });
  await values.load(['ran', 'running']);
  expect([values.output('ran'), values.output('running')]).toEqual([undefined, 1]);
  await values.load([WHOLE_STATE]);
  expect(values.output('ran')).toBeUndefined();
  expect(values.state()).not.toHaveProperty('ran');
});

test('an output of a visit that is not the newest changes nothing', async () => {
  const runPk = await runWith(VISITS);
  const values = new RunValues(db, runPk);
  await values.load(['skipped']);
  values.setOutput('skipped', { visit: 1, value: 'late' });
  expect(values.output('skipped')).toBeUndefined();
  values.setOutput('back', { visit: 2, value: 'late' });
  await values.load([WHOLE_STATE]);
  expect([values.output('skipped'), values.output('back')]).toEqual([undefined, 3]);
  values.setOutput('skipped', { visit: 3, value: 'again' });
  expect(values.output('skipped')).toBe('again');
});
