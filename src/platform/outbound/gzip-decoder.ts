/**
 * Decodes gzip (RFC 1952): members one after another, and nothing of what follows the last one. Servers pad with zeros or leave bytes
 * behind, which browsers ignore; the decoder of `node:zlib` fails then, or ends before its input.
 */
import type { TransformCallback } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { BodyDecoder, endMissing, notDecodable } from './body-decoder.ts';

/** RFC 1952, 2.3.1: its first bytes, its method, and the flags of optional parts. */
const MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);
const FLAGS = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 };
const FIXED_BYTES = 10;
const TRAILER_BYTES = 8;
/** The longest extra field and some names; a header without an end would be kept in memory. */
export const MAX_HEADER_BYTES = 72 * 1024;
/** Each costs an engine, and the shortest has 20 bytes. */
export const MAX_MEMBERS = 1_000;

const notGzip = (reason: string): Error => notDecodable(`The body of the response is no gzip: ${reason}`);

const startsLikeMember = (bytes: Buffer): boolean =>
  MAGIC.subarray(0, bytes.byteLength).equals(bytes.subarray(0, MAGIC.byteLength));

/** @returns the length of a member's header; null: more bytes decide @throws NodeError `response_not_decodable` */
function measureHeader(bytes: Buffer): number | null {
  const has = (flag: number): boolean => ((bytes[3] ?? 0) & flag) !== 0;
  if (!startsLikeMember(bytes) || has(FLAGS.reserved)) throw notGzip('it does not begin with a header');
  if (bytes.byteLength < FIXED_BYTES) return null;
  let end = FIXED_BYTES;
  if (has(FLAGS.extra)) {
    if (bytes.byteLength < end + 2) return null;
    end += 2 + bytes.readUInt16LE(end);
  }
  for (const text of [FLAGS.name, FLAGS.comment]) {
    if (!has(text)) continue;
    const zero = bytes.indexOf(0, end);
    if (zero < 0) return null;
    end = zero + 1;
  }
  if (has(FLAGS.headerCrc)) end += 2;
  return end <= bytes.byteLength ? end : null;
}

/** The part of a body that is read; `behind` the last member. */
type GzipSection = 'header' | 'data' | 'trailer' | 'behind';

export class GzipDecoder extends BodyDecoder {
  #part: GzipSection = 'header';
  /** Bytes of a header or a trailer that is not complete. */
  #partial = Buffer.alloc(0);
  #members = 0;
  /** Of the decoded bytes of the member. */
  #sum = { crc: 0, length: 0 };

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#take(chunk, done);
  }

  override _flush(done: TransformCallback): void {
    const isWhole =
      this.#part === 'behind' ||
      // An empty body is not encoded; after a member, less than a header's first bytes is no member.
      (this.#part === 'header' && this.#partial.byteLength < (this.#members === 0 ? 1 : MAGIC.byteLength));
    done(isWhole ? null : endMissing());
  }

  #take(bytes: Buffer, done: TransformCallback): void {
    if (bytes.byteLength === 0 || this.#part === 'behind') return done();
    if (this.#part === 'data') return this.#decode(bytes, done);
    const all = Buffer.concat([this.#partial, bytes]);
    let rest: Buffer | null;
    try {
      rest = this.#part === 'header' ? this.#readHeader(all) : this.#readTrailer(all);
    } catch (error) {
      return done(error as Error);
    }
    this.#partial = rest === null ? all : Buffer.alloc(0);
    if (rest === null) return done();
    this.#take(rest, done);
  }

  #decode(bytes: Buffer, done: TransformCallback): void {
    this.decode(bytes, (behind) => {
      if (behind === null) return done();
      this.#part = 'trailer';
      this.#take(behind, done);
    });
  }

  /** @returns the bytes after the header; null: more are needed @throws NodeError `response_not_decodable` */
  #readHeader(all: Buffer): Buffer | null {
    if (this.#members > 0 && !startsLikeMember(all)) {
      this.#part = 'behind';
      return all;
    }
    const length = measureHeader(all);
    if ((length ?? all.byteLength) > MAX_HEADER_BYTES) throw notGzip('its header is too long');
    if (length === null) return null;
    if (this.#members === MAX_MEMBERS) throw notGzip(`it has more than ${MAX_MEMBERS} members`);
    this.#members += 1;
    this.#part = 'data';
    this.#sum = { crc: 0, length: 0 };
    this.begin(createInflateRaw(), (decoded) => {
      const { crc, length: before } = this.#sum;
      this.#sum = { crc: crc32(decoded, crc), length: (before + decoded.byteLength) % 2 ** 32 };
    });
    return all.subarray(length);
  }

  /** @returns the bytes after the trailer; null: more are needed @throws NodeError `response_not_decodable` */
  #readTrailer(all: Buffer): Buffer | null {
    if (all.byteLength < TRAILER_BYTES) return null;
    const { crc, length } = this.#sum;
    if (all.readUInt32LE(0) !== crc || all.readUInt32LE(4) !== length)
      throw notGzip('its checksum is another one');
    this.#part = 'header';
    return all.subarray(TRAILER_BYTES);
  }
}
