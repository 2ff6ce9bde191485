/** The rows of a value that is shown as a table. */
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';

/** Finds the rows of a value: the value itself, or the only list in it. Null when it is no table. */
export function findRows(value: Json): readonly JsonObject[] | null {
  const lists = isObject(value) ? Object.values(value).filter((entry) => Array.isArray(entry)) : [value];
  const [list, more] = lists;
  if (!Array.isArray(list) || more !== undefined || list.length === 0) return null;
  return list.every((row) => isObject(row)) ? list : null;
}
