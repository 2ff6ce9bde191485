/** Keeps the digits of numbers in answers that a client parses itself: what a double would round is a text by then. */
import { parseExactJson } from '../graph/exact-json.ts';
import type { BodyEdit } from './guarded-fetch.ts';

const LINE_FEED = 0x0a;

/** JSON with its large numbers as texts; what is no JSON stays as it is. */
function exactText(text: string): string {
  // Nothing shorter is rounded.
  if (!/\d{16}/.test(text)) return text;
  try {
    return JSON.stringify(parseExactJson(text));
  } catch {
    return text;
  }
}

/** A body that is one JSON value. */
function editWholeBody(): BodyEdit {
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

/** Server-sent events: the data of each is JSON on one line. */
function editEventBody(): BodyEdit {
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

/** How the body of an answer is edited; null when it holds no JSON. */
export function editExactly(_status: number, headers: Headers): BodyEdit | null {
  const type = headers.get('content-type') ?? '';
  if (/^\s*application\/(?:[\w.-]+\+)?json\b/i.test(type)) return editWholeBody();
  return /^\s*text\/event-stream\b/i.test(type) ? editEventBody() : null;
}
