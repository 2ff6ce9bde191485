/**
 * Reads a multipart body with one file from a hostile sender: a bounded number of bytes and parts, nothing on disk, and
 * nothing kept of a body that was cut. What the file is, is not judged here.
 */
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Context } from 'koa';
import { ApiError, badRequest, invalid, refuseWith, tooLarge } from '../errors.ts';
import { discardRest, textProblem } from './body.ts';

/** busboy has no limits of its own: a body of a million nameless fields would be collected whole. */
const LIMITS = {
  files: 1,
  fields: 10,
  parts: 12,
  fieldSize: 64 * 1024,
  headerPairs: 20,
  headerSize: 8 * 1024,
};
const MAX_NAME = 100;
/** What the frame of a body may take beside its file. */
const FRAME_BYTES = 1024 * 1024;

export interface MultipartFile {
  /** The last part of the path that was sent; never used as one. */
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

function parserFor(type: string, maxFileBytes: number): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: { ...LIMITS, fileSize: maxFileBytes } });
  } catch {
    throw refuse('multipart_invalid', 'The multipart body has no usable boundary');
  }
}

function requireName(name: string | undefined): string {
  if (name === undefined || name === '') throw refuse('multipart_invalid', 'A part has no name');
  if (name.length > MAX_NAME) throw refuse('multipart_invalid', 'The name of a part is too long');
  return name;
}

/** Collects the parts as the parser finds them. Listeners must not throw: what is wrong goes to `fail`. */
class Parts {
  readonly #fields = new Map<string, string>();
  readonly #fail: (error: ApiError) => void;
  readonly #tooLarge: () => ApiError;
  #file: { readonly name: string; readonly chunks: Buffer[] } | null = null;

  constructor(parser: BusboyInstance, tooLargeFile: () => ApiError, fail: (error: ApiError) => void) {
    this.#fail = fail;
    this.#tooLarge = tooLargeFile;
    parser.on('file', (name, stream, fileName) => this.#takeFile(name, stream, fileName));
    parser.on('field', (...[name, value, , isCut]) => this.#takeField(name, value, isCut));
    parser.on('filesLimit', () => fail(refuse('multipart_invalid', 'Only one file may be sent')));
    for (const limit of ['fieldsLimit', 'partsLimit'] as const)
      parser.on(limit, () => fail(refuse('multipart_invalid', 'The multipart body has too many parts')));
  }

  /** @throws ApiError 422 without a file */
  whole(): MultipartBody {
    if (this.#file === null) throw refuse('missing', 'Field required', ['file']);
    return { file: { name: this.#file.name, bytes: Buffer.concat(this.#file.chunks) }, fields: this.#fields };
  }

  #takeFile(name: string | undefined, stream: BusboyFileStream, fileName: string | undefined): void {
    const chunks: Buffer[] = [];
    stream.on('limit', () => this.#fail(this.#tooLarge()));
    // The parser reports the same error; a stream without a listener would end the process.
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    this.#attempt(() => {
      if (requireName(name) !== 'file') throw refuse('multipart_invalid', 'The file must be the part "file"');
      this.#file = { name: fileName ?? '', chunks };
    });
  }

  #takeField(name: string | undefined, value: string, isCut: boolean): void {
    this.#attempt(() => {
      const key = requireName(name);
      if (isCut) throw refuse('string_too_long', 'The field is too long', [key]);
      if (this.#fields.has(key)) throw refuse('multipart_invalid', 'A field may be given once', [key]);
      const problem = textProblem(value);
      if (problem !== null) throw refuse(problem.type, problem.msg, [key]);
      this.#fields.set(key, value);
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

function parse(
  request: IncomingMessage,
  parser: BusboyInstance,
  tooLargeFile: () => ApiError,
): Promise<MultipartBody> {
  return new Promise((resolve, reject) => {
    const fail = (error: ApiError): void => {
      request.unpipe(parser);
      discardRest(request);
      reject(error);
    };
    const parts = new Parts(parser, tooLargeFile, fail);
    // A body that was cut ends the file's stream as if it were whole; only the parser knows better, and says so first.
    parser.on('error', () =>
      fail(refuse('multipart_invalid', 'The multipart body is damaged or incomplete')),
    );
    parser.on('finish', () => {
      try {
        resolve(parts.whole());
      } catch (error) {
        reject(error);
      }
    });
    request.once('aborted', () => reject(badRequest('body_incomplete', 'Request body incomplete')));
    request.once('error', reject);
    request.pipe(parser);
  });
}

/**
 * Reads the body of an upload: one file in the part `file`, and texts.
 * @throws ApiError 413 when the file is too large, 415 for a compressed body, 422 shape C for everything else
 */
export async function readMultipart(ctx: Context, maxFileBytes: number): Promise<MultipartBody> {
  const type = requireMultipart(ctx);
  const tooLargeFile = (): ApiError =>
    tooLarge('file_too_large', `The file is larger than ${maxFileBytes >> 20} MiB`);
  if (Number(ctx.get('Content-Length')) > maxFileBytes + FRAME_BYTES) {
    discardRest(ctx.req);
    throw tooLargeFile();
  }
  return parse(ctx.req, parserFor(type, maxFileBytes), tooLargeFile);
}
