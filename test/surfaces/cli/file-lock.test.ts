/** Concurrent commands would lose a login, or wait for ever for a crashed command. Real files and processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { unlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withFileLock } from '../../../src/surfaces/cli/file-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'workflow-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Leaves the lock of a process with the given age. */
function leave(name: string, pid: number, ageSeconds = 0): string {
  const lock = join(folder, name);
  writeFileSync(lock, JSON.stringify({ host: hostname(), pid, id: name }));
  const at = Date.now() / 1000 - ageSeconds;
  utimesSync(lock, at, at);
  return lock;
}

/** Runs concurrent work under the lock. @returns the largest number that ran at the same time */
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

/** Waits for the lock during other work. @returns which finished first */
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

test('work under one lock runs one at a time and leaves no file', async () => {
  expect(await crowd(join(folder, 'one'))).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('work that fails releases the lock', async () => {
  const lock = join(folder, 'failing');
  await expect(withFileLock(lock, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(existsSync(lock)).toBe(false);
});

test('a lock is kept while its process runs and broken after it is killed', async () => {
  const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const lock = leave('killed', holder.pid ?? 0);
  const order = await orderOf(lock, async () => {
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  });
  expect(order).toEqual(['freed', 'worked']);
});

test('a lock of any process is broken when it is older than a minute, and not before', async () => {
  const old = leave('old', process.pid, 61);
  expect(await withFileLock(old, async () => 'worked')).toBe('worked');
  const young = leave('young', process.pid, 45);
  expect(await orderOf(young, () => unlinkSync(young))).toEqual(['freed', 'worked']);
});

test('commands that find an abandoned lock still work one at a time', async () => {
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'exit');
  for (let round = 0; round < 8; round += 1)
    expect(await crowd(leave(`abandoned-${round}`, gone.pid ?? 0))).toBe(1);
  // One of them may have crashed while it took the lock away.
  leave('twice.breaking', gone.pid ?? 0);
  expect(await crowd(leave('twice', gone.pid ?? 0))).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});
