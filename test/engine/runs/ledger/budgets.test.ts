/** Budgets would be exceeded by reservations at the same time, deadlock them, or be narrowed by what lost workers have left. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import fc from 'fast-check';
import type { Db } from '../../../../src/base/db/client.ts';
import { openDb } from '../../../../src/base/db/client.ts';
import { renewWorkerLease } from '../../../../src/engine/runs/ledger/write/worker-leases.ts';
import {
  releaseLostReservations,
  reserveBudget,
  settleBudget,
  type BudgetUser,
  type RunBudget,
} from '../../../../src/platform/billing/budgets.ts';
import { testDatabase } from '../../../support/database.ts';
import { accept } from '../../../support/runs.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  const database = await testDatabase();
  db = openDb(database.url, 20);
  close = async () => {
    await db.close();
    await database.drop();
  };
});
afterAll(() => close());

async function newOrganization(): Promise<string> {
  const [made] = await db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug, plan) VALUES ('Test', $1, 'enterprise') RETURNING id`,
    [randomUUID()],
  );
  return made?.id ?? '';
}
const limit = (organizationId: string, period: 'day' | 'month', mc: number) =>
  db.query(`INSERT INTO budgets (organization_id, period, max_credits_mc) VALUES ($1, $2, $3)`, [
    organizationId,
    period,
    mc,
  ]);
const user = (runPk: string, more: Partial<BudgetUser> = {}): BudgetUser => ({
  runPk,
  stepId: randomUUID(),
  attempt: 1,
  workerId: randomUUID(),
  budgets: [],
  ...more,
});
const call = (creditsMc: number) => ({ reservationId: randomUUID(), door: 'model', creditsMc });
const ofRun = (rootRunPk: string, mc: number): RunBudget => ({
  root_run_pk: rootRunPk,
  max_credits_mc: mc,
  max_model_calls: null,
  max_effects: {},
});
const sumOf = async (organizationId: string): Promise<{ period: string; used: number; reserved: number }[]> =>
  db.query(
    `SELECT period, sum(used_mc)::int AS used, sum(reserved_mc)::int AS reserved FROM budget_counters
     WHERE organization_id = $1 GROUP BY period ORDER BY period`,
    [organizationId],
  );

test('drawn reservations of many runs at once never exceed a budget, never deadlock, and leave nothing behind', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ run: fc.nat(4), most: fc.integer({ min: 1, max: 60 }), share: fc.nat(100) }), {
        minLength: 30,
        maxLength: 80,
      }),
      fc.integer({ min: 50, max: 900 }),
      async (calls, most) => {
        const organizationId = await newOrganization();
        await limit(organizationId, 'day', most);
        await limit(organizationId, 'month', most + 40);
        const runs = await Promise.all(Array.from({ length: 5 }, () => accept(db, { organizationId })));
        const [top] = runs;
        let used = 0;
        await Promise.all(
          calls.map(async ({ run, most: mc, share }) => {
            const { runPk = '' } = runs[run] ?? {};
            const budgets = [ofRun(top?.runPk ?? '', most), ...(run === 0 ? [] : [ofRun(runPk, 200)])];
            const use = call(mc);
            if ((await reserveBudget(db, user(runPk, { budgets }), use)) !== null) return;
            const [now] = await sumOf(organizationId);
            expect((now?.used ?? 0) + (now?.reserved ?? 0)).toBeLessThanOrEqual(most);
            const usedMc = Math.floor((mc * share) / 100);
            used += usedMc;
            await settleBudget(db, use.reservationId, usedMc);
          }),
        );
        expect(used).toBeLessThanOrEqual(most);
        const [day, month] = await sumOf(organizationId);
        expect([day, month]).toMatchObject([
          { used, reserved: 0 },
          { used, reserved: 0 },
        ]);
      },
    ),
    { numRuns: 10 },
  );
});

test('a reservation that is asked for again is made once, and settled once', async () => {
  const organizationId = await newOrganization();
  await limit(organizationId, 'day', 100);
  const { runPk } = await accept(db, { organizationId });
  const who = user(runPk);
  const use = call(60);
  expect(await reserveBudget(db, who, use)).toBeNull();
  expect(await reserveBudget(db, who, use)).toBeNull();
  expect(await reserveBudget(db, who, call(41))).toMatchObject({
    kind: 'credits',
    used: 0,
    reserved: 60,
    most: 100,
  });
  await settleBudget(db, use.reservationId, 50);
  await settleBudget(db, use.reservationId, 50);
  expect(await reserveBudget(db, who, call(51))).toMatchObject({ used: 50, reserved: 0 });
  const last = call(50);
  expect(await reserveBudget(db, who, last)).toBeNull();
  await settleBudget(db, last.reservationId, 0);
});

test('reservations of lost workers and of ended runs are given back, those of living workers are not', async () => {
  const organizationId = await newOrganization();
  await limit(organizationId, 'day', 100);
  const [run, ended] = await Promise.all([accept(db, { organizationId }), accept(db, { organizationId })]);
  const workerId = randomUUID();
  await renewWorkerLease(db, workerId);
  const step = async (): Promise<string> => {
    const stepId = randomUUID();
    await db.query(
      `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, item_index, status, attempt, effect, position, depth)
       VALUES ($1, $2, $2, $3, 'llm', 'a', 1, -1, 'running', 1, 'at_least_once', 1, 1)`,
      [stepId, run.runPk, stepId],
    );
    return stepId;
  };
  const reserve = async (runPk: string, more: Partial<BudgetUser>): Promise<void> => {
    expect(await reserveBudget(db, user(runPk, more), call(10))).toBeNull();
  };
  await reserve(run.runPk, { workerId, stepId: await step() });
  await reserve(run.runPk, { stepId: await step() });
  await reserve(ended.runPk, { workerId, stepId: await step() });
  await db.query(`UPDATE runs SET status = 'cancelled', completed_at = now() WHERE id = $1`, [ended.runPk]);
  expect(await releaseLostReservations(db)).toBe(0);
  await db.query(`UPDATE budget_reservations SET created_at = now() - interval '2 minutes'`);
  expect(await releaseLostReservations(db)).toBe(2);
  expect(await sumOf(organizationId)).toMatchObject([{ reserved: 10 }]);
});
