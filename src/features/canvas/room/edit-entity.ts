/** Applies an edit inside one entity (a node, an edge, the config, the metadata) and reports what it changed. */
import {
  isDeeperThan,
  isObject,
  ownValue,
  sameJson,
  STEPS_PER_KEY,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import type { WorkBudget } from '../../../language/graph/values/work-budget.ts';
import type { Edit } from './operations.ts';
import {
  copyContainer,
  type CopyContainer,
  formatPointer,
  parsePointer,
  resolvePointer,
  getAt,
  removeAt,
  setAt,
} from '../../../language/graph/values/pointer.ts';

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

/** Whether a value below so many keys nests too deeply. The rest of the entity was refused or taken before. */
const isTooDeep = (value: Json, depth: number): boolean =>
  depth - 1 > MAX_DEPTH || (typeof value === 'object' && isDeeperThan(value, MAX_DEPTH - depth));

/** Items of a list that are moved in one step. */
const MOVED_PER_STEP = 32;

/** Creates a copy function for one edit: each container is copied once, however many pointers lead through it. */
function copyOnce(work: Pick<WorkBudget, 'spend'>): CopyContainer {
  const copies = new WeakSet<object>();
  return (container) => {
    if (copies.has(container)) {
      // A gap in a list is closed by moving what is behind it.
      if (Array.isArray(container)) work.spend(container.length / MOVED_PER_STEP);
      return container;
    }
    const copy = copyContainer(container);
    work.spend(Array.isArray(copy) ? copy.length : Object.keys(copy).length * STEPS_PER_KEY);
    copies.add(copy);
    return copy;
  };
}

/** Turns the append to a list that is not there into the write of a list with one entry. */
function createList(root: Json, [tokens, next]: readonly [string[], Json]): readonly [string[], Json] {
  const list = tokens.slice(0, -1);
  return tokens.at(-1) === '-' && getAt(root, list) === undefined ? [list, [next]] : [tokens, next];
}

/**
 * Applies an edit.
 * @param work counts what is copied
 * @returns null when a pointer does not fit a list or is too deep; the same entity when nothing changes
 * @throws WorkLimitExceeded
 */
export function editEntity(
  entity: JsonObject,
  edit: Edit,
  work: Pick<WorkBudget, 'spend'>,
): AppliedEdit | null {
  const writes = listWrites(entity, edit);
  const copy = copyOnce(work);
  let value: Json = entity;
  const unset: string[] = [];
  const set: [string, Json][] = [];
  for (const tokens of writes.unset) {
    if (getAt(value, tokens) === undefined) continue;
    value = removeAt(value, tokens, copy);
    unset.push(formatPointer(tokens));
  }
  for (const write of writes.set) {
    const [tokens, next] = createList(value, write);
    const exact = resolvePointer(value, tokens);
    if (exact === null || isTooDeep(next, exact.length)) return null;
    if (sameJson(getAt(value, exact), next, work)) continue;
    value = setAt(value, exact, next, copy);
    set.push([formatPointer(exact), next]);
  }
  return isObject(value) ? { entity: value, set: Object.fromEntries(set), unset } : null;
}
