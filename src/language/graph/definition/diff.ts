/**
 * The difference of two definitions as RFC 6902 operations. Nodes and edges are matched by id, so that deleting the first
 * of a thousand is one removal and not a thousand replacements.
 */
import { Comparison } from './comparison.ts';
import { Patch, type Changed, type PatchOperation } from './patch.ts';
import { formatPointer } from '../values/pointer.ts';
import { isContainer, isObject, ownValue, sameJson, type Json, type JsonObject } from '../values/value.ts';

/** The lists of a definition whose elements have ids. */
const KEYED_LISTS: ReadonlySet<string> = new Set(['nodes', 'edges']);

/** Indexes the nodes or the edges of a definition by id; empty where `indexById` finds no list of elements. */
export const indexElements = (
  definition: JsonObject,
  list: 'nodes' | 'edges',
): ReadonlyMap<string, JsonObject> => indexById(ownValue(definition, list)) ?? new Map();

/** Indexes the elements by id, in list order; null when the value is not a list, or an id is missing or duplicate. */
export function indexById(list: Json | undefined): ReadonlyMap<string, JsonObject> | null {
  if (!Array.isArray(list)) return null;
  const found = new Map<string, JsonObject>();
  for (const element of list) {
    const id = ownValue(element, 'id');
    if (!isObject(element) || typeof id !== 'string' || found.has(id)) return null;
    found.set(id, element);
  }
  return found;
}

/** Finds a longest increasing subsequence of distinct numbers (patience sorting). */
function findLongestIncreasing(sequence: readonly number[]): ReadonlySet<number> {
  const tails: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const value of sequence) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle] ?? Infinity) < value) low = middle + 1;
      else high = middle;
    }
    tails[low] = value;
    before.set(value, tails[low - 1]);
  }
  const kept = new Set<number>();
  for (let value = tails.at(-1); value !== undefined; value = before.get(value)) kept.add(value);
  return kept;
}

/** Adds the operations that turn one value into another. */
type Look = (patch: Patch, place: Changed) => void;

/** The elements of two lists by id; `stays`: the places in the later one of elements that kept their order. */
interface MatchedLists {
  readonly old: ReadonlyMap<string, JsonObject>;
  readonly now: ReadonlyMap<string, JsonObject>;
  readonly stays: ReadonlySet<number>;
  /** Elements that stayed changed places. */
  readonly isReordered: boolean;
}

/** Matches the elements of two lists by id; null when elements have no ids. */
function matchLists(before: Json, after: Json): MatchedLists | null {
  const [old, now] = [indexById(before), indexById(after)];
  if (old === null || now === null) return null;
  const places = new Map([...now.keys()].map((id, index) => [id, index]));
  const shared = [...old.keys()].flatMap((id) => places.get(id) ?? []);
  const stays = findLongestIncreasing(shared);
  return { old, now, stays, isReordered: stays.size < shared.length };
}

/** Removes elements that left or moved, from the back, then adds from the front. */
function addListChanges(
  patch: Patch,
  path: string,
  { old, now, stays, look }: MatchedLists & { readonly look: Look },
): void {
  const places = new Map([...now.keys()].map((id, index) => [id, index]));
  const isKept = (id: string): boolean => stays.has(places.get(id) ?? -1);
  for (const [index, id] of [...[...old.keys()].entries()].toReversed()) {
    if (!isKept(id)) patch.add({ op: 'remove', path: `${path}/${index}` });
  }
  for (const [index, [id, element]] of [...now].entries()) {
    const was = isKept(id) ? old.get(id) : undefined;
    const at = `${path}/${index}`;
    if (was === undefined) patch.add({ op: 'add', path: at, value: element });
    else {
      const place = { path: at, before: was, after: element };
      patch.addInside(place, () => look(patch, place));
    }
  }
}

/** Compares two values; a list whose length changed is replaced as a whole. */
function addValueChanges(patch: Patch, { path, before, after }: Changed): void {
  if (before === after || patch.isFull) return;
  if (isObject(before) && isObject(after)) addMemberChanges(patch, { path, before, after }, addValueChanges);
  else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, element] of after.entries())
      addValueChanges(patch, { path: `${path}/${index}`, before: before[index] ?? null, after: element });
  } else if (!sameJson(before, after)) patch.add({ op: 'replace', path, value: after });
}

function addMemberChanges(
  patch: Patch,
  { path, before, after }: Changed & { readonly before: JsonObject; readonly after: JsonObject },
  look: Look,
): void {
  for (const key of Object.keys(before)) {
    if (patch.isFull) return;
    if (!Object.hasOwn(after, key)) patch.add({ op: 'remove', path: path + formatPointer([key]) });
  }
  for (const [key, value] of Object.entries(after)) {
    const at = path + formatPointer([key]);
    const old = ownValue(before, key);
    if (old === undefined) patch.add({ op: 'add', path: at, value });
    else look(patch, { path: at, before: old, after: value });
  }
}

