/**
 * Typed texts whose place is gone: each returns by itself when a colleague takes the deletion back, or with what was
 * deleted around it when its author restores that.
 */
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { BatchOp, SubOp } from '../../../features/canvas/room/operations.ts';
import { formatPointer, getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import {
  isObject,
  ownValue,
  sameJson,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import { readEdgeId, readEntity, readNodeId, type Entity } from './entity.ts';
import { guardedChange, guardedWrite } from './field-value.ts';
import { findListEntry, rebasePointer, type Place } from './follow-place.ts';
import { FORMATS } from './formats.ts';
import type { LostText } from './kept-drafts.ts';

/** Reads a node with its edges, or an edge, as it was before it was deleted; null for settings, which stay. */
export function readRemoved(before: CanvasDocument, entity: Entity): LostText['removed'] {
  const [nodeId, edgeId] = [readNodeId(entity), readEdgeId(entity)];
  const element = readEntity(before, entity);
  if (element === undefined || (nodeId === null && edgeId === null)) return null;
  const edges = [...before.edges.byKey.values()]
    .filter((edge) => isObject(edge))
    .filter((edge) => nodeId !== null && [edge['source'], edge['target']].includes(nodeId));
  return { element, edges };
}

/** Finds the place of a lost text in a document; null while it is not there. */
export function findReturn({ from, removed }: LostText, view: CanvasDocument): Place | null {
  const now = readEntity(view, from.entity);
  // Another node may have got the id.
  if (now === undefined || (removed !== null && ownValue(now, 'type') !== ownValue(removed.element, 'type')))
    return null;
  const tokens = parsePointer(from.ptr);
  const followed = rebasePointer(from.outline, now, tokens);
  if (followed === null) return null;
  const entry = findListEntry(from.outline, tokens);
  // At the index of a deleted entry another one may stand.
  const isSame =
    entry === null || sameJson(getAt(from.outline, entry), getAt(now, followed.slice(0, entry.length)));
  return isSame ? { entity: from.entity, ptr: formatPointer(followed) } : null;
}

/** The edges that can be put back: both ends are there, and nobody has made them again. */
function listEdges(view: CanvasDocument, nodeId: string, edges: readonly JsonObject[]): JsonObject[] {
  const made = new Set<Json | undefined>(view.edges.order);
  const isThere = (end: Json | undefined): boolean =>
    typeof end === 'string' && (end === nodeId || end.startsWith('__') || view.nodes.byKey.has(end));
  return edges.filter((edge) => isThere(edge['source']) && isThere(edge['target']) && !made.has(edge['id']));
}

/** Restores a deleted node with its edges, or a deleted edge. @returns null where it is there */
export function restoreRemoved(
  view: CanvasDocument,
  entity: Entity,
  removed: LostText['removed'],
): BatchOp | null {
  const nodeId = readNodeId(entity);
  if (removed === null || readEntity(view, entity) !== undefined) return null;
  const edges = nodeId === null ? [removed.element] : listEdges(view, nodeId, removed.edges);
  const parts: SubOp[] = edges.map((edge) => ({ type: 'edge:add', edge }));
  if (nodeId !== null) parts.unshift({ type: 'node:add', node: removed.element });
  return { type: 'batch', reason: 'other', ops: parts };
}

/** Restores what was deleted around a lost text: its node or edge, the entry of its list, or the value alone. */
export function restoreAround({ from, removed, typed }: LostText, view: CanvasDocument): BatchOp | null {
  const current = readEntity(view, from.entity);
  if (current === undefined) return restoreRemoved(view, from.entity, removed);
  const entry = findListEntry(from.outline, parsePointer(from.ptr));
  if (entry === null) {
    const reading = FORMATS[from.format].read(typed);
    return 'value' in reading ? guardedWrite(from, current, reading.value) : null;
  }
  const list = entry.slice(0, -1);
  const stored = getAt(current, list);
  const entries = [...(Array.isArray(stored) ? stored : []), getAt(from.outline, entry) ?? null];
  return guardedChange({ entity: from.entity, ptr: formatPointer(list) }, current, entries);
}
