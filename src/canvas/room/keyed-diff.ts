/**
 * The difference of two definitions as RFC 6902 operations. Nodes and edges are matched by their ids, so that deleting
 * the first of a thousand is one removal; positional libraries make thousands of operations of it.
 */
import { isObject, ownValue, sameJson, type Json, type JsonObject } from '../../graph/value.ts';
import { formatPointer } from './pointer.ts';
import type { PatchOperation } from './patch.ts';

/** The lists whose elements have ids. */
const KEYED: ReadonlySet<string> = new Set(['nodes', 'edges']);

/** The elements' ids in order; null when there is one without, or one twice. */
function idsOf(list: readonly Json[]): string[] | null {
  const ids = list.map((element) => ownValue(element, 'id'));
  const texts = ids.filter((id) => typeof id === 'string');
  return texts.length === ids.length && new Set(texts).size === ids.length ? texts : null;
}

/** Which elements of a sequence of distinct numbers form a longest increasing subsequence (patience sorting). */
function longestIncreasing(sequence: readonly number[]): ReadonlySet<number> {
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

class Difference {
  readonly operations: PatchOperation[] = [];

  value(path: string, before: Json, after: Json): void {
    if (before === after) return;
    if (isObject(before) && isObject(after)) this.object(path, before, after);
    else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
      for (const [index, element] of after.entries()) {
        this.value(`${path}/${index}`, before[index] ?? null, element);
      }
    } else if (!sameJson(before, after)) this.operations.push({ op: 'replace', path, value: after });
  }

  object(path: string, before: JsonObject, after: JsonObject, keyed: ReadonlySet<string> = new Set()): void {
    for (const key of Object.keys(before)) {
      if (!Object.hasOwn(after, key))
        this.operations.push({ op: 'remove', path: path + formatPointer([key]) });
    }
    for (const [key, value] of Object.entries(after)) {
      const at = path + formatPointer([key]);
      const old = ownValue(before, key);
      if (old === undefined) this.operations.push({ op: 'add', path: at, value });
      else if (keyed.has(key) && Array.isArray(old) && Array.isArray(value)) this.#list(at, old, value);
      else this.value(at, old, value);
    }
  }

  /** What left or moved is removed from the back, then the list is completed from the front. */
  #list(path: string, before: readonly Json[], after: Json[]): void {
    const oldIds = idsOf(before);
    const newIds = idsOf(after);
    if (oldIds === null || newIds === null) {
      if (!sameJson([...before], after)) this.operations.push({ op: 'replace', path, value: after });
      return;
    }
    const places = new Map(newIds.map((id, index) => [id, index]));
    const stays = longestIncreasing(oldIds.flatMap((id) => places.get(id) ?? []));
    const kept = new Map<string, Json>();
    for (let index = oldIds.length - 1; index >= 0; index -= 1) {
      const id = oldIds[index] ?? '';
      if (stays.has(places.get(id) ?? -1)) kept.set(id, before[index] ?? null);
      else this.operations.push({ op: 'remove', path: `${path}/${index}` });
    }
    for (const [index, element] of after.entries()) {
      const old = kept.get(newIds[index] ?? '');
      const at = `${path}/${index}`;
      if (old === undefined) this.operations.push({ op: 'add', path: at, value: element });
      else this.value(at, old, element);
    }
  }
}

/**
 * Operations that turn `before` into `after` (equality is that of JSON: the order of keys does not count). Where they
 * would be longer than half of the document, one operation replaces it as a whole.
 */
export function keyedDiff(before: JsonObject, after: JsonObject): readonly PatchOperation[] {
  const difference = new Difference();
  difference.object('', before, after, KEYED);
  const { operations } = difference;
  // One short operation is never worth a look at the whole document.
  if (operations.length <= 1) return operations;
  const isLong = JSON.stringify(operations).length > JSON.stringify(after).length / 2;
  return isLong ? [{ op: 'replace', path: '', value: after }] : operations;
}
