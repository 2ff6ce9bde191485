/** A rerun would run on without the values that it reuses: somebody deletes them between its plan and its start. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../../../src/base/db/client.ts';
import { ApiError } from '../../../../src/base/errors.ts';
import type { RunRef } from '../../../../src/engine/runs/engine.ts';
import { RunAcceptor, acceptIn } from '../../../../src/engine/runs/accept/accept.ts';
import { advance } from '../../../../src/engine/runs/execute/advance/advance.ts';
import { deleteTree, eraseTrees } from '../../../../src/engine/runs/ledger/erase/delete-runs.ts';
import { deleteValues } from '../../../../src/engine/runs/ledger/erase/delete-values.ts';
import type { NewRun } from '../../../../src/engine/runs/ledger/write/insert-runs.ts';
import { firstAdvance, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import { chain, transform } from '../../../support/definitions.ts';
import { stepsOf } from '../../../support/records.ts';
import { newRun, untilOneWaits } from '../../../support/runs.ts';

let advancing: Advancing;
let db: Db;
beforeAll(async () => {
  advancing = await startAdvancing();
  ({ db } = advancing);
});
afterAll(() => advancing.close());

/** A run that has ended, and a rerun that was planned from its steps. */
async function planned(): Promise<{ readonly past: RunRef; readonly rerun: NewRun }> {
  const past = await advancing.run(chain(transform('t', { n: 1 })));
  expect(await advance(advancing.deps, firstAdvance(past))).toMatchObject({ status: 'completed' });
  const [row] = await db.query<{ run_id: string }>('SELECT run_id FROM runs WHERE id = $1', [past.rootRunPk]);
  const steps = (await stepsOf(db, past.rootRunPk)).map(({ step_id: stepId }) => ({ stepId }));
  expect(steps).toHaveLength(1);
  const rerun = await newRun(db, {
    organizationId: past.organizationId,
    rerunOf: row?.run_id ?? '',
    rerunStart: { progress: '', fields: { names: [], values: [] }, steps, items: [] },
  });
  return { past, rerun };
}

const codeOf = (error: unknown): unknown =>
  error instanceof ApiError && error.failure.shape === 'A' ? error.failure.code : error;
/** Accepts a rerun. @returns the code of its refusal; null without one */
const start = (rerun: NewRun): Promise<unknown> => new RunAcceptor(db).accept(rerun).then(() => null, codeOf);
const countReruns = async ({ rerunOf }: NewRun): Promise<number> =>
  (await db.query('SELECT 1 FROM runs WHERE rerun_of = $1', [rerunOf])).length;

test('of a run that was deleted since, none starts', async () => {
  const { past, rerun } = await planned();
  expect(await deleteTree(db, past.rootRunPk)).toBe('deleted');
  expect(await start(rerun)).toBe('run_not_found');
  expect(await countReruns(rerun)).toBe(0);
});

test('of a run that is being deleted, none starts', async () => {
  const { past, rerun } = await planned();
  const starting = await db.transaction(async (tx) => {
    await eraseTrees(tx, [past.rootRunPk]);
    const refused = start(rerun);
    await untilOneWaits(db);
    return { refused };
  });
  expect(await starting.refused).toBe('run_not_found');
  expect(await countReruns(rerun)).toBe(0);
});

test('of a run whose values were deleted since, or are being deleted, none starts', async () => {
  const before = await planned();
  await db.transaction((tx) => deleteValues(tx, [before.past.rootRunPk]));
  expect(await start(before.rerun)).toBe('values_deleted');
  const { past, rerun } = await planned();
  const starting = await db.transaction(async (tx) => {
    expect(await deleteValues(tx, [past.rootRunPk])).toBe(1);
    const refused = start(rerun);
    await untilOneWaits(db);
    return { refused };
  });
  expect(await starting.refused).toBe('values_deleted');
  expect(await countReruns(rerun)).toBe(0);
});

test('a deletion that comes while the rerun starts finds it, and deletes nothing', async () => {
  for (const remove of [
    (rootRunPk: string): Promise<unknown> => deleteTree(db, rootRunPk),
    (rootRunPk: string): Promise<unknown> => db.transaction((tx) => deleteValues(tx, [rootRunPk])),
  ]) {
    const { past, rerun } = await planned();
    const starting = await db.transaction(async (tx) => {
      await acceptIn(tx, rerun);
      const removal = remove(past.rootRunPk);
      await untilOneWaits(db);
      return { removal };
    });
    expect(['reused', 0]).toContain(await starting.removal);
    const [step] = await stepsOf(db, past.rootRunPk);
    expect(step?.output).toEqual({ n: 1 });
  }
});
