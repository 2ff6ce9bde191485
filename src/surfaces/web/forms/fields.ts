/**
 * The fields that a form shows: the face of a type names their labels and controls; the schemas of the definition
 * (`schema-facts.json`) say which of them a config has, with their options and defaults.
 */
import { getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { findFace } from '../../../language/nodes/faces.ts';
import type { Field } from '../../../language/nodes/form-field.ts';
import schemaFacts from './schema-facts.json' with { type: 'json' };

/** By pointer: a field that the schema has. */
type Facts = Readonly<Record<string, Pick<Field, 'options' | 'fallback'>>>;

/** One schema: its fields; or the key that chooses among alternatives, its default, and the fields of each. */
type SchemaFacts =
  | { readonly fields: Facts }
  | { readonly key: string; readonly fallback?: string; readonly by: Readonly<Record<string, Facts>> };

type SchemaName = keyof typeof schemaFacts;

const SCHEMAS: Readonly<Record<SchemaName, SchemaFacts>> = schemaFacts;

const find = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

function findFacts(schema: SchemaFacts, value: JsonObject): Facts {
  if ('fields' in schema) return schema.fields;
  const { key, fallback, by } = schema;
  const chosen = ownValue(value, key) ?? fallback;
  const facts = typeof chosen === 'string' ? find(by, chosen) : undefined;
  return {
    ...facts,
    [`/${key}`]: { options: Object.keys(by), ...(fallback === undefined ? {} : { fallback }) },
  };
}

/** Whether the other fields of a value let a field be shown. */
export const isShown = ({ when: conditions = [] }: Field, value: JsonObject): boolean =>
  conditions.every(({ ptr, is }) => is.includes(getAt(value, parsePointer(ptr)) ?? null));

/** Returns the fields of a table that a value has by its schema, each with its options and its default. */
export function filterFields(
  name: SchemaName,
  fields: readonly Field[],
  value: JsonObject,
): readonly Field[] {
  const facts = findFacts(SCHEMAS[name], value);
  return fields.flatMap((field) => {
    const found = find(facts, field.ptr);
    return found === undefined || !isShown(field, value) ? [] : [{ ...field, ...found }];
  });
}

const isSchema = (type: string): type is SchemaName => Object.hasOwn(schemaFacts, type);

/** Lists the fields that the form of a kind shows for a config. */
export const listFields = (type: string, config: JsonObject): readonly Field[] =>
  isSchema(type) ? filterFields(type, findFace(type)?.fields ?? [], config) : [];
