/** A server that leaves a byte behind its encoded body would hold the node that called it for ever. */
import { Readable } from 'node:stream';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  constants as zlibConstants,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeBody } from '../../../src/platform/outbound/decoded-body.ts';
import { MAX_HEADER_BYTES, MAX_MEMBERS } from '../../../src/platform/outbound/gzip-decoder.ts';

/** Decodes a body that comes in these chunks: its text, or the code of its failure. */
async function decode(encoding: string, ...chunks: Buffer[]): Promise<string> {
  try {
    const decoded: Buffer[] = [];
    for await (const chunk of decodeBody(Readable.from(chunks), encoding)) decoded.push(chunk as Buffer);
    return Buffer.concat(decoded).toString();
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

const TEXT = 'hello, '.repeat(20);
const gzip = gzipSync(TEXT);
const zeros = Buffer.alloc(512);
const empty = gzipSync('');

describe('gzip ends with its last member', () => {
  test.each<[string, Buffer]>([
    ['one zero', Buffer.alloc(1)],
    ['a block of zeros', zeros],
    ['junk', Buffer.from('junk')],
    ['the first bytes of a member', Buffer.from([0x1f, 0x8b])],
    ['zeros and junk', Buffer.concat([zeros, Buffer.from('junk')])],
    ['zeros and a member', Buffer.concat([zeros, gzip])],
    ['nothing', Buffer.alloc(0)],
  ])('%s behind it: ignored, in one chunk and in its own', async (_, behind) => {
    expect(await decode('gzip', Buffer.concat([gzip, behind]))).toBe(TEXT);
    expect(await decode('x-gzip', gzip, behind)).toBe(TEXT);
    expect(await decode('gzip, gzip', gzipSync(Buffer.concat([gzip, behind])), behind)).toBe(TEXT);
  });

  test('members after another are one body, wherever the chunks are cut', async () => {
    const body = Buffer.concat([gzip, gzipSync('and more'), zeros]);
    for (let cut = 0; cut <= body.length; cut += 1)
      expect(await decode('gzip', body.subarray(0, cut), body.subarray(cut))).toBe(`${TEXT}and more`);
    const bytes = Array.from(body, (byte) => Buffer.from([byte]));
    expect(await decode('gzip', ...bytes)).toBe(`${TEXT}and more`);
  });

  test('a body without its end is no answer, wherever it is cut', async () => {
    for (let cut = 1; cut < gzip.length; cut += 1)
      expect(await decode('gzip', gzip.subarray(0, cut))).toBe('network_error');
    for (let cut = 3; cut < gzip.length; cut += 1)
      expect(await decode('gzip', gzip, gzip.subarray(0, cut))).toBe('network_error');
  });

  test('more than the engine unpacks at once is read before the bytes behind it', async () => {
    const long = 'x'.repeat(1_000_000);
    expect(await decode('gzip', Buffer.concat([gzipSync(long), zeros]))).toBe(long);
  });
});

describe('a header of gzip', () => {
  /** A member with these flags and this text in the place of the optional parts. */
  const withParts = (flags: number, parts: Buffer): Buffer => {
    const head = Buffer.from(gzip.subarray(0, 10));
    head[3] = flags;
    return Buffer.concat([head, parts, gzip.subarray(10)]);
  };
  const extra = Buffer.from([3, 0, 1, 2, 3]);
  const name = Buffer.from('name\0');

  test('may have an extra field, a name, a comment and a checksum', async () => {
    const body = withParts(2 + 4 + 8 + 16, Buffer.concat([extra, name, name, Buffer.alloc(2)]));
    expect(await decode('gzip', body)).toBe(TEXT);
    expect(await decode('gzip', ...Array.from(body, (byte) => Buffer.from([byte])))).toBe(TEXT);
  });

  test('may not have flags that nobody knows', async () => {
    expect(await decode('gzip', withParts(32, Buffer.alloc(0)))).toBe('response_not_decodable');
  });

  test('has an end', async () => {
    const named = (length: number): Buffer => withParts(8, Buffer.from(`${'n'.repeat(length - 11)}\0`));
    expect(await decode('gzip', named(MAX_HEADER_BYTES))).toBe(TEXT);
    expect(await decode('gzip', named(MAX_HEADER_BYTES + 1))).toBe('response_not_decodable');
    const endless = Buffer.alloc(MAX_HEADER_BYTES, 'n');
    expect(await decode('gzip', withParts(8, endless).subarray(0, MAX_HEADER_BYTES + 1))).toBe(
      'response_not_decodable',
    );
  });
});

test('a body of gzip has at most 1,000 members, each of which costs an engine', async () => {
  const members = (count: number): Buffer => Buffer.concat(Array<Buffer>(count).fill(empty));
  expect(await decode('gzip', members(MAX_MEMBERS))).toBe('');
  expect(await decode('gzip', members(MAX_MEMBERS + 1))).toBe('response_not_decodable');
});

test('the checksum and the length of a member are those of its text', async () => {
  for (const at of [-8, -4]) {
    const body = Buffer.from(gzip);
    body[body.length + at] = (body.at(at) ?? 0) ^ 1;
    expect(await decode('gzip', body)).toBe('response_not_decodable');
  }
});

test.each<[string, string, Buffer]>([
  ['deflate', 'deflate', deflateSync(TEXT)],
  ['deflate without a header', 'deflate', deflateRawSync(TEXT)],
  ['br', 'br', brotliCompressSync(TEXT)],
  [
    'br of large blocks',
    'br',
    brotliCompressSync(TEXT, { params: { [zlibConstants.BROTLI_PARAM_LGWIN]: 24 } }),
  ],
])('bytes behind a body of %s are an error, in one chunk and in their own', async (_, encoding, body) => {
  expect(await decode(encoding, body)).toBe(TEXT);
  for (const behind of [Buffer.alloc(1), Buffer.from('junk')]) {
    expect(await decode(encoding, Buffer.concat([body, behind]))).toBe('response_not_decodable');
    expect(await decode(encoding, body, behind)).toBe('response_not_decodable');
  }
});
