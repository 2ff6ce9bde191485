/** The outputs of nodes that have not run: what their type always returns, and what a schema of their config or their action declares. */
import { stepInto } from '../../../language/graph/template/path-text.ts';
import { getAt } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { findFace } from '../../../language/nodes/faces.ts';
import { readText } from '../canvas/binding.ts';
import { listProperties } from '../forms/schema-edits.ts';

/** Of a node that ran once for each item of a list. */
const MAPPED: readonly string[] = ['results', 'errors', 'count'];
const MAX_DEPTH = 5;

/** Lists the paths of a schema's fields; of a list, those of its first item. */
function listSchemaPaths(schema: Json | undefined, path: string, depth = 0): string[] {
  if (!isObject(schema) || depth > MAX_DEPTH) return [];
  const items = ownValue(schema, 'items');
  if (items !== undefined) return [`${path}[0]`, ...listSchemaPaths(items, `${path}[0]`, depth + 1)];
  return listProperties(schema).flatMap(({ name, schema: inner }) => {
    const at = stepInto(path, name);
    return [at, ...listSchemaPaths(inner, at, depth + 1)];
  });
}

/** Finds the schema of the data that an action returns; undefined while it is not known. */
export type FindActionSchema = (integration: string, action: string) => JsonObject | undefined;

/** Lists the paths that the output of a node will have; of some kinds nothing is known before. */
export function listOutputPaths(node: JsonObject, findActionSchema: FindActionSchema): readonly string[] {
  const type = readText(node, 'type');
  const stored = ownValue(node, 'config');
  const config = isObject(stored) ? stored : {};
  if (ownValue(node, 'for_each') !== undefined) return MAPPED;
  const { listOutputs, declaredOutput: declared } = findFace(type) ?? {};
  const own = declared === undefined ? [] : listSchemaPaths(getAt(config, declared.schema), declared.part);
  const ofAction = findActionSchema(readText(config, 'integration'), readText(config, 'action'));
  return [...(listOutputs?.(config) ?? []), ...own, ...listSchemaPaths(ofAction, 'data')];
}
