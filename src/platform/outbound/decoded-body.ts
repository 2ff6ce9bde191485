/** Decodes the content encodings of a response body (RFC 9110, 8.4). */
import { pipeline, Transform } from 'node:stream';
import type { Readable, TransformCallback } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { NodeError } from '../../language/nodes/kind.ts';

/** Statuses that have no body (Fetch standard, "null body status"). */
export const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The first byte of a zlib stream names its method (RFC 1950, 2.2). Some servers send a raw deflate stream (RFC 1951). */
const isZlib = (first: number): boolean => (first & 0x0f) === 8;

const DECODERS: ReadonlyMap<string, (first: number) => Transform> = new Map<
  string,
  (first: number) => Transform
>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', (first) => (isZlib(first) ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
]);
/** The limit of undici's fetch; each encoding costs a decoder. */
const MAX_ENCODINGS = 5;

/** Not retryable: the same response would come again. */
export const notDecodable = (message: string, cause?: unknown): NodeError =>
  new NodeError('response_not_decodable', message, { cause });

/** Converts a decoder's error: the end is missing, or the bytes have another encoding. */
function toDecodeFailure(error: unknown, name: string): unknown {
  if (error instanceof NodeError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') {
    const message = 'The response ended before it was complete';
    return new NodeError('network_error', message, { retryable: true, cause: error });
  }
  return notDecodable(`The body of the response cannot be decoded with its Content-Encoding ${name}`, error);
}

/**
 * Decodes one encoding. The decoder is created with the first byte, because an empty body is not encoded. A missing end is
 * an error: otherwise half a response would pass as complete.
 */
class Decoder extends Transform {
  readonly #name: string;
  readonly #make: (first: number) => Transform;
  #inner: Transform | null = null;

  constructor(name: string, make: (first: number) => Transform) {
    super();
    this.#name = name;
    this.#make = make;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const [first] = chunk;
    if (first === undefined) return done();
    this.#inner ??= this.#begin(first);
    this.#inner.write(chunk, () => done());
  }

  override _read(size: number): void {
    this.#inner?.resume();
    super._read(size);
  }

  override _flush(done: TransformCallback): void {
    if (this.#inner === null) return done();
    this.#inner.once('end', () => done());
    this.#inner.end();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inner?.destroy();
    done(error);
  }

  #begin(first: number): Transform {
    const inner = this.#make(first);
    // A few bytes may unpack to millions, so the decoder pauses until they are read.
    inner.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) inner.pause();
    });
    inner.on('error', (error) => this.destroy(toDecodeFailure(error, this.#name) as Error));
    return inner;
  }
}

const parseEncodings = (encoding: string | null): string[] =>
  (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');

/** True when every encoding of the header is supported. */
export const isDecodable = (encoding: string | null): boolean =>
  parseEncodings(encoding).every((name) => DECODERS.has(name));

/**
 * Decodes a body, the last encoding first; with an unknown encoding the body is unchanged. The stream fails with NodeError
 * `response_not_decodable`, or `network_error` when its end is missing.
 * @param encoding the header Content-Encoding
 * @throws NodeError `response_not_decodable` for more than five encodings
 */
export function decodeBody(body: Readable, encoding: string | null): Readable {
  const names = parseEncodings(encoding);
  if (names.length > MAX_ENCODINGS) {
    body.on('error', () => undefined).destroy();
    throw notDecodable(`The response has more than ${MAX_ENCODINGS} encodings`);
  }
  if (!isDecodable(encoding)) return body;
  return names.toReversed().reduce<Readable>((from, name) => {
    const make = DECODERS.get(name);
    return make === undefined ? from : pipeline(from, new Decoder(name, make), () => undefined);
  }, body);
}
