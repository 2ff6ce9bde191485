/**
 * The difference of two definitions as RFC 6902 operations. Nodes and edges are matched by id, so that deleting the first
 * of a thousand is one removal and not a thousand replacements.
 */
import { formatPointer } from '../values/pointer.ts';
import { isObject, ownValue, sameJson, type Json, type JsonObject } from '../values/value.ts';

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

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

interface Versions<T> {
  readonly before: T;
  readonly after: T;
  /** Compares two elements. */
  readonly inside: (path: string, before: Json, after: Json) => readonly PatchOperation[];
}

/**
 * Compares two lists by id: removes elements that left or moved, from the back, then adds from the front.
 * @returns null when elements have no ids; `isReordered` when elements that stayed changed places
 */
function diffLists(
  path: string,
  { before, after, inside }: Versions<Json>,
): { readonly isReordered: boolean; readonly operations: PatchOperation[] } | null {
  const [old, now] = [indexById(before), indexById(after)];
  if (old === null || now === null) return null;
  const ids = [...old.keys()];
  const places = new Map([...now.keys()].map((id, index) => [id, index]));
  const shared = ids.flatMap((id) => places.get(id) ?? []);
  const stays = findLongestIncreasing(shared);
  const isKept = (id: string): boolean => stays.has(places.get(id) ?? -1);
  const operations: PatchOperation[] = [];
  for (const [index, id] of [...ids.entries()].toReversed()) {
    if (!isKept(id)) operations.push({ op: 'remove', path: `${path}/${index}` });
  }
  for (const [index, [id, element]] of [...now].entries()) {
    const was = isKept(id) ? old.get(id) : undefined;
    if (was === undefined) operations.push({ op: 'add', path: `${path}/${index}`, value: element });
    else operations.push(...inside(`${path}/${index}`, was, element));
  }
  return { isReordered: stays.size < shared.length, operations };
}

/** Compares two values; a list whose length changed is replaced as a whole. */
function diffValues(path: string, before: Json, after: Json): readonly PatchOperation[] {
  if (before === after) return [];
  if (isObject(before) && isObject(after)) return diffMembers(path, before, after);
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((element, index) => diffValues(`${path}/${index}`, before[index] ?? null, element));
  }
  return sameJson(before, after) ? [] : [{ op: 'replace', path, value: after }];
}

function diffMembers(path: string, before: JsonObject, after: JsonObject): PatchOperation[] {
  const operations: PatchOperation[] = [];
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) operations.push({ op: 'remove', path: path + formatPointer([key]) });
  }
  for (const [key, value] of Object.entries(after)) {
    const at = path + formatPointer([key]);
    const old = ownValue(before, key);
    if (old === undefined) operations.push({ op: 'add', path: at, value });
    else if (path === '' && KEYED_LISTS.has(key) && Array.isArray(old) && Array.isArray(value)) {
      const list = diffLists(at, { before: old, after: value, inside: diffValues });
      if (list !== null) operations.push(...list.operations);
      else if (!sameJson(old, value)) operations.push({ op: 'replace', path: at, value });
    } else operations.push(...diffValues(at, old, value));
  }
  return operations;
}

/**
 * Operations that turn one definition into another; the order of keys does not count. If they would be longer than half
 * of the definition, one operation replaces it as a whole.
 */
export function diffDefinitions(before: JsonObject, after: JsonObject): readonly PatchOperation[] {
  const operations = diffMembers('', before, after);
  if (operations.length <= 1) return operations;
  const isLong = JSON.stringify(operations).length > JSON.stringify(after).length / 2;
  return isLong ? [{ op: 'replace', path: '', value: after }] : operations;
}

const isContainer = (value: Json): value is Json[] | JsonObject =>
  typeof value === 'object' && value !== null;

/**
 * Compares two values, lists by position, in the order of the edit history: members from the last to the first, then new
 * members. Stored entries were made by `compare` of fast-json-patch, and clients rely on its order.
 */
export function diffInOrder(path: string, before: Json, after: Json): readonly PatchOperation[] {
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    return before === after ? [] : [{ op: 'replace', path, value: after }];
  }
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const operations: PatchOperation[] = [];
  for (const [key, was] of [...old].toReversed()) {
    const at = path + formatPointer([key]);
    const is = now.get(key);
    if (is === undefined) operations.push({ op: 'remove', path: at });
    else operations.push(...diffInOrder(at, was, is));
  }
  for (const [key, value] of now) {
    if (!old.has(key)) operations.push({ op: 'add', path: path + formatPointer([key]), value });
  }
  return operations;
}

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
      else visit(at, inOld, inNow);
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
      const list = diffLists(at, { before: old, after: value, inside: diffInOrder });
      // Reordering is rare (dragging on the canvas does not reorder), so it is not worth `move` operations.
      return list === null || list.isReordered ? [{ op: 'replace', path: at, value }] : list.operations;
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
export function listDifferences(from: JsonObject, to: JsonObject, at = ''): Difference[] {
  const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...keys].flatMap((key) => {
    const [was, is] = [ownValue(from, key), ownValue(to, key)];
    if (sameJson(was, is)) return [];
    const ptr = at + formatPointer([key]);
    return isObject(was) && isObject(is) ? listDifferences(was, is, ptr) : [{ ptr, from: was, to: is }];
  });
}
