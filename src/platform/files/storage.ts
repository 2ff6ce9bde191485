/** The port of the storage of files: bytes by the id of their file. It knows no organization, and what it stores is sealed already. */

/** Bytes of one piece of a stream: few pieces are in memory at a time. */
export type Pieces = AsyncIterable<Uint8Array>;

/** A part of what is stored. */
export interface StoredRange {
  /** The first byte. */
  readonly start: number;
  /** The byte behind the last one; beyond the end means the end. */
  readonly end: number;
}

export interface FileStorage {
  /**
   * Stores the pieces under a new id. It resolves once they are durable, and nothing can be opened before.
   * @throws what the pieces throw; then nothing can be opened, and `delete` removes what is left
   */
  put(fileId: string, pieces: Pieces): Promise<void>;
  /** Reads a part, piece by piece. @throws StoredBytesMissing */
  open(fileId: string, range: StoredRange): Pieces;
  /** Deletes what is stored under an id, also what is left of a put that ended early. Nothing there is no mistake. */
  delete(fileId: string): Promise<void>;
}

/** The storage has no bytes of a file that has a row: they were removed behind the back of the service. */
export class StoredBytesMissing extends Error {
  override readonly name = 'StoredBytesMissing';
}
