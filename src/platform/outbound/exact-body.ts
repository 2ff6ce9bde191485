/** Rewrites large numbers in JSON responses as strings, so that a client's own JSON parser does not round them. */
import { parseExactJson } from '../../language/graph/values/exact-json.ts';
import type { BodyEdit } from './guarded-fetch.ts';

const LINE_FEED = 0x0a;

/** Rewrites one JSON text; anything else is unchanged. */
function exactText(text: string): string {
  // Shorter numbers are exact as doubles.
  if (!/\d{16}/.test(text)) return text;
  try {
    return JSON.stringify(parseExactJson(text));
  } catch {
    return text;
  }
}

/** Edits a body that is one JSON value. */
function createJsonEdit(): BodyEdit {
  const chunks: Uint8Array[] = [];
  return {
    push(bytes) {
      chunks.push(bytes);
      return null;
    },
    end: () => Buffer.from(exactText(Buffer.concat(chunks).toString())),
  };
}

const exactLine = (line: string): string =>
  line.startsWith('data:') ? `data:${exactText(line.slice('data:'.length))}` : line;

/** Edits server-sent events, whose data is JSON on one line. */
function createEventEdit(): BodyEdit {
  let rest = Buffer.alloc(0);
  return {
    push(bytes) {
      const all = Buffer.concat([rest, bytes]);
      const end = all.lastIndexOf(LINE_FEED) + 1;
      rest = all.subarray(end);
      if (end === 0) return null;
      return Buffer.from(all.toString('utf8', 0, end).split('\n').map(exactLine).join('\n'));
    },
    end: () => (rest.length === 0 ? null : Buffer.from(exactLine(rest.toString()))),
  };
}

/** @returns the edit of a response; null when it is not JSON */
export function createExactEdit(_status: number, headers: Headers): BodyEdit | null {
  const type = headers.get('content-type') ?? '';
  if (/^\s*application\/(?:[\w.-]+\+)?json\b/i.test(type)) return createJsonEdit();
  return /^\s*text\/event-stream\b/i.test(type) ? createEventEdit() : null;
}
