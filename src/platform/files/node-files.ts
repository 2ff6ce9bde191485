/** The files of nodes: opened while a request is sent, and kept while an answer comes. */
import type { Db, Tx } from '../../base/db/client.ts';
import { NothingSentError } from '../../language/nodes/failure.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import type { FilesPort } from '../../language/nodes/tools.ts';
import { readSubscription } from '../billing/admission.ts';
import { resolveEntitlements } from '../billing/plans.ts';
import { readFileName, readMediaType } from './description.ts';
import { FileRefused, type FileStore } from './file-store.ts';
import { findFile, insertReference, LEAST_COUNTED, readUsage, toReference, type FileRow } from './rows.ts';

const FULL = 'The files of the organization are as large as its plan allows';

/** Pieces whose failure can be told from that of storing them. */
class WatchedPieces {
  readonly #pieces: AsyncIterable<Uint8Array>;
  #failure: unknown = null;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of this.#pieces) yield piece;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  hasThrown = (error: unknown): boolean => error === this.#failure;
}

function toNodeError(error: unknown): NodeError {
  if (!(error instanceof FileRefused))
    return new NodeError('file_not_stored', 'The file could not be stored', {
      retryable: true,
      cause: error,
    });
  return error.key === 'file_bytes'
    ? new NodeError('file_storage_full', FULL)
    : new NodeError('file_too_large', `The file is larger than ${error.limit} bytes, which the plan allows`);
}

/** @param store null: the operator has configured none */
export const createFilesPort = (db: Db, store: FileStore | null): FilesPort => ({
  async keeper({ organizationId, runPk }) {
    if (store === null)
      throw new NothingSentError('files_not_configured', 'The operator has configured no storage of files');
    const limits = resolveEntitlements(await readSubscription(db, organizationId));
    const used = await readUsage(db, organizationId);
    // Asked before the request is sent, which may have an effect.
    if (limits.file_bytes !== null && used + LEAST_COUNTED > limits.file_bytes)
      throw new NothingSentError('file_storage_full', FULL);
    return async ({ name, mediaType }, coming) => {
      const file = {
        name: readFileName(name),
        mediaType: readMediaType(mediaType),
        organizationId,
        createdBy: null,
        limits,
        within: (tx: Tx, { id: fileId }: FileRow) => insertReference(tx, { organizationId, runPk, fileId }),
      };
      const pieces = new WatchedPieces(coming);
      try {
        return toReference(await store.write(db, file, pieces));
      } catch (error) {
        throw pieces.hasThrown(error) ? error : toNodeError(error);
      }
    };
  },

  async find(organizationId, { $file: fileId, name, size, sha256 }) {
    const row = await findFile(db, { organizationId, fileId });
    if (row === null || store === null)
      throw new NothingSentError('file_not_found', `The file ${JSON.stringify(name)} does not exist`);
    // The request that people have seen has this digest.
    if (row.sha256 !== sha256 || row.size !== size)
      throw new NothingSentError(
        'file_changed',
        `The file ${JSON.stringify(name)} is not the one that is described`,
      );
    return () => store.open(row);
  },
});
