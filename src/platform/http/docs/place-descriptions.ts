/** Reads and orders the fields of the OpenAPI document, each with the description that stands at its schema. */
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { HOLDS_VALUES } from './schema-keywords.ts';

/** Keywords whose fields are conditions; the fields themselves are described elsewhere in the schema. */
const CONDITIONS: ReadonlySet<string> = new Set(['if', 'then', 'else', 'not']);

/** Called for each field; returns the field for the document. */
type VisitField = (field: JsonObject, container: string, name: string) => JsonObject;

/**
 * Maps the fields of all schemas of a document, including those in paths.
 * @param visit gets the field, its container (the named schema or the enclosing field) and its name
 * @returns a new document
 */
export function mapFields(document: JsonObject, visit: VisitField): JsonObject {
  const mapProperties = (fields: JsonObject, container: string): JsonObject =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        isObject(field) ? visit(within(field, name) as JsonObject, container, name) : field,
      ]),
    );
  const part = (key: string, value: Json, container: string): Json => {
    if (HOLDS_VALUES.has(key) || CONDITIONS.has(key)) return value;
    return key === 'properties' && isObject(value)
      ? mapProperties(value, container)
      : within(value, container);
  };
  const within = (value: Json, container: string): Json => {
    if (Array.isArray(value)) return value.map((item) => within(item, container));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, part(key, inner, container)]),
    );
  };
  const named = (key: string, value: Json): Json =>
    key === 'schemas' && isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([id, schema]) => [id, within(schema, id)]))
      : within(value, '');
  return Object.fromEntries(
    Object.entries(document).map(([key, value]) => [
      key,
      key === 'components' && isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([kind, held]) => [kind, named(kind, held)]))
        : within(value, ''),
    ]),
  );
}

/**
 * Puts the description of each field behind its keywords, wherever zod has put it. Beside a `$ref` it stands alone: zod repeats
 * some keywords of the named schema there.
 * @returns a new document
 */
export function placeDescriptions(document: JsonObject): JsonObject {
  return mapFields(document, ({ description, ...keywords }) => {
    const { $ref } = keywords;
    return {
      ...($ref === undefined ? keywords : { $ref }),
      ...(description === undefined ? {} : { description }),
    };
  });
}
