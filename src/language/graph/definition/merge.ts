/**
 * Three-way merge of definitions. Nodes and edges are matched by id, objects by key. If both sides changed the same place
 * differently, it is a conflict.
 */
import { shortenText } from '../values/cut-text.ts';
import { Comparison } from './comparison.ts';
import { indexById } from './diff.ts';
import { isObject, setOwn, type Json, type JsonObject } from '../values/value.ts';

/** A conflict below a long key would repeat it. */
const MAX_NAME = 200;

/** A place that both sides changed differently; undefined where a side removed it. */
interface Conflict {
  readonly path: string;
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}
/** Chooses the value of a conflict. Called in an order that its choices do not change. */
type Settle = (conflict: Conflict) => Json | undefined;

interface MergeResult {
  readonly definition: JsonObject;
  /** Places that both sides changed, for example `nodes/classify/config/model`. */
  readonly conflicts: readonly string[];
}

interface Versions<T> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

class Merge {
  readonly conflicts: string[] = [];
  readonly #comparison = new Comparison();
  readonly #settle: Settle;

  constructor(settle: Settle) {
    this.#settle = settle;
  }

  /** @returns undefined when the merge removes the value */
  value(path: string, { base, ours, theirs }: Versions<Json | undefined>): Json | undefined {
    if (this.#comparison.same(base, ours)) return theirs;
    if (this.#comparison.same(base, theirs) || this.#comparison.same(ours, theirs)) return ours;
    if (isObject(ours) && isObject(theirs)) {
      return this.object(path, { base: isObject(base) ? base : {}, ours, theirs });
    }
    const [left, right] = [indexById(ours), indexById(theirs)];
    if (left !== null && right !== null) {
      return this.#list(path, { base: indexById(base) ?? new Map(), ours: left, theirs: right });
    }
    this.conflicts.push(path);
    return this.#settle({ path, ours, theirs });
  }

  object(path: string, { base, ours, theirs }: Versions<JsonObject>): JsonObject {
    const merged: JsonObject = {};
    const own = (of: JsonObject, key: string): Json | undefined =>
      Object.hasOwn(of, key) ? of[key] : undefined;
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      const name = shortenText(key, MAX_NAME);
      const at = path === '' ? name : `${path}/${name}`;
      const value = this.value(at, { base: own(base, key), ours: own(ours, key), theirs: own(theirs, key) });
      if (value !== undefined) setOwn(merged, key, value);
    }
    return merged;
  }

  /** In the order of `theirs`; elements that only `ours` has come last. */
  #list(path: string, { base, ours, theirs }: Versions<ReadonlyMap<string, JsonObject>>): Json[] {
    const merged: Json[] = [];
    for (const id of new Set([...theirs.keys(), ...ours.keys()])) {
      const value = this.value(`${path}/${id}`, {
        base: base.get(id),
        ours: ours.get(id),
        theirs: theirs.get(id),
      });
      if (value !== undefined) merged.push(value);
    }
    return merged;
  }
}

/** Merges two versions of `base`. @param settle by default the value of `theirs` */
export function mergeDefinitions(
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
  settle: Settle = (conflict) => conflict.theirs,
): MergeResult {
  const merge = new Merge(settle);
  return { definition: merge.object('', { base, ours, theirs }), conflicts: merge.conflicts };
}
