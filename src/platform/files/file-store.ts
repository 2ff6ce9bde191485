/**
 * Stores files and opens them: bytes sealed in the storage, their description in a row. Bytes are durable before the row is committed, and
 * noted before they are written, so that a killed process leaves neither a row without bytes nor bytes without a row for ever.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { EncryptionKey } from '../../base/config/config.ts';
import type { Db, Tx } from '../../base/db/client.ts';
import { open, seal } from '../credentials/vault/envelope.ts';
import { keyring, type Keyring } from '../credentials/vault/keyring.ts';
import { createFolderStorage } from './folder-storage.ts';
import {
  deleteDueRows,
  deleteStrays,
  forgetStray,
  insertFile,
  LEAST_COUNTED,
  noteStray,
  readUsage,
  type FileRow,
  type SealedFileRow,
} from './rows.ts';
import { openPieces, sealPieces, toStoredRange } from './sealed-pieces.ts';
import type { FileStorage, Pieces, StoredRange } from './storage.ts';

/** A limit of the plan refuses a file. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly key: 'file_size_bytes' | 'file_bytes';
  readonly limit: number;
  /** Bytes that were counted, as far as they were read. */
  readonly current: number;

  constructor(key: FileRefused['key'], limit: number, current: number) {
    super(
      key === 'file_size_bytes' ? 'The file is too large' : 'The files of the organization are too large',
    );
    this.key = key;
    this.limit = limit;
    this.current = current;
  }
}

/** Limits of the plan; null: unlimited. */
interface FileLimits {
  /** Bytes of all files of the organization. */
  readonly file_bytes: number | null;
  /** Bytes of one file. */
  readonly file_size_bytes: number | null;
}

interface NewFile {
  readonly organizationId: string;
  readonly name: string;
  /** Without parameters. */
  readonly mediaType: string;
  readonly createdBy: string | null;
}

const toFileKey = (organizationId: string, fileId: string, key: Buffer) => ({
  key,
  bound: Buffer.from(`v1|${organizationId}|${fileId}`),
});

const KEY_BYTES = 32;

export class FileStore {
  readonly #storage: FileStorage;
  readonly #keys: Keyring;

  /** @param keys the first one seals, all open */
  constructor(storage: FileStorage, keys: Keyring) {
    this.#storage = storage;
    this.#keys = keys;
  }

  /**
   * Stores a file while it comes; few pieces of it are in memory at a time.
   * @param within runs in the transaction of the row, such as for what refers to the file
   * @throws FileRefused, and what the pieces throw; then nothing is stored
   */
  async write(
    db: Db,
    file: NewFile & {
      readonly limits: FileLimits;
      readonly within?: (tx: Tx, row: FileRow) => Promise<void>;
    },
    pieces: Pieces,
  ): Promise<FileRow> {
    const { organizationId, limits } = file;
    const id = randomUUID();
    const key = randomBytes(KEY_BYTES);
    const owner = { organizationId, credentialId: id };
    const sealed = seal(this.#keys, owner, key.toString('base64'));
    const used = await readUsage(db, organizationId);
    await noteStray(db, id);
    try {
      const sum = { size: 0, hash: createHash('sha256') };
      const counted = count(pieces, sum, { ...limits, used });
      await this.#storage.put(id, sealPieces(toFileKey(organizationId, id, key), counted));
      const row = {
        id,
        organization_id: organizationId,
        name: file.name,
        media_type: file.mediaType,
        size: sum.size,
        sha256: sum.hash.digest('hex'),
        created_by: file.createdBy,
      };
      return await db.transaction(async (tx) => {
        const inserted = await insertFile(tx, row, { sealed, maxBytes: limits.file_bytes });
        if (inserted === null)
          throw new FileRefused('file_bytes', limits.file_bytes ?? 0, await readUsage(tx, organizationId));
        await file.within?.(tx, inserted);
        return inserted;
      });
    } catch (error) {
      await this.#discard(db, id);
      throw error;
    }
  }

  /** Reads a part of a file. @throws DamagedFile, StoredBytesMissing, UnreadableError without its key */
  open(row: SealedFileRow, range: StoredRange = { start: 0, end: row.size }): Pieces {
    const { id, organization_id: organizationId, key_id: keyId, wrapped_key: wrappedKey, ciphertext } = row;
    const owner = { organizationId, credentialId: id };
    const key = Buffer.from(open(this.#keys, owner, { keyId, wrappedKey, ciphertext }), 'base64');
    const stored = this.#storage.open(id, toStoredRange(range));
    return openPieces(toFileKey(organizationId, id, key), stored, { ...range, size: row.size });
  }

  /** Deletes the files that are due, and bytes that no row names. @returns how many of both */
  async sweep(db: Db): Promise<number> {
    const rows = await deleteDueRows(db);
    return rows + (await deleteStrays(db, (fileId) => this.#storage.delete(fileId)));
  }

  /** Deletes what is stored of a file without a row. A failure leaves it to the sweep, which finds the note. */
  async #discard(db: Db, id: string): Promise<void> {
    try {
      await this.#storage.delete(id);
      await forgetStray(db, id);
    } catch {
      // The note is still there.
    }
  }
}

/** Counts and hashes the bytes of a file as they come. @throws FileRefused as soon as they are too many */
async function* count(
  pieces: Pieces,
  sum: { size: number; readonly hash: ReturnType<typeof createHash> },
  { file_size_bytes: maxSize, file_bytes: maxTotal, used }: FileLimits & { readonly used: number },
): AsyncGenerator<Uint8Array> {
  const requireRoom = (): void => {
    if (maxSize !== null && sum.size > maxSize) throw new FileRefused('file_size_bytes', maxSize, sum.size);
    const total = used + Math.max(sum.size, LEAST_COUNTED);
    if (maxTotal !== null && total > maxTotal) throw new FileRefused('file_bytes', maxTotal, used);
  };
  requireRoom();
  for await (const piece of pieces) {
    sum.size += piece.length;
    requireRoom();
    sum.hash.update(piece);
    yield piece;
  }
}

/** @returns null when the operator has configured no storage or no encryption key */
export function openFileStore(config: {
  readonly filesDirectory: string | null;
  readonly encryptionKeys: readonly EncryptionKey[];
}): FileStore | null {
  const keys = keyring(config.encryptionKeys);
  if (config.filesDirectory === null || keys === null) return null;
  return new FileStore(createFolderStorage(config.filesDirectory), keys);
}
