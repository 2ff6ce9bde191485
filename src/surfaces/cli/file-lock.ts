/** A lock file that one command holds at a time; a lock left by a crashed command is broken. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../base/clock.ts';

/** Three times the longest work under a lock (`RENEWAL_TIMEOUT_MS` in oidc.ts). */
const ABANDONED_MS = 60_000;
const POLL_MS = 50;

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Unique per acquisition: one process may take the lock twice. */
  readonly id: string;
}

const newHolder = (): string =>
  JSON.stringify({ host: hostname(), pid: process.pid, id: randomUUID() } satisfies Holder);

/** @returns the result of `work`; null when it fails with the code */
async function nullOn<Value>(code: 'ENOENT' | 'EEXIST', work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return null;
    throw error;
  }
}

const read = (lock: string): Promise<string | null> => nullOn('ENOENT', readFile(lock, 'utf8'));
const remove = (lock: string): Promise<void | null> => nullOn('ENOENT', unlink(lock));

/** @returns whether the lock was free */
async function take(lock: string, holder: string): Promise<boolean> {
  const taken = writeFile(lock, holder, { flag: 'wx', mode: 0o600 }).then(() => true);
  return (await nullOn('EEXIST', taken)) === true;
}

/** Whether this machine has the process. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** @returns the holder of an abandoned lock; null when the lock is free or in use */
async function findAbandoned(lock: string): Promise<string | null> {
  const [holder, facts] = await Promise.all([read(lock), nullOn('ENOENT', stat(lock))]);
  if (holder === null || facts === null) return null;
  if (systemClock.now() - facts.mtimeMs > ABANDONED_MS) return holder;
  try {
    const { host, pid } = JSON.parse(holder) as Holder;
    // A process of another machine cannot be checked; its lock expires by age.
    return host === hostname() && !isRunning(pid) ? holder : null;
  } catch {
    // The lock file is still being written.
    return null;
  }
}

/** Breaks the lock of a holder that is gone. */
async function breakLock(lock: string, holder: string): Promise<void> {
  // Under a second lock: otherwise a slow command would break the lock of the command that has taken it since.
  const breaking = `${lock}.breaking`;
  if (await take(breaking, newHolder())) {
    if ((await read(lock)) === holder) await remove(lock);
    await remove(breaking);
  } else if ((await findAbandoned(breaking)) !== null) await remove(breaking);
}

/** Runs `work` under the lock, after waiting for it. */
export async function withFileLock<Value>(lock: string, work: () => Promise<Value>): Promise<Value> {
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  const holder = newHolder();
  while (!(await take(lock, holder))) {
    const abandoned = await findAbandoned(lock);
    if (abandoned === null) await wait(POLL_MS);
    else await breakLock(lock, abandoned);
  }
  try {
    return await work();
  } finally {
    // After the machine slept for long, another command may hold the lock.
    if ((await read(lock)) === holder) await remove(lock);
  }
}
