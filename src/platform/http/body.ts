/**
 * Reads untrusted JSON bodies: bounded size and depth, strict UTF-8, and no texts or keys that PostgreSQL or JavaScript objects
 * treat as anything but data. It knows no schema.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { type ApiError, badRequest, invalid, type Issue, refuseWith, tooLarge } from '../../base/errors.ts';
import { keepDigits, type ExactJson } from '../../language/graph/values/exact-json.ts';
import { findJsonErrorOffset } from '../../language/graph/values/json-error-offset.ts';
import { isIncomparable, findTextFault } from '../../language/graph/values/storable.ts';
import { isForbiddenKey, type Json } from '../../language/graph/values/value.ts';

/** Maximum size of a JSON body (SPEC SRV-body-limit). */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Maximum nesting depth (SPEC SEC-P05). */
export const MAX_DEPTH = 64;
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

/**
 * Reads a body as bytes.
 * @throws ApiError 413 when it is larger than `maxBytes`, 400 when the connection ends before it
 */
export async function readBytes(request: IncomingMessage, maxBytes = MAX_BYTES): Promise<Buffer> {
  const over = (): ApiError => {
    discardRest(request);
    return tooLarge('body_too_large', 'The request body is too large');
  };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw over();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) {
        request.off('data', onData);
        reject(over());
        return;
      }
      chunks.push(chunk);
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('aborted', () => reject(badRequest('body_incomplete', 'The request body is incomplete')));
  });
}

/** Checks the depth in one pass, before anything recurses over the text. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (inString) {
      if (unit === 0x5c) i += 1;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return false;
}

const TEXT_ISSUES = {
  nul: { type: 'string_nul', msg: 'NUL characters are not allowed' },
  surrogate: { type: 'string_surrogate', msg: 'Lone surrogates are not allowed' },
} as const;

/** Checks a text for characters that cannot be stored. @returns the type and message of the issue, or null */
export function findTextProblem(text: string): { readonly type: string; readonly msg: string } | null {
  const fault = findTextFault(text);
  return fault === null ? null : TEXT_ISSUES[fault];
}

/** Finds the first forbidden value, or null. The checked depth bounds the recursion. */
function findValueProblem(value: unknown, path: readonly (string | number)[]): Issue | null {
  const found = (problem: { type: string; msg: string }): Issue => ({ loc: ['body', ...path], ...problem });
  if (typeof value === 'string') {
    const problem = findTextProblem(value);
    return problem === null ? null : found(problem);
  }
  // 1e400 parses as Infinity and would be stored as null.
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : found({ type: 'finite_number', msg: 'Number out of range' });
  }
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const issue = findValueProblem(value[i], [...path, i]);
      if (issue !== null) return issue;
    }
    return null;
  }
  for (const [key, child] of Object.entries(value)) {
    if (isForbiddenKey(key)) return found({ type: 'key_forbidden', msg: `The key ${key} is not allowed` });
    const problem = findTextProblem(key);
    if (problem !== null) return found(problem);
    if (key === 'length' && isIncomparable(child)) {
      return found({ type: 'length_incomparable', msg: 'A key named length must hold a number' });
    }
    const issue = findValueProblem(child, [...path, key]);
    if (issue !== null) return issue;
  }
  return null;
}

function parse(text: string, at: readonly string[]): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse('json_invalid', 'The body is not valid JSON', [
      ...at,
      findJsonErrorOffset(text, error) ?? 0,
    ]);
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('json_invalid', 'The body is not valid UTF-8', [0]);
  }
}

/**
 * Parses JSON text. Numbers that would lose digits become texts.
 * @param at the field of the body that has the text, when it is not the body itself
 * @throws ApiError 422 shape C
 */
export function readJsonText(text: string, at: readonly string[] = []): ExactJson {
  if (isTooDeep(text)) throw refuse('json_depth', `JSON may nest ${MAX_DEPTH} levels`, at);
  const value = parse(text, at);
  const issue = findValueProblem(value, at);
  if (issue !== null) throw invalid([issue]);
  return keepDigits(text, value as Json);
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
export async function readJson(ctx: Context, optional: boolean): Promise<ExactJson> {
  // A compressed body could be a bomb; no client of this API sends one.
  const encoding = ctx.get('Content-Encoding').toLowerCase();
  if (encoding !== '' && encoding !== 'identity') {
    throw refuseWith(415, 'encoding_unsupported', 'Content-Encoding is not supported');
  }
  const bytes = await readBytes(ctx.req);
  if (bytes.length === 0) {
    if (optional) return { value: {}, texts: [] };
    throw refuse('missing', 'Field required');
  }
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(ctx.get('Content-Type'))) {
    throw refuse('content_type', 'Content-Type must be application/json');
  }
  requireUtf8(ctx.get('Content-Type'));
  return readJsonText(decode(bytes));
}
