/** Renames a node's id, with everything that names it: edges, templates, the output mapping, its pin, groups and state field. */
import { formatPointer } from '../../../language/graph/values/pointer.ts';
import { readPins } from '../../../language/graph/definition/pins.ts';
import { listStateFields } from '../../../language/graph/definition/state-fields.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { findElement, type CanvasDocument } from './document.ts';
import type { BatchOp, DurableOp, RenameOp, SubOp } from './operations.ts';
import { rewriteReferences } from './rewrite-references.ts';

type Names = ReadonlyMap<string, string>;

/** Lists the texts of a value that name the node, by pointer, as they are after the renaming. */
function listRewrites(value: Json, names: Names, path: readonly string[] = []): [string, Json][] {
  if (typeof value === 'string') {
    const next = rewriteReferences(value, names);
    return next === value ? [] : [[formatPointer(path), next]];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => listRewrites(item, names, [...path, key]));
}

const isRewritten = (set: Readonly<Record<string, Json>>): boolean => Object.keys(set).length > 0;

function renameInEdges(document: CanvasDocument, { nodeId, newId }: RenameOp, names: Names): SubOp[] {
  return document.edges.order.flatMap((edgeId): SubOp[] => {
    const edge = findElement(document.edges, edgeId);
    if (edge === undefined) return [];
    const ends = EDGE_ENDS.filter((key) => ownValue(edge, key) === nodeId);
    const set = Object.fromEntries([
      ...listRewrites(edge, names),
      ...ends.map((key): [string, Json] => [formatPointer([key]), newId]),
    ]);
    return isRewritten(set) ? [{ type: 'edge:update', edgeId, set }] : [];
  });
}

function renameInNodes(document: CanvasDocument, renamed: string, names: Names): SubOp[] {
  return document.nodes.order.flatMap((nodeId): SubOp[] => {
    const node = nodeId === renamed ? undefined : findElement(document.nodes, nodeId);
    const set = Object.fromEntries(node === undefined ? [] : listRewrites(node, names));
    return isRewritten(set) ? [{ type: 'node:update', nodeId, set }] : [];
  });
}

function renameInMetadata(document: CanvasDocument, { nodeId, newId }: RenameOp): SubOp[] {
  const metadata = ownValue(document.rest, 'metadata');
  const pin = ownValue(readPins(metadata), nodeId);
  const groups = ownValue(ownValue(metadata, 'canvas'), 'groups');
  const lists = Object.entries(isObject(groups) ? groups : {}).flatMap(([id, group]): [string, Json][] => {
    const nodes = ownValue(group, 'nodes');
    if (!Array.isArray(nodes) || !nodes.includes(nodeId)) return [];
    const next = nodes.map((node) => (node === nodeId ? newId : node));
    return [[formatPointer(['canvas', 'groups', id, 'nodes']), next]];
  });
  const set = Object.fromEntries([
    ...lists,
    ...(pin === undefined ? [] : [[formatPointer([...PINS, newId]), pin] as const]),
  ]);
  const unset = pin === undefined ? [] : [formatPointer([...PINS, nodeId])];
  return isRewritten(set) ? [{ type: 'metadata:update', set, unset }] : [];
}

function renameInSettings(document: CanvasDocument, op: RenameOp, names: Names): SubOp[] {
  const { nodeId, newId } = op;
  const config = Object.fromEntries(listRewrites(ownValue(document.rest, 'config') ?? null, names));
  const field = ownValue(listStateFields(ownValue(document.rest, 'state_schema')).fields, nodeId);
  const isEntry = ownValue(document.rest, 'entry_point') === nodeId;
  return [
    ...(isRewritten(config) ? [{ type: 'config:update' as const, set: config }] : []),
    ...renameInMetadata(document, op),
    ...(field === undefined
      ? []
      : [{ type: 'state-schema:update' as const, set: { [newId]: field }, unset: [nodeId] }]),
    ...(isEntry ? [{ type: 'workflow:update' as const, values: { entry_point: newId } }] : []),
  ];
}

/** Keys of an edge that name nodes; `from` and `to` are older spellings. */
export const EDGE_ENDS: readonly string[] = ['source', 'target', 'from', 'to'];
/** Where pins stand in the metadata, by the ids of their nodes. */
export const PINS: readonly string[] = ['canvas', 'pins'];

/**
 * Builds the batch that a renaming amounts to on this document.
 * @returns null when the node is not there
 */
export function expandRename(document: CanvasDocument, op: RenameOp): BatchOp | null {
  const { nodeId, newId } = op;
  const node = findElement(document.nodes, nodeId);
  if (node === undefined) return null;
  const names: Names = new Map([[nodeId, newId]]);
  const renamed = rewriteReferences(node, names);
  const copy: JsonObject = { ...(isObject(renamed) ? renamed : node), id: newId };
  return {
    type: 'batch',
    reason: 'rename',
    mode: 'atomic',
    ops: [
      { type: 'node:add', node: copy, index: document.nodes.order.indexOf(nodeId) },
      ...renameInEdges(document, op, names),
      ...renameInNodes(document, nodeId, names),
      ...renameInSettings(document, op, names),
      { type: 'node:delete', nodeIds: [nodeId] },
    ],
  };
}

/** The old and the new id of a node. */
export type Renamed = Omit<RenameOp, 'type'>;

/** Reads what an operation renames, as it was sent or applied; null when it is no renaming. */
export function readRename(op: DurableOp): Renamed | null {
  if (op.type === 'node:rename') return op;
  if (op.type !== 'batch' || op.reason !== 'rename') return null;
  const [added] = op.ops;
  const deleted = op.ops.at(-1);
  if (added?.type !== 'node:add' || deleted?.type !== 'node:delete') return null;
  const newId = ownValue(added.node, 'id');
  const [nodeId] = deleted.nodeIds;
  return typeof newId === 'string' && nodeId !== undefined ? { nodeId, newId } : null;
}
