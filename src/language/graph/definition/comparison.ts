/** Compares JSON values that are compared level by level. */
import type { Json, JsonObject } from '../values/value.ts';

/** Compares values of two versions. Each pair is compared once, although every level asks for all below it. */
export class Comparison {
  readonly #known = new Map<object, Map<object, boolean>>();

  same(a: Json | undefined, b: Json | undefined): boolean {
    if (a === b) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const known = this.#known.get(a)?.get(b);
    if (known !== undefined) return known;
    const isSame = this.#compare(a, b);
    const pairs = this.#known.get(a) ?? new Map<object, boolean>();
    this.#known.set(a, pairs.set(b, isSame));
    return isSame;
  }

  #compare(a: Json[] | JsonObject, b: Json[] | JsonObject): boolean {
    if (Array.isArray(a) || Array.isArray(b)) {
      if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
      return a.every((item, at) => this.same(item, b[at]));
    }
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && this.same(a[key], b[key]));
  }
}
