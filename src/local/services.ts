/**
 * The service's own processes as the local system runs them: from the source, each alone, configured only by the
 * environment, exactly as in production.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { LOGS, ROOT } from './paths.ts';
import { launch, sleep, tail, type Child } from './processes.ts';

export type Role = 'api' | 'worker' | 'realtime';

const ENTRIES: Record<Role, string> = {
  api: 'src/serve-api.ts',
  worker: 'temporal/serve-worker.ts',
  realtime: 'src/serve-realtime.ts',
};
/** The interpreter is bundled by the worker, not imported, so the watcher has to be told of it. */
const WATCHED = ['temporal/interpreter/**', 'src/graph/**'];
/** The first start of the worker bundles the interpreter, which takes seconds. */
const READY_WITHIN_MS = 90_000;

/** Whether this checkout has the process. */
export const hasRole = (role: Role): boolean => existsSync(join(ROOT, ENTRIES[role]));

/** Starts one process. With `watch` it restarts whenever its source changes. */
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
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await ready().catch(() => false))) {
    const late = performance.now() > deadline;
    if (child.hasEnded() || late) {
      const how = late ? `was not ready within ${READY_WITHIN_MS / 1000} s` : `ended: ${await child.ended}`;
      throw new Error(`${child.name} ${how}; its log ${child.logFile} ends with:\n${tail(child.logFile)}`);
    }
    await sleep(100);
  }
}

/** Waits until a health probe answers 200. @throws with the end of the process's log when it does not */
export function waitUntilHealthy(child: Child, url: string): Promise<void> {
  return waitUntil(child, async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  });
}

/**
 * Waits until a worker polls the task queue. Pollers of an earlier worker stay listed for minutes, so only those that
 * asked after this one began count.
 * @throws with the end of the process's log when none does
 */
export async function waitUntilPolling(
  child: Child,
  temporal: { readonly address: string; readonly namespace: string; readonly taskQueue: string },
): Promise<void> {
  const begun = Date.now() / 1000;
  const connection = await Connection.connect({ address: temporal.address, connectTimeout: 5_000 });
  try {
    await waitUntil(child, async () => {
      const { pollers } = await connection.withDeadline(Date.now() + 2_000, () =>
        connection.workflowService.describeTaskQueue({
          namespace: temporal.namespace,
          taskQueue: { name: temporal.taskQueue },
          taskQueueType: 1,
        }),
      );
      return (pollers ?? []).some(
        (poller) => Number(poller.lastAccessTime?.seconds ?? 0) >= Math.floor(begun),
      );
    });
  } finally {
    await connection.close();
  }
}
