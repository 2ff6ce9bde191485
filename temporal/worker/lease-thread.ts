/** The thread that renews the lease of its worker process (worker-lease.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../src/base/clock.ts';
import { openPlainSql } from '../../src/base/db/plain-sql.ts';
import {
  LEASE_RENEWAL_MS,
  releaseWorkerLease,
  renewWorkerLease,
} from '../../src/engine/runs/ledger/write/worker-leases.ts';
import { MAIN_SILENT_MS, type LeaseNotice, type LeaseThreadData } from './worker-lease.ts';

const { databaseUrl, workerId } = workerData as LeaseThreadData;
const sql = openPlainSql(databaseUrl, 'workflow-automation-service lease');
let heardMs = systemClock.monotonic();
let isTaken = false;
let renewing: Promise<void> = Promise.resolve();

async function renew(): Promise<void> {
  if (systemClock.monotonic() - heardMs > MAIN_SILENT_MS) return;
  try {
    await renewWorkerLease(sql, workerId);
    if (!isTaken) parentPort?.postMessage('taken');
    isTaken = true;
  } catch {
    // The database is away: the next renewal is soon.
  }
}

const timer = setInterval(() => {
  renewing = renewing.then(renew);
}, LEASE_RENEWAL_MS);
renewing = renew();

async function release(): Promise<void> {
  clearInterval(timer);
  await renewing;
  await releaseWorkerLease(sql, workerId).catch(() => undefined);
  await sql.close();
  parentPort?.close();
}

parentPort?.on('message', (notice: LeaseNotice) => {
  heardMs = systemClock.monotonic();
  if (notice === 'release') void release();
});
