/** Gestures as operations: pure functions from the document and a gesture to one operation. */
import { END, START } from '../../graph/definition.ts';
import { ownValue, type JsonObject } from '../../graph/value.ts';
import { findElement, type CanvasDocument } from '../../canvas/room/document.ts';
import type { BatchOp, DurableOp, SubOp } from '../../canvas/room/operations.ts';
import { readHandle, readPoint, readText, type FlowNode } from './binding.ts';
import { edgeId, freeId } from './clipboard.ts';
import { freePlace, GAP_X, measureHeight, NODE_WIDTH, snap, type Box, type Point } from './geometry.ts';
import { listHandles, findLook } from './kinds.ts';
import { NOTE, removeNote, setNote } from './notes.ts';
import { hasPin, removePin } from './pins.ts';

interface Link {
  readonly source: string;
  readonly handle: string;
  readonly target: string;
}

/** Nodes of one move, as many as the room takes (`canvas/room/read-operation.ts`, which the page cannot load). */
const MAX_BATCH_OPS = 1_000;

const batch = (ops: readonly SubOp[], reason: BatchOp['reason'] = 'other'): BatchOp => ({
  type: 'batch',
  ops,
  reason,
});

/** Builds an edge as it is stored: the default handle is left out. */
function buildEdge(document: CanvasDocument, { source, handle, target }: Link): JsonObject {
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

/** @returns the operation that joins two nodes; null where an edge cannot be, or is already */
export function connect(document: CanvasDocument, link: Link): DurableOp | null {
  if (link.source === END || link.target === START || link.source === link.target) return null;
  if (link.source === START && link.target === END) return null;
  return hasLink(document, link) ? null : { type: 'edge:add', edge: buildEdge(document, link) };
}

/** An edge with one of its ends somewhere else. */
export function reconnect(document: CanvasDocument, id: string, link: Link): DurableOp | null {
  if (connect(document, link) === null) return null;
  const handle = link.handle === 'default' ? { unset: ['/source_handle'] } : {};
  const named = link.handle === 'default' ? {} : { '/source_handle': link.handle };
  const edge = findElement(document.edges, id);
  const unset = edge !== undefined && ownValue(edge, 'source_handle') !== undefined ? handle : {};
  return {
    type: 'edge:update',
    edgeId: id,
    set: { '/source': link.source, '/target': link.target, ...named },
    ...unset,
  };
}

/** The origin of a new node: none, the handle that it is connected to, or the edge that it is inserted into. */
export type Origin =
  | { readonly from: 'nowhere' }
  | { readonly from: 'handle'; readonly source: string; readonly handle: string }
  | { readonly from: 'edge'; readonly edgeId: string };

interface Added {
  readonly op: DurableOp;
  readonly id: string;
}

/**
 * A new node of a kind, with the edges that its origin asks for.
 * @param at its upper left corner; a free place near it is taken
 */
export function addNode(
  { document, boxes }: { readonly document: CanvasDocument; readonly boxes: readonly Box[] },
  { type, at, origin }: { readonly type: string; readonly at: Point; readonly origin: Origin },
): Added {
  const look = findLook(type);
  const id = freeId(type, new Set(document.nodes.order));
  const height = measureHeight(listHandles({ type, config: look.config }, []));
  const position = freePlace({ ...snap(at), width: NODE_WIDTH, height }, boxes);
  const node: JsonObject = {
    id,
    type,
    name: id === type ? look.label : `${look.label} ${id.slice(id.lastIndexOf('_') + 1)}`,
    position: { ...position },
    config: look.config,
  };
  const add: SubOp = { type: 'node:add', node };
  const first = listHandles(node, [])[0]?.id ?? 'default';
  if (origin.from === 'handle') {
    const edge = buildEdge(document, { source: origin.source, handle: origin.handle, target: id });
    return { id, op: batch([add, { type: 'edge:add', edge }]) };
  }
  if (origin.from === 'nowhere') return { id, op: { type: 'node:add', node } };
  const edge = findElement(document.edges, origin.edgeId);
  if (edge === undefined) return { id, op: { type: 'node:add', node } };
  const onward = buildEdge(document, { source: id, handle: first, target: readText(edge, 'target') });
  const into: SubOp = { type: 'edge:update', edgeId: origin.edgeId, set: { '/target': id } };
  return { id, op: batch([add, into, { type: 'edge:add', edge: onward }]) };
}

/** Places a new node right of the selected one, else in the middle of the view. */
export function placeNear(after: FlowNode | undefined, middle: Point): Point {
  if (after === undefined) return snap({ x: middle.x - NODE_WIDTH / 2, y: middle.y - 32 });
  return { x: after.position.x + after.width + GAP_X, y: after.position.y };
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

/** Moves the dropped nodes in one operation; null when none has moved by a step of the grid. */
export function move(
  document: CanvasDocument,
  places: ReadonlyMap<string, Point>,
  reason: BatchOp['reason'] = 'other',
): DurableOp | null {
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
  const all: SubOp[] = [];
  for (let from = 0; from < moves.length; from += MAX_BATCH_OPS)
    all.push({ type: 'nodes:move', moves: moves.slice(from, from + MAX_BATCH_OPS) });
  all.push(...others);
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
