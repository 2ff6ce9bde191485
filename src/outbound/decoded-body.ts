/** The body of an answer without the encodings that its headers name. */
import { pipeline } from 'node:stream';
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Statuses that have no body (Fetch standard, "null body status"). */
export const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

// What has come is told, also when the end is missing (undici's fetch does the same).
const INFLATE = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
};
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip(INFLATE)],
  ['x-gzip', () => createGunzip(INFLATE)],
  ['deflate', () => createInflate(INFLATE)],
  ['br', () => createBrotliDecompress(BROTLI)],
]);
/** More is nobody's need, and each costs a decoder (undici's fetch has the same bound). */
const MAX_ENCODINGS = 5;

/**
 * Undoes the encodings of a body, the last first; one that nobody knows leaves it as it is.
 * @param encoding the header Content-Encoding, null when there is none (RFC 9110, 8.4)
 * @throws Error for more than five encodings
 */
export function decodedBody(body: Readable, encoding: string | null): Readable {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (names.length > MAX_ENCODINGS) throw new Error(`The answer is encoded more than ${MAX_ENCODINGS} times`);
  const decoders = names.toReversed().map((name) => DECODERS.get(name));
  const known = decoders.filter((decoder) => decoder !== undefined);
  if (known.length < decoders.length) return body;
  // The end of one is the end of all.
  return known.reduce<Readable>((from, decoder) => pipeline(from, decoder(), () => undefined), body);
}
