/**
 * The form in which workflows are compared, merged and stored in the lock: without the fields that have their default and
 * without those that the service adds by itself (SPEC API-definition), so that a file need not contain them.
 */
import { AUTOMATIC_FIELD, listStateFields } from '../../language/graph/definition/state-fields.ts';
import {
  isObject,
  ownValue,
  sameJson,
  type Json,
  type JsonObject,
} from '../../language/graph/values/value.ts';
import type { Fields } from './definition-files.ts';

export type FileForm = JsonObject & { readonly name: string; readonly workflow_schema: JsonObject };

const DEFAULTS = {
  description: null,
  version: '1.0.0',
  tags: [],
  category: null,
  input: {},
  config: {},
} as const satisfies Fields;
/** Also in the metadata of the definition, which has priority. */
const MIRRORED: readonly string[] = ['name', 'description', 'version', 'tags'];

/** Removes the automatic state field of each node. */
function withoutAutomaticFields(definition: JsonObject): JsonObject {
  const { state_schema: schema, ...rest } = definition;
  if (schema === undefined || !isObject(schema)) return definition;
  const nodes = Array.isArray(definition['nodes']) ? definition['nodes'] : [];
  const nodeIds = new Set(nodes.map((node) => ownValue(node, 'id')));
  const { isWrapped, fields } = listStateFields(schema);
  const left = Object.fromEntries(
    Object.entries(fields).filter(
      ([name, field]) => !(nodeIds.has(name) && sameJson(field, AUTOMATIC_FIELD)),
    ),
  );
  const isOnlyFields = Object.keys(schema).every((key) => !isWrapped || key === 'fields');
  if (isOnlyFields && Object.keys(left).length === 0) return rest;
  return { ...rest, state_schema: isWrapped ? { ...schema, fields: left } : left };
}

/** @param fields of a file or of a workflow of the service */
export function toFileForm(fields: Fields): FileForm {
  const schema = withoutAutomaticFields(fields['workflow_schema'] as JsonObject);
  const { metadata: given, ...definition } = schema;
  const metadata = isObject(given) ? given : {};
  const isMirrored = (key: string): boolean => MIRRORED.includes(key);
  const own = Object.entries(metadata).filter(([key]) => !isMirrored(key));
  const read = (key: string): Json | undefined => {
    const mirrored = isMirrored(key) ? ownValue(metadata, key) : undefined;
    return mirrored ?? (fields[key] as Json | undefined);
  };
  const kept = Object.entries(DEFAULTS).flatMap(([key, usual]) => {
    const value = read(key);
    return value === undefined || value === null || sameJson(value, usual as Json)
      ? []
      : [[key, value] as const];
  });
  const name = read('name');
  return {
    name: typeof name === 'string' ? name : '',
    ...Object.fromEntries(kept),
    workflow_schema: {
      ...(own.length === 0 ? {} : { metadata: Object.fromEntries(own) }),
      ...definition,
    },
  };
}

/** @returns all fields of a request that saves the form; the file decides about each, so a default resets a field */
export const toRequestFields = (form: FileForm): Fields => ({ ...DEFAULTS, ...form });
