/** Three-way merge of workflows by node, edge and field. */
import { mergeDefinitions } from '../../language/graph/definition/merge.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import type { FileForm } from './file-form.ts';

/** A place that both sides changed differently; undefined where a side removed it. */
export interface FormConflict {
  /** Keys and list positions of `ours`; of the nearest place that it has. */
  readonly path: readonly (string | number)[];
  /** For people: `nodes/hello/config/fields/text`. */
  readonly place: string;
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}
interface Versions {
  readonly base: FileForm;
  readonly ours: FileForm;
  readonly theirs: FileForm;
}
interface MergedForm {
  readonly form: FileForm;
  readonly conflicts: readonly FormConflict[];
}

/** Marks the ids that edges have only for the merge. */
const MADE = '\u0000';
// oxlint-disable-next-line no-control-regex -- the mark
const MADE_ID = /\u0000(\[(?:(?:null|"(?:[^"\\]|\\.)*"),?){3}\])/;

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

function unnameEdge(edge: Json): Json {
  if (!isObject(edge)) return edge;
  const { id, ...rest } = edge;
  return typeof id === 'string' && id.startsWith(MADE) ? rest : edge;
}

function unnameEdges(form: FileForm): FileForm {
  const edges = form.workflow_schema['edges'];
  if (!Array.isArray(edges)) return form;
  const unnamed = edges.map((edge) => unnameEdge(edge));
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

/** The side whose value a conflict gets: the file, or the service. */
export type Side = 'ours' | 'theirs';

/**
 * Merges what two sides made of `base`.
 * @param sides of the conflicts, in their order; `theirs` for those beyond
 */
export function mergeForms({ base, ours, theirs }: Versions, sides: readonly Side[] = []): MergedForm {
  const mine = nameEdges(ours);
  const conflicts: FormConflict[] = [];
  const { definition } = mergeDefinitions(nameEdges(base), mine, nameEdges(theirs), (conflict) => {
    const path = toPositions(mine, conflict.path);
    if (isLayout(path)) return conflict.theirs;
    const side = sides[conflicts.length] ?? 'theirs';
    const [mineShown, theirsShown] = [conflict.ours, conflict.theirs].map((value) =>
      value === undefined ? value : unnameEdge(value),
    );
    conflicts.push({ path, place: formatPlace(conflict.path), ours: mineShown, theirs: theirsShown });
    return conflict[side];
  });
  return { form: unnameEdges(definition as FileForm), conflicts };
}

/** Formats a path of the merge for people, with the ids of elements; an edge without an id is what it connects. */
function formatPlace(merged: string): string {
  const place = merged.replace(/^workflow_schema\//, '');
  return place.replace(MADE_ID, (_, ends: string) => {
    const [source, handle, target] = JSON.parse(ends) as (string | null)[];
    return `${source}${handle === null ? '' : `.${handle}`} -> ${target}`;
  });
}
