/** Files in a folder that all processes share: of one host, or of a volume that many may write. */
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoredBytesMissing, type FileStorage, type Pieces, type StoredRange } from './storage.ts';

/** Directories of few entries: tools for folders list all entries of one. */
const toPath = (folder: string, fileId: string): string => join(folder, fileId.slice(0, 2), fileId);
/** While it is written. */
const toPartPath = (path: string): string => `${path}.part`;

async function writeDurably(path: string, pieces: Pieces): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a directory durable: a name is lost with the power until then. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function* read(path: string, { start, end }: StoredRange): AsyncGenerator<Uint8Array> {
  if (end <= start) return;
  const stream = createReadStream(path, { start, end: end - 1 });
  try {
    for await (const piece of stream) yield piece as Uint8Array;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new StoredBytesMissing('The bytes of a file are not in the storage', { cause: error });
    throw error;
  }
}

/** @param folder made when the first file is stored */
export function createFolderStorage(folder: string): FileStorage {
  return {
    async put(fileId, pieces) {
      const path = toPath(folder, fileId);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeDurably(toPartPath(path), pieces);
      await rename(toPartPath(path), path);
      await syncDirectory(dirname(path));
    },
    open: (fileId, range) => read(toPath(folder, fileId), range),
    async delete(fileId) {
      const path = toPath(folder, fileId);
      await rm(toPartPath(path), { force: true });
      await rm(path, { force: true });
    },
  };
}
