/** The patch of one save (SPEC API-edit-history): the record's fields, then its definition. */
import { diffDefinitionsInOrder, diffInOrder } from '../../language/graph/definition/diff.ts';
import type { PatchOperation } from '../../language/graph/definition/patch.ts';
import { isObject, type JsonObject } from '../../language/graph/values/value.ts';

/**
 * The difference between two states of a workflow.
 * @param before, after `{workflow_schema, name, ...}`: the fields that a save can change
 * @returns operations that turn `before` into `after`
 */
export function editPatches(before: JsonObject, after: JsonObject): readonly PatchOperation[] {
  const { workflow_schema: oldSchema, ...oldFields } = before;
  const { workflow_schema: newSchema, ...newFields } = after;
  if (!isObject(oldSchema) || !isObject(newSchema)) return diffInOrder('', before, after);
  return [
    ...diffInOrder('', oldFields, newFields),
    ...diffDefinitionsInOrder('/workflow_schema', oldSchema, newSchema),
  ];
}
