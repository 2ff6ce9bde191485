/** Turns gestures into operations: pure functions of the document and a gesture. */
import { END, START } from '../../../language/graph/definition/definition.ts';
import { ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { findElement, type CanvasDocument } from '../../../features/canvas/room/document.ts';
import {
  MAX_BATCH_OPS,
  type BatchOp,
  type DurableOp,
  type SubOp,
} from '../../../features/canvas/room/operations.ts';
import { readHandle, readPoint, readText } from './binding.ts';
import { edgeId } from './clipboard.ts';
import { snap, type Point } from './geometry.ts';
import { NOTE, removeNote, setNote } from './notes.ts';
import { hasPin, removePin } from './pins.ts';

interface Link {
  readonly source: string;
  readonly handle: string;
  readonly target: string;
}

/** Combines operations into one. */
export const batch = (ops: readonly SubOp[], reason: BatchOp['reason'] = 'other'): BatchOp => ({
  type: 'batch',
  ops,
  reason,
});

/** Builds an edge as it is stored: the default handle is left out. */
export function buildEdge(document: CanvasDocument, { source, handle, target }: Link): JsonObject {
  const id = edgeId(source, target, new Set(document.edges.order));
  return { id, source, target, ...(handle === 'default' ? {} : { source_handle: handle }) };
}

const hasLink = (document: CanvasDocument, link: Link): boolean =>
  [...document.edges.byKey.values()].some(
    (edge) =>
      typeof edge === 'object' &&
      edge !== null &&
      !Array.isArray(edge) &&
      readText(edge, 'source') === link.source &&
      readText(edge, 'target') === link.target &&
      readHandle(edge) === link.handle,
  );

/** @returns the operation that connects two nodes; null when the edge is not allowed or already exists */
export function connect(document: CanvasDocument, link: Link): DurableOp | null {
  if (link.source === END || link.target === START || link.source === link.target) return null;
  if (link.source === START && link.target === END) return null;
  return hasLink(document, link) ? null : { type: 'edge:add', edge: buildEdge(document, link) };
}

/** @returns the operation that moves an end of an edge; null when the new edge is not allowed or already exists */
export function reconnect(document: CanvasDocument, id: string, link: Link): DurableOp | null {
  if (connect(document, link) === null) return null;
  const ends = { '/source': link.source, '/target': link.target };
  if (link.handle !== 'default')
    return { type: 'edge:update', edgeId: id, set: { ...ends, '/source_handle': link.handle } };
  const edge = findElement(document.edges, id);
  const hasHandle = edge !== undefined && ownValue(edge, 'source_handle') !== undefined;
  const unset = hasHandle ? { unset: ['/source_handle'] } : {};
  return { type: 'edge:update', edgeId: id, set: ends, ...unset };
}

/** Deletes the selected nodes with their pins, notes and edges. Start and end stay. */
export function remove(
  document: CanvasDocument,
  nodeIds: readonly string[],
  edgeIds: readonly string[],
): DurableOp | null {
  const notes = nodeIds.filter((id) => id.startsWith(NOTE)).map((id) => removeNote(id.slice(NOTE.length)));
  const nodes = nodeIds.filter((id) => !id.startsWith(NOTE) && id !== START && id !== END);
  const ops: SubOp[] = [
    ...(edgeIds.length === 0 ? [] : [{ type: 'edge:delete' as const, edgeIds }]),
    ...(nodes.length === 0 ? [] : [{ type: 'node:delete' as const, nodeIds: nodes }]),
    ...nodes.filter((id) => hasPin(document, id)).map(removePin),
    ...notes,
  ];
  const [only] = ops;
  if (only === undefined) return null;
  return ops.length === 1 ? only : batch(ops);
}

/** Lists the operations that move nodes, notes, the start and the end; a node that stays at its grid point needs none. */
export function listMoves(document: CanvasDocument, places: ReadonlyMap<string, Point>): SubOp[] {
  const moves: { nodeId: string; position: Point }[] = [];
  const others: SubOp[] = [];
  for (const [id, place] of places) {
    const at = snap(place);
    if (id.startsWith(NOTE)) others.push(setNote(id.slice(NOTE.length), { x: at.x, y: at.y }));
    else if (id === START) others.push({ type: 'workflow:update', values: { start_position: { ...at } } });
    else if (id === END) {
      others.push({ type: 'metadata:update', changes: { canvas: { end_position: { ...at } } } });
    } else {
      const node = findElement(document.nodes, id);
      const before = node === undefined ? null : readPoint(ownValue(node, 'position'));
      if (node !== undefined && (before?.x !== at.x || before.y !== at.y)) {
        moves.push({ nodeId: id, position: at });
      }
    }
  }
  const parts: SubOp[] = [];
  for (let from = 0; from < moves.length; from += MAX_BATCH_OPS)
    parts.push({ type: 'nodes:move', moves: moves.slice(from, from + MAX_BATCH_OPS) });
  return [...parts, ...others];
}

/** Moves the dropped nodes in one operation; null when none has moved. */
export function move(
  document: CanvasDocument,
  places: ReadonlyMap<string, Point>,
  reason: BatchOp['reason'] = 'other',
): DurableOp | null {
  const all = listMoves(document, places);
  const [only] = all;
  if (only === undefined) return null;
  return all.length === 1 && reason === 'other' ? only : batch(all, reason);
}

/** Disables nodes, or enables them when all of them are disabled. */
export function toggleDisabled(document: CanvasDocument, ids: readonly string[]): DurableOp | null {
  const nodes = ids.flatMap((id) => {
    const node = findElement(document.nodes, id);
    return node === undefined ? [] : [{ id, isDisabled: ownValue(node, 'disabled') === true }];
  });
  if (nodes.length === 0) return null;
  const disabled = !nodes.every(({ isDisabled }) => isDisabled);
  return batch(nodes.map(({ id }) => ({ type: 'node:update', nodeId: id, set: { '/disabled': disabled } })));
}
