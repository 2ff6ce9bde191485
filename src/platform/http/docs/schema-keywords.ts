/** How a schema of the OpenAPI document is read. */
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';

/** Keywords whose content is data, not schemas. */
export const HOLDS_VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Keywords whose content is named by the document: a property may be called `const`. */
const HOLDS_NAMES: ReadonlySet<string> = new Set(['properties', 'schemas', 'headers', 'paths', 'content']);

/**
 * Rewrites what stands in an object of a document, but for data. Names that the document gives are no keywords.
 * @param holdsValues the keywords whose content is data
 */
export function mapContents(
  object: JsonObject,
  rewrite: (value: Json) => Json,
  holdsValues: ReadonlySet<string> = HOLDS_VALUES,
): JsonObject {
  const mapNamed = (named: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(named).map(([name, inner]) => [name, rewrite(inner)]));
  return Object.fromEntries(
    Object.entries(object).map(([key, inner]) => {
      if (holdsValues.has(key)) return [key, inner];
      return [key, HOLDS_NAMES.has(key) && isObject(inner) ? mapNamed(inner) : rewrite(inner)];
    }),
  );
}

export const isNull = (schema: Json): boolean => isObject(schema) && schema['type'] === 'null';
