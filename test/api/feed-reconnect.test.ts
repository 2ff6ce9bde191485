/** Streams would stop for good after the API loses its listening connection to PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDb, type Db } from '../../src/base/db/client.ts';
import { appendEvents } from '../../src/engine/runs/ledger/write/events.ts';
import { createLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/base/clock.ts';
import { RunFeed } from '../../src/engine/runs/stream/feed.ts';
import type { Follower } from '../../src/engine/runs/stream/heartbeats.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { accept, fakeEngine } from '../support/runs.ts';

let database: TestDatabase;
let db: Db;
let feed: RunFeed;
beforeAll(async () => {
  database = await testDatabase();
  db = openDb(database.url);
  feed = new RunFeed({
    // The safety poll never works here: what wakes is the notification.
    db: { query: () => Promise.reject(new Error('no poll')) },
    databaseUrl: database.url,
    engine: fakeEngine(),
    clock: systemClock,
    log: createLog('silent', 'test'),
  });
  // Who follows already is woken as soon as it listens.
  const run = await accept(db);
  const early = new Counting();
  const leave = feed.follow({ ...run, rootRunPk: run.runPk }, early);
  const listening = early.next();
  feed.start();
  await listening;
  leave();
});
afterAll(async () => {
  await feed.stop();
  await db.close();
  await database.drop();
});

/** A listener that counts, and that can be waited for. */
class Counting implements Follower {
  wakes = 0;
  #resolve: (() => void) | null = null;

  wake(): void {
    this.wakes += 1;
    this.#resolve?.();
  }
  checkState(): void {}
  sendHeartbeat(): void {}
  close(): void {}
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}

/** Connections of the feed, and of nobody else here. */
const listeners = (): Promise<{ pid: number }[]> =>
  db.query(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
       AND application_name = 'workflow-automation-service listener'`,
  );

describe('the feed', () => {
  test('an event wakes the listeners of its run and no others, until they leave', async () => {
    const [run, other] = [await accept(db), await accept(db)];
    const [mine, theirs, gone] = [new Counting(), new Counting(), new Counting()];
    const followed = { ...run, rootRunPk: run.runPk };
    const leave = feed.follow(followed, mine);
    const leaveOther = feed.follow({ ...other, rootRunPk: other.runPk }, theirs);
    feed.follow(followed, gone)();
    const woken = mine.next();
    await appendEvents(db, run.runPk, [{ type: 'progress', payload: {} }]);
    await woken;
    expect([theirs.wakes, gone.wakes]).toEqual([0, 0]);
    leave();
    leaveOther();
  });

  test('after a lost connection every listener looks, and notifications come again', async () => {
    const run = await accept(db);
    const listener = new Counting();
    const leave = feed.follow({ ...run, rootRunPk: run.runPk }, listener);
    const [before] = await listeners();
    const reconnected = listener.next();
    await db.query('SELECT pg_terminate_backend($1)', [before?.pid]);
    await reconnected;
    const woken = listener.next();
    await appendEvents(db, run.runPk, [{ type: 'progress', payload: {} }]);
    await woken;
    expect(listener.wakes).toBe(2);
    leave();
  });
});
