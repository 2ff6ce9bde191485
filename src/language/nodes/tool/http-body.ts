/** Renders the body of an HTTP tool in the format of its content type (body-format.ts). */
import { readJsonTemplate } from '../../graph/template/json-template.ts';
import { countJsonChars } from '../../graph/template/render-budget.ts';
import { isOneTemplate } from '../../graph/template/template-scanner.ts';
import { parseUntrustedJson } from '../../graph/values/storable.ts';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { isObject } from '../../graph/values/value.ts';
import type { PrepareCall } from '../kind.ts';
import { NodeError } from '../kind.ts';
import { renderJson } from '../render-json.ts';
import { findBodyProblem, readFormat, splitJsonLines } from './body-format.ts';
import type { BodyFormat } from './body-format.ts';
import type { HttpTool } from './http.ts';
import type { ComposedBody } from './composed-body.ts';
import { readFile, readFileBytes, writeMultipart } from './multipart-body.ts';
import { readXmlTemplate, writeXmlText } from './xml-body.ts';

interface Body {
  /** The body in the step record. */
  readonly value: Json;
  readonly sent: string | Uint8Array | ComposedBody | null;
  /** The content type to send; null: none. */
  readonly type: string | null;
}

/** A rendered body that is not written yet. */
interface RenderedBody {
  /** Of the value that is written, about as many as it takes; 0: the body is a text that is there. */
  readonly bytes: number;
  /** @throws NodeError `invalid_body` */
  write(): Body;
}

const createInvalidBody = (message: string): NodeError => new NodeError('invalid_body', message);

/** The body that is a file as a whole; null for any other value. */
function readRawFile(value: Json): ComposedBody | null {
  const file = readFile(value);
  return file === null ? null : { parts: [file] };
}

/** Converts a value to text: JSON unless it is a string. */
export const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Lists fields with one entry per value: null is left out, an array repeats its field. */
function listFields(fields: JsonObject): [string, Json][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== null)
      .map((one): [string, Json] => [name, one]),
  );
}

/** Encodes fields as application/x-www-form-urlencoded (URL standard). */
export const writeFields = (fields: JsonObject): string =>
  new URLSearchParams(
    listFields(fields).map(([name, value]): [string, string] => [name, asText(value)]),
  ).toString();

/** Parses rendered JSON, which is invalid when a template in the place of a key rendered no string. */
function requireJson(text: string): Json {
  try {
    return parseUntrustedJson(text);
  } catch {
    throw createInvalidBody('The rendered body is not JSON');
  }
}

/** Renders a JSON template; null when the text is not JSON. */
function renderJsonText(call: PrepareCall<HttpTool>, body: string): { value: Json; sent: string } | null {
  const pieces = readJsonTemplate(body, true);
  if (pieces === null) return null;
  const sent = renderJson(call, pieces);
  return { value: requireJson(sent), sent };
}

function renderXml(call: PrepareCall<HttpTool>, body: string): string {
  const pieces = readXmlTemplate(body) ?? [];
  return pieces
    .map((piece) => {
      if (piece.kind === 'literal') return piece.text;
      const written = writeXmlText(call.renderText(piece.source), piece.kind);
      if (written === null)
        throw createInvalidBody(`${piece.source} contains characters that XML does not allow`);
      return written;
    })
    .join('');
}

/** Writes the value of a body that is one template. */
function writeValue(value: Json, { format, type }: { format: BodyFormat; type: string }): Body {
  switch (format) {
    case 'json':
      return { value, sent: JSON.stringify(value), type };
    case 'json_lines': {
      const lines = Array.isArray(value) ? value : [value];
      const sent =
        typeof value === 'string' ? value : lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      return { value, sent, type };
    }
    case 'form':
      if (isObject(value)) return { value, sent: writeFields(value), type };
      if (typeof value === 'string') return { value, sent: value, type };
      throw createInvalidBody('The body of a form must be an object or a string');
    case 'multipart':
      if (!isObject(value)) throw createInvalidBody('A multipart body must be an object');
      return { value, ...writeMultipart(listFields(value)) };
    case 'xml':
      if (typeof value === 'string') return { value, sent: value, type };
      throw createInvalidBody('An XML body must be a string');
    case 'plain':
      return { value, sent: readRawFile(value) ?? readFileBytes(value)?.bytes ?? asText(value), type };
  }
}

/** Renders a text with templates. */
function writeText(
  call: PrepareCall<HttpTool>,
  body: string,
  to: { format: BodyFormat; type: string },
): Body {
  const { format, type } = to;
  switch (format) {
    case 'json': {
      const written = renderJsonText(call, body);
      if (written === null) throw createInvalidBody('The body is not JSON');
      return { ...written, type };
    }
    case 'json_lines': {
      const lines = splitJsonLines(body).map((line) => renderJsonText(call, line)?.sent ?? line);
      const sent = lines.map((line) => `${line}\n`).join('');
      return { value: sent, sent, type };
    }
    case 'form': {
      const sent = call.renderText(body, (inserted) =>
        new URLSearchParams([['', inserted]]).toString().slice(1),
      );
      return { value: sent, sent, type };
    }
    case 'xml': {
      const sent = renderXml(call, body);
      return { value: sent, sent, type };
    }
    case 'multipart':
      throw createInvalidBody('A multipart body must be an object');
    case 'plain': {
      const sent = call.renderText(body);
      return { value: sent, sent, type };
    }
  }
}

/** Renders a body without a content type: JSON if it looks like JSON, else text. */
function renderUntyped(call: PrepareCall<HttpTool>, body: Json): RenderedBody {
  if (typeof body === 'string' && !isOneTemplate(body)) {
    const written = /^\s*[[{]/.test(body) ? renderJsonText(call, body) : null;
    if (written !== null) return toWritten({ ...written, type: 'application/json' });
  }
  const value = call.render(body);
  const file = readFile(value);
  if (file !== null) return toWritten({ value, sent: { parts: [file] }, type: file.media_type });
  if (typeof value === 'object' && value !== null)
    return toRendered(value, () => ({ value, sent: JSON.stringify(value), type: 'application/json' }));
  return toWritten({ value, sent: asText(value), type: 'text/plain; charset=utf-8' });
}

const toWritten = (body: Body): RenderedBody => ({ bytes: 0, write: () => body });

const toRendered = (value: Json, write: () => Body): RenderedBody => ({
  bytes: countJsonChars(value),
  write,
});

/**
 * Renders the body. Values are escaped for their place: a JSON value, a part of a string, a field, or XML text.
 * @param type the content type of the node, if any
 * @throws NodeError `invalid_body`
 */
export function renderBody(call: PrepareCall<HttpTool>, type: string | undefined): RenderedBody {
  const { body } = call.config;
  if (body === null) return toWritten({ value: null, sent: null, type: null });
  if (type === undefined) return renderUntyped(call, body);
  const problem = findBodyProblem(body, type);
  if (problem !== null) throw createInvalidBody(`The body ${problem}`);
  const to = { format: readFormat(type), type };
  if (typeof body === 'string' && !isOneTemplate(body)) return toWritten(writeText(call, body, to));
  const value = call.render(body);
  // A literal object or array is JSON in a format without fields.
  if (to.format === 'plain' && typeof body !== 'string')
    return toRendered(value, () => ({ value, sent: asText(value), type }));
  return toRendered(value, () => writeValue(value, to));
}
