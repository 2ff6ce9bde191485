/**
 * The workflow definition in a room: nodes and edges by id, all other keys as they are. Immutable, with structural sharing:
 * a snapshot is a reference, and a diff skips identical parts.
 */
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { KEPT_KEYS } from '../../../language/graph/definition/definition.ts';

/** A list with an index by id. */
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

/** Key of an element without an id or with a duplicate one: it keeps its place, and no client can address it. */
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
  // A stored element may be any JSON value, also null.
  return order.map((key) => byKey.get(key) ?? null);
}

/** Reads a stored definition; keys that a save does not keep are ignored (SPEC API-definition). */
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

/** Returns the definition to store or to send. Cached for each document, so it must not be changed. */
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

/** Finds the node or edge of an id; undefined when there is none. */
export function findElement(list: KeyedList, id: string): JsonObject | undefined {
  const element = list.byKey.get(id);
  return isObject(element) ? element : undefined;
}
