/** Reads the body of an answer by its media type. */
import { parseUntrustedExactJson } from '../../graph/values/storable.ts';
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

const isJson = (type: string): boolean =>
  type === 'application/json' || type === 'text/json' || type.endsWith('+json');

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

/**
 * Reads the body of an answer: JSON by content type, else text; `{base64, media_type, size}` for binary bodies; null for an
 * empty one.
 */
export function readAnswer(response: Omit<HttpResponse, 'status'>): Answer {
  const { bytes, text, isDamaged } = response;
  if (bytes !== undefined) {
    const base64 = Buffer.from(bytes).toString('base64');
    return { data: { base64, ...describeFile(response, bytes) }, warnings: [] };
  }
  if (text === '') return { data: null, warnings: [] };
  const answer = isJson(readMediaType(response)) ? readJson(text) : { data: text, warnings: [] };
  if (isDamaged !== true) return answer;
  const message = 'The response has bytes that are invalid in its charset. They were replaced by U+FFFD';
  return { ...answer, warnings: [...answer.warnings, { code: 'damaged_text', message }] };
}
