/**
 * Hash and size of the parts of a document, each computed once for as long as the part is not replaced. The hash of a
 * document is the sum of its parts' hashes, so it does not depend on their order and costs what was changed.
 */
import { countBytes } from '../../graph/definition-size.ts';
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';
import type { CanvasDocument, KeyedList } from './document.ts';
import { stateFields } from '../../graph/state-fields.ts';

/** JSON with sorted keys: equal values have equal texts, whatever stored them (jsonb reorders keys). */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${fields.join(',')}}`;
}

interface Hash64 {
  readonly high: number;
  readonly low: number;
}

/** Two 32-bit lanes with a final mix (cyrb53 by bryc, public domain, kept at 64 bits). Not for secrets. */
function hash64(text: string): Hash64 {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return { high: high >>> 0, low: low >>> 0 };
}

const hex = ({ high, low }: Hash64): string =>
  high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');

/** Hash of a text, 16 hexadecimal digits. */
export function hashOfText(text: string): string {
  return hex(hash64(text));
}

/** Hash of one value, 16 hexadecimal digits; equal for equal JSON. */
export function hashOf(value: Json): string {
  return hashOfText(canonicalJson(value));
}

interface Facts extends Hash64 {
  readonly size: number;
}
const known = new WeakMap<object, Map<string, Facts>>();

/** Facts of a part under its name, so that two parts with the same content do not count as the same part. */
function factsOf(name: string, value: Json): Facts {
  const memo = typeof value === 'object' && value !== null ? known.get(value) : undefined;
  const remembered = memo?.get(name);
  if (remembered !== undefined) return remembered;
  const text = canonicalJson(value);
  const facts = { ...hash64(`${name}\n${text}`), size: countBytes(text) };
  if (memo !== undefined) memo.set(name, facts);
  else if (typeof value === 'object' && value !== null) known.set(value, new Map([[name, facts]]));
  return facts;
}

/** The parts of a document: nodes, edges, fields of the state, and the other keys. */
function* partsOf(document: CanvasDocument): Generator<Facts> {
  for (const list of ['nodes', 'edges'] as const) {
    for (const [key, element] of document[list].byKey) {
      yield factsOf(key.startsWith('\0') ? `${list}/` : `${list}/${key}`, element);
    }
  }
  for (const [key, value] of Object.entries(document.rest)) {
    if (key !== 'state_schema') yield factsOf(key, value);
    else
      for (const [name, field] of Object.entries(stateFields(value).fields))
        yield factsOf(`state/${name}`, field);
  }
}

/** 64-bit hash of a document, 16 hexadecimal digits; it does not see the order of nodes and edges. */
export function stateHash(document: CanvasDocument): string {
  let high = 0;
  let low = 0;
  for (const part of partsOf(document)) {
    high = (high + part.high) >>> 0;
    low = (low + part.low) >>> 0;
  }
  return hex({ high, low });
}

/** Bytes of a document's JSON, as a save stores it. */
export function documentSize({ nodes, edges, rest }: CanvasDocument): number {
  const others = Object.entries(rest).map(([key, value]): [string, number] => [
    key,
    key === 'state_schema' ? stateSize(value) : factsOf(key, value).size,
  ]);
  return objectSize([['nodes', listSize('nodes', nodes)], ['edges', listSize('edges', edges)], ...others]);
}

function listSize(name: string, { byKey }: KeyedList): number {
  let size = 2 + Math.max(0, byKey.size - 1);
  for (const [key, element] of byKey)
    size += factsOf(key.startsWith('\0') ? `${name}/` : `${name}/${key}`, element).size;
  return size;
}

/** Of an object with these keys, whose values have these sizes. */
function objectSize(entries: readonly (readonly [string, number])[]): number {
  const keys = entries.reduce((sum, [key, size]) => sum + countBytes(JSON.stringify(key)) + 1 + size, 0);
  return 2 + keys + Math.max(0, entries.length - 1);
}

/** The fields are measured one by one: each edit changes few of them. */
function stateSize(schema: Json): number {
  if (!isObject(schema)) return factsOf('state_schema', schema).size;
  const { isWrapped, fields } = stateFields(schema);
  const sizesOf = (object: JsonObject): [string, number][] =>
    Object.entries(object).map(([name, field]) => [name, factsOf(`state/${name}`, field).size]);
  if (!isWrapped) return objectSize(sizesOf(schema));
  const others = Object.entries(schema).filter(([key]) => key !== 'fields');
  const wrapped: [string, number][] = Object.hasOwn(schema, 'fields')
    ? [['fields', objectSize(sizesOf(fields))]]
    : [];
  return objectSize([
    ...others.map(([key, value]): [string, number] => [key, factsOf(`state_schema/${key}`, value).size]),
    ...wrapped,
  ]);
}
