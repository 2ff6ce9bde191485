/** Starts do not run ahead of runs, as long as there is somebody who begins them. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDb, type Db } from '../../../src/db/client.ts';
import {
  BACKLOG,
  BACKLOG_CAP,
  InFlightStarts,
  LONE_CAP,
  SHARED_CAP,
  STANDSTILL_MS,
} from '../../../src/runs/outbox/in-flight-starts.ts';
import { cancelRun } from '../../../src/runs/ledger/cancel.ts';
import { appendEvents } from '../../../src/runs/ledger/events.ts';
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

/** An organization at its cap beside another that uses the service, on a clock of its own. */
async function full() {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
  const organizationId = randomUUID();
  const other = randomUUID();
  const starts = new InFlightStarts(db);
  starts.saw(other);
  const runPks: string[] = [];
  for (let start = 0; start < SHARED_CAP; start += 1) {
    const { runPk } = await accept(db, { organizationId });
    starts.add(organizationId, runPk);
    expect(starts.delivered(runPk)).toBe(false);
    runPks.push(runPk);
  }
  const [first = ''] = runPks;
  const left = (): number | undefined => {
    const { organizationIds, rooms, usual } = starts.room();
    const at = organizationIds.indexOf(organizationId);
    return at < 0 ? usual : rooms[at];
  };
  return { starts, organizationId, other, first, clock, left };
}

describe('the cap of an organization', () => {
  test('is reached by its own starts, and nobody else feels it', async () => {
    const { starts, organizationId, other } = await full();
    expect(await starts.look()).toBe(false);
    expect([starts.isFull, starts.hasRoom(organizationId), starts.hasRoom(other)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(starts.room()).toEqual({ usual: SHARED_CAP, organizationIds: [organizationId], rooms: [0] });
  });

  test('is wide for one that is alone, and narrow as soon as another uses the service', () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    const [alone, other] = [randomUUID(), randomUUID()];
    const starts = new InFlightStarts(db);
    for (let start = 0; start < SHARED_CAP; start += 1) starts.add(alone, randomUUID());
    expect([starts.isFull, starts.room().rooms]).toEqual([false, [LONE_CAP - SHARED_CAP]]);
    starts.saw(other);
    expect([starts.isFull, starts.room().rooms]).toEqual([true, [0]]);
    clock.mockReturnValue(1_001_000);
    starts.saw(alone);
    expect(starts.isFull).toBe(true);
  });

  test('is narrower for one with a backlog, until that is gone, and for nobody else', () => {
    const [late, other] = [randomUUID(), randomUUID()];
    const starts = new InFlightStarts(db);
    starts.saw(other);
    const claim = (due: number) => {
      const runPk = randomUUID();
      starts.add(late, runPk, due);
      starts.delivered(runPk);
      const isFull = !starts.hasRoom(late);
      starts.begun(runPk);
      return { isFull, ...starts.room() };
    };
    const usual = { isFull: false, usual: SHARED_CAP, organizationIds: [], rooms: [] };
    expect(claim(BACKLOG)).toEqual(usual);
    expect(claim(BACKLOG + 1)).toEqual({
      isFull: true,
      usual: SHARED_CAP,
      organizationIds: [late],
      rooms: [BACKLOG_CAP],
    });
    expect(starts.hasRoom(other)).toBe(true);
    starts.saw(late);
    expect(starts.room().rooms).toEqual([BACKLOG_CAP]);
    expect(claim(BACKLOG)).toEqual(usual);
  });

  test('has room again when a run begins, and when one ends before', async () => {
    const begun = await full();
    await appendEvents(db, begun.first, [{ type: 'node_started', payload: {} }]);
    expect([await begun.starts.look(), begun.starts.isFull, begun.left()]).toEqual([true, false, 1]);
    const { starts, organizationId, first, left } = await full();
    expect(left()).toBe(0);
    await cancelRun(db, { organizationId, runPk: first, rootRunPk: first }, null);
    expect([await starts.look(), left()]).toEqual([true, 1]);
  });

  test('has room again as soon as a run is said to have begun', async () => {
    const { starts, first, left } = await full();
    expect([starts.begun(randomUUID()), left()]).toEqual([false, 0]);
    expect([starts.begun(first), left()]).toEqual([true, 1]);
    expect([starts.begun(first), left()]).toEqual([false, 1]);
  });

  test('counts a run once whose entry is claimed twice', async () => {
    const { starts, organizationId, first, left } = await full();
    starts.add(organizationId, first);
    starts.delivered(first);
    expect([starts.begun(first), left()]).toEqual([true, 1]);
  });

  test('counts a start until its run has begun and Temporal has it, in whatever order', async () => {
    const organizationId = randomUUID();
    const starts = new InFlightStarts(db);
    const { runPk } = await accept(db, { organizationId });
    starts.add(organizationId, runPk);
    starts.begun(runPk);
    expect(starts.room().rooms).toEqual([LONE_CAP - 1]);
    starts.delivered(runPk);
    expect(starts.room().rooms).toEqual([]);
  });

  test('does not count a start that was not made', async () => {
    const { starts, organizationId, left } = await full();
    const runPk = randomUUID();
    starts.add(organizationId, runPk);
    starts.remove(runPk);
    expect(left()).toBe(0);
  });

  test('rises step by step while no run at all begins, and is the usual one with the first that does', async () => {
    const { starts, organizationId, first, other, clock, left } = await full();
    const at = (ms: number): number | undefined => {
      clock.mockReturnValue(1_000_000 + ms);
      // Both go on using the service.
      starts.saw(organizationId);
      starts.saw(other);
      return left();
    };
    expect(at(STANDSTILL_MS - 1)).toBe(0);
    expect(at(STANDSTILL_MS)).toBe(LONE_CAP);
    for (let start = 0; start < LONE_CAP; start += 1) starts.add(organizationId, randomUUID());
    expect([starts.hasRoom(organizationId), starts.isFull, left()]).toEqual([false, true, 0]);
    expect(at(2 * STANDSTILL_MS)).toBe(LONE_CAP);
    await appendEvents(db, first, [{ type: 'node_started', payload: {} }]);
    await starts.look();
    expect([left(), starts.isFull, starts.hasRoom(other)]).toEqual([0, true, true]);
  });
});
