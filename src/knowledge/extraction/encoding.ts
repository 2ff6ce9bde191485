/** In which encoding a text is written, told by its bytes and, of HTML, by what it says of itself. */
import { isUtf8 } from 'node:buffer';

/** Enough for what HTML says of its encoding, and to tell UTF-16 by its zeros. */
const HEAD_BYTES = 4_096;
/** What HTML (`charset`) or XML (`encoding`) says of itself. */
const DECLARED =
  /<meta[^>]{0,256}?charset\s*=\s*["']?\s*([\w.:-]{1,40})|<\?xml[^>]{0,256}?encoding\s*=\s*["']([\w.:-]{1,40})/i;
/** Bytes of letters in Western text, of which UTF-16 makes every other byte a zero. */
const ZEROS_OF_UTF16 = 0.8;
/** Fewer bytes say nothing: three of a program would do. */
const MIN_UTF16_BYTES = 16;
// oxlint-disable-next-line no-control-regex -- text has none but those of lines
const UNTYPED = /[^\P{Cc}\t\n\v\f\r\u0085]|\uFFFD|\p{Cn}/u;

const decoderOf = (encoding: string): InstanceType<typeof TextDecoder> | null => {
  try {
    return new TextDecoder(encoding);
  } catch {
    return null;
  }
};

/** Whether the head of the bytes is text in an encoding. */
function isTextIn(head: Buffer, encoding: string): boolean {
  const text = decoderOf(encoding)?.decode(head, { stream: true });
  return text !== undefined && !UNTYPED.test(text);
}

/** The byte order of UTF-16, by its mark or by where its zeros stand; null when it is none. */
function utf16In(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  const mark = head.length < 2 ? 0 : head.readUInt16BE(0);
  if (mark === 0xfffe) return 'utf-16le';
  if (mark === 0xfeff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = head.length / 2;
  if (head.length < MIN_UTF16_BYTES) return null;
  if (even === 0 && odd / half >= ZEROS_OF_UTF16) return 'utf-16le';
  return odd === 0 && even / half >= ZEROS_OF_UTF16 ? 'utf-16be' : null;
}

/**
 * The encoding of a text, as TextDecoder names it. Text in a code page is read only where it says in which: a guess would
 * make other letters of it.
 * @returns `unknown` for text in an encoding that nobody can tell; null for what is no text
 */
export function detectEncoding(bytes: Buffer): string | null {
  const head = bytes.subarray(0, HEAD_BYTES);
  const wide = utf16In(head);
  if (wide !== null) return isTextIn(head, wide) ? wide : null;
  if (bytes.includes(0)) return null;
  if (isUtf8(bytes)) return 'utf-8';
  const [, ofHtml, ofXml] = DECLARED.exec(head.toString('latin1')) ?? [];
  const declared = (ofHtml ?? ofXml ?? '').toLowerCase();
  // It is not UTF-8, whatever it says.
  if (declared !== '' && decoderOf(declared)?.encoding !== 'utf-8' && isTextIn(head, declared))
    return declared;
  return isTextIn(head, 'latin1') ? 'unknown' : null;
}

/** The text, without the mark of its byte order. */
export function decodeText(bytes: Buffer): string {
  const encoding = detectEncoding(bytes);
  return new TextDecoder(encoding === null || encoding === 'unknown' ? 'utf-8' : encoding).decode(bytes);
}
