/** A process that is killed while it stores a file would leave a reference to missing bytes, or bytes without a row for ever. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb, type Db } from '../../src/base/db/client.ts';
import { keyring } from '../../src/platform/credentials/vault/keyring.ts';
import { FileStore } from '../../src/platform/files/file-store.ts';
import { createFolderStorage } from '../../src/platform/files/folder-storage.ts';
import { findFile } from '../../src/platform/files/rows.ts';
import { testDatabase } from '../support/database.ts';

const PROGRAM = fileURLToPath(new URL('support/store-file.ts', import.meta.url));
const TSX = fileURLToPath(new URL('../../node_modules/.bin/tsx', import.meta.url));

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Db;
let folder: string;
let store: FileStore;
const organizationId = randomUUID();

beforeAll(async () => {
  database = await testDatabase();
  db = openDb(database.url);
  folder = await mkdtemp(join(tmpdir(), 'files-lost-'));
  await db.query(`INSERT INTO organizations (id, name, slug) VALUES ($1, 'Files', 'files')`, [
    organizationId,
  ]);
  const keys = keyring([{ id: 'test', key: Buffer.alloc(32, 7) }]);
  if (keys === null) throw new Error('there is a key');
  store = new FileStore(createFolderStorage(folder), keys);
});
afterAll(async () => {
  await db.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const listBytes = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
const listRows = () => db.query<{ id: string }>('SELECT id FROM files');

/** Runs the program to a point, and kills it there. */
async function killAt(point: string): Promise<void> {
  const child = spawn(TSX, [PROGRAM, database.url, folder, organizationId, point], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // tsx runs the program in a process of its own, and both belong to one group.
    detached: true,
  });
  const ended = once(child, 'close');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('the program has ended'))),
  ]);
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await ended;
}

test.each([
  ['note', 0],
  ['bytes', 1],
  ['stored', 1],
  ['row', 1],
])('killed at %s: no row, and the bytes are gone with a sweep', async (point, left) => {
  await killAt(point);
  // PostgreSQL rolls back once it sees that its client is gone.
  await expect.poll(listRows, { timeout: 10_000 }).toEqual([]);
  expect(await listBytes()).toHaveLength(left);
  // Another upload may last as long as it takes: what was only noted stays until it is due.
  expect([await store.sweep(db), await listBytes()]).toMatchObject([0, { length: left }]);
  await db.query('UPDATE stray_files SET due_at = now()');
  await expect.poll(async () => store.sweep(db), { timeout: 10_000 }).toBe(1);
  expect([await listBytes(), await db.query('SELECT 1 FROM stray_files')]).toEqual([[], []]);
});

test('killed behind the commit: the file is there, whole, and no sweep takes it', async () => {
  await killAt('committed');
  const [{ id: fileId } = { id: '' }] = await listRows();
  expect(await store.sweep(db)).toBe(0);
  const row = await findFile(db, { organizationId, fileId });
  if (row === null) throw new Error('the file has a row');
  const sizes: number[] = [];
  for await (const piece of store.open(row)) sizes.push(piece.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(400_000);
  expect(await listBytes()).toEqual([fileId]);
});
