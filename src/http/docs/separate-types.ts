/** Rewrites schemas of the OpenAPI document whose `type` is a list. */
import { isObject, type Json } from '../../graph/value.ts';

/** Keywords whose content is data, not schemas. */
const HOLDS_VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Null beside one type is how OpenAPI 3.1 says nullable, which generators read. */
const isSeveral = (type: Json | undefined): type is Json[] =>
  Array.isArray(type) && type.filter((each) => each !== 'null').length > 1;

/**
 * Writes `type: [string, integer]` as an `anyOf` of both: generators of clients make a union of it, and fail on the list or
 * take its first type.
 * @returns a new value
 */
export function separateTypes(value: Json): Json {
  if (Array.isArray(value)) return value.map(separateTypes);
  if (!isObject(value)) return value;
  const { type, ...rest } = value;
  const kept = isSeveral(type) ? { ...rest, anyOf: type.map((each) => ({ type: each })) } : value;
  return Object.fromEntries(
    Object.entries(kept).map(([key, inner]) => [key, HOLDS_VALUES.has(key) ? inner : separateTypes(inner)]),
  );
}
