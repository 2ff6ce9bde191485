/** A rerun or a comparison of a long run would take seconds of the database's time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../../src/base/db/client.ts';
import { readComparable } from '../../../../src/engine/runs/ledger/read/compared-steps.ts';
import { readInnerEffects } from '../../../../src/engine/runs/ledger/read/inner-effects.ts';
import { readPastSteps } from '../../../../src/engine/runs/ledger/read/past-run.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { accept } from '../../../support/runs.ts';

const NODES = 300;

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase();
  for (const table of ['run_steps', 'credit_usage'])
    await db.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
});
afterAll(() => db.close());

/** A run of mapped nodes, each with an item that has failed after its effect and one that has succeeded; all of them cost. */
async function mappedRun(): Promise<string> {
  const { runPk, organizationId } = await accept(db);
  await db.query(
    `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, item_index,
                            status, effect, output, error, outcome, started_at, completed_at)
     SELECT gen_random_uuid(), $1, $1, 'n' || node, 'tool', 'Node ' || node, 1, 1, node, item, status, effect,
            to_json(node), json_build_object('code', code), '{"taken": [], "failed": false}', now(), now()
     FROM generate_series(1, $2::int) AS node,
          (VALUES (-1, 'succeeded', 'pure', NULL), (0, 'failed', 'at_most_once', 'outcome_unknown'),
                  (1, 'succeeded', 'idempotent', NULL)) AS made(item, status, effect, code)`,
    [runPk, NODES],
  );
  await db.query(
    `INSERT INTO credit_usage (organization_id, subject_id, step_id, kind, model, is_byok, credits_mc)
     SELECT $2, run_pk, step_id, 'llm', model, false, 5 FROM run_steps, unnest(ARRAY['a', 'b']) AS model WHERE run_pk = $1`,
    [runPk, organizationId],
  );
  return runPk;
}

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
  readonly [key: string]: unknown;
}

/** Rows that a plan has looked at, those among them that it has dropped. */
function rowsIn(plan: PlanNode): number {
  const dropped = Object.entries(plan).flatMap(([key, value]) =>
    key.startsWith('Rows Removed by') && typeof value === 'number' ? [value] : [],
  );
  const own = dropped.reduce((sum, rows) => sum + rows, plan['Actual Rows']) * plan['Actual Loops'];
  return (plan.Plans ?? []).reduce((sum, inner) => sum + rowsIn(inner), own);
}

const READS: Readonly<Record<string, (sql: Sql, runPk: string) => Promise<readonly object[]>>> = {
  readComparable,
  readPastSteps,
  readInnerEffects,
};
const FIRST: Readonly<Record<string, object>> = {
  readComparable: { nodeId: 'n1', creditsMc: 30, status: 'succeeded' },
  readPastSteps: { nodeId: 'n1', hasFailedItems: true },
  readInnerEffects: { nodeId: 'n1', name: 'Node 1', isUnknown: true, isOver: false },
};

/** What a read answers, and how many rows its statement looks at. */
async function read(name: string, runPk: string) {
  let statement = '';
  const sql = {
    query: (text: string, parameters: unknown[]) => ((statement = text), db.query(text, parameters)),
  } as unknown as Sql;
  const answer = (await READS[name]?.(sql, runPk)) ?? [];
  const [explained] = await db.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement}`,
    [runPk],
  );
  if (explained === undefined) throw new Error('There is no plan');
  return { answer, rows: rowsIn(explained['QUERY PLAN'][0].Plan) };
}

test('SEC-H05, SEC-H06: each read looks at the steps a few times, with no, old and new statistics', async () => {
  const looks: Record<string, number> = {};
  const readAll = async (when: string, runPk: string): Promise<void> => {
    for (const name of Object.keys(READS)) {
      const { answer, rows } = await read(name, runPk);
      expect(answer).toHaveLength(NODES);
      expect(answer[0]).toMatchObject(FIRST[name] ?? {});
      looks[`${name}, ${when}`] = rows / NODES;
    }
  };
  await readAll('never analyzed', await mappedRun());
  await db.query('ANALYZE');
  // The statistics are older than this run.
  const runPk = await mappedRun();
  await readAll('analyzed before', runPk);
  await db.query('ANALYZE');
  await readAll('analyzed', runPk);
  expect(Object.entries(looks).filter(([, each]) => each > 100)).toEqual([]);
});
