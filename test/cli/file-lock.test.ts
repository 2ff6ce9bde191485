/** The lock of the command line, with real files and processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { unlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withFileLock } from '../../src/cli/file-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'workflow-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Leaves a lock of a process, as old as is said. */
function leave(name: string, pid: number, ageSeconds = 0): string {
  const lock = join(folder, name);
  writeFileSync(lock, JSON.stringify({ host: hostname(), pid, id: name }));
  const at = Date.now() / 1000 - ageSeconds;
  utimesSync(lock, at, at);
  return lock;
}

/** Works under the lock, several times at once. @returns how many worked at the same moment at most */
async function crowd(lock: string): Promise<number> {
  let working = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    working += 1;
    most = Math.max(most, working);
    await writeFile(`${lock}.work`, '');
    await unlink(`${lock}.work`);
    working -= 1;
  };
  await Promise.all(Array.from({ length: 6 }, () => withFileLock(lock, work)));
  return most;
}

/** Waits for the lock while something else is done. @returns what came first */
async function orderOf(lock: string, free: () => void | Promise<void>): Promise<string[]> {
  const order: string[] = [];
  const waiting = withFileLock(lock, async () => void order.push('worked'));
  for (let looks = 0; looks < 200; looks += 1)
    await withFileLock(join(folder, 'meanwhile'), async () => undefined);
  order.push('freed');
  await free();
  await waiting;
  return order;
}

test('work under one lock is done one at a time, and leaves nothing behind', async () => {
  expect(await crowd(join(folder, 'one'))).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('work that fails gives its lock back', async () => {
  const lock = join(folder, 'failing');
  await expect(withFileLock(lock, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(existsSync(lock)).toBe(false);
});

test('a lock is kept while its process runs, and taken when it was killed', async () => {
  const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const lock = leave('killed', holder.pid ?? 0);
  const order = await orderOf(lock, async () => {
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  });
  expect(order).toEqual(['freed', 'worked']);
});

test('a lock that is older than a minute is taken, whoever has it; a younger one is not', async () => {
  const old = leave('old', process.pid, 61);
  expect(await withFileLock(old, async () => 'worked')).toBe('worked');
  const young = leave('young', process.pid, 45);
  expect(await orderOf(young, () => unlinkSync(young))).toEqual(['freed', 'worked']);
});

test('of many that find a lock abandoned one at a time works', async () => {
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'exit');
  for (let round = 0; round < 8; round += 1)
    expect(await crowd(leave(`abandoned-${round}`, gone.pid ?? 0))).toBe(1);
  // One of them may have crashed while it took the lock away.
  leave('twice.breaking', gone.pid ?? 0);
  expect(await crowd(leave('twice', gone.pid ?? 0))).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});
