/** The fields that a definition declares for its state, in both forms, and those that it has without declaring them. */
import { START, END } from './definition.ts';
import { isForbiddenKey, isObject, ownValue, setOwn, type Json, type JsonObject } from './value.ts';

/** One field of type Any is auto-added per node id (SPEC API-definition). */
export const AUTOMATIC_FIELD: JsonObject = { type: 'Any', reducer: 'none' };

/**
 * The fields of a state schema, in either of its forms: `{"fields": {...}}`, also when it is empty, or flat. A flat
 * field may itself be called "fields" (graph/read.ts reads them the same way).
 */
export function stateFields(schema: Json | undefined): {
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

/** Endpoints of edges only; and what can be no field's name (graph/read.ts). */
const isNeverField = (name: string): boolean => name === START || name === END || isForbiddenKey(name);

/** The definition with a field for each node that has none: as the canvas adds them. Itself when nothing is missing. */
export function withNodeFields(definition: JsonObject): JsonObject {
  const { nodes, state_schema: schema } = definition;
  if (!Array.isArray(nodes) || !(schema === undefined || isObject(schema))) return definition;
  const { isWrapped, fields } = stateFields(schema);
  const all: JsonObject = { ...fields };
  for (const node of nodes) {
    const nodeId = isObject(node) ? ownValue(node, 'id') : undefined;
    if (typeof nodeId !== 'string' || isNeverField(nodeId)) continue;
    if (ownValue(all, nodeId) === undefined) setOwn(all, nodeId, AUTOMATIC_FIELD);
  }
  if (Object.keys(all).length === Object.keys(fields).length) return definition;
  return { ...definition, state_schema: isWrapped ? { ...schema, fields: all } : all };
}
