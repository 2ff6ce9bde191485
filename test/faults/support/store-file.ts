/** Stores one file, and stops at a named point until somebody kills it. Told by its arguments: database, folder, organization, point. */
import { once } from 'node:events';
import { openDb } from '../../../src/base/db/client.ts';
import { keyring } from '../../../src/platform/credentials/vault/keyring.ts';
import { FileStore } from '../../../src/platform/files/file-store.ts';
import { createFolderStorage } from '../../../src/platform/files/folder-storage.ts';

const [url = '', folder = '', organizationId = '', point = ''] = process.argv.slice(2);
const db = openDb(url);
const folderStorage = createFolderStorage(folder);
const keys = keyring([{ id: 'test', key: Buffer.alloc(32, 7) }]);
if (keys === null) throw new Error('there is a key');

/** Tells the parent where it is, and waits for its death. */
async function stopAt(name: string): Promise<void> {
  if (point !== name) return;
  process.stdout.write(`at ${name}\n`);
  await once(process.stdin, 'end');
}

async function* source(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(200_000, 1);
  await stopAt('bytes');
  yield Buffer.alloc(200_000, 2);
}

const storage = {
  ...folderStorage,
  async put(fileId: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    await stopAt('note');
    await folderStorage.put(fileId, pieces);
    await stopAt('stored');
  },
};
const limits = { file_bytes: null, file_size_bytes: null };
const file = { organizationId, name: 'a', mediaType: 'text/plain', createdBy: null, limits };
await new FileStore(storage, keys).write(db, { ...file, within: () => stopAt('row') }, source());
await stopAt('committed');
