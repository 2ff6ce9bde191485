/** Lists, records, streams and sweeps would get slower with every stored run. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { listRuns } from '../../../src/engine/runs/ledger/read/run-list.ts';
import { countUnderWay } from '../../../src/engine/runs/ledger/read/run-reads.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';
import { LARGE_ORGANIZATION, storeRuns } from '../../support/stored-runs.ts';

const RUNS = 12_000;
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
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
  readonly 'Plan Rows': number;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
/** The tables that are filled here; of an empty one every read is whole. */
const GROWING = new Set(['runs', 'run_steps', 'run_events']);

/** Plans statements instead of running them, as `planner`. @returns the nodes of their plans */
async function plan(work: (sql: Db) => Promise<unknown>, planner: Sql = db): Promise<PlanNode[]> {
  const nodes: PlanNode[] = [];
  const query: Sql['query'] = async (text, params) => {
    const [row] = await planner.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      params,
    );
    if (row !== undefined) nodes.push(...flatten(row['QUERY PLAN'][0].Plan));
    return [];
  };
  await work({
    ...db,
    query,
    transaction: (within) => within({ query, notifyAfterCommit: db.notifyAfterCommit }),
  });
  return nodes;
}

/** @returns the tables that the statements would read whole */
async function findWholeReads(work: (sql: Db) => Promise<unknown>, planner?: Sql): Promise<string[]> {
  const nodes = await plan(work, planner);
  const read = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
  return read.map((node) => node['Relation Name'] ?? '').filter((table) => GROWING.has(table));
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

describe('the history of what some of the runs have, also behind the wall', () => {
  const COMMON = 400;
  beforeAll(async () => {
    await db.transaction(async (tx) => {
      await tx.query('SET LOCAL session_replication_role = replica');
      await tx.query(
        `UPDATE runs SET metadata = jsonb_build_object('order', n::text, 'region', (n % ${COMMON})::text),
                         status = 'failed',
                         error = json_build_object('message', 'There is no order ' || md5(n::text))
         FROM (SELECT id, row_number() OVER (ORDER BY created_at) AS n FROM runs) numbered WHERE numbered.id = runs.id`,
      );
    });
    await db.query('ANALYZE runs');
  });
  const walled = () => db.within({ request: '', organizationId: LARGE_ORGANIZATION });
  const planPage = (given: Partial<Parameters<typeof listRuns>[2]>) =>
    plan((sql) => listRuns(sql, reader, { ...filter, ...given }), walled());

  test('a text that few messages have is found by its trigrams', async () => {
    const nodes = await planPage({ text: md5('8').slice(0, 8) });
    expect(nodes.map((node) => node['Index Name'])).toContain('runs_by_error_message_idx');
  });

  test('a pair that many have is estimated as such, or a page of it would be sorted out of all that have it', async () => {
    const [scan] = await plan((sql) => sql.query(`SELECT FROM runs WHERE metadata @> '{"region":"7"}'`));
    const few = RUNS / COMMON / 4;
    expect(scan?.['Plan Rows']).toBeGreaterThan(few);
    expect(scan?.['Plan Rows']).toBeLessThan(few * 16);
  });

  test('the rest of the list behind a cursor is estimated as it is, not as its square', async () => {
    const [middle] = await db.query<{ place: number }>(
      `SELECT extract(epoch FROM percentile_disc(0.3) WITHIN GROUP (ORDER BY created_at))::float8 * 1000 AS place
       FROM runs WHERE organization_id = $1`,
      [LARGE_ORGANIZATION],
    );
    const from = { place: middle?.place ?? NaN, rowId: LARGE_ORGANIZATION };
    const nodes = await planPage({ page: { ...filter.page, from }, newestSegmentsOnly: false });
    const scan = nodes.find((node) => node['Index Name'] === 'runs_organization_id_created_at_id_idx');
    // Of the 0.3 of the organization's third, the server takes half for the wall.
    const estimated = (0.3 * RUNS) / 3 / 2;
    expect(scan?.['Plan Rows']).toBeGreaterThan(0.7 * estimated);
    expect(scan?.['Plan Rows']).toBeLessThan(1.5 * estimated);
    // From a bound of its own the index would be read up to the cursor.
    const bounds = { from: new Date(0), to: new Date('2100-01-01') };
    for (const isBackward of [false, true]) {
      const given = { page: { ...filter.page, from, isBackward }, ...bounds, newestSegmentsOnly: false };
      const bounded = (await planPage(given)).find((node) => node['Index Name'] === scan?.['Index Name']);
      expect(bounded?.['Index Cond']).toContain(
        isBackward ? 'ROW(created_at, id) >' : 'ROW(created_at, id) <',
      );
      expect(bounded?.['Index Cond']).not.toContain(isBackward ? 'created_at >=' : '2100-01-01');
    }
  });
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
