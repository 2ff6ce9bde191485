/** Says "any value" where it stands, for generators that write a named schema of any value without asking whether it is set. */
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { mapContents } from './schema-keywords.ts';

const PREFIX = '#/components/schemas/';

/** Keywords that tell what a value is; the others describe it. */
const NARROWS: readonly string[] = ['$ref', 'type', 'enum', 'properties', 'allOf', 'anyOf', 'oneOf', 'not'];

const isAny = (schema: JsonObject): boolean => NARROWS.every((keyword) => schema[keyword] === undefined);

/** Reads the reference of a schema that is one, alone or with words beside it (`allOf` of one); null for any other. */
function readReference({ $ref, allOf }: JsonObject): string | null {
  if (typeof $ref === 'string') return $ref;
  const [only, ...others] = Array.isArray(allOf) ? allOf : [];
  return isObject(only) && typeof only['$ref'] === 'string' && others.length === 0 ? only['$ref'] : null;
}

/**
 * Puts each schema of any value in place of the references to it. ogen's Go client gives the name a type of its own, and writes the
 * key of an optional one without a value, which is no JSON.
 * @param document of OpenAPI 3.0
 * @returns a new document, without the names of those schemas
 */
export function inlineAnyValues(document: JsonObject): JsonObject {
  const components = document['components'] as JsonObject;
  const schemas = Object.entries(components['schemas'] as Record<string, JsonObject>);
  const anyValues = new Map(
    schemas.flatMap(([name, schema]): [string, JsonObject][] =>
      isAny(schema) ? [[`${PREFIX}${name}`, schema]] : [],
    ),
  );
  const rewrite = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(rewrite);
    if (!isObject(value)) return value;
    const schema = anyValues.get(readReference(value) ?? '');
    if (schema !== undefined) {
      const { $ref: _reference, allOf: _alternatives, ...words } = value;
      return { ...schema, ...words };
    }
    return mapContents(value, rewrite);
  };
  const kept = schemas.filter(([name]) => !anyValues.has(`${PREFIX}${name}`));
  return mapContents(
    { ...document, components: { ...components, schemas: Object.fromEntries(kept) } },
    rewrite,
  );
}
