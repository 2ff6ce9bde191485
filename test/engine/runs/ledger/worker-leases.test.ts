/** Attempts would be made twice, or runs would wait for workers that are gone (SPEC REL-leases). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb, type Db } from '../../../../src/base/db/client.ts';
import {
  deleteExpiredWorkerLeases,
  judgeHolder,
  releaseWorkerLease,
  renewWorkerLease,
} from '../../../../src/engine/runs/ledger/write/worker-leases.ts';
import { testDatabase } from '../../../support/database.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await testDatabase();
  db = openDb(database.url);
  drop = () => database.drop();
});
afterAll(async () => {
  await db.close();
  await drop();
});

/** A worker whose lease stands since a moment, and was renewed at another; in seconds before now. */
async function newWorker(sinceSeconds: number, renewedSeconds: number): Promise<string> {
  const workerId = randomUUID();
  await db.query(
    `INSERT INTO worker_leases VALUES ($1, clock_timestamp() - make_interval(secs => $2), clock_timestamp() - make_interval(secs => $3))`,
    [workerId, sinceSeconds, renewedSeconds],
  );
  return workerId;
}
const judge = (asking: string, holder: string) => judgeHolder(db, { asking, holder });

test('a holder is alive for six seconds after it has renewed its lease, and lost then', async () => {
  const asking = await newWorker(60, 0);
  expect(await judge(asking, await newWorker(60, 5))).toBe('alive');
  expect(await judge(asking, await newWorker(60, 7))).toBe('lost');
});

test('a worker that could not renew its own lease takes no other for lost', async () => {
  const holder = await newWorker(60, 7);
  expect(await judge(await newWorker(5, 0), holder)).toBe('unknown');
  expect(await judge(await newWorker(60, 7), holder)).toBe('unknown');
});

test('a lease that was given up is lost at once', async () => {
  const [asking, holder] = [await newWorker(60, 0), await newWorker(60, 0)];
  await releaseWorkerLease(db, holder);
  expect(await judge(asking, holder)).toBe('lost');
});

test('of two workers that lose the database for five seconds neither takes the other for lost', async () => {
  const [first, second] = [await newWorker(60, 5), await newWorker(60, 6.4)];
  expect(await judge(first, second)).toBe('unknown');
  await renewWorkerLease(db, first);
  expect(await judge(first, second)).toBe('unknown');
});

test('a renewal after a gap of three seconds begins a new time without one', async () => {
  const [steady, late, holder] = [await newWorker(60, 2), await newWorker(60, 4), await newWorker(60, 30)];
  for (const worker of [steady, late]) await renewWorkerLease(db, worker);
  expect(await judge(steady, holder)).toBe('lost');
  expect(await judge(late, holder)).toBe('unknown');
});

test('leases are forgotten after a day', async () => {
  const [old, young] = [await newWorker(90_000, 86_500), await newWorker(90_000, 86_300)];
  await deleteExpiredWorkerLeases(db);
  const rows = await db.query('SELECT worker_id FROM worker_leases WHERE worker_id = ANY($1)', [
    [old, young],
  ]);
  expect(rows).toEqual([{ worker_id: young }]);
});
