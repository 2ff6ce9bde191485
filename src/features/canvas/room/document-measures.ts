/**
 * Hash and size of a document. Both are computed by parts and cached until a part is replaced; the hash is the sum of the
 * parts' hashes, so it does not depend on their order and a change costs only its part.
 */
import { canonicalJson } from '../../../language/graph/values/canonical-json.ts';
import { countBytes } from '../../../language/graph/definition/definition-size.ts';
import { isObject, UNCOUNTED, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import type { WorkBudget } from '../../../language/graph/values/work-budget.ts';
import type { CanvasDocument, KeyedList } from './document.ts';
import { listStateFields } from '../../../language/graph/definition/state-fields.ts';

interface Hash64 {
  readonly high: number;
  readonly low: number;
}

/** Hashes a text in two 32-bit lanes with a final mix (cyrb53 by bryc, public domain, at 64 bits). Not cryptographic. */
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

/** Hashes a text to 16 hexadecimal digits. */
export function hashText(text: string): string {
  return hex(hash64(text));
}

/** Hashes a value to 16 hexadecimal digits, equal for equal JSON. */
export function hashValue(value: Json): string {
  return hashText(canonicalJson(value));
}

interface PartMeasure extends Hash64 {
  readonly size: number;
}
const known = new WeakMap<object, Map<string, PartMeasure>>();

/** To write a character as canonical JSON, to hash and to count it: 5 ns of a text, 25 ns of short keys. */
const STEPS_PER_CHARACTER = 1;
type Meter = Pick<WorkBudget, 'spend'>;

/** Hashes and sizes a part. The name is hashed too: equal contents in two places must not hash alike. */
function measurePart(name: string, value: Json, work: Meter = UNCOUNTED): PartMeasure {
  const memo = typeof value === 'object' && value !== null ? known.get(value) : undefined;
  const remembered = memo?.get(name);
  if (remembered !== undefined) return remembered;
  const text = canonicalJson(value);
  work.spend(text.length * STEPS_PER_CHARACTER);
  const facts = { ...hash64(`${name}\n${text}`), size: countBytes(text) };
  if (memo !== undefined) memo.set(name, facts);
  else if (typeof value === 'object' && value !== null) known.set(value, new Map([[name, facts]]));
  return facts;
}

/** Measures the parts of a document: nodes, edges, fields of the state, and the other keys. */
function* measureParts(document: CanvasDocument): Generator<PartMeasure> {
  for (const list of ['nodes', 'edges'] as const) {
    for (const [key, element] of document[list].byKey) {
      yield measurePart(key.startsWith('\0') ? `${list}/` : `${list}/${key}`, element);
    }
  }
  for (const [key, value] of Object.entries(document.rest)) {
    if (key !== 'state_schema') yield measurePart(key, value);
    else
      for (const [name, field] of Object.entries(listStateFields(value).fields))
        yield measurePart(`state/${name}`, field);
  }
}

/** Returns the 64-bit hash of a document as 16 hexadecimal digits, independent of the order of nodes and edges. */
export function stateHash(document: CanvasDocument): string {
  let high = 0;
  let low = 0;
  for (const part of measureParts(document)) {
    high = (high + part.high) >>> 0;
    low = (low + part.low) >>> 0;
  }
  return hex({ high, low });
}

/** Returns the bytes of a document's JSON, as a save stores it. @param work counts the parts that were not measured before */
export function documentSize({ nodes, edges, rest }: CanvasDocument, work: Meter = UNCOUNTED): number {
  const others = Object.entries(rest).map(([key, value]): [string, number] => [
    key,
    key === 'state_schema' ? stateSize(value, work) : measurePart(key, value, work).size,
  ]);
  const lists = Object.entries({ nodes, edges }).map(([name, list]): [string, number] => [
    name,
    listSize(name, list, work),
  ]);
  return objectSize([...lists, ...others]);
}

function listSize(name: string, { byKey }: KeyedList, work: Meter): number {
  let size = 2 + Math.max(0, byKey.size - 1);
  for (const [key, element] of byKey)
    size += measurePart(key.startsWith('\0') ? `${name}/` : `${name}/${key}`, element, work).size;
  return size;
}

/** Returns the JSON bytes of an object with these keys and value sizes. */
function objectSize(entries: readonly (readonly [string, number])[]): number {
  const keys = entries.reduce((sum, [key, size]) => sum + countBytes(JSON.stringify(key)) + 1 + size, 0);
  return 2 + keys + Math.max(0, entries.length - 1);
}

/** Fields are measured one by one, so that the cache holds for the unchanged ones. */
function stateSize(schema: Json, work: Meter): number {
  if (!isObject(schema)) return measurePart('state_schema', schema, work).size;
  const { isWrapped, fields } = listStateFields(schema);
  const measureFields = (object: JsonObject): [string, number][] =>
    Object.entries(object).map(([name, field]) => [name, measurePart(`state/${name}`, field, work).size]);
  if (!isWrapped) return objectSize(measureFields(schema));
  const others = Object.entries(schema).filter(([key]) => key !== 'fields');
  const wrapped: [string, number][] = Object.hasOwn(schema, 'fields')
    ? [['fields', objectSize(measureFields(fields))]]
    : [];
  return objectSize([
    ...others.map(([key, value]): [string, number] => [
      key,
      measurePart(`state_schema/${key}`, value, work).size,
    ]),
    ...wrapped,
  ]);
}
