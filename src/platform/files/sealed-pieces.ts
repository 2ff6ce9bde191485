/**
 * Streaming encryption of the bytes of a file: AES-256-GCM by pieces of 64 KiB under the file's own key, as the construction STREAM of
 * Hoang, Reyhanitabar, Rogaway and Vizár (2015). The nonce of a piece has its number and whether it is the last, so pieces cannot be
 * reordered, left out or cut off behind one; each can be opened alone, for ranges.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Pieces, StoredRange } from './storage.ts';

/** Plain bytes of a piece. */
export const PIECE_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_BYTES = PIECE_BYTES + TAG_BYTES;
const NONCE_BYTES = 12;

/** The stored bytes were changed, or belong to another file. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** The key seals one file alone, so that a number makes a nonce unique. */
interface FileKey {
  readonly key: Buffer;
  /** Associated data: a file that is moved to another row does not open. */
  readonly bound: Buffer;
}

function buildNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(index, 4);
  nonce.writeUInt8(isLast ? 1 : 0, 8);
  return nonce;
}

interface PieceAt {
  readonly index: number;
  readonly isLast: boolean;
}

function sealPiece({ key, bound }: FileKey, { index, isLast }: PieceAt, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, buildNonce(index, isLast), { authTagLength: TAG_BYTES });
  cipher.setAAD(bound);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function openPiece({ key, bound }: FileKey, { index, isLast }: PieceAt, sealed: Buffer): Buffer {
  const end = sealed.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, buildNonce(index, isLast), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(bound);
    decipher.setAuthTag(sealed.subarray(end));
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
  } catch {
    throw new DamagedFile('The stored bytes of a file are damaged or belong to another one');
  }
}

/** Cuts a stream into pieces of one size; the last one is shorter, or empty. At most one is held. */
async function* cut(pieces: Pieces, size: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    let rest = piece;
    while (length + rest.length >= size) {
      const head = rest.subarray(0, size - length);
      yield Buffer.concat([...held, head]);
      rest = rest.subarray(head.length);
      held = [];
      length = 0;
    }
    if (rest.length > 0) held.push(rest);
    length += rest.length;
  }
  yield Buffer.concat(held);
}

/** Seals a stream, piece by piece. The last piece is always shorter than the others, and may be empty. */
export async function* sealPieces(key: FileKey, plain: Pieces): AsyncGenerator<Buffer> {
  let index = 0;
  for await (const piece of cut(plain, PIECE_BYTES)) {
    yield sealPiece(key, { index, isLast: piece.length < PIECE_BYTES }, piece);
    index += 1;
  }
}

/** @returns the stored bytes that hold a range of the plain ones */
export const toStoredRange = ({ start, end }: StoredRange): StoredRange => ({
  start: Math.floor(start / PIECE_BYTES) * SEALED_BYTES,
  end: (Math.floor(Math.max(start, end - 1) / PIECE_BYTES) + 1) * SEALED_BYTES,
});

/**
 * Opens the stored bytes of `toStoredRange(range)`.
 * @param range of the plain bytes, within `size`
 * @throws DamagedFile, also when bytes are missing at the end
 */
export async function* openPieces(
  key: FileKey,
  stored: Pieces,
  { size, start, end }: StoredRange & { readonly size: number },
): AsyncGenerator<Buffer> {
  const last = Math.floor(size / PIECE_BYTES);
  let index = Math.floor(start / PIECE_BYTES);
  let given = 0;
  for await (const sealed of cut(stored, SEALED_BYTES)) {
    if (sealed.length === 0) break;
    const plain = openPiece(key, { index, isLast: index === last }, sealed);
    const offset = index * PIECE_BYTES;
    const wanted = plain.subarray(Math.max(0, start - offset), Math.max(0, end - offset));
    given += wanted.length;
    index += 1;
    if (wanted.length > 0) yield wanted;
  }
  if (given !== end - start) throw new DamagedFile('The stored bytes of a file are incomplete');
}
