/**
 * Reads untrusted multipart bodies with one file: a bounded number of bytes and parts, in memory within the share of their
 * organization, or while it comes; and only complete bodies. It does not inspect the content of the file.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Context } from 'koa';
import { ApiError, badRequest, invalid, refuseWith, tooLarge } from '../../base/errors.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import type { ByteLease } from '../../base/shares/byte-budget.ts';
import { discardRest } from './body.ts';
import { findTextProblem } from './json-reader.ts';

/** busboy has no default limits: it would collect a million fields without names. */
const LIMITS = { parts: 12, headerPairs: 20, headerSize: 8 * 1024 };
/** Of a body that is in memory already. */
const FIELD_LIMITS = { parts: 100, headerPairs: 20, fieldSize: 256 * 1024 };
const MAX_FIELDS = 10;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_NAME = 100;
const MIB = 1024 * 1024;
/** Bytes of a body beside its file. */
const FRAME_BYTES = MIB;
/**
 * Bytes of the files that a process holds until they are stored, with a share of their own: a file comes as slowly as its sender
 * likes, and the JSON of its organization does not wait for it.
 */
export const UPLOAD_SHARES = { capacity: 128 * MIB, perOrganization: 32 * MIB };

interface MultipartFile {
  /** The file name of the part; never used as a path. */
  readonly name: string;
  readonly bytes: Buffer;
}
export interface MultipartBody {
  readonly file: MultipartFile;
  readonly fields: ReadonlyMap<string, string>;
}

const refuse = (type: string, msg: string, path: readonly string[] = []): ApiError =>
  invalid([{ loc: ['body', ...path], msg, type }]);

function requireMultipart(ctx: Context): string {
  const encoding = ctx.get('Content-Encoding').toLowerCase();
  if (encoding !== '' && encoding !== 'identity') {
    throw refuseWith(415, 'encoding_unsupported', 'Content-Encoding is not supported');
  }
  const type = ctx.get('Content-Type');
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw refuse('content_type', 'Content-Type must be multipart/form-data');
  }
  return type;
}

function createParser(type: string, maxFileBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { ...LIMITS, fileSize: maxFileBytes },
      // Fields arrive as bytes: the parser would decode them in the charset of the part and replace invalid bytes.
      isPartAFile: () => true,
    });
  } catch {
    throw refuse('multipart_invalid', 'The multipart body has no usable boundary');
  }
}

/** busboy's own rule for files. */
const isFile = (fileName: string | undefined, mediaType: string): boolean =>
  fileName !== undefined || mediaType === 'application/octet-stream';

/** @throws ApiError 422 for invalid UTF-8 and for characters that PostgreSQL does not store */
function readField(name: string, bytes: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('multipart_invalid', 'The field is not valid UTF-8', [name]);
  }
  const problem = findTextProblem(text);
  if (problem !== null) throw refuse(problem.type, problem.msg, [name]);
  return text;
}

function requireName(name: string | undefined): string {
  if (name === undefined || name === '') throw refuse('multipart_invalid', 'A part has no name');
  if (name.length > MAX_NAME) throw refuse('multipart_invalid', 'The name of a part is too long');
  return name;
}

interface FileLimits {
  /** Holds the bytes of the file; beyond the share of the organization nothing more is read until others are done. */
  readonly lease: ByteLease;
  readonly tooLarge: () => ApiError;
}

/** Collects the parts from the parser's events. Listeners must not throw, so errors go to `fail`. */
class Parts {
  readonly #fields = new Map<string, Buffer[]>();
  readonly #fail: (error: ApiError) => void;
  readonly #tooLarge: () => ApiError;
  readonly #lease: ByteLease;
  #file: { readonly name: string; readonly chunks: Buffer[] } | null = null;

