/** Starts do not run ahead of runs, as long as there is somebody who begins them. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDb, type Db } from '../../src/db/client.ts';
import { STARTS_AHEAD, StartRoom } from '../../src/dispatch/start-room.ts';
import { cancelRun } from '../../src/journal/cancel.ts';
import { appendEvents } from '../../src/journal/events.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { accept } from '../support/runs.ts';

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
    room.take(organizationId, runPk);
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
    room.take(organizationId, first);
    expect([room.begun(first), room.roomOf(organizationId)]).toEqual([true, 1]);
  });

  test('is given back by a start that was not made', async () => {
    const { room, organizationId } = await full();
    const start = room.take(organizationId, null);
    room.leave(start);
    expect(room.roomOf(organizationId)).toBe(0);
    const other = randomUUID();
    room.leave(room.take(other, null));
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
