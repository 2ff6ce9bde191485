/** One edit inside one entity (a node, an edge, the config, the metadata): what it leaves and what it really changed. */
import { deeperThan, isObject, ownValue, sameJson, type Json, type JsonObject } from '../../graph/value.ts';
import type { Edit } from './operations.ts';
import {
  formatPointer,
  parsePointer,
  settlePointer,
  valueAt,
  withoutValueAt,
  withValueAt,
} from '../../graph/pointer.ts';

/** What was changed, as exact pointers: removals in their order, then values, outer before inner. */
export interface AppliedEdit {
  readonly entity: JsonObject;
  readonly set: Readonly<Record<string, Json>>;
  readonly unset: readonly string[];
}

interface Writes {
  readonly unset: string[][];
  readonly set: [tokens: string[], value: Json][];
}

/** A merge patch's null means removal, so none may be stored (RFC 7396). */
function withoutNulls(value: Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  );
}

/** Adds what the merge patch writes, given what is there. */
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

function writesOf(entity: JsonObject, edit: Edit): Writes {
  const writes: Writes = { unset: (edit.unset ?? []).map(parsePointer), set: [] };
  // Sorted, because a stored object does not keep the order of its keys: `/a` comes before `/a/b`.
  for (const [pointer, value] of Object.entries(edit.set ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    writes.set.push([parsePointer(pointer), value]);
  }
  if (edit.changes !== undefined) addMergePatch(writes, entity, edit.changes);
  return writes;
}

/** As deep as a body of the REST API may be: what is stored here is sent there. */
const MAX_DEPTH = 64;

/**
 * Applies an edit.
 * @returns null when a pointer does not fit a list or leads too deep; the same entity with nothing set when all was so already
 */
export function editEntity(entity: JsonObject, edit: Edit): AppliedEdit | null {
  const writes = writesOf(entity, edit);
  let value: Json = entity;
  const unset: string[] = [];
  const set: [string, Json][] = [];
  for (const tokens of writes.unset) {
    const without: Json = withoutValueAt(value, tokens);
    if (without === value) continue;
    value = without;
    unset.push(formatPointer(tokens));
  }
  for (const [tokens, next] of writes.set) {
    const settled = settlePointer(value, tokens);
    if (settled === null) return null;
    if (sameJson(valueAt(value, settled), next)) continue;
    value = withValueAt(value, settled, next);
    set.push([formatPointer(settled), next]);
  }
  if (deeperThan(value, MAX_DEPTH)) return null;
  return isObject(value) ? { entity: value, set: Object.fromEntries(set), unset } : null;
}
