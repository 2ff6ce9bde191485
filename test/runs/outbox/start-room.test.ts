/** Starts do not run ahead of runs, as long as there is somebody who begins them. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDb, type Db } from '../../../src/db/client.ts';
import { DEEP, RESTS_PER_LATE } from '../../../src/runs/outbox/start-pace.ts';
import { STARTS_AHEAD, StartRoom } from '../../../src/runs/outbox/start-room.ts';
import { cancelRun } from '../../../src/runs/ledger/cancel.ts';
import { appendEvents } from '../../../src/runs/ledger/events.ts';
import { claimOutbox } from '../../../src/runs/outbox/outbox.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { accept } from '../../support/runs.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = openDb(database.url);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** The room of one organization without any left, on a clock of its own, and the runs that take it up. */
async function full() {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
  const organizationId = randomUUID();
  const room = new StartRoom(db);
  const runPks: string[] = [];
  for (let start = 0; start < STARTS_AHEAD; start += 1) {
    const { runPk } = await accept(db, { organizationId });
    room.delivered(room.take(organizationId, runPk));
    runPks.push(runPk);
  }
  const [first = '', last = ''] = [runPks[0], runPks.at(-1)];
  return { room, organizationId, first, last, clock };
}

describe('the room of an organization', () => {
  test('is taken up by starts, and nobody else feels it', async () => {
    const { room, organizationId } = await full();
    await room.look();
    expect([room.roomOf(organizationId), room.full()]).toEqual([0, [organizationId]]);
    expect(room.roomOf(randomUUID())).toBe(STARTS_AHEAD);
    expect(room.narrow()).toEqual({ organizationIds: [organizationId], rooms: [0] });
  });

  test('is given back by a run that begins, and by one that ends before', async () => {
    const { room, organizationId, first, last } = await full();
    await appendEvents(db, first, [{ type: 'node_started', payload: {} }]);
    await room.look();
    expect([room.roomOf(organizationId), room.full()]).toEqual([1, []]);
    await cancelRun(db, { organizationId, runPk: last, rootRunPk: last }, null);
    await room.look();
    expect(room.roomOf(organizationId)).toBe(2);
  });

  test('is given back at once when somebody says that a run has begun', async () => {
    const { room, organizationId, first } = await full();
    expect([room.begun(randomUUID()), room.roomOf(organizationId)]).toEqual([false, 0]);
    expect([room.begun(first), room.roomOf(organizationId)]).toEqual([true, 1]);
    expect([room.begun(first), room.roomOf(organizationId)]).toEqual([false, 1]);
  });

  test('is taken up once by a run whose entry is claimed twice', async () => {
    const { room, organizationId, first } = await full();
    room.delivered(room.take(organizationId, first));
    expect([room.begun(first), room.roomOf(organizationId)]).toEqual([true, 1]);
  });

  test('is taken up until its run has begun and Temporal has it, in whatever order', async () => {
    const organizationId = randomUUID();
    const room = new StartRoom(db);
    const { runPk } = await accept(db, { organizationId });
    const start = room.take(organizationId, runPk);
    expect([room.begun(runPk), room.roomOf(organizationId)]).toEqual([true, STARTS_AHEAD - 1]);
    expect([room.delivered(start), room.roomOf(organizationId)]).toEqual([true, STARTS_AHEAD]);
  });

  test('is given back by a start that was not made', async () => {
    const { room, organizationId } = await full();
    const start = room.take(organizationId, randomUUID());
    room.leave(start);
    expect(room.roomOf(organizationId)).toBe(0);
    const other = randomUUID();
    room.leave(room.take(other, randomUUID()));
    expect(room.roomOf(other)).toBe(STARTS_AHEAD);
  });

  test('has no bound while no run at all begins, and has it again with the first that does', async () => {
    const { room, organizationId, first, clock } = await full();
    clock.mockReturnValue(1_002_001);
    await room.look();
    expect([room.roomOf(organizationId), room.full()]).toEqual([Infinity, []]);
    expect(room.narrow().rooms).toEqual([2 ** 31 - 1]);
    await appendEvents(db, first, [{ type: 'node_started', payload: {} }]);
    await room.look();
    expect(room.roomOf(organizationId)).toBe(1);
  });
});

test('a place whose run began late has a rest, if its organization floods and is not alone', async () => {
  await db.query('TRUNCATE outbox');
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
  const organizationId = randomUUID();
  for (let run = 0; run < DEEP + STARTS_AHEAD; run += 1) await accept(db, { organizationId });
  const room = new StartRoom(db);
  const nobody = { organizationIds: [], rooms: [] };
  const entries = (await claimOutbox(db, 2, { usual: STARTS_AHEAD, ...nobody })).map((entry) => {
    room.delivered(room.claim(entry));
    return entry;
  });
  expect(entries.map(({ behind }) => behind)).toEqual([1, 2].map((place) => DEEP + STARTS_AHEAD - place));
  room.saw(randomUUID());

  clock.mockReturnValue(1_000_020);
  room.begun(entries[0]?.runPk ?? '');
  expect([room.roomOf(organizationId), room.restsForMs]).toEqual([STARTS_AHEAD - 1, Infinity]);
  clock.mockReturnValue(1_000_050);
  room.begun(entries[1]?.runPk ?? '');
  const restMs = 30 * RESTS_PER_LATE;
  expect([room.roomOf(organizationId), room.restsForMs]).toEqual([STARTS_AHEAD - 1, restMs]);
  expect(room.narrow()).toEqual({ organizationIds: [organizationId], rooms: [STARTS_AHEAD - 1] });
  clock.mockReturnValue(1_000_050 + restMs);
  expect([room.roomOf(organizationId), room.restsForMs]).toEqual([STARTS_AHEAD, Infinity]);
  expect(room.narrow()).toEqual(nobody);
});
