/** Decodes the body of a message of another server as text in its charset, or leaves it as bytes when it is not text. */
import { isUtf8 } from 'node:buffer';
import { toStorableText } from '../../language/graph/values/storable.ts';

type AnswerContent =
  /** `isDamaged`: the text has U+FFFD in place of bytes that are invalid in the charset. */
  { readonly text: string; readonly isDamaged: boolean } | { readonly bytes: Uint8Array };

/** Bytes in which `<meta charset>` must occur (HTML standard, 13.2.3.2). */
const PRESCAN_BYTES = 1024;

const TEXTUAL =
  /^(?:text\/|message\/|multipart\/|application\/(?:.*\+)?(?:json|xml|yaml|javascript|x-javascript|ecmascript|x-ndjson|jsonl|x-yaml|toml|graphql|sql|x-www-form-urlencoded)$|.*\+(?:json|xml|yaml)$)/;
/** Types of files that are bytes, whatever is in them: a PDF that happens to be ASCII is no text. Excel's is not here, as CSV has it, too. */
const NEVER_TEXT =
  /^(?:(?:image|audio|video|font)\/|application\/(?:pdf|zip|gzip|x-gzip|x-tar|x-7z-compressed|x-bzip2|vnd\.rar|msword|wasm|epub\+zip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\..+)$)/;

const parseMediaType = (contentType: string): string =>
  contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

function createDecoder(label: string, isStrict: boolean): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label, { fatal: isStrict });
  } catch {
    return null;
  }
}

/** The byte order mark takes precedence over any declared charset (Encoding standard, "BOM sniff"). */
function sniffByteOrderMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : null;
}

/** Finds the charset that a document declares: in the prolog of XML (XML 1.0, 4.3.3) or the `<meta>` of HTML. */
function findNamedCharset(bytes: Uint8Array, mediaType: string): string | null {
  const isHtml = mediaType === 'text/html';
  if (!isHtml && !/[/+]xml$/.test(mediaType)) return null;
  const head = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1');
  const found = isHtml
    ? /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head.replaceAll(/<!--[^]*?(?:-->|$)/g, ''))
    : /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(head);
  const label = found?.[1]?.toLowerCase() ?? null;
  // The declaration was readable as ASCII, so the document is not UTF-16.
  return label?.startsWith('utf-16') === true ? 'utf-8' : label;
}

/** The charset that a Content-Type names; null without one. */
export const parseCharset = (contentType: string): string | null =>
  /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null;

/** True for UTF-8 without NUL. */
export const isPlainText = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0);

function decode(bytes: Uint8Array, label: string): AnswerContent | null {
  const strict = createDecoder(label, true);
  if (strict === null) return null;
  try {
    const text = strict.decode(bytes);
    const stored = toStorableText(text);
    return { text: stored, isDamaged: stored !== text };
  } catch {
    return { text: toStorableText(createDecoder(label, false)?.decode(bytes) ?? ''), isDamaged: true };
  }
}

/**
 * Decodes a body by its content type. Without a usable type, valid UTF-8 is text; text in an unknown charset is decoded as
 * UTF-8.
 */
export function readContent(bytes: Uint8Array, contentType: string): AnswerContent {
  const mediaType = parseMediaType(contentType);
  const isNamedText = TEXTUAL.test(mediaType);
  if (bytes.length === 0) return { text: '', isDamaged: false };
  if (NEVER_TEXT.test(mediaType) && !isNamedText) return { bytes };
  const named = sniffByteOrderMark(bytes) ?? parseCharset(contentType) ?? findNamedCharset(bytes, mediaType);
  const content = isNamedText || named !== null ? decode(bytes, named ?? 'utf-8') : null;
  if (content !== null) return content;
  if (isNamedText) return decode(bytes, 'utf-8') ?? { bytes };
  return isPlainText(bytes) ? { text: new TextDecoder().decode(bytes), isDamaged: false } : { bytes };
}
