/** Finds the list in a value that stands where a list belongs. */
import { isObject, type Json } from './value.ts';

/** The outputs whose list is what their name stands for: of a list transformer, and of a node with `for_each`. */
const WRAPPINGS: readonly { readonly list: string; readonly keys: ReadonlySet<string> }[] = [
  { list: 'items', keys: new Set(['items', 'count']) },
  { list: 'results', keys: new Set(['results', 'errors', 'count']) },
];

/** Reads a list: the value itself, or the items of a node's output (`{items, count}`, `{results, errors, count}`); null for any other value. */
export function readList(value: Json): Json[] | null {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return null;
  const names = Object.keys(value);
  const wrapping = WRAPPINGS.find(
    ({ keys }) => names.length === keys.size && names.every((name) => keys.has(name)),
  );
  const list = wrapping === undefined ? null : value[wrapping.list];
  return Array.isArray(list) ? list : null;
}
