/** JSON values and access to their own properties. Users choose the keys, so inherited properties must never be read. */
import type { WorkBudget } from './work-budget.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** For work whose size is already bounded. */
export const UNCOUNTED: Pick<WorkBudget, 'spend'> = { spend: () => undefined };
/** Steps to list a key and look it up: 200 ns in a large object. */
export const STEPS_PER_KEY = 8;
/** Characters per step when equal strings are compared: the engine compares whole words. */
export const EQUAL_CHARS_PER_STEP = 128;

/** True for a plain JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON value with members. */
export type Container = Json[] | JsonObject;

/** True for a JSON object or array. */
export const isContainer = (value: Json | undefined): value is Container =>
  typeof value === 'object' && value !== null;

/** The own property `key` of an object or array; undefined when there is none (`__proto__`, `constructor` included). */
export function ownValue(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    return typeof key === 'number' && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  const name = String(key);
  return name !== '__proto__' && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value if it is a text. */
export const readText = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Sets an own property, also for keys that assignment treats specially (`__proto__`). */
export function setOwn(target: JsonObject, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Deep equality of JSON values; key order does not matter. @param work counts the comparisons */
export function sameJson(
  a: Json | undefined,
  b: Json | undefined,
  work: Pick<WorkBudget, 'spend'> = UNCOUNTED,
): boolean {
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length === b.length) work.spend(1 + a.length / EQUAL_CHARS_PER_STEP);
    return a === b;
  }
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    work.spend(1 + a.length);
    return a.every((item, i) => sameJson(item, b[i], work));
  }
  if (Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  work.spend(1 + (keys.length + others.length) * STEPS_PER_KEY);
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key], work))
  );
}

/** True when a value nests deeper than `limit` levels. Iterative, so safe on any JSON. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const child of Object.values(item))
        if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}

/**
 * True for the one key whose assignment changes the prototype of an object. No client and no model may write it (SPEC SEC-P09);
 * `constructor` and `prototype` are data, because nothing is read by prototype.
 */
export const isForbiddenKey = (key: string): boolean => key === '__proto__';

/** Finds a forbidden key anywhere in a value, or null. @param value of bounded depth */
export function findForbiddenKey(value: Json): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const found = !Array.isArray(value) && isForbiddenKey(key) ? key : findForbiddenKey(item as Json);
    if (found !== null) return found;
  }
  return null;
}
