/**
 * Says what each field of the OpenAPI document means: the words stand by name in `field-words/`, for a name means the same
 * in most schemas, and a schema that describes a field itself keeps its own word.
 */
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';
import { ACCOUNT_WORDS } from './field-words/accounts.ts';
import { RECURRING_WORDS } from './field-words/recurring.ts';
import { DEFINITION_WORDS } from './field-words/definitions.ts';
import { KNOWLEDGE_WORDS } from './field-words/knowledge.ts';
import { NODE_WORDS } from './field-words/nodes.ts';
import { RUN_WORDS } from './field-words/runs.ts';

/** The parts of the dictionary: a word stands in one of them. */
export const FIELD_WORDS = [
  RECURRING_WORDS,
  DEFINITION_WORDS,
  NODE_WORDS,
  RUN_WORDS,
  ACCOUNT_WORDS,
  KNOWLEDGE_WORDS,
];

/** Where schemas are values, and not words that say something about fields. */
const HOLDS_VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);
/** What these say about fields is a condition: the field itself is described beside them. */
const CONDITIONS: ReadonlySet<string> = new Set(['if', 'then', 'else', 'not']);

/** Called for each field; answers what it shall be in the document. */
export type VisitField = (field: JsonObject, container: string, name: string) => JsonObject;

/**
 * Goes through the fields of all schemas of a document, those that stand in a path included.
 * @param visit hears of the field, its name and what holds it: a named schema, else the field in which it stands
 * @returns the document with what `visit` has answered; what was given stays as it is
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

/** @returns the document in which each field that has a word and no description has that word */
export function describeFields(document: JsonObject): JsonObject {
  const words = new Map(FIELD_WORDS.flatMap((part) => Object.entries(part)));
  return mapFields(document, (field, container, name) => {
    const description = field['description'] ?? words.get(`${container}.${name}`) ?? words.get(name);
    return description === undefined ? field : { ...field, description };
  });
}
