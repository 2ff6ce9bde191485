/** Detects the encoding of a text by its bytes and by the declaration in HTML or XML. */
import { isUtf8 } from 'node:buffer';

/** Enough for a declaration in HTML, and to recognize UTF-16 by its zeros. */
const HEAD_BYTES = 4_096;
/** Matches the declaration of HTML (`charset`) or XML (`encoding`). */
const DECLARED =
  /<meta[^>]{0,256}?charset\s*=\s*["']?\s*([\w.:-]{1,40})|<\?xml[^>]{0,256}?encoding\s*=\s*["']([\w.:-]{1,40})/i;
/** Share of zeros at one byte position that marks Western text in UTF-16. */
const ZEROS_OF_UTF16 = 0.8;
/** Fewer bytes are ambiguous: binary data may look the same. */
const MIN_UTF16_BYTES = 16;
// oxlint-disable-next-line no-control-regex -- text contains only line controls
const NOT_TEXT = /[^\P{Cc}\t\n\v\f\r\u0085]|\uFFFD|\p{Cn}/u;

const findDecoder = (encoding: string): InstanceType<typeof TextDecoder> | null => {
  try {
    return new TextDecoder(encoding);
  } catch {
    return null;
  }
};

/** Whether the head of the bytes is text in an encoding. */
function isTextIn(head: Buffer, encoding: string): boolean {
  const text = findDecoder(encoding)?.decode(head, { stream: true });
  return text !== undefined && !NOT_TEXT.test(text);
}

/** Detects UTF-16 by its byte order mark or the position of zeros; null for another encoding. */
function detectUtf16(head: Buffer): 'utf-16le' | 'utf-16be' | null {
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
 * Detects the encoding of a text. A code page is accepted only if it is declared, because a guess would garble the text.
 * @returns the name for TextDecoder; `unknown` for text in an undeclared code page; null for binary data
 */
export function detectEncoding(bytes: Buffer): string | null {
  const head = bytes.subarray(0, HEAD_BYTES);
  const wide = detectUtf16(head);
  if (wide !== null) return isTextIn(head, wide) ? wide : null;
  if (bytes.includes(0)) return null;
  if (isUtf8(bytes)) return 'utf-8';
  const [, ofHtml, ofXml] = DECLARED.exec(head.toString('latin1')) ?? [];
  const declared = (ofHtml ?? ofXml ?? '').toLowerCase();
  // Invalid UTF-8, whatever it declares.
  if (declared !== '' && findDecoder(declared)?.encoding !== 'utf-8' && isTextIn(head, declared))
    return declared;
  return isTextIn(head, 'latin1') ? 'unknown' : null;
}

/** Decodes bytes without their byte order mark. In one piece Node 20 takes windows-1252 for Latin-1, which has no euro sign. */
export function decodeBytes(bytes: Uint8Array, encoding: string): string {
  const decoder = new TextDecoder(encoding);
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** Decodes a text without its byte order mark. */
export function decodeText(bytes: Buffer): string {
  const encoding = detectEncoding(bytes);
  return decodeBytes(bytes, encoding === null || encoding === 'unknown' ? 'utf-8' : encoding);
}
