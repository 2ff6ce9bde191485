/** The state fields that a definition declares, in both forms, and the automatic field of each node. */
import { START, END } from './definition.ts';
import { isForbiddenKey, isObject, ownValue, setOwn, type Json, type JsonObject } from '../values/value.ts';

/** The field that is added for each node id (SPEC API-definition). */
export const AUTOMATIC_FIELD: JsonObject = { type: 'Any', reducer: 'none' };

/**
 * Lists the fields of a state schema in either form, `{"fields": {...}}` or flat. A flat field may itself be called
 * "fields", as in read.ts.
 */
export function listStateFields(schema: Json | undefined): {
  readonly isWrapped: boolean;
  readonly fields: JsonObject;
} {
  const whole = isObject(schema) ? schema : {};
  const wrapped = ownValue(whole, 'fields');
  if (isObject(wrapped) && typeof wrapped['type'] !== 'string' && typeof wrapped['reducer'] !== 'string') {
    return { isWrapped: true, fields: wrapped };
  }
  return Object.keys(whole).length === 0
    ? { isWrapped: true, fields: {} }
    : { isWrapped: false, fields: whole };
}

/** Virtual nodes have no field, and some names cannot be used (read.ts). */
const isNeverField = (name: string): boolean => name === START || name === END || isForbiddenKey(name);

/** Adds a field for each node that has none, as the canvas does; returns the definition itself when none is missing. */
export function addNodeFields(definition: JsonObject): JsonObject {
  const { nodes, state_schema: schema } = definition;
  if (!Array.isArray(nodes) || !(schema === undefined || isObject(schema))) return definition;
  const { isWrapped, fields } = listStateFields(schema);
  const all: JsonObject = { ...fields };
  for (const node of nodes) {
    const nodeId = isObject(node) ? ownValue(node, 'id') : undefined;
    if (typeof nodeId !== 'string' || isNeverField(nodeId)) continue;
    if (ownValue(all, nodeId) === undefined) setOwn(all, nodeId, AUTOMATIC_FIELD);
  }
  if (Object.keys(all).length === Object.keys(fields).length) return definition;
  return { ...definition, state_schema: isWrapped ? { ...schema, fields: all } : all };
}
