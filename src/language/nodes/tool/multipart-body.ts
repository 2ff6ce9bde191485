/** Encodes fields as multipart/form-data (RFC 7578; names as in the HTML standard). */
import type { Json } from '../../graph/values/value.ts';
import { isObject } from '../../graph/values/value.ts';
import { NodeError } from '../kind.ts';

/** A file as HTTP tools output binary answers. */
interface FileBytes {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly filename: string;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\t\x20-\x7e]*)?$/;

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Reads an object with `base64`, `media_type` and an optional `filename`; null for a value that describes no file.
 * @throws NodeError `invalid_body` for a file without bytes: its description would be sent in its place
 */
export function readFileBytes(value: Json): FileBytes | null {
  if (!isObject(value)) return null;
  const { base64, media_type: mediaType, filename } = value;
  if (typeof mediaType !== 'string' || !MEDIA_TYPE.test(mediaType)) return null;
  if (typeof base64 !== 'string' || !BASE64.test(base64))
    throw new NodeError(
      'invalid_body',
      `A file of the body (${mediaType}) has no bytes: base64 is missing or invalid`,
    );
  return {
    bytes: Buffer.from(base64, 'base64'),
    mediaType,
    filename: typeof filename === 'string' && filename !== '' ? filename : 'file',
  };
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' };
const quoteName = (name: string): string =>
  `"${name.replaceAll(/["\r\n]/g, (char) => ESCAPES[char] ?? char)}"`;

/** The head and the content of one part. */
function writePart(name: string, value: Json): { readonly head: string; readonly content: Buffer } {
  const file = readFileBytes(value);
  const disposition = `Content-Disposition: form-data; name=${quoteName(name)}`;
  if (file !== null) {
    const head = `${disposition}; filename=${quoteName(file.filename)}\r\nContent-Type: ${file.mediaType}`;
    return { head, content: Buffer.from(file.bytes) };
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { head: disposition, content: Buffer.from(text) };
}

/** Chooses a boundary that no content has. Deterministic, so that a repeated request has the same bytes. */
function chooseBoundary(contents: readonly Buffer[]): string {
  for (let number = 0; ; number += 1) {
    const boundary = `form-boundary-${number}`;
    if (!contents.some((content) => content.includes(`--${boundary}`))) return boundary;
  }
}

/** @returns the body, and the content type with its boundary */
export function writeMultipart(fields: readonly (readonly [name: string, value: Json])[]): {
  readonly sent: Uint8Array;
  readonly type: string;
} {
  const parts = fields.map(([name, value]) => writePart(name, value));
  const boundary = chooseBoundary(parts.map(({ content }) => content));
  const written = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return {
    sent: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}
