/**
 * Finds where a field of one document stands in a later one: entries of a list, keys of an object and nodes may have
 * been moved, renamed or deleted in between, and a pointer alone would then name another's value.
 */
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import { rewriteReferences } from '../../../features/canvas/room/rewrite-references.ts';
import { formatPointer, getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import {
  isContainer,
  isObject,
  ownValue,
  sameJson,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import { readEntity, readNodeId, type Entity } from './entity.ts';

/** The place of a value: the pointer inside its entity. */
export interface Place {
  readonly entity: Entity;
  readonly ptr: string;
}

/** A document with the own edits, and as the server has it. */
export interface Versions {
  readonly view: CanvasDocument;
  readonly confirmed: CanvasDocument;
}

type Tokens = readonly string[];

/** Counts the equal entries at the beginning of two lists. */
function countEqual(before: readonly Json[], after: readonly Json[]): number {
  const end = before.findIndex((entry, index) => !sameJson(entry, after[index]));
  return end === -1 ? Math.min(before.length, after.length) : end;
}

/** Finds the index that has exactly this entry; null where none or several have it. */
function findOnly(list: readonly Json[], entry: Json): number | null {
  const found = list.flatMap((one, index) => (sameJson(one, entry) ? [index] : []));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Follows an entry of a list. Entries that were edited where they stand keep their index while none was added or removed. */
function followIndex(before: readonly Json[], after: readonly Json[], index: number): number | null {
  const head = countEqual(before, after);
  if (index < head) return index;
  const [oldRest, newRest] = [before.slice(head), after.slice(head)];
  const tail = countEqual(oldRest.toReversed(), newRest.toReversed());
  if (index >= before.length - tail) return index + after.length - before.length;
  const [from, to] = [oldRest.slice(0, oldRest.length - tail), newRest.slice(0, newRest.length - tail)];
  const isEditedInPlace =
    from.length === to.length && from.every((entry) => to.every((one) => !sameJson(one, entry)));
  if (isEditedInPlace) return index;
  const entry = from[index - head];
  if (entry === undefined || findOnly(from, entry) === null) return null;
  const found = findOnly(to, entry);
  return found === null ? null : head + found;
}

/** Follows a key: the same one, or the new one that has its value. */
function followKey(before: JsonObject, after: JsonObject, key: string): string | null {
  if (ownValue(after, key) !== undefined) return key;
  const value = ownValue(before, key);
  const renamed = Object.keys(after).filter(
    (one) => ownValue(before, one) === undefined && sameJson(ownValue(after, one), value),
  );
  return renamed.length === 1 ? (renamed[0] ?? null) : null;
}

/**
 * Follows a path inside a value. The last key keeps its place when its value is gone, for a field without a value is
 * still a field; an entry of a list, and an object around the field, are gone with their values.
 * @returns null when the place is gone
 */
export function rebasePointer(
  before: Json | undefined,
  after: Json | undefined,
  tokens: Tokens,
): Tokens | null {
  const [token, ...rest] = tokens;
  if (token === undefined || before === after) return tokens;
  // A text or a number stands where the object around the field would be.
  if (after !== undefined && !isContainer(after)) return null;
  const inner = getAt(before, [token]);
  let next: string | null = token;
  if (Array.isArray(before)) {
    const index =
      Array.isArray(after) && inner !== undefined ? followIndex(before, after, Number(token)) : null;
    next = index === null ? null : String(index);
  } else if (isObject(before) && inner !== undefined) {
    next = isObject(after) ? followKey(before, after, token) : null;
    if (next === null && rest.length === 0) next = token;
  }
  if (next === null) return null;
  const followed = rebasePointer(inner, getAt(after, [next]), rest);
  return followed === null ? null : [next, ...followed];
}

/** Finds the new id of a node that is not there any more: a new node is the same but for its id and the references to it. */
function findRenamed(before: CanvasDocument, after: CanvasDocument, from: string): string | null {
  const node = before.nodes.byKey.get(from);
  if (!isObject(node)) return null;
  const found = after.nodes.order.filter((to) => {
    if (before.nodes.byKey.has(to)) return false;
    const renamed = rewriteReferences(node, new Map([[from, to]]));
    return sameJson({ ...(isObject(renamed) ? renamed : {}), id: to }, after.nodes.byKey.get(to));
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Follows a place from one document to a later one. @returns null when it is gone */
export function followPlace(
  before: CanvasDocument,
  after: CanvasDocument,
  { entity, ptr }: Place,
): Place | null {
  const old = readEntity(before, entity);
  const nodeId = readNodeId(entity);
  let now: Entity | null = entity;
  if (readEntity(after, entity) === undefined) {
    const renamed = nodeId === null ? null : findRenamed(before, after, nodeId);
    now = renamed === null ? null : `node:${renamed}`;
  }
  if (now === null) return null;
  const tokens = rebasePointer(old, readEntity(after, now), parsePointer(ptr));
  return tokens === null ? null : { entity: now, ptr: formatPointer(tokens) };
}

/**
 * Chooses the base document for following a place: the confirmed one, unless a pending local edit has moved the place. A
 * pending text would make its entry look like another one.
 */
export function chooseBase(place: Place, { view, confirmed }: Versions): CanvasDocument {
  const shared = followPlace(view, confirmed, place);
  return shared?.entity === place.entity && shared.ptr === place.ptr ? confirmed : view;
}

/**
 * Follows a field from one state of the page to the next.
 * @returns null when the place is gone
 */
export function followField(place: Place, before: Versions, after: Versions): Place | null {
  const isOwn = before.confirmed === after.confirmed;
  return isOwn || chooseBase(place, before) === before.view
    ? followPlace(before.view, after.view, place)
    : followPlace(before.confirmed, after.confirmed, place);
}

/** The innermost entry of a list that a path leads into; null when it leads into none. */
export function findListEntry(value: Json | undefined, tokens: Tokens): Tokens | null {
  const depth = tokens.findLastIndex((_token, at) => Array.isArray(getAt(value, tokens.slice(0, at))));
  return depth === -1 ? null : tokens.slice(0, depth + 1);
}

/** Reduces a value to the parts by which `rebasePointer` follows a path later: lists whole, of objects the keys beside the path. */
export function buildPathSkeleton(value: Json | undefined, tokens: Tokens): Json | undefined {
  const [token, ...rest] = tokens;
  if (!isObject(value) || token === undefined) return value;
  const outline = buildPathSkeleton(ownValue(value, token), rest);
  return Object.fromEntries(
    Object.keys(value).map((key) => [key, key === token && outline !== undefined ? outline : null]),
  );
}
