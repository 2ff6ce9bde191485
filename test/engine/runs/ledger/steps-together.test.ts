/** Steps of one run that end at the same moment would be lost, or counted for each other. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeRun, type NewEvent } from '../../../../src/engine/runs/ledger/write/events.ts';
import type { StepRow } from '../../../../src/engine/runs/ledger/write/steps.ts';
import { newStep } from '../../../../src/engine/runs/walk/step.ts';
import { writeStep } from '../../../../src/engine/runs/ledger/write/write-steps.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { accept } from '../../../support/runs.ts';

let db: TestDb;
let organizationId: string;
let runPk: string;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  ({ organizationId, runPk } = await accept(db));
});

function stepOf(nodeId: string, more: Partial<StepRow> = {}): StepRow {
  const given = { step_id: randomUUID(), run_pk: runPk, root_run_pk: runPk, node_id: nodeId, visit: 1 };
  const kind = {
    node_type: 'tool',
    node_name: nodeId,
    effect: 'pure',
    parent_step_id: null,
    held_by: null,
    iteration: null,
  };
  const place = { item_index: -1, turn: 0, call: 0, depth: 1, position: 1 };
  return { ...newStep({ ...given, ...kind, ...place }, new Date().toISOString()), ...more };
}
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${at}`);
const key = () => ({ organizationId, rootRunPk: runPk, runPk });
const begin = (step: StepRow) =>
  writeStep(db, key(), { step, events: [{ type: 'node_started', payload: { node_id: step.node_id } }] });
const end = async (step: StepRow, more: object = {}) => {
  const events: readonly NewEvent[] = [
    { type: 'progress', payload: { node_id: step.node_id } },
    { type: 'node_completed', payload: { node_id: step.node_id, ...more } },
  ];
  const ended: StepRow = { ...step, status: 'succeeded', outcome: { taken: [], failed: false } };
  return writeStep(db, key(), { step: ended, events });
};

/** `type node_id` of the run's events after the first, whose numbers have no gap. */
async function told(): Promise<string[]> {
  const rows = await db.query<{ seq: number; said: string }>(
    `SELECT seq, type || ' ' || (payload->>'node_id') AS said FROM run_events WHERE run_pk = $1 AND seq > 1 ORDER BY seq`,
    [runPk],
  );
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, at) => at + 2));
  const [run] = await db.query<{ last_seq: number }>('SELECT last_seq FROM runs WHERE id = $1', [runPk]);
  expect(run?.last_seq).toBe(rows.length + 1);
  return rows.map(({ said }) => said);
}

async function transactions(): Promise<number> {
  const rows = await db.query('SELECT DISTINCT xmin::text FROM run_steps WHERE run_pk = $1', [runPk]);
  return rows.length;
}

test('each begins and ends once, in few transactions, and its events stay together', async () => {
  const steps = names(30).map((name) => stepOf(name));
  expect(await Promise.all(steps.map(begin))).toEqual(steps.map(() => true));
  expect(await transactions()).toBeLessThan(5);
  expect(await told()).toEqual(names(30).map((name) => `node_started ${name}`));

  expect(await Promise.all(steps.map((step) => end(step)))).toEqual(steps.map(() => true));
  expect(await transactions()).toBeLessThan(5);
  const ends = names(30).flatMap((name) => [`progress ${name}`, `node_completed ${name}`]);
  expect((await told()).slice(30)).toEqual(ends);
});

test('a step that is there already, or in another attempt, uses up no number and holds nobody up', async () => {
  const first = stepOf('n1');
  await begin(first);
  const [again, other] = await Promise.all([begin(stepOf('n1')), begin(stepOf('n2'))]);
  expect([again, other]).toEqual([false, true]);
  const late = stepOf('n3');
  await begin(late);
  await db.query('UPDATE run_steps SET attempt = 2 WHERE step_id = $1', [late.step_id]);
  expect(await Promise.all([end(late), end(first)])).toEqual([false, true]);
  expect(await end(first)).toBe(false);
  expect(await told()).toEqual([
    'node_started n1',
    'node_started n2',
    'node_started n3',
    'progress n1',
    'node_completed n1',
  ]);
});

test('what the database cannot store fails for its own step alone', async () => {
  const found = await Promise.allSettled([
    begin(stepOf('n1')),
    begin(stepOf('n2', { node_name: 'half\u0000' })),
    begin(stepOf('n3')),
  ]);
  expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await told()).toSorted()).toEqual(['node_started n1', 'node_started n3']);
});

test('in a run that has ended, or is another organization’s, nothing is written', async () => {
  const step = stepOf('n1');
  await begin(step);
  const other = { ...key(), organizationId: randomUUID() };
  expect(await writeStep(db, other, { step: stepOf('n2'), events: [] })).toBe(false);
  await closeRun(db, { runPk, from: ['running'], status: 'cancelled', payload: { node_id: null } });
  expect(await Promise.all([begin(stepOf('n2')), begin(stepOf('n3'))])).toEqual([false, false]);
  expect(await end(step)).toBe(false);
  const rows = await db.query('SELECT node_id, status FROM run_steps WHERE run_pk = $1', [runPk]);
  expect(rows).toEqual([{ node_id: 'n1', status: 'running' }]);
});

test('a large end is written beside the others', async () => {
  const [small, large] = [stepOf('small'), stepOf('large')];
  await Promise.all([begin(small), begin(large)]);
  const text = 'x'.repeat(200_000);
  expect(await Promise.all([end(large, { text }), end(small)])).toEqual([true, true]);
  expect(await transactions()).toBe(2);
  expect(await told()).toHaveLength(6);
});
