/**
 * An effect as people see it before it leaves, and as they edit it. A body of JSON or of a form is shown by its fields; an edit writes it
 * anew, and the edited effect is another one, with a digest of its own.
 */
import { createHash } from 'node:crypto';
import { findStringEnd } from '../../graph/values/exact-json.ts';
import { requireBoundedDepth } from '../../graph/values/storable.ts';
import {
  isObject,
  ownValue,
  sameJson,
  setOwn,
  type Json,
  type JsonObject,
} from '../../graph/values/value.ts';
import { readFormat } from '../tool/body-format.ts';
import { isComposed, type ComposedBody } from '../tool/composed-body.ts';
import { listDifferences, type Difference } from './difference.ts';
import { getEditableRoot } from './editable-root.ts';
import type { EffectParts } from './stored-effect.ts';

/** Of what a question shows, as JSON. A guess: people do not read more. */
export const MAX_VIEW_CHARS = 256 * 1024;

interface HttpParts {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ComposedBody | null;
}

/** The fields of a body; null when it has none, or when writing them anew would change more than an edit says. */
function readFields({ headers, body }: HttpParts): JsonObject | Json[] | null {
  if (typeof body !== 'string') return null;
  switch (readFormat(headers['content-type'] ?? '')) {
    case 'json':
      return readJsonFields(body);
    case 'form':
      return readFormFields(body);
    case 'json_lines':
    case 'multipart':
    case 'xml':
    case 'plain':
      return null;
  }
}

/** Removes the white space between the values of a JSON text. */
function compact(text: string): string {
  let written = '';
  for (let at = 0; at < text.length;) {
    const end = text[at] === '"' ? findStringEnd(text, at) : at + 1;
    const part = text.slice(at, end);
    if (part.trim() !== '') written += part;
    at = end;
  }
  return written;
}

function readJsonFields(body: string): JsonObject | Json[] | null {
  try {
    const value = JSON.parse(body) as Json;
    requireBoundedDepth(value);
    // A key that is there twice, and digits that a double does not hold, would not be seen.
    if (JSON.stringify(value) !== compact(body)) return null;
    return isObject(value) || Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

const writeForm = (fields: JsonObject): string =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();

function readFormFields(body: string): JsonObject | null {
  const fields = Object.fromEntries(new URLSearchParams(body));
  return writeForm(fields) === body ? fields : null;
}

function showBody(parts: HttpParts): Json {
  const { body } = parts;
  if (body === null || typeof body === 'string') return readFields(parts) ?? body;
  // References stand for their files.
  if (isComposed(body)) return body.parts.map((part) => (typeof part === 'string' ? part : { ...part }));
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { bytes: body.byteLength, sha256 };
}

/** The parts of an effect that people see: all that leaves, with `***` in place of secrets. */
export function viewEffect({ door, target, request, shown }: EffectParts): JsonObject {
  const given = request as unknown as JsonObject;
  const part = (name: string): Json => given[name] ?? null;
  switch (door) {
    case 'http': {
      const http = request as unknown as HttpParts;
      const url = ownValue(shown as Json, 'url') ?? http.url;
      const headers = ownValue(shown as Json, 'headers') ?? { ...http.headers };
      return { method: part('method'), url, headers, body: showBody(http) };
    }
    case 'mcp':
      return { ...(target as JsonObject), arguments: part('arguments') };
    case 'run':
      return { ...(target as JsonObject), input: part('input'), wait: part('wait') };
    case 'table':
      return { ...(target as JsonObject), key: part('key'), given: part('given') };
    case 'search':
      return { ...(target as unknown as JsonObject), query: part('query'), filters: part('filters') };
    case 'model':
    case 'message':
      return { ...(target as unknown as JsonObject), messages: part('messages') };
  }
}

/** The value at a path such as `body.items.0.amount`; undefined when there is none. */
export function readPath(view: Json, path: string): Json | undefined {
  let value: Json | undefined = view;
  for (const key of path.split('.')) value = ownValue(value, Array.isArray(value) ? toIndex(key) : key);
  return value;
}

const toIndex = (key: string): number => (/^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : -1);

function writePath(view: JsonObject, path: string, value: Json): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.length === 0 ? view : readPath(view, keys.join('.'));
  if (Array.isArray(parent)) parent[toIndex(last)] = value;
  else if (isObject(parent)) setOwn(parent, last, value);
}

/** Lists those of the named paths that this effect has. */
export function listEditable(parts: EffectParts, editable: readonly string[]): readonly string[] {
  const root = getEditableRoot(parts.door);
  const view = viewEffect(parts);
  const isWhole = parts.door === 'http' && readFields(parts.request as unknown as HttpParts) === null;
  const isBytes = parts.door === 'http' && typeof (parts.request as unknown as HttpParts).body !== 'string';
  return editable.filter((path) => {
    if (isBytes || path.split('.')[0] !== root) return false;
    return (!isWhole || path === root) && readPath(view, path) !== undefined;
  });
}

/** Writes the fields of a body in its format. */
function writeBody({ headers }: HttpParts, body: Json): string {
  if (typeof body === 'string') return body;
  return readFormat(headers['content-type'] ?? '') === 'form'
    ? writeForm(body as JsonObject)
    : JSON.stringify(body);
}

/** An edited effect, and what was changed. */
export interface EditedEffect {
  readonly parts: EffectParts;
  readonly changes: readonly Difference[];
}

/**
 * Edits an effect: another one, whose target stays.
 * @param values by path, of those that `listEditable` has named
 * @returns null when nothing is changed
 */
export function editEffect(parts: EffectParts, values: JsonObject): EditedEffect | null {
  const before = viewEffect(parts);
  const after = structuredClone(before);
  for (const [path, value] of Object.entries(values)) writePath(after, path, value);
  if (sameJson(before, after)) return null;
  const root = getEditableRoot(parts.door) ?? '';
  const edited = after[root] ?? null;
  const written =
    parts.door === 'http'
      ? writeBody(parts.request as unknown as HttpParts, edited)
      : structuredClone(edited);
  const request = { ...parts.request, [root]: written } as EffectParts['request'];
  const shown = isObject(parts.shown) ? { ...(parts.shown as JsonObject), [root]: edited } : parts.shown;
  return {
    parts: { ...parts, request, shown: shown as EffectParts['shown'] },
    changes: listDifferences(before, after),
  };
}
