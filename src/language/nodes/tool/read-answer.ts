/** Reads the body of an answer by its media type. */
import { parseUntrustedExactJson, toStorableText } from '../../graph/values/storable.ts';
import type { Json } from '../../graph/values/value.ts';
import type { NodeWarning } from '../kind.ts';
import { createNumberWarnings } from '../number-warning.ts';
import type { HttpResponse } from '../tools.ts';

interface Answer {
  readonly data: Json;
  readonly warnings: readonly NodeWarning[];
}

function readMediaType({ headers }: Pick<HttpResponse, 'headers'>): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether the media type of an answer says that it is JSON. */
export function isJsonAnswer(response: Pick<HttpResponse, 'headers'>): boolean {
  const type = readMediaType(response);
  return type === 'application/json' || type === 'text/json' || type.endsWith('+json');
}

function readJson(text: string): Answer {
  try {
    const exact = parseUntrustedExactJson(text);
    return { data: exact.value, warnings: createNumberWarnings('data', exact) };
  } catch {
    // A warning instead of an error, because the request already had its effect.
    const message =
      'The response is not valid JSON, or is nested deeper than 64 levels. data holds it as text';
    return { data: text, warnings: [{ code: 'invalid_json', message }] };
  }
}

/** Describes a binary body without its bytes. */
export function describeFile(
  response: Pick<HttpResponse, 'headers'>,
  bytes: Uint8Array,
): { readonly media_type: string; readonly size: number } {
  const type = readMediaType(response);
  return { media_type: type === '' ? 'application/octet-stream' : type, size: bytes.length };
}

/** Reads bytes as text in UTF-8, because a node asks for it. */
function decodeBytes(bytes: Uint8Array): Pick<HttpResponse, 'text' | 'isDamaged'> {
  const decoded = new TextDecoder().decode(bytes);
  const text = toStorableText(decoded);
  // U+FFFD may also be in the bytes themselves, which then lose nothing; the warning is no failure.
  return { text, isDamaged: text !== decoded || text.includes('\ufffd') };
}

/**
 * Reads the body of an answer: JSON by content type, else text; `{base64, media_type, size}` for binary bodies, unless the node reads it as
 * something else; the reference of one that was kept as a file; null for an empty one.
 */
export function readAnswer(response: Omit<HttpResponse, 'status'>): Answer {
  const { bytes, file, readAs } = response;
  if (file !== undefined) return { data: { ...file }, warnings: [] };
  if (bytes !== undefined && readAs === undefined) {
    const base64 = Buffer.from(bytes).toString('base64');
    return { data: { base64, ...describeFile(response, bytes) }, warnings: [] };
  }
  const { text, isDamaged } = bytes === undefined ? response : decodeBytes(bytes);
  if (text === '') return { data: null, warnings: [] };
  const isRead = readAs === undefined ? isJsonAnswer(response) : readAs === 'json';
  const answer = isRead ? readJson(text) : { data: text, warnings: [] };
  if (isDamaged !== true) return answer;
  const message = 'The response has bytes that are invalid in its charset. They were replaced by U+FFFD';
  return { ...answer, warnings: [...answer.warnings, { code: 'damaged_text', message }] };
}
