/** Reads the bytes of an answer: as text in the charset that it names, or as bytes that are no text. */
import { isUtf8 } from 'node:buffer';
import { storableText } from '../graph/storable.ts';

/** The body of an answer as it was read. */
type AnswerContent =
  /** `isDamaged`: U+FFFD stands for bytes that the charset does not have. */
  { readonly text: string; readonly isDamaged: boolean } | { readonly bytes: Uint8Array };

/** How far an HTML document may be from its `<meta charset>` (HTML standard, 13.2.3.2). */
const PRESCAN_BYTES = 1024;

const TEXTUAL =
  /^(?:text\/|message\/|multipart\/|application\/(?:.*\+)?(?:json|xml|yaml|javascript|x-javascript|ecmascript|x-ndjson|jsonl|x-yaml|toml|graphql|sql|x-www-form-urlencoded)$|.*\+(?:json|xml|yaml)$)/;
const NEVER_TEXT = /^(?:image|audio|video|font)\//;

const mediaTypeOf = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

function makeDecoder(label: string, isStrict: boolean): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label, { fatal: isStrict });
  } catch {
    return null;
  }
}

/** The charset that the first bytes give away, before anything that is said of them (Encoding standard, "BOM sniff"). */
function readMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : null;
}

/** The charset that a document itself names: the prolog of XML (XML 1.0, 4.3.3), or the `<meta>` of HTML. */
function findNamedCharset(bytes: Uint8Array, mediaType: string): string | null {
  const isHtml = mediaType === 'text/html';
  if (!isHtml && !/[/+]xml$/.test(mediaType)) return null;
  const head = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1');
  const found = isHtml
    ? /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head.replaceAll(/<!--[^]*?(?:-->|$)/g, ''))
    : /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(head);
  const label = found?.[1]?.toLowerCase() ?? null;
  // It was read as ASCII, so it is no UTF-16.
  return label?.startsWith('utf-16') === true ? 'utf-8' : label;
}

const charsetIn = (contentType: string): string | null =>
  /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null;

/** True for bytes that are UTF-8 and hold nothing but text. */
export const isPlainText = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0);

function decode(bytes: Uint8Array, label: string): AnswerContent | null {
  const strict = makeDecoder(label, true);
  if (strict === null) return null;
  try {
    const text = strict.decode(bytes);
    const stored = storableText(text);
    return { text: stored, isDamaged: stored !== text };
  } catch {
    return { text: storableText(makeDecoder(label, false)?.decode(bytes) ?? ''), isDamaged: true };
  }
}

/**
 * Reads a body as what its content type says that it is. Where that says nothing, bytes that are UTF-8 are a text; a text in a
 * charset that nobody knows is read as UTF-8.
 */
export function readContent(bytes: Uint8Array, contentType: string): AnswerContent {
  const mediaType = mediaTypeOf(contentType);
  const isNamedText = TEXTUAL.test(mediaType);
  if (bytes.length === 0) return { text: '', isDamaged: false };
  if (NEVER_TEXT.test(mediaType) && !isNamedText) return { bytes };
  const named = readMark(bytes) ?? charsetIn(contentType) ?? findNamedCharset(bytes, mediaType);
  const content = isNamedText || named !== null ? decode(bytes, named ?? 'utf-8') : null;
  if (content !== null) return content;
  if (isNamedText) return decode(bytes, 'utf-8') ?? { bytes };
  return isPlainText(bytes) ? { text: new TextDecoder().decode(bytes), isDamaged: false } : { bytes };
}