  constructor(
    parser: BusboyInstance,
    { lease, tooLarge: tooLargeFile }: FileLimits,
    fail: (error: ApiError) => void,
  ) {
    this.#fail = fail;
    this.#tooLarge = tooLargeFile;
    this.#lease = lease;
    parser.on('file', (...[name, stream, fileName, , mediaType]) => {
      // The parser reports the same error; an error event without a listener would end the process.
      stream.on('error', () => undefined);
      this.#attempt(() => {
        if (isFile(fileName, mediaType)) this.#takeFile(name, stream, fileName);
        else this.#takeField(name, stream);
      });
    });
    parser.on('partsLimit', () => fail(refuse('multipart_invalid', 'The multipart body has too many parts')));
  }

  /** @throws ApiError 422 without a file, or for a field that is not text */
  toBody(): MultipartBody {
    const fields = [...this.#fields].map(
      ([key, chunks]) => [key, readField(key, Buffer.concat(chunks))] as const,
    );
    if (this.#file === null) throw refuse('missing', 'Field required', ['file']);
    return {
      file: { name: this.#file.name, bytes: Buffer.concat(this.#file.chunks) },
      fields: new Map(fields),
    };
  }

  #takeFile(name: string | undefined, stream: BusboyFileStream, fileName: string | undefined): void {
    if (requireName(name) !== 'file') throw refuse('multipart_invalid', 'Send the file in the field "file"');
    if (this.#file !== null) throw refuse('multipart_invalid', 'Only one file may be sent');
    const chunks: Buffer[] = [];
    this.#file = { name: fileName ?? '', chunks };
    stream.on('limit', () => this.#fail(this.#tooLarge()));
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      const granted = this.#lease.grow(chunk.length, null);
      if (granted === null) return;
      stream.pause();
      void granted.then(() => stream.resume());
    });
  }

  #takeField(name: string | undefined, stream: BusboyFileStream): void {
    const key = requireName(name);
    if (this.#fields.has(key)) throw refuse('multipart_invalid', 'Duplicate field', [key]);
    if (this.#fields.size >= MAX_FIELDS)
      throw refuse('multipart_invalid', 'The multipart body has too many parts');
    const chunks: Buffer[] = [];
    let size = 0;
    this.#fields.set(key, chunks);
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_FIELD_BYTES) this.#fail(refuse('string_too_long', 'The field is too long', [key]));
      else chunks.push(chunk);
    });
  }

  #attempt(take: () => void): void {
    try {
      take();
    } catch (error) {
      this.#fail(error instanceof ApiError ? error : refuse('multipart_invalid', 'The body cannot be read'));
    }
  }
}

function parse(request: IncomingMessage, parser: BusboyInstance, limits: FileLimits): Promise<MultipartBody> {
  return new Promise((resolve, reject) => {
    let hasFailed = false;
    const fail = (error: ApiError): void => {
      // Each part behind the refused one fails, too.
      if (hasFailed) return;
      hasFailed = true;
      request.unpipe(parser);
      discardRest(request);
      reject(error);
    };
    const parts = new Parts(parser, limits, fail);
    // An incomplete body ends the file's stream normally; only the parser reports it, before `finish`.
    parser.on('error', () =>
      fail(refuse('multipart_invalid', 'The multipart body is damaged or incomplete')),
    );
    parser.on('finish', () => {
      try {
        resolve(parts.toBody());
      } catch (error) {
        reject(error);
      }
    });
    request.once('aborted', () => reject(badRequest('body_incomplete', 'The request body is incomplete')));
    request.once('error', reject);
    request.pipe(parser);
  });
}

/**
 * Reads the body of an upload: one file in the part `file`, and text fields.
 * @param lease holds the bytes of the file; the caller closes it when the file is stored
 * @throws ApiError 413 when the file is too large, 415 for a compressed body, 422 shape C for everything else
 */
export async function readMultipart(
  ctx: Context,
  lease: ByteLease,
  maxFileBytes: number,
): Promise<MultipartBody> {
  const type = requireMultipart(ctx);
  const tooLargeFile = (): ApiError =>
    tooLarge('file_too_large', `The file is larger than ${maxFileBytes >> 20} MiB`);
  if (Number(ctx.get('Content-Length')) > maxFileBytes + FRAME_BYTES) {
    discardRest(ctx.req);
    throw tooLargeFile();
  }
  return parse(ctx.req, createParser(type, maxFileBytes), { lease, tooLarge: tooLargeFile });
}

