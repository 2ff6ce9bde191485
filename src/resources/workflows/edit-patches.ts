/**
 * The difference between two states of a workflow as RFC 6902 operations (SPEC API-edit-history).
 * Nodes and edges are matched by their ids, so that an inserted node is one `add` and not a rewrite of all after it.
 */
import jsonPatch, { type Operation } from 'fast-json-patch';
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';

/** The lists whose elements have ids. */
const KEYED = ['nodes', 'edges'] as const;

/** The elements' ids in order; null when there is one without, or one twice. */
function idsOf(list: readonly Json[]): string[] | null {
  const ids = list.map((item) => (isObject(item) && typeof item['id'] === 'string' ? item['id'] : null));
  if (ids.includes(null) || new Set(ids).size !== ids.length) return null;
  return ids.filter((id) => id !== null);
}

const under = (path: string, operations: readonly Operation[]): Operation[] =>
  operations.map((operation) => ({ ...operation, path: path + operation.path }));

function changes(before: Json | undefined, after: Json | undefined): Operation[] {
  return jsonPatch.compare({ at: before }, { at: after }).map((operation) => ({
    ...operation,
    path: operation.path.slice('/at'.length),
  }));
}

/** Removals from the end, insertions from the front, then what changed inside the elements that stayed. */
function listPatches(path: string, before: readonly Json[], after: readonly Json[]): Operation[] {
  const oldIds = idsOf(before);
  const newIds = idsOf(after);
  const replaced: Operation[] = [{ op: 'replace', path, value: after }];
  if (oldIds === null || newIds === null) return replaced;
  const stays = new Set(newIds);
  const was = new Map(oldIds.map((id, index) => [id, before[index]]));
  const kept = oldIds.filter((id) => stays.has(id));
  // Elements that changed places would need moves for little gain: dragging on the canvas does not reorder.
  if (newIds.filter((id) => was.has(id)).some((id, index) => id !== kept[index])) return replaced;

  const removals = oldIds.flatMap((id, index): Operation[] =>
    stays.has(id) ? [] : [{ op: 'remove', path: `${path}/${index}` }],
  );
  const rest = newIds.flatMap((id, index): Operation[] =>
    was.has(id)
      ? under(`${path}/${index}`, changes(was.get(id), after[index]))
      : [{ op: 'add', path: `${path}/${index}`, value: after[index] }],
  );
  return [...removals.reverse(), ...rest];
}

function definitionPatches(before: JsonObject, after: JsonObject): Operation[] {
  const keyed = KEYED.filter((key) => Array.isArray(before[key]) && Array.isArray(after[key]));
  const without = (definition: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(definition).filter(([key]) => !keyed.some((name) => name === key)));
  return [
    ...changes(without(before), without(after)),
    ...keyed.flatMap((key) => {
      const [old, now] = [before[key], after[key]];
      return Array.isArray(old) && Array.isArray(now) ? listPatches(`/${key}`, old, now) : [];
    }),
  ];
}

/**
 * The patch of one save.
 * @param before, after `{workflow_schema, name, ...}`: the fields that a save can change
 * @returns operations that turn `before` into `after`
 */
export function editPatches(before: JsonObject, after: JsonObject): Operation[] {
  const { workflow_schema: oldSchema, ...oldFields } = before;
  const { workflow_schema: newSchema, ...newFields } = after;
  if (!isObject(oldSchema) || !isObject(newSchema)) return changes(before, after);
  return [
    ...changes(oldFields, newFields),
    ...under('/workflow_schema', definitionPatches(oldSchema, newSchema)),
  ];
}
