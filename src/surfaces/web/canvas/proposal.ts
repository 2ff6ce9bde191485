/** Compares a proposed workflow with the current canvas, and applies the changes that the user accepts. */
import { mergeDefinitions } from '../../../language/graph/definition/merge.ts';
import {
  AUTOMATIC_FIELD,
  listStateFields,
  addNodeFields,
} from '../../../language/graph/definition/state-fields.ts';
import {
  isObject,
  ownValue,
  sameJson,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import { listDefinitionChanges, type Change } from '../pages/definition-diff.ts';
import { placeByIndex, readPoint, readText } from './binding.ts';
import { freePlace, GAP_X, measureHeight, NODE_WIDTH, snap, type Box } from './geometry.ts';
import { listHandles } from './kinds.ts';

export interface Proposal {
  readonly title: string;
  /** The name of the undo step. */
  readonly label: string;
  /** The definition that the proposal started from; null: the current canvas. */
  readonly base: JsonObject | null;
  readonly definition: JsonObject;
}

export interface ProposedChange extends Change {
  readonly key: string;
  /** The nodes at both ends of an edge; empty for other changes. */
  readonly ends: readonly string[];
}

interface Comparison {
  /** The canvas as it is. */
  readonly current: JsonObject;
  readonly changes: readonly ProposedChange[];
  /** The canvas with the whole change. */
  readonly merged: JsonObject;
  /** Places that someone else has also changed, such as `nodes/classify/config/model`. Their values stay. */
  readonly conflicts: readonly string[];
}

const COMPARED_METADATA = ['name', 'description', 'version', 'tags'];

/** Compares a proposal with the canvas as it is. */
export function compareProposal({ base, definition }: Proposal, current: JsonObject): Comparison {
  const { definition: whole, conflicts } =
    base === null
      ? { definition: { ...definition, metadata: ownValue(current, 'metadata') ?? {} }, conflicts: [] }
      : mergeDefinitions(base, definition, current);
  const merged = withPositions(whole, current);
  const names = COMPARED_METADATA.filter(
    (name) =>
      !sameJson(ownValue(ownValue(current, 'metadata'), name), ownValue(ownValue(merged, 'metadata'), name)),
  ).map((name) => `/metadata/${name}`);
  const listed = listDefinitionChanges(current, merged);
  const comingOrGoing = new Set(
    listed.filter(({ what, how }) => what === 'node' && how !== 'changed').map(({ id }) => id),
  );
  const edges = new Map([...listElements(current, 'edges'), ...listElements(merged, 'edges')]);
  const changes = listed.flatMap((change): ProposedChange[] => {
    const edge = change.what === 'edge' ? edges.get(change.id) : undefined;
    const ends = edge === undefined ? [] : [readText(edge, 'source'), readText(edge, 'target')];
    // The state field of a node is added and removed with the node, so it is not listed.
    const fields = change.fields.filter(
      (place) => !comingOrGoing.has(/^\/state_schema\/fields\/([^/]+)/.exec(place)?.[1] ?? ''),
    );
    const isEmpty = change.what === 'settings' && fields.length === 0;
    return isEmpty ? [] : [{ ...change, fields, key: `${change.what} ${change.id}`, ends }];
  });
  const settings = changes.find(({ what }) => what === 'settings');
  if (names.length === 0) return { current, changes, merged, conflicts };
  const withNames: ProposedChange = {
    what: 'settings',
    id: '',
    how: 'changed',
    key: 'settings ',
    ends: [],
    fields: [...(settings?.fields ?? []), ...names],
  };
  return {
    changes: [...changes.filter((change) => change !== settings), withNames],
    merged,
    current,
    conflicts,
  };
}

/** Finds the edges that cannot change without their rejected nodes: the node is not added, or not removed. @returns their keys */
export function findDependent(
  changes: readonly ProposedChange[],
  rejected: ReadonlySet<string>,
): ReadonlySet<string> {
  const nodes = new Set(
    changes
      .filter(({ what, how, key }) => what === 'node' && how !== 'changed' && rejected.has(key))
      .map(({ id }) => id),
  );
  return new Set(changes.filter(({ ends }) => ends.some((id) => nodes.has(id))).map(({ key }) => key));
}

/** Builds the canvas with the changes that are accepted; everything else stays as it is. */
export function acceptChanges(
  current: JsonObject,
  { changes, merged }: Comparison,
  rejected: ReadonlySet<string>,
): JsonObject {
  const dependent = findDependent(changes, rejected);
  const listed = new Set(changes.map(({ key }) => key));
  const isAccepted = (key: string): boolean => listed.has(key) && !rejected.has(key) && !dependent.has(key);
  const chosen = (list: 'nodes' | 'edges', what: string): Json[] => {
    const [now, next] = [listElements(current, list), listElements(merged, list)];
    return [...new Set([...now.keys(), ...next.keys()])].flatMap((id) => {
      const element = (isAccepted(`${what} ${id}`) ? next : now).get(id);
      return element === undefined ? [] : [element];
    });
  };
  const nodes = chosen('nodes', 'node');
  const base = isAccepted('settings ') ? withMetadata(current, merged) : current;
  const kept = new Set(nodes.map((node) => ownValue(node, 'id')));
  const gone = [...listElements(current, 'nodes').keys()].filter((id) => !kept.has(id));
  return addNodeFields({ ...withoutFields(base, gone), nodes, edges: chosen('edges', 'edge') });
}

const listElements = (definition: JsonObject, list: 'nodes' | 'edges'): Map<string, JsonObject> => {
  const listed = ownValue(definition, list);
  return new Map(
    (Array.isArray(listed) ? listed : []).filter(isObject).map((one) => [readText(one, 'id'), one]),
  );
};

/** Takes the settings of the proposal. The rest of the metadata stays: notes, pins and positions. */
function withMetadata(current: JsonObject, merged: JsonObject): JsonObject {
  const [now, next] = [ownValue(current, 'metadata'), ownValue(merged, 'metadata')];
  const compared = COMPARED_METADATA.flatMap((name) => {
    const value = ownValue(next, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const metadata = { ...(isObject(now) ? now : {}), ...Object.fromEntries(compared) };
  return { ...current, ...merged, metadata };
}

/** Removes the state fields that were added automatically with these nodes. */
function withoutFields(definition: JsonObject, nodeIds: readonly string[]): JsonObject {
  const { isWrapped, fields } = listStateFields(ownValue(definition, 'state_schema'));
  const left = Object.fromEntries(
    Object.entries(fields).filter(
      ([name, field]) => !nodeIds.includes(name) || !sameJson(field, AUTOMATIC_FIELD),
    ),
  );
  const schema = ownValue(definition, 'state_schema');
  const wrapped = { ...(isObject(schema) ? schema : {}), fields: left };
  return nodeIds.length === 0 ? definition : { ...definition, state_schema: isWrapped ? wrapped : left };
}

/** Gives new nodes without a position a free one, right of the node that leads to them. */
function withPositions(definition: JsonObject, current: JsonObject): JsonObject {
  const placed = new Map<string, Box>();
  const nodes = listElements(definition, 'nodes');
  const toBox = (node: JsonObject, at: { x: number; y: number }): Box => ({
    ...at,
    width: NODE_WIDTH,
    height: measureHeight(listHandles(node, [])),
  });
  const known = [...listElements(current, 'nodes').keys()];
  for (const [id, node] of nodes) {
    const index = known.indexOf(id);
    const at = readPoint(ownValue(node, 'position')) ?? (index === -1 ? null : placeByIndex(index));
    if (at !== null) placed.set(id, toBox(node, at));
  }
  const edges = [...listElements(definition, 'edges').values()];
  const next = [...nodes].map(([id, node]): JsonObject => {
    if (placed.has(id)) return node;
    const source = edges.find(
      (edge) => readText(edge, 'target') === id && placed.has(readText(edge, 'source')),
    );
    const before = placed.get(source === undefined ? '' : readText(source, 'source'));
    const right = Math.max(0, ...[...placed.values()].map(({ x, width }) => x + width));
    const wanted =
      before === undefined
        ? { x: right + GAP_X, y: 96 }
        : { x: before.x + before.width + GAP_X, y: before.y };
    const position = freePlace(toBox(node, snap(wanted)), [...placed.values()]);
    placed.set(id, toBox(node, position));
    return { ...node, position: { ...position } };
  });
  return { ...definition, nodes: next };
}
