/** Lists, records, streams and sweeps would get slower with every stored run. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db, Sql } from '../../../src/base/db/client.ts';
import { EventReader } from '../../../src/engine/runs/ledger/read/event-reader.ts';
import {
  deleteEphemeralRuns,
  deleteExpiredRuns,
  deleteExpiredValues,
} from '../../../src/engine/runs/ledger/erase/expired-runs.ts';
import {
  deleteExpiredEvents,
  deleteExpiredIdempotencyKeys,
  deleteExpiredTokens,
} from '../../../src/engine/runs/ledger/erase/retention.ts';
import {
  readRecord,
  readStateSizes,
  readStepSizes,
  readSteps,
} from '../../../src/engine/runs/ledger/read/run-record.ts';
import { countUnderWay, listRuns } from '../../../src/engine/runs/ledger/read/run-reads.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';
import { LARGE_ORGANIZATION, storeRuns } from '../../support/stored-runs.ts';

const RUNS = 12_000;
let db: TestDb;
let runPk = '';
beforeAll(async () => {
  db = await openTestDatabase();
  // With three steps and six events of each: 120,000 rows.
  await storeRuns(db, { from: 0, to: RUNS, total: RUNS });
  await db.query('UPDATE organizations SET run_retention_days = 30, value_retention_days = 7 WHERE id = $1', [
    LARGE_ORGANIZATION,
  ]);
  await db.query('ANALYZE');
  const [run] = await db.query<{ id: string }>('SELECT id FROM runs LIMIT 1');
  runPk = run?.id ?? '';
});
afterAll(() => db.close());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
/** The tables that are filled here; of an empty one every read is whole. */
const GROWING = new Set(['runs', 'run_steps', 'run_events']);

/** Plans statements instead of running them, as `planner`. @returns the tables that they would read whole */
async function findWholeReads(work: (sql: Db) => Promise<unknown>, planner: Sql = db): Promise<string[]> {
  const whole: string[] = [];
  const query: Sql['query'] = async (text, params) => {
    const [row] = await planner.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      params,
    );
    for (const node of row === undefined ? [] : flatten(row['QUERY PLAN'][0].Plan)) {
      const table = node['Relation Name'] ?? '';
      if (node['Node Type'] === 'Seq Scan' && GROWING.has(table)) whole.push(table);
    }
    return [];
  };
  await work({ ...db, query });
  return whole;
}

const reader = { organizationId: LARGE_ORGANIZATION, userId: LARGE_ORGANIZATION, seesPrivate: true };
const filter = {
  runId: null,
  workflowId: null,
  status: null,
  triggerType: null,
  createdBy: null,
  metadata: null,
  from: null,
  to: null,
  text: null,
  newestSegmentsOnly: true,
  page: { from: null, isBackward: false, limit: 21, offset: 0 },
};

test.each<[string, (sql: Db) => Promise<unknown>]>([
  ['the history', (sql) => listRuns(sql, reader, filter)],
  ['the history of a rare status', (sql) => listRuns(sql, reader, { ...filter, status: 'failed' })],
  ['the history of a text', (sql) => listRuns(sql, reader, { ...filter, text: 'nowhere' })],
  [
    'the failed runs of a workflow',
    (sql) => listRuns(sql, reader, { ...filter, status: 'failed', workflowId: LARGE_ORGANIZATION }),
  ],
  [
    'the history of a workflow',
    (sql) => listRuns(sql, reader, { ...filter, workflowId: LARGE_ORGANIZATION }),
  ],
  ['the runs of a customer', (sql) => listRuns(sql, reader, { ...filter, metadata: { customer: '42' } })],
  ['the limit of running runs', (sql) => countUnderWay(sql, LARGE_ORGANIZATION, 100)],
  ['a record', (sql) => readRecord(sql, reader, runPk)],
  ['the sizes of steps', (sql) => readStepSizes(sql, runPk)],
  [
    'steps',
    (sql) =>
      readSteps(sql, runPk, { page: [{ stepId: runPk, withInput: true, withOutput: true, bytes: 1 }] }),
  ],
  ['a state', (sql) => readStateSizes(sql, runPk)],
  ['a stream', (sql) => new EventReader(sql).read(runPk, 0)],
])('%s: no table that grows with runs is read whole, also behind the wall', async (_, work) => {
  expect(await findWholeReads(work)).toEqual([]);
  const walled = db.within({ request: '', organizationId: LARGE_ORGANIZATION });
  expect(await findWholeReads(work, walled)).toEqual([]);
});

test.each<[string, (sql: Db) => Promise<unknown>]>([
  ['the sweep of events', deleteExpiredEvents],
  ['the sweep of tokens', deleteExpiredTokens],
  ['the sweep of ephemeral runs', deleteEphemeralRuns],
  ['the sweep of idempotency keys', deleteExpiredIdempotencyKeys],
  ['the retention of runs', deleteExpiredRuns],
  ['the retention of values', deleteExpiredValues],
])('%s: no table that grows with runs is read whole', async (_, work) => {
  expect(await findWholeReads(work)).toEqual([]);
});

test('days on which runs are stored and as many are deleted leave tables that do not grow', async () => {
  const other = await openTestDatabase();
  try {
    const perDay = 3_000;
    const sizes: number[] = [];
    for (let day = 0; day < 5; day += 1) {
      const total = (day + 1) * perDay;
      await storeRuns(other, { from: day * perDay, to: total, total, ageDays: 2 });
      await other.query('UPDATE organizations SET run_retention_days = 1');
      expect(await deleteExpiredRuns(other)).toBe(perDay);
      // In place of autovacuum, which comes when it wants to.
      await other.query('VACUUM (ANALYZE)');
      const [size] = await other.query<{ bytes: number }>(
        `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
         WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
      );
      sizes.push(size?.bytes ?? NaN);
    }
    expect(Math.max(...sizes.slice(2))).toBeLessThanOrEqual((sizes[1] ?? NaN) * 1.1);
  } finally {
    await other.close();
  }
});
