/** Base64 and UTF-8 without the globals of a browser or of Node, for code that runs in both. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES: ReadonlyMap<string, number> = new Map([
  ...Array.from(ALPHABET, (char, value): [string, number] => [char, value]),
  ['-', 62],
  ['_', 63],
]);

/** Writes a text as UTF-8; half a surrogate pair becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else
      bytes.push(
        0xf0 | (code >> 18),
        0x80 | ((code >> 12) & 63),
        0x80 | ((code >> 6) & 63),
        0x80 | (code & 63),
      );
  }
  return Uint8Array.from(bytes);
}

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    const chars = [18, 12, 6, 0].map((shift) => ALPHABET[(bits >> shift) & 63]);
    text += `${chars[0]}${chars[1]}${b === undefined ? '=' : chars[2]}${c === undefined ? '=' : chars[3]}`;
  }
  return text;
}

/** Reads UTF-8 by `decodeURIComponent`, which refuses what is none; null then, and for U+0000, which no text may hold. */
function decodeUtf8(bytes: readonly number[]): string | null {
  try {
    const text = decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Reads base64 or base64url, with or without padding and white space, of a text in UTF-8; null for anything else. */
export function decodeBase64(text: string): string | null {
  const chars = text.replaceAll(/\s/g, '').replace(/={1,2}$/, '');
  if (chars.length % 4 === 1) return null;
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const char of chars) {
    const value = VALUES.get(char);
    if (value === undefined) return null;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 255);
  }
  return decodeUtf8(bytes);
}
