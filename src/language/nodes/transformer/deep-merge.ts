/** Merges many objects deeply in linear time: each member is visited once per level. */
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { isObject } from '../../graph/values/value.ts';
import type { WorkBudget } from '../../graph/values/work-budget.ts';

/** Steps to find and set a member. */
const STEPS_PER_MEMBER = 16;

/**
 * Merges objects: the last value of a key wins, and consecutive objects are merged. The result shares structure with the
 * arguments.
 * @throws WorkLimitExceeded
 */
export function deepMerge(objects: readonly JsonObject[], work: WorkBudget): JsonObject {
  const layers = new Map<string, Json[]>();
  for (const object of objects) {
    const members = Object.entries(object);
    work.spend(members.length * STEPS_PER_MEMBER);
    for (const [key, value] of members) {
      const before = layers.get(key);
      // A value that is not an object replaces earlier values, and later values replace it.
      if (before !== undefined && isMergeable(key, before.at(-1), value)) before.push(value);
      else layers.set(key, [value]);
    }
  }
  // Object.fromEntries also sets a member called `__proto__`.
  return Object.fromEntries(
    [...layers].map(([key, values]): [string, Json] => {
      const [only = null] = values;
      return [key, values.length === 1 ? only : deepMerge(values.filter(isObject), work)];
    }),
  );
}

const isMergeable = (key: string, before: Json | undefined, value: Json): boolean =>
  key !== '__proto__' && isObject(before) && isObject(value);
