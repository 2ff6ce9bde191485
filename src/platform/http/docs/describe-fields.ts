/**
 * Adds descriptions to the fields of the OpenAPI document, by name from `field-words/`, because a name means the same in most
 * schemas. A field with its own description keeps it.
 */
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { ACCOUNT_WORDS } from './field-words/accounts.ts';
import { RECURRING_WORDS } from './field-words/recurring.ts';
import { DEFINITION_WORDS } from './field-words/definitions.ts';
import { KNOWLEDGE_WORDS } from './field-words/knowledge.ts';
import { NODE_WORDS } from './field-words/nodes.ts';
import { NOTIFICATION_WORDS } from './field-words/notifications.ts';
import { RUN_WORDS } from './field-words/runs.ts';
import { MCP_WORDS } from './field-words/mcp.ts';
import { OPENAI_WORDS } from './field-words/openai.ts';
import { WEBHOOK_WORDS } from './field-words/webhooks.ts';
import { HOLDS_VALUES } from './schema-keywords.ts';

/** The parts of the dictionary; each name is in one of them. */
export const FIELD_WORDS = [
  RECURRING_WORDS,
  DEFINITION_WORDS,
  NODE_WORDS,
  RUN_WORDS,
  ACCOUNT_WORDS,
  KNOWLEDGE_WORDS,
  WEBHOOK_WORDS,
  NOTIFICATION_WORDS,
  OPENAI_WORDS,
  MCP_WORDS,
];

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

/** Adds the dictionary's descriptions to fields without one. @returns a new document */
export function describeFields(document: JsonObject): JsonObject {
  const words = new Map(FIELD_WORDS.flatMap((part) => Object.entries(part)));
  return mapFields(document, (field, container, name) => {
    const description = field['description'] ?? words.get(`${container}.${name}`) ?? words.get(name);
    return description === undefined ? field : { ...field, description };
  });
}