/** A file that is read while it comes. */
interface IncomingFile {
  /** The file name of the part; never used as a path. */
  readonly name: string;
  readonly mediaType: string;
  /** Its bytes. They end once the whole body has come, and throw when it is damaged, incomplete, or has another part. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

async function* readPieces(stream: BusboyFileStream, whole: Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stream) yield piece as Uint8Array;
  } catch (error) {
    // The parser words the same error for the client.
    await whole;
    throw error;
  }
  // An incomplete body may end the stream of its file normally.
  await whole;
}

/**
 * Reads the body of an upload, one file in the part `file`, without holding it.
 * @param take gets the file, and reads its pieces; what it does not read is discarded
 * @throws ApiError 415 for a compressed body, 422 shape C for one that cannot be read; what `take` throws
 */
export function receiveFile<Result>(
  ctx: Context,
  take: (file: IncomingFile) => Promise<Result>,
): Promise<Result> {
  const parser = createParser(requireMultipart(ctx), Infinity);
  let file: BusboyFileStream | null = null;
  return new Promise<Result>((resolve, reject) => {
    const whole = new Promise<void>((end, cut) => {
      const fail = (error: ApiError): void => {
        cut(error);
        ctx.req.unpipe(parser);
        discardRest(ctx.req);
        file?.destroy(error);
        if (file === null) reject(error);
      };
      parser.on('file', (...[name, stream, fileName, , mediaType]) => {
        // An error event without a listener would end the process.
        stream.on('error', () => undefined);
        if (name !== 'file' || file !== null) {
          stream.resume();
          fail(refuse('multipart_invalid', 'Send one file, in the field "file"', ['file']));
          return;
        }
        file = stream;
        take({ name: fileName, mediaType, pieces: readPieces(stream, whole) }).then(
          resolve,
          (error: unknown) => {
            reject(error as Error);
            fail(refuse('multipart_invalid', 'The file was not taken'));
          },
        );
      });
      parser.on('error', () =>
        fail(refuse('multipart_invalid', 'The multipart body is damaged or incomplete')),
      );
      parser.on('partsLimit', () =>
        fail(refuse('multipart_invalid', 'The multipart body has too many parts')),
      );
      parser.on('finish', () => {
        end();
        if (file === null) reject(refuse('missing', 'Field required', ['file']));
      });
      const leave = (): void => fail(badRequest('body_incomplete', 'The request body is incomplete'));
      ctx.req.once('aborted', leave);
      ctx.req.once('error', leave);
    });
    // The file waits for it; without one nobody does.
    whole.catch(() => undefined);
    ctx.req.pipe(parser);
  });
}

/** A file of a multipart body, without its content. */
interface DescribedFile extends JsonObject {
  readonly file_name: string;
  readonly content_type: string;
  readonly size_bytes: number;
}

/**
 * Parses the parts of a multipart body that is in memory: texts, and of files the name, the type and the size.
 * @throws ApiError 422 for a body that cannot be read, or with more than 100 parts
 */
export function parseMultipartFields(
  contentType: string,
  bytes: Buffer,
): Promise<(readonly [name: string, value: string | DescribedFile])[]> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(refuse('multipart_invalid', 'The multipart body cannot be read'));
    try {
      const pairs: (readonly [string, string | DescribedFile])[] = [];
      const parser = new Busboy({ headers: { 'content-type': contentType }, limits: FIELD_LIMITS });
      parser.on('field', (name, value) => pairs.push([name, value]));
      parser.on('file', (...[name, stream, fileName, , mediaType]) => {
        let size = 0;
        stream.on('data', (chunk: Buffer) => {
          size += chunk.length;
        });
        stream.on('error', fail);
        stream.on('end', () =>
          pairs.push([name, { file_name: fileName ?? '', content_type: mediaType, size_bytes: size }]),
        );
      });
      parser.on('partsLimit', fail);
      parser.on('error', fail);
      parser.on('finish', () => resolve(pairs));
      Readable.from([bytes]).pipe(parser);
    } catch {
      fail();
    }
  });
}
