/** Rewrites schemas of the OpenAPI document for generators of clients: types that are lists, and defaults of unions. */
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { HOLDS_VALUES, isNull } from './schema-keywords.ts';

/** Null beside one type is how OpenAPI 3.1 says nullable, which generators read. */
const isSeveral = (type: Json | undefined): type is Json[] =>
  Array.isArray(type) && type.filter((each) => each !== 'null').length > 1;

/** Numbers that are sent as text have the pattern of the text, which means nothing for a number, and some generators refuse. */
const hasLostPattern = ({ type, pattern }: JsonObject): boolean =>
  type === 'integer' && typeof pattern === 'string';

/** Whether generators would write the default as a value of another type than they make of the schema. */
const isDefaultOfUnion = ({ $ref, anyOf, default: value }: JsonObject): boolean =>
  ($ref !== undefined && isObject(value)) ||
  (Array.isArray(anyOf) && anyOf.filter((each) => !isNull(each)).length > 1);

/**
 * Writes `type: [string, integer]` as an `anyOf` of both: generators of clients make a union of it, and fail on the list or
 * take its first type. The default of a union is left to its description, because the code that they make of it does not compile.
 * @returns a new value
 */
export function separateTypes(value: Json): Json {
  if (Array.isArray(value)) return value.map(separateTypes);
  if (!isObject(value)) return value;
  const { type, ...rest } = value;
  const kept: JsonObject = isSeveral(type) ? { ...rest, anyOf: type.map((each) => ({ type: each })) } : value;
  const { default: _default, ...open } = kept;
  const { pattern: _pattern, ...number } = kept;
  const read = hasLostPattern(kept) ? number : isDefaultOfUnion(kept) ? open : kept;
  return Object.fromEntries(
    Object.entries(read).map(([key, inner]) => [key, HOLDS_VALUES.has(key) ? inner : separateTypes(inner)]),
  );
}
