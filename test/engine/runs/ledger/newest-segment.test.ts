/** A run that was resumed would be read by an older segment, and show a wrong status. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelRun } from '../../../../src/engine/runs/ledger/write/cancel.ts';
import { openSegment } from '../../../../src/engine/runs/ledger/questions/interrupts.ts';
import { findWaitingRuns } from '../../../../src/engine/runs/ledger/read/open-runs.ts';
import { findPastRun } from '../../../../src/engine/runs/ledger/read/past-run.ts';
import {
  readCurrentSegment,
  lockToAdvance,
  type SegmentKey,
} from '../../../../src/engine/runs/ledger/write/segments.ts';
import { findWaiting } from '../../../../src/engine/runs/ledger/read/threads.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { ask, interrupt } from '../../../support/questions.ts';
import { accept, untilOneWaits } from '../../../support/runs.ts';

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

/** The first segment of a run that waits for an answer, with its thread. */
async function waiting(organizationId: string = randomUUID()): Promise<SegmentKey & { threadId: string }> {
  const { runPk, runId, threadId } = await accept(db, { organizationId });
  await ask(db, runId, {});
  return { organizationId, rootRunPk: runPk, runPk, threadId: threadId ?? '' };
}

async function resume(from: SegmentKey): Promise<SegmentKey> {
  const { runPk } = await openSegment(db, from.runPk, null);
  return { ...from, runPk };
}

describe.each([
  ['created at the same time as the first', 0],
  ['created before the first, because its transaction began before and waited', 1],
])('%s, the newest segment is the one that no other resumes from', (_, earlierBy) => {
  let first: SegmentKey & { threadId: string };
  let last: SegmentKey;
  beforeEach(async () => {
    first = await waiting();
    const second = await resume(first);
    await interrupt(db, second.runPk, []);
    last = await resume(second);
    for (const [position, { runPk }] of [first, second, last].entries())
      await db.query('UPDATE runs SET created_at = to_timestamp($2) WHERE id = $1', [
        runPk,
        1_000 - position * earlierBy,
      ]);
  });

  // Ids are random: in ten runs, they are in either order.
  test('for reads and locks', { repeats: 9 }, async () => {
    expect((await readCurrentSegment(db, first, false))?.runPk).toBe(last.runPk);
    expect((await readCurrentSegment(db, first, true))?.runPk).toBe(last.runPk);
    expect((await lockToAdvance(db, first))?.segment?.runPk).toBe(last.runPk);
  });

  test('for what looks for runs that wait, and for the status of a run', async () => {
    const reader = { organizationId: first.organizationId, userId: randomUUID(), seesPrivate: true };
    expect((await findPastRun(db, reader, first.runPk))?.status).toBe('running');
    expect(await findWaiting(db, first)).toEqual([]);
    await interrupt(db, last.runPk, []);
    expect((await findPastRun(db, reader, first.runPk))?.status).toBe('interrupted');
    expect((await findWaiting(db, first)).map(({ runPk }) => runPk)).toEqual([last.runPk]);
    const outbox = await db.query('DELETE FROM outbox WHERE subject_id = $1 RETURNING id', [first.rootRunPk]);
    expect(outbox).toHaveLength(1);
    const mine = (await findWaitingRuns(db, null, 1_000)).filter(
      ({ rootRunPk }) => rootRunPk === first.rootRunPk,
    );
    expect(mine.map(({ runPk }) => runPk)).toEqual([last.runPk]);
  });

  test('for cancellations: an earlier segment has ended for good', async () => {
    expect(await cancelRun(db, first, null)).toEqual({
      status: 'interrupted',
      previousStatus: 'interrupted',
      alreadyTerminal: true,
    });
    expect((await cancelRun(db, last, null)).status).toBe('cancelled');
  });
});

test('a lock that had to wait for an answer finds the segment that the answer has opened', async () => {
  for (const lock of [
    (run: SegmentKey) => db.transaction((tx) => readCurrentSegment(tx, run, true)),
    (run: SegmentKey) => db.transaction(async (tx) => (await lockToAdvance(tx, run))?.segment ?? null),
  ]) {
    const first = await waiting();
    let found: ReturnType<typeof lock> | null = null;
    const opened = await db.transaction(async (tx) => {
      await readCurrentSegment(tx, first, true);
      found = lock(first);
      await untilOneWaits(db);
      return openSegment(tx, first.runPk, null);
    });
    expect((await (found as ReturnType<typeof lock> | null))?.runPk).toBe(opened.runPk);
  }
});

test('REL-G12: a segment is resumed by one other at most', async () => {
  const first = await waiting();
  await resume(first);
  await expect(resume(first)).rejects.toThrow('runs_resumed_from_run_pk_key');
});

test('another organization has no such run', async () => {
  const { rootRunPk } = await waiting();
  const other = { organizationId: randomUUID(), rootRunPk };
  expect(await readCurrentSegment(db, other, false)).toBeNull();
  expect(await readCurrentSegment(db, other, true)).toBeNull();
  expect((await lockToAdvance(db, other))?.segment).toBeNull();
});

test('the view of newest segments has the columns of the runs', async () => {
  const columns = (table: string): Promise<unknown[]> =>
    db.query(
      `SELECT column_name, data_type FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position`,
      [table],
    );
  expect(await columns('newest_segments')).toEqual(await columns('runs'));
});
