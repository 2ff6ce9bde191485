/**
 * Reads untrusted JSON bodies: bounded size and depth, strict UTF-8, and no texts or keys that PostgreSQL or JavaScript objects
 * treat as anything but data. It knows no schema.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { type ApiError, badRequest, invalid, refuseWith, tooLarge } from '../../base/errors.ts';
import type { ExactJson } from '../../language/graph/values/exact-json.ts';
import type { ByteBudget, ByteLease } from '../../base/shares/byte-budget.ts';
import { takeTurn } from '../../base/shares/turns.ts';
import { JsonReader, type ReaderOptions } from './json-reader.ts';

/** Maximum size of a JSON body (SPEC SRV-body-limit). */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Characters that are parsed in one turn of the event loop: at most 5 ms, with one key in six characters. */
const SLICE_CHARS = 32 * 1024;
/** Bytes of each body that are not counted: requests of usual size never wait for large ones. */
const UNCOUNTED_BYTES = 64 * 1024;
const MIB = 1024 * 1024;
/** Bytes of bodies that a process holds until they are checked: parsed, 4 MiB of keys take some 80 MB. */
export const BODY_SHARES = { capacity: 32 * MIB, perOrganization: 8 * MIB };
/** How long the rest of a refused body is discarded before the connection is closed. */
const LINGER_MS = 2_000;

const refuse = (type: string, msg: string, path: readonly (string | number)[] = []): ApiError =>
  invalid([{ loc: ['body', ...path], msg, type }]);

/**
 * Discards the rest of a body for 2 s and then closes the connection: closing it immediately would reset the connection and
 * lose the 413.
 */
export function discardRest(request: IncomingMessage): void {
  request.resume();
  const cut = setTimeout(() => request.destroy(), LINGER_MS);
  request.once('close', () => clearTimeout(cut));
}

export interface BodyDeps {
  readonly bodies: ByteBudget;
}

/**
 * Reads and checks a body within the share of its organization, which holds the bytes until `read` is done.
 * @param owner the organization; of a request without one, the user or the address
 */
export async function holdBody<Result>(
  { bodies }: BodyDeps,
  owner: string,
  read: (lease: ByteLease) => Promise<Result>,
): Promise<Result> {
  const lease = bodies.open(owner);
  try {
    return await read(lease);
  } finally {
    lease.close();
  }
}

/** Whether a request may have a large body: one above the bytes that are not counted, or of a length that is not told. */
export function mayBeLarge({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > UNCOUNTED_BYTES;
}

/**
 * Reads a body as bytes. Beyond the share of its organization nothing more is read until other bodies are done.
 * @throws ApiError 413 when it is larger than `maxBytes`, 400 when the connection ends before it
 */
export async function readBytes(
  request: IncomingMessage,
  lease: ByteLease,
  maxBytes: number,
): Promise<Buffer> {
  const over = (): ApiError => {
    discardRest(request);
    return tooLarge('body_too_large', 'The request body is too large');
  };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw over();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let granted: Promise<void> | null = null;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) {
        request.off('data', onData);
        reject(over());
        return;
      }
      chunks.push(chunk);
      granted = lease.grow(Math.min(chunk.length, size - UNCOUNTED_BYTES), null);
      if (granted === null) return;
      request.pause();
      void granted.then(() => request.resume());
    };
    request.on('data', onData);
    // The end of a body may come with its last bytes, before these are granted.
    request.once('end', () => void Promise.resolve(granted).then(() => resolve(Buffer.concat(chunks))));
    request.once('error', reject);
    request.once('aborted', () => reject(badRequest('body_incomplete', 'The request body is incomplete')));
  });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('json_invalid', 'The body is not valid UTF-8', [0]);
  }
}

/**
 * Parses JSON text, with a turn of the event loop between its slices. Numbers that would lose digits become texts.
 * @throws ApiError 422 shape C
 */
export async function readJsonText(text: string, options?: ReaderOptions): Promise<ExactJson> {
  const reader = new JsonReader(text, options);
  while (!reader.read(SLICE_CHARS)) await takeTurn();
  return reader.result;
}

/** @throws ApiError 415 for a declared charset other than UTF-8 (RFC 8259, 8.1) */
function requireUtf8(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset))
    throw refuseWith(415, 'charset_unsupported', 'The charset of a JSON body must be UTF-8');
}

/**
 * Reads the JSON body of a request.
 * @param optional reads an empty body as `{}`
 * @throws ApiError 413 when too large, 415 for a compressed body and for another charset than UTF-8, 422 shape C for everything else
 */
export async function readJson(ctx: Context, lease: ByteLease, optional: boolean): Promise<ExactJson> {
  // A compressed body could be a bomb; no client of this API sends one.
  const encoding = ctx.get('Content-Encoding').toLowerCase();
  if (encoding !== '' && encoding !== 'identity') {
    throw refuseWith(415, 'encoding_unsupported', 'Content-Encoding is not supported');
  }
  const bytes = await readBytes(ctx.req, lease, MAX_BYTES);
  if (bytes.length === 0) {
    if (optional) return { value: {}, texts: [], rounded: [] };
    throw refuse('missing', 'Field required');
  }
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(ctx.get('Content-Type'))) {
    throw refuse('content_type', 'Content-Type must be application/json');
  }
  requireUtf8(ctx.get('Content-Type'));
  return readJsonText(decode(bytes));
}
