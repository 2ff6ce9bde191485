/**
 * The lease of this worker process: until it expires, no other worker takes over its attempts (src/engine/runs/ledger/write/worker-leases.ts).
 * A thread renews it, so that work that blocks the main thread for seconds, or a slow Temporal, loses no attempt; a process that is
 * stopped or killed stops renewing.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { resolveThreadEntry } from '../../src/platform/sandbox/thread-entry.ts';

/** A main thread that is silent for this long hangs: its lease expires, and another worker takes over. */
export const MAIN_SILENT_MS = 60_000;
const ALIVE_EVERY_MS = 5_000;

export interface LeaseThreadData {
  readonly databaseUrl: string;
  readonly workerId: string;
}

export type LeaseNotice = 'alive' | 'release';

interface WorkerLease {
  /** Releases the lease: attempts that this worker still holds are lost. */
  release(): Promise<void>;
}

/** Takes the lease of a worker; waits while the database is unavailable. */
export async function takeWorkerLease(data: LeaseThreadData): Promise<WorkerLease> {
  const thread = new Worker(resolveThreadEntry(import.meta.url, 'lease-thread'), { workerData: data });
  const timer = setInterval(() => thread.postMessage('alive' satisfies LeaseNotice), ALIVE_EVERY_MS);
  await once(thread, 'message');
  return {
    async release() {
      clearInterval(timer);
      const exited = once(thread, 'exit');
      thread.postMessage('release' satisfies LeaseNotice);
      await exited;
    },
  };
}
