/** The answer of a service that refused, as `error.response` of a failed node has it: bounded, without credentials (SPEC SEC-F20). */
import { countBytes, countJsonBytes } from '../graph/definition/definition-size.ts';
import { countJsonChars } from '../graph/template/render-budget.ts';
import { cutText } from '../graph/values/cut-text.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../graph/values/value.ts';
import { describeFile, readAnswer } from './tool/read-answer.ts';
import type { HttpResponse } from './tools.ts';

export interface ErrorResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As the output of a success has it. */
  readonly data: Json;
  /** The data is the beginning of a text, or a file without its bytes. */
  readonly truncated: boolean;
}

/** Bytes of `data` as JSON: a frame of a run holds as much. */
const MAX_DATA_BYTES = 65_536;
const MAX_HEADERS = 64;
const MAX_HEADER_CHARS = 1_024;

/** Headers whose values may be credentials, but for challenges, counts of tokens and our own key, which say why a request failed. */
const SECRET_HEADER = /auth|cookie|key|password|secret|session|signature|token/i;
const HARMLESS_HEADER = /^(?:www-authenticate|proxy-authenticate|idempotency-key)$|rate-?limit/i;

function presentHeaders(headers: HttpResponse['headers']): Record<string, string> {
  const shown = Object.entries(headers).slice(0, MAX_HEADERS);
  return Object.fromEntries(
    shown.map(([name, value]) => {
      const isSecret = SECRET_HEADER.test(name) && !HARMLESS_HEADER.test(name);
      return [name, isSecret ? '***' : cutText(value, MAX_HEADER_CHARS)];
    }),
  );
}

/** Builds the response of an error. Its data is bounded by `boundResponse` alone, because redaction must see the whole. */
export function toErrorResponse(response: HttpResponse): ErrorResponse {
  const { status, bytes, text } = response;
  const headers = presentHeaders(response.headers);
  // The beginning of base64 is of no use.
  if (bytes !== undefined && bytes.length * (4 / 3) > MAX_DATA_BYTES)
    return { status, headers, data: describeFile(response, bytes), truncated: true };
  const isWhole = bytes !== undefined || text.length <= MAX_DATA_BYTES;
  return { status, headers, data: isWhole ? readAnswer(response).data : text, truncated: false };
}

/** The beginning of a text that takes at most so many bytes as JSON. */
function cutToJsonBytes(text: string, maxBytes: number): string {
  let cut = cutText(text, maxBytes);
  // Escapes and characters of several bytes make it longer.
  while (countJsonBytes(cut) > maxBytes) cut = cutText(cut, Math.floor(cut.length * 0.75));
  return cut;
}

/** Bounds the data of a response: larger data becomes the beginning of its text. */
export function boundResponse(response: ErrorResponse, maxBytes = MAX_DATA_BYTES): ErrorResponse {
  const { data } = response;
  if (countJsonChars(data, maxBytes) <= maxBytes && countBytes(JSON.stringify(data)) <= maxBytes)
    return response;
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return { ...response, data: cutToJsonBytes(text, maxBytes), truncated: true };
}

/** Reads the response from the stored fields of an error; null without one. */
export function readErrorResponse(error: JsonObject | null): ErrorResponse | null {
  const response = error === null ? undefined : ownValue(error, 'response');
  return isObject(response ?? null) ? (response as unknown as ErrorResponse) : null;
}
