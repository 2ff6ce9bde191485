/** The difference between two values: the paths at which they differ. */
import { isObject, ownValue, sameJson, type Json } from '../../graph/values/value.ts';

/** Nobody reads more. */
const MAX_DIFFERENCES = 50;

export interface Difference {
  /** `body.amount` */
  readonly path: string;
  /** Undefined: it was not there. */
  readonly before?: Json;
  /** Undefined: it is gone. */
  readonly after?: Json;
}

/** Lists the differences of two values, the first 50 in the order of their keys. */
export function listDifferences(before: Json, after: Json): readonly Difference[] {
  const found: Difference[] = [];
  const compare = (path: string, one: Json | undefined, two: Json | undefined): void => {
    if (found.length >= MAX_DIFFERENCES || (one !== undefined && two !== undefined && sameJson(one, two)))
      return;
    const keys = listKeys(one, two);
    if (keys === null)
      found.push({
        path,
        ...(one === undefined ? {} : { before: one }),
        ...(two === undefined ? {} : { after: two }),
      });
    else
      for (const key of keys)
        compare(path === '' ? key : `${path}.${key}`, readPart(one, key), readPart(two, key));
  };
  compare('', before, after);
  return found;
}

/** The keys of two values that are both objects or both lists; null for any others. */
function listKeys(one: Json | undefined, two: Json | undefined): string[] | null {
  const bothLists = Array.isArray(one) && Array.isArray(two);
  if (!bothLists && !(isObject(one ?? null) && isObject(two ?? null))) return null;
  return [...new Set([...Object.keys(one as object), ...Object.keys(two as object)])];
}

const readPart = (value: Json | undefined, key: string): Json | undefined =>
  Array.isArray(value) ? value[Number(key)] : ownValue(value ?? null, key);
