/**
 * The lease of this worker process: while it stands, no other worker takes over an attempt that this one holds
 * (src/runs/ledger/worker-leases.ts). A thread renews it, so that work which holds up the main thread for some seconds, or a
 * Temporal that is slow, loses nothing; a process that is stopped or killed stops renewing.
 */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A main thread that says nothing for this long hangs: its lease ends, and another worker takes over. */
export const MAIN_SILENT_MS = 60_000;
const SAYS_EVERY_MS = 5_000;

export interface LeaseThreadData {
  readonly databaseUrl: string;
  readonly workerId: string;
}

export type LeaseNotice = 'alive' | 'release';

export interface WorkerLease {
  /** Gives the lease up: what this worker still holds is lost. */
  release(): Promise<void>;
}

/** The entry of the thread. From source it goes through the loader, which threads do not inherit. */
function threadEntry(): URL {
  const extension = extname(import.meta.url);
  const entry = new URL(`./lease-thread${extension}`, import.meta.url);
  if (extension !== '.ts') return entry;
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const source = `import { register } from ${loader}; register(); await import(${JSON.stringify(entry.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

/** Takes the lease of a worker. @returns once it stands; waits for a database that is away */
export async function takeWorkerLease(data: LeaseThreadData): Promise<WorkerLease> {
  const thread = new Worker(threadEntry(), { workerData: data });
  const timer = setInterval(() => thread.postMessage('alive' satisfies LeaseNotice), SAYS_EVERY_MS);
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
