/** Applies an edit inside one entity (a node, an edge, the config, the metadata) and reports what it changed. */
import { isDeeperThan, isObject, ownValue, sameJson, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import type { Edit } from './operations.ts';
import { formatPointer, parsePointer, resolvePointer, getAt, removeAt, setAt } from '../../../language/graph/values/pointer.ts';

/** The changed entity, and the changes as exact pointers, outer before inner. */
interface AppliedEdit {
  readonly entity: JsonObject;
  readonly set: Readonly<Record<string, Json>>;
  readonly unset: readonly string[];
}

interface Writes {
  readonly unset: string[][];
  readonly set: [tokens: string[], value: Json][];
}

/** Removes nulls: in a merge patch null means removal, so it is never stored (RFC 7396). */
function withoutNulls(value: Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  );
}

/** Adds the writes of a merge patch on the current entity. */
function addMergePatch(writes: Writes, entity: JsonObject, changes: JsonObject): void {
  const spread = (current: Json | undefined, patch: JsonObject, at: readonly string[]): void => {
    for (const [key, value] of Object.entries(patch)) {
      const tokens = [...at, key];
      const inner = ownValue(current, key);
      if (value === null) writes.unset.push(tokens);
      else if (isObject(value) && isObject(inner)) spread(inner, value, tokens);
      else writes.set.push([tokens, withoutNulls(value)]);
    }
  };
  spread(entity, changes, []);
}

function listWrites(entity: JsonObject, edit: Edit): Writes {
  const writes: Writes = { unset: (edit.unset ?? []).map(parsePointer), set: [] };
  // Sorted, because a stored object does not keep the order of its keys: `/a` comes before `/a/b`.
  for (const [pointer, value] of Object.entries(edit.set ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    writes.set.push([parsePointer(pointer), value]);
  }
  if (edit.changes !== undefined) addMergePatch(writes, entity, edit.changes);
  return writes;
}

/** The same limit as in the REST API, which returns this document. */
const MAX_DEPTH = 64;

/**
 * Applies an edit.
 * @returns null when a pointer does not fit a list or is too deep; the same entity when nothing changes
 */
export function editEntity(entity: JsonObject, edit: Edit): AppliedEdit | null {
  const writes = listWrites(entity, edit);
  let value: Json = entity;
  const unset: string[] = [];
  const set: [string, Json][] = [];
  for (const tokens of writes.unset) {
    const without: Json = removeAt(value, tokens);
    if (without === value) continue;
    value = without;
    unset.push(formatPointer(tokens));
  }
  for (const [tokens, next] of writes.set) {
    const exact = resolvePointer(value, tokens);
    if (exact === null) return null;
    if (sameJson(getAt(value, exact), next)) continue;
    value = setAt(value, exact, next);
    set.push([formatPointer(exact), next]);
  }
  if (isDeeperThan(value, MAX_DEPTH)) return null;
  return isObject(value) ? { entity: value, set: Object.fromEntries(set), unset } : null;
}
