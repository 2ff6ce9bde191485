/** Three-way merge of workflows by node, edge and field. */
import { formatPointer } from '../../language/graph/values/pointer.ts';
import { mergeDefinitions } from '../../language/graph/definition/merge.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import type { FileForm } from './file-form.ts';

interface MergedForm {
  readonly form: FileForm;
  /** Paths that both sides changed differently, as keys and list positions of `ours`. */
  readonly conflicts: readonly (readonly (string | number)[])[];
}

/** Marks the ids that edges have only for the merge. */
const MADE = '\u0000';

/** Gives edges without an id one that says what they connect: a merge needs ids to match them. */
function nameEdges(form: FileForm): JsonObject {
  const edges = form.workflow_schema['edges'];
  if (!Array.isArray(edges)) return form;
  const named = edges.map((edge) => {
    if (!isObject(edge) || ownValue(edge, 'id') !== undefined) return edge;
    const ends = ['source', 'source_handle', 'target'].map((key) => ownValue(edge, key) ?? null);
    return { ...edge, id: MADE + JSON.stringify(ends) };
  });
  return { ...form, workflow_schema: { ...form.workflow_schema, edges: named } };
}

function unnameEdges(form: FileForm): FileForm {
  const edges = form.workflow_schema['edges'];
  if (!Array.isArray(edges)) return form;
  const unnamed = edges.map((edge) => {
    if (!isObject(edge)) return edge;
    const { id, ...rest } = edge;
    return typeof id === 'string' && id.startsWith(MADE) ? rest : edge;
  });
  return { ...form, workflow_schema: { ...form.workflow_schema, edges: unnamed } };
}

/** Lists the keys of a value with the names that a merge gives them: elements of lists are called by their ids. */
function listNamedKeys(value: Json): (readonly [key: string | number, name: string])[] {
  if (!Array.isArray(value)) return isObject(value) ? Object.keys(value).map((key) => [key, key]) : [];
  return value.flatMap((item, index) => {
    const id = ownValue(item, 'id');
    return typeof id === 'string' ? [[index, id] as const] : [];
  });
}

/** Converts a path of the merge, which names list elements by id, to keys and positions; stops where `value` ends. */
function toPositions(value: JsonObject, merged: string): (string | number)[] {
  const path: (string | number)[] = [];
  let at: Json | undefined = value;
  let rest = merged;
  while (rest !== '' && at !== undefined) {
    // Ids may contain slashes, so the longest that fits is the one.
    const fitting = listNamedKeys(at)
      .filter(([, name]) => rest === name || rest.startsWith(`${name}/`))
      .toSorted(([, one], [, other]) => other.length - one.length)[0];
    if (fitting === undefined) break;
    path.push(fitting[0]);
    rest = rest.slice(fitting[1].length + 1);
    at = ownValue(at, fitting[0]);
  }
  return path;
}

/** Places on the canvas are never worth a conflict. */
const isLayout = (path: readonly (string | number)[]): boolean =>
  path[1] === 'start_position' || (path[1] === 'nodes' && path[3] === 'position');

/** Merges what two sides made of `base`; a conflict has the value of `theirs`. */
export function mergeForms(base: FileForm, ours: FileForm, theirs: FileForm): MergedForm {
  const mine = nameEdges(ours);
  const { definition, conflicts } = mergeDefinitions(nameEdges(base), mine, nameEdges(theirs));
  return {
    form: unnameEdges(definition as FileForm),
    conflicts: conflicts.map((path) => toPositions(mine, path)).filter((path) => !isLayout(path)),
  };
}

/** Formats a path in a form as a JSON pointer. */
export const formatPlace = (path: readonly (string | number)[]): string => formatPointer(path.map(String));
