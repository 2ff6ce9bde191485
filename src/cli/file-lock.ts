/** A lock beside a file, for one command at a time; a command that crashed does not keep it. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Three times as long as the longest work under a lock may take (oidc.ts): an older one was left behind. */
const ABANDONED_MS = 60_000;
const LOOK_MS = 50;

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** A process may take the lock twice. */
  readonly id: string;
}

const newHolder = (): string =>
  JSON.stringify({ host: hostname(), pid: process.pid, id: randomUUID() } satisfies Holder);

/** @returns what `work` gives; null when the file is not there, or already is */
async function unless<Value>(code: 'ENOENT' | 'EEXIST', work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return null;
    throw error;
  }
}

const read = (lock: string): Promise<string | null> => unless('ENOENT', readFile(lock, 'utf8'));
const remove = (lock: string): Promise<void | null> => unless('ENOENT', unlink(lock));

/** @returns whether it was free */
async function take(lock: string, holder: string): Promise<boolean> {
  const taken = writeFile(lock, holder, { flag: 'wx', mode: 0o600 }).then(() => true);
  return (await unless('EEXIST', taken)) === true;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is there, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** @returns who holds the lock though nobody does any more; null when somebody does, or it is free */
async function findAbandoned(lock: string): Promise<string | null> {
  const [holder, facts] = await Promise.all([read(lock), unless('ENOENT', stat(lock))]);
  if (holder === null || facts === null) return null;
  if (Date.now() - facts.mtimeMs > ABANDONED_MS) return holder;
  try {
    const { host, pid } = JSON.parse(holder) as Holder;
    // Processes of other machines are not seen: their locks grow old.
    return host === hostname() && !isRunning(pid) ? holder : null;
  } catch {
    // It is being written.
    return null;
  }
}

/** Takes the lock away from a holder that is gone. */
async function breakLock(lock: string, holder: string): Promise<void> {
  // One at a time: a command that was slow would take the lock away from the one that has taken it since.
  const breaking = `${lock}.breaking`;
  if (await take(breaking, newHolder())) {
    if ((await read(lock)) === holder) await remove(lock);
    await remove(breaking);
  } else if ((await findAbandoned(breaking)) !== null) await remove(breaking);
}

/** Does the work while no other command does work under the same lock; waits for the one that does. */
export async function withFileLock<Value>(lock: string, work: () => Promise<Value>): Promise<Value> {
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  const holder = newHolder();
  while (!(await take(lock, holder))) {
    const abandoned = await findAbandoned(lock);
    if (abandoned === null) await wait(LOOK_MS);
    else await breakLock(lock, abandoned);
  }
  try {
    return await work();
  } finally {
    // After a long sleep of the machine it may be another's.
    if ((await read(lock)) === holder) await remove(lock);
  }
}
