/** Decodes the content encodings of a response body (RFC 9110, 8.4). */
import { pipeline } from 'node:stream';
import type { Readable, TransformCallback } from 'node:stream';
import { createBrotliDecompress, createInflate, createInflateRaw } from 'node:zlib';
import { BodyDecoder, notDecodable } from './body-decoder.ts';
import type { Engine } from './body-decoder.ts';
import { GzipDecoder } from './gzip-decoder.ts';

/** Statuses that have no body (Fetch standard, "null body status"). */
export const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The first byte of a zlib stream names its method (RFC 1950, 2.2). Some servers send a raw deflate stream (RFC 1951). */
const isZlib = (first: number): boolean => (first & 0x0f) === 8;

const DECODERS: ReadonlyMap<string, (name: string) => BodyDecoder> = new Map<
  string,
  (name: string) => BodyDecoder
>([
  ['gzip', (name) => new GzipDecoder(name)],
  ['x-gzip', (name) => new GzipDecoder(name)],
  [
    'deflate',
    (name) => new StreamDecoder(name, (first) => (isZlib(first) ? createInflate() : createInflateRaw())),
  ],
  ['br', (name) => new StreamDecoder(name, () => createBrotliDecompress())],
]);
/** The limit of undici's fetch; each encoding costs a decoder. */
const MAX_ENCODINGS = 5;

/**
 * Decodes one compressed stream, which must be the whole body. The engine is created with the first byte, because an empty body is
 * not encoded.
 */
class StreamDecoder extends BodyDecoder {
  readonly #make: (first: number) => Engine;
  #hasBegun = false;

  constructor(name: string, make: (first: number) => Engine) {
    super(name);
    this.#make = make;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const [first] = chunk;
    if (first === undefined) return done();
    if (!this.#hasBegun) this.begin(this.#make(first));
    this.#hasBegun = true;
    this.decode(chunk, (behind) =>
      done(behind === null ? null : notDecodable('The body of the response goes on after its encoded end')),
    );
  }

  override _flush(done: TransformCallback): void {
    this.endStream(() => done());
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
    return make === undefined ? from : pipeline(from, make(name), () => undefined);
  }, body);
}
