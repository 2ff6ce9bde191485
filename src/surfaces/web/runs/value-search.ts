/** Finds a text in a JSON value. */
import { isContainer, type Json } from '../../../language/graph/values/value.ts';

/** Values looked at; a search through more would freeze the page. */
const MAX_VALUES = 200_000;

export interface SearchResult {
  /** Paths of the values that match or contain a match: keys joined by `\n`. */
  readonly paths: ReadonlySet<string>;
  readonly count: number;
}

export const childPath = (path: string, key: string): string => `${path}\n${key}`;

/** Finds the keys and the plain values that contain a text, in any case. */
export function searchValue(value: Json, text: string): SearchResult {
  const wanted = text.toLowerCase();
  const paths = new Set<string>();
  let [count, looked] = [0, 0];
  const visit = (at: string, key: string, inside: Json): boolean => {
    looked += 1;
    if (looked > MAX_VALUES) return false;
    const hasMembers = isContainer(inside);
    const isMatch =
      key.toLowerCase().includes(wanted) || (!hasMembers && String(inside).toLowerCase().includes(wanted));
    if (isMatch) count += 1;
    let isFound = isMatch;
    if (hasMembers)
      for (const [name, child] of Object.entries(inside))
        if (visit(childPath(at, name), name, child)) isFound = true;
    if (isFound) paths.add(at);
    return isFound;
  };
  visit('', '', value);
  return { paths, count };
}
