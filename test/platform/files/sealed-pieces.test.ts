/** Sealed files: what is stored opens to what was given, whole and in parts, and to nothing else. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  DamagedFile,
  openPieces,
  PIECE_BYTES,
  sealPieces,
  toStoredRange,
} from '../../../src/platform/files/sealed-pieces.ts';

const fileKey = { key: Buffer.alloc(32, 3), bound: Buffer.from('v1|an organization|a file') };

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
const seal = (plain: Uint8Array, size = 10_000) => collect(sealPieces(fileKey, inPieces(plain, size)));
const open = (stored: Uint8Array, size: number, start = 0, end = size, key = fileKey) => {
  const range = toStoredRange({ start, end });
  return collect(
    openPieces(key, inPieces(stored.subarray(range.start, range.end), 7_777), { size, start, end }),
  );
};

test.each([0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES, 200_000])(
  '%d bytes open to themselves, however they come',
  async (size) => {
    const plain = randomBytes(size);
    for (const piece of [1_000, 300_000]) {
      const stored = await seal(plain, piece);
      expect(stored.length).toBe(size + 16 * (Math.floor(size / PIECE_BYTES) + 1));
      expect((await open(stored, size)).equals(plain)).toBe(true);
      expect(size > 16 && stored.includes(plain.subarray(0, 16))).toBe(false);
    }
  },
);

test.each([
  [0, 1],
  [PIECE_BYTES - 1, PIECE_BYTES + 1],
  [PIECE_BYTES, 2 * PIECE_BYTES],
  [100_000, 200_000],
  [199_999, 200_000],
])('the bytes from %d to %d open alone', async (start, end) => {
  const plain = randomBytes(200_000);
  const stored = await seal(plain);
  expect((await open(stored, plain.length, start, end)).equals(plain.subarray(start, end))).toBe(true);
});

describe('what was changed does not open', () => {
  const plain = randomBytes(2 * PIECE_BYTES + 5);
  const sealedPiece = PIECE_BYTES + 16;

  test.each<[string, (stored: Buffer) => Uint8Array]>([
    [
      'a bit of it is another',
      (stored) => Buffer.from(stored.map((byte, at) => (at === 70_000 ? byte ^ 1 : byte))),
    ],
    ['its last piece is missing', (stored) => stored.subarray(0, 2 * sealedPiece)],
    [
      'its pieces stand in another order',
      (stored) =>
        Buffer.concat([
          stored.subarray(sealedPiece, 2 * sealedPiece),
          stored.subarray(0, sealedPiece),
          stored.subarray(2 * sealedPiece),
        ]),
    ],
    ['nothing is left', () => Buffer.alloc(0)],
  ])('%s', async (_, change) => {
    await expect(open(change(await seal(plain)), plain.length)).rejects.toThrow(DamagedFile);
  });

  test('it is cut behind a piece, and its row tells the shorter size', async () => {
    const stored = await seal(plain);
    await expect(open(stored.subarray(0, sealedPiece), PIECE_BYTES - 1)).rejects.toThrow(DamagedFile);
  });

  test('it is the file of another row', async () => {
    const other = { ...fileKey, bound: Buffer.from('v1|an organization|another file') };
    await expect(open(await seal(plain), plain.length, 0, plain.length, other)).rejects.toThrow(DamagedFile);
  });
});

test('few pieces are in memory: none is taken before the one before it was given on', async () => {
  let taken = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    for (; taken < 64; taken += 1) yield Buffer.alloc(PIECE_BYTES);
  }
  let given = 0;
  for await (const piece of sealPieces(fileKey, source())) {
    expect(taken - given).toBeLessThan(2);
    given += piece.length > 16 ? 1 : 0;
  }
  expect(given).toBe(64);
});
