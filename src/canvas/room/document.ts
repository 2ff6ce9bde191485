/**
 * The workflow definition as a room holds it: nodes and edges by id, everything else as it is. Immutable: a change
 * makes a new root that shares what did not change, so a snapshot is a reference and a diff skips what is identical.
 */
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { KEPT_KEYS } from '../../graph/definition.ts';

/** A list whose elements are found by their ids. */
export interface KeyedList {
  readonly order: readonly string[];
  readonly byKey: ReadonlyMap<string, Json>;
}

export interface CanvasDocument {
  readonly nodes: KeyedList;
  readonly edges: KeyedList;
  /** The other keys that a save keeps. */
  readonly rest: JsonObject;
}

/** Elements without an id of their own still keep their place; no client can name such a key. */
const anonymousKey = (index: number): string => `\0${index}`;

function readList(value: Json | undefined): KeyedList {
  const byKey = new Map<string, Json>();
  for (const [index, element] of (Array.isArray(value) ? value : []).entries()) {
    const id = ownValue(element, 'id');
    byKey.set(typeof id === 'string' && !byKey.has(id) ? id : anonymousKey(index), element);
  }
  return { order: [...byKey.keys()], byKey };
}

function writeList({ order, byKey }: KeyedList): Json[] {
  // An element may itself be null or a list: what somebody stored is stored again.
  return order.map((key) => byKey.get(key) ?? null);
}

/** Reads a stored definition; keys that a save does not keep are not read (SPEC API-definition). */
export function readDocument(schema: JsonObject): CanvasDocument {
  const rest: JsonObject = {};
  for (const key of KEPT_KEYS) {
    const value = ownValue(schema, key);
    if (key !== 'nodes' && key !== 'edges' && value !== undefined) rest[key] = value;
  }
  return {
    nodes: readList(ownValue(schema, 'nodes')),
    edges: readList(ownValue(schema, 'edges')),
    rest,
  };
}

const written = new WeakMap<CanvasDocument, JsonObject>();

/** The definition to store or to send; made once for each document. Nobody may change it. */
export function writeDocument(document: CanvasDocument): JsonObject {
  let schema = written.get(document);
  if (schema === undefined) {
    schema = {};
    for (const key of KEPT_KEYS) {
      const value =
        key === 'nodes' || key === 'edges' ? writeList(document[key]) : ownValue(document.rest, key);
      if (value !== undefined) schema[key] = value;
    }
    written.set(document, schema);
  }
  return schema;
}

/** The node or edge of an id; undefined when there is none. */
export function elementOf(list: KeyedList, id: string): JsonObject | undefined {
  const element = list.byKey.get(id);
  return isObject(element) ? element : undefined;
}
