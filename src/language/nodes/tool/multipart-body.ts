/** Encodes fields as multipart/form-data (RFC 7578; names as in the HTML standard). */
import type { Json } from '../../graph/values/value.ts';
import { readReference, type FileReference } from '../../graph/values/file-reference.ts';
import { isObject } from '../../graph/values/value.ts';
import { NodeError } from '../kind.ts';
import { chooseComposedBoundary, type ComposedBody } from './composed-body.ts';

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

/** Reads a reference to a file; null for any other value. @throws NodeError `invalid_body` for one that does not describe its file */
export function readFile(value: Json): FileReference | null {
  const reference = readReference(value);
  if (reference !== 'incomplete') return reference;
  throw new NodeError('invalid_body', 'A file of the body lacks its name, media_type, size or sha256');
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

/** Writes fields of which some are files. */
function composeMultipart(fields: readonly (readonly [name: string, value: Json])[]): {
  readonly sent: ComposedBody;
  readonly type: string;
} {
  const parts = fields.map(([name, value]) => {
    const file = readFile(value);
    if (file === null) {
      const { head, content } = writePart(name, value);
      // Texts stay readable for whoever approves the request.
      const isText = readFileBytes(value) === null;
      return { head, content: isText ? content.toString() : { base64: content.toString('base64') } };
    }
    const type = MEDIA_TYPE.test(file.media_type) ? file.media_type : 'application/octet-stream';
    const disposition = `Content-Disposition: form-data; name=${quoteName(name)}; filename=${quoteName(file.name)}`;
    return { head: `${disposition}\r\nContent-Type: ${type}`, content: file };
  });
  const boundary = chooseComposedBoundary(parts);
  const written = parts.flatMap(({ head, content }) => [`--${boundary}\r\n${head}\r\n\r\n`, content, '\r\n']);
  return {
    sent: { parts: [...written, `--${boundary}--\r\n`] },
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

/** @returns the body, and the content type with its boundary */
export function writeMultipart(fields: readonly (readonly [name: string, value: Json])[]): {
  readonly sent: Uint8Array | ComposedBody;
  readonly type: string;
} {
  if (fields.some(([, value]) => readFile(value) !== null)) return composeMultipart(fields);
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
