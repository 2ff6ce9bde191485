/**
 * Runs the service's processes from source, configured only by the environment, as in production.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { systemClock } from '../../base/clock.ts';
import { LOGS, ROOT } from './paths.ts';
import { launch, sleep, tail, type Child } from './processes.ts';

export type Role = 'api' | 'worker' | 'realtime';

const ENTRIES: Record<Role, string> = {
  api: 'src/processes/serve-api.ts',
  worker: 'temporal/serve-worker.ts',
  realtime: 'src/processes/serve-realtime.ts',
};
/** The worker bundles the interpreter instead of importing it, so the watcher does not see it by itself. */
const WATCHED = ['temporal/interpreter/**', 'src/language/graph/**'];
/** Includes the first bundling of the interpreter, which takes seconds. */
const READY_TIMEOUT_MS = 90_000;

/** Whether this checkout has the process. */
export const hasRole = (role: Role): boolean => existsSync(join(ROOT, ENTRIES[role]));

/** Starts one process. With `watch` it restarts when its source changes. */
export function launchService(role: Role, env: NodeJS.ProcessEnv, watch: boolean): Promise<Child> {
  const tsx = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs');
  const watching = [tsx, 'watch', '--clear-screen=false', ...WATCHED.map((glob) => `--include=${glob}`)];
  return launch({
    name: role,
    command: process.execPath,
    args: [...(watch ? watching : ['--enable-source-maps', '--import', 'tsx']), ENTRIES[role]],
    env,
    cwd: ROOT,
    logFile: join(LOGS, `${role}.log`),
  });
}

async function waitUntil(child: Child, ready: () => Promise<boolean>): Promise<void> {
  const deadline = systemClock.monotonic() + READY_TIMEOUT_MS;
  while (!(await ready().catch(() => false))) {
    const late = systemClock.monotonic() > deadline;
    if (child.hasEnded() || late) {
      const how = late ? `was not ready within ${READY_TIMEOUT_MS / 1000} s` : `ended: ${await child.ended}`;
      throw new Error(`${child.name} ${how}. Its log ${child.logFile} ends with:\n${tail(child.logFile)}`);
    }
    await sleep(100);
  }
}

/** Waits until a health probe returns 200. @throws Error with the end of the process's log when it does not */
export function waitUntilHealthy(child: Child, url: string): Promise<void> {
  return waitUntil(child, async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  });
}

/**
 * Waits until a worker polls the task queue. Pollers of an earlier worker stay listed for minutes, so only polls after this
 * start count.
 * @throws Error with the end of the process's log when there is none
 */
export async function waitUntilPolling(
  child: Child,
  temporal: { readonly address: string; readonly namespace: string; readonly taskQueue: string },
): Promise<void> {
  const startedS = systemClock.now() / 1000;
  const connection = await Connection.connect({ address: temporal.address, connectTimeout: 5_000 });
  try {
    await waitUntil(child, async () => {
      const { pollers } = await connection.withDeadline(systemClock.now() + 2_000, () =>
        connection.workflowService.describeTaskQueue({
          namespace: temporal.namespace,
          taskQueue: { name: temporal.taskQueue },
          taskQueueType: 1,
        }),
      );
      return (pollers ?? []).some(
        (poller) => Number(poller.lastAccessTime?.seconds ?? 0) >= Math.floor(startedS),
      );
    });
  } finally {
    await connection.close();
  }
}
