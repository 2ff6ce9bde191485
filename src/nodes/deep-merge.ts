/** Merging many objects deeply, in time that grows with their members: each is looked at once for each level it lies at. */
import type { Json, JsonObject } from '../graph/value.ts';
import { isObject } from '../graph/value.ts';
import type { WorkBudget } from '../graph/work-budget.ts';

/** Steps of work to find a member's place and to set it. */
const STEPS_PER_MEMBER = 16;

/**
 * The members of all objects: of values under the same key the last one counts, and objects that follow each other are merged.
 * The result shares structure with what is given.
 * @throws WorkLimitExceeded
 */
export function deepMerge(objects: readonly JsonObject[], work: WorkBudget): JsonObject {
  const layers = new Map<string, Json[]>();
  for (const object of objects) {
    const members = Object.entries(object);
    work.spend(members.length * STEPS_PER_MEMBER);
    for (const [key, value] of members) {
      const before = layers.get(key);
      // A value that is no object hides what came before it, and is hidden by what comes after.
      if (before !== undefined && isMergeable(key, before.at(-1), value)) before.push(value);
      else layers.set(key, [value]);
    }
  }
  // Defines members, also one that is called `__proto__`.
  return Object.fromEntries(
    [...layers].map(([key, values]): [string, Json] => {
      const [only = null] = values;
      return [key, values.length === 1 ? only : deepMerge(values.filter(isObject), work)];
    }),
  );
}

const isMergeable = (key: string, before: Json | undefined, value: Json): boolean =>
  key !== '__proto__' && isObject(before) && isObject(value);