/** Compares a member of a definition: nodes and edges by id. */
function addDefinitionChanges(patch: Patch, place: Changed): void {
  const { path, before, after } = place;
  const isKeyed = KEYED_LISTS.has(path.slice(1)) && Array.isArray(before) && Array.isArray(after);
  const match = isKeyed ? matchLists(before, after) : null;
  if (match !== null) addListChanges(patch, path, { ...match, look: addValueChanges });
  else if (!isKeyed) patch.addInside(place, () => addValueChanges(patch, place));
  else if (!sameJson(before, after)) patch.add({ op: 'replace', path, value: after });
}

/**
 * Operations that turn one definition into another; the order of keys does not count. If they would be longer than half
 * of the definition, one operation replaces it as a whole.
 */
export function diffDefinitions(before: JsonObject, after: JsonObject): readonly PatchOperation[] {
  const patch = new Patch();
  addMemberChanges(patch, { path: '', before, after }, addDefinitionChanges);
  const { operations } = patch;
  if (operations.length <= 1) return operations;
  const isLong = patch.isFull || JSON.stringify(operations).length > JSON.stringify(after).length / 2;
  return isLong ? [{ op: 'replace', path: '', value: after }] : operations;
}

/** Compares two values, lists by position: members from the last to the first, then new members. */
function addOrderedChanges(patch: Patch, { path, before, after }: Changed, look: Look): void {
  if (patch.isFull) return;
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    if (before !== after) patch.add({ op: 'replace', path, value: after });
    return;
  }
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  for (const [key, was] of [...old].toReversed()) {
    const at = path + formatPointer([key]);
    const is = now.get(key);
    if (is === undefined) patch.add({ op: 'remove', path: at });
    else look(patch, { path: at, before: was, after: is });
  }
  for (const [key, value] of now) {
    if (!old.has(key)) patch.add({ op: 'add', path: path + formatPointer([key]), value });
  }
}

const addInnerChanges: Look = (patch, place) => addOrderedChanges(patch, place, addInnerChanges);

/**
 * Compares two values in the order of the edit history. Stored entries were made by `compare` of fast-json-patch, and clients rely on
 * its order. Members whose operations would be too long together are replaced as a whole.
 */
export function diffInOrder(path: string, before: Json, after: Json): readonly PatchOperation[] {
  const patch = new Patch();
  addOrderedChanges(patch, { path, before, after }, (_, place) =>
    patch.addInside(place, () => addInnerChanges(patch, place)),
  );
  return patch.operations;
}

/** Places below a longer key are one place: each of their pointers would repeat it. */
const MAX_POINTER_KEY = 1_000;

/** JSON pointers to the places where two values differ, sorted. @param most pointers at most */
export function findDifferingPointers(
  before: Json | undefined,
  after: Json | undefined,
  most = Number.POSITIVE_INFINITY,
): string[] {
  if (before === undefined || after === undefined) return before === after ? [] : [''];
  const found: string[] = [];
  const visit = (path: string, was: Json, is: Json): void => {
    if (!isContainer(was) || !isContainer(is) || Array.isArray(was) !== Array.isArray(is)) {
      if (was !== is) found.push(path);
      return;
    }
    const [old, now] = [new Map(Object.entries(was)), new Map(Object.entries(is))];
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      if (found.length >= most) return;
      const at = path + formatPointer([key]);
      const [inOld, inNow] = [old.get(key), now.get(key)];
      if (inOld === undefined || inNow === undefined) found.push(at);
      else if (key.length <= MAX_POINTER_KEY) visit(at, inOld, inNow);
      else if (!sameJson(inOld, inNow)) found.push(at);
    }
  };
  visit('', before, after);
  return found.toSorted();
}

/** As `diffInOrder` for two definitions: nodes and edges by id, after all other members. */
export function diffDefinitionsInOrder(
  path: string,
  before: JsonObject,
  after: JsonObject,
): PatchOperation[] {
  const keyed = [...KEYED_LISTS].filter((key) => Array.isArray(before[key]) && Array.isArray(after[key]));
  const others = (definition: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(definition).filter(([key]) => !keyed.includes(key)));
  return [
    ...diffInOrder(path, others(before), others(after)),
    ...keyed.flatMap((key): readonly PatchOperation[] => {
      const [at, old, value] = [`${path}/${key}`, before[key] ?? [], after[key] ?? []];
      if (sameJson(old, value)) return [];
      const match = matchLists(old, value);
      // Reordering is rare (dragging on the canvas does not reorder), so it is not worth `move` operations.
      if (match === null || match.isReordered) return [{ op: 'replace', path: at, value }];
      const patch = new Patch();
      addListChanges(patch, at, { ...match, look: addInnerChanges });
      return patch.operations;
    }),
  ];
}

/** One place in which two objects differ; undefined: absent. */
export interface Difference {
  /** JSON pointer. */
  readonly ptr: string;
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

/** Lists the innermost places in which two objects differ. */
export function listDifferences(from: JsonObject, to: JsonObject): Difference[] {
  const comparison = new Comparison();
  const list = (before: JsonObject, after: JsonObject, at: string): Difference[] => {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => {
      const [was, is] = [ownValue(before, key), ownValue(after, key)];
      if (comparison.same(was, is)) return [];
      const ptr = at + formatPointer([key]);
      const isInside = isObject(was) && isObject(is) && key.length <= MAX_POINTER_KEY;
      return isInside ? list(was, is, ptr) : [{ ptr, from: was, to: is }];
    });
  };
  return list(from, to, '');
}
