/** Each node of a run with a large input would have the database parse that input, for two numbers beside it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRow, insertRuns } from '../../../../src/engine/runs/ledger/write/insert-runs.ts';
import { openSegment } from '../../../../src/engine/runs/ledger/questions/interrupts.ts';
import { findRun } from '../../../../src/engine/runs/ledger/read/run-reads.ts';
import {
  lockToAdvance,
  readCurrentSegment,
  readSegment,
  readToAdvance,
  type SegmentKey,
} from '../../../../src/engine/runs/ledger/write/segments.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { ask } from '../../../support/questions.ts';
import { newRun } from '../../../support/runs.ts';

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const LIMITS = { recursionLimit: 7, batchIntervalMs: 90 };

/** Inserts a run, and replaces what its row has of the limits. */
async function insert(changes: string): Promise<SegmentKey & { readonly runId: string }> {
  const row = buildRow(await newRun(db, { ...LIMITS, runInput: { text: 'a' } }));
  await insertRuns(db, [row]);
  await db.query(`UPDATE runs SET ${changes} WHERE id = $1`, [row.runPk]);
  return row;
}

// A read of a limit in this config fails.
const WITH_UNREADABLE_CONFIG = `config = '{"recursion_limit": "unread", "batch_interval_ms": "unread", "run_input": {"text": "a"}}'`;
/** A build before the columns inserts rows without them. */
const WITHOUT_COLUMNS = 'recursion_limit = NULL, batch_interval_ms = NULL';

const READS: readonly (readonly [
  string,
  (run: SegmentKey & { readonly runId: string }) => Promise<unknown>,
])[] = [
  ['by its key', (run) => readSegment(db, run)],
  ['as the newest', (run) => readCurrentSegment(db, run, false)],
  ['as the newest, locked', (run) => db.transaction((tx) => readCurrentSegment(tx, run, true))],
  ['for an advance', async (run) => (await readToAdvance(db, run))?.segment],
  ['for an advance, locked', (run) => db.transaction(async (tx) => (await lockToAdvance(tx, run))?.segment)],
  [
    'by its run_id',
    (run) =>
      findRun(db, { organizationId: run.organizationId, userId: randomUUID(), seesPrivate: true }, run.runId),
  ],
  ['as the one that resumes it', (run) => readResuming(run)],
];

async function readResuming({ organizationId, runPk, runId }: SegmentKey & { readonly runId: string }) {
  await ask(db, runId, {});
  const opened = await openSegment(db, runPk, null);
  // The row of the new segment has the columns in any case.
  await db.query(`UPDATE runs SET ${WITH_UNREADABLE_CONFIG} WHERE id = $1`, [opened.runPk]);
  return readSegment(db, { organizationId, runPk: opened.runPk });
}

describe.each(READS)('a segment that is read %s', (_, read) => {
  test('has its limits without a look at its config', async () => {
    expect(await read(await insert(WITH_UNREADABLE_CONFIG))).toMatchObject(LIMITS);
  });

  test('has those of its config when a build without the columns has inserted it', async () => {
    expect(await read(await insert(WITHOUT_COLUMNS))).toMatchObject(LIMITS);
  });
});

test('a run without either has the defaults', async () => {
  const run = await insert(`${WITHOUT_COLUMNS}, config = '{}'`);
  expect(await readSegment(db, run)).toMatchObject({ recursionLimit: 100, batchIntervalMs: 50 });
});

test('the config of a run has its limits, too, for a build that does not know the columns', async () => {
  const { runPk } = await insert('stream = stream');
  const [row] = await db.query('SELECT config FROM runs WHERE id = $1', [runPk]);
  expect(row?.['config']).toMatchObject({ recursion_limit: 7, batch_interval_ms: 90 });
});
