/** A new node as one operation: with its edges, at a free place, and with a gap opened in the edge that it is inserted into. */
import { END } from '../../../language/graph/definition/definition.ts';
import { ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { findElement, type CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { DurableOp, SubOp } from '../../../features/canvas/room/operations.ts';
import { listEdges, readText, type FlowNode } from './binding.ts';
import { freePlace, GAP_X, measureHeight, NODE_WIDTH, snap, type Box, type Point } from './geometry.ts';
import { batch, buildEdge, listMoves } from './gestures.ts';
import { listHandles } from './kinds.ts';
import { findFreeId, suggestId } from './node-ids.ts';
import type { PaletteEntry } from './palette.ts';

/** The origin of a new node: none, the handle that it is connected to, or the edge that it is inserted into. */
export type Origin =
  | { readonly from: 'nowhere' }
  | { readonly from: 'handle'; readonly source: string; readonly handle: string }
  | { readonly from: 'edge'; readonly edgeId: string };

interface Graph {
  readonly document: CanvasDocument;
  /** Everything on the canvas, by its id there. */
  readonly boxes: ReadonlyMap<string, Box>;
}

interface NewNode {
  readonly entry: PaletteEntry;
  /** The wanted upper left corner; the node moves down where something is in the way. */
  readonly at: Point;
  readonly origin: Origin;
}

interface AddedNode {
  readonly op: DurableOp;
  readonly id: string;
}

/** Adds a node of the palette, with the edges of its origin. */
export function addNode(graph: Graph, { entry, at, origin }: NewNode): AddedNode {
  const { document } = graph;
  const { type, label, config, more } = entry;
  const id = suggestId(document, label) ?? findFreeId(type, new Set(document.nodes.order));
  const number = /_(\d+)$/.exec(id)?.[1];
  const edge = origin.from === 'edge' ? findElement(document.edges, origin.edgeId) : undefined;
  const { x, places } = edge === undefined ? NO_GAP : openGap(graph, edge);
  const height = measureHeight(listHandles({ type, config }, []));
  const wanted = { ...snap({ x: x ?? at.x, y: at.y }), width: NODE_WIDTH, height };
  const position = freePlace(wanted, listTaken(graph, places));
  const node: JsonObject = {
    id,
    type,
    name: number === undefined ? label : `${label} ${number}`,
    position: { ...position },
    config,
    // Without effect where a request may be repeated.
    ...(type === 'tool' ? { on_unknown: 'ask' } : {}),
    ...more,
  };
  const add: SubOp = { type: 'node:add', node };
  if (origin.from === 'handle') {
    const link = buildEdge(document, { source: origin.source, handle: origin.handle, target: id });
    return { id, op: batch([add, { type: 'edge:add', edge: link }]) };
  }
  if (origin.from === 'nowhere' || edge === undefined) return { id, op: { type: 'node:add', node } };
  const target = readText(edge, 'target');
  const [first = 'default', ...others] = listHandles(node, []).map((handle) => handle.id);
  // An action without an edge is a problem: before the end, all of them lead there.
  const handles = target === END ? [first, ...others] : [first];
  const into: SubOp = { type: 'edge:update', edgeId: origin.edgeId, set: { '/target': id } };
  const onward = handles.map((handle): SubOp => {
    const link = buildEdge(document, { source: id, handle, target });
    return { type: 'edge:add', edge: handle === first ? link : { ...link, id: `${id}-${handle}` } };
  });
  return { id, op: batch([...listMoves(document, places), add, into, ...onward]) };
}

/** Places a new node right of the selected one, else in the middle of the view. */
export function placeNear(after: FlowNode | undefined, middle: Point): Point {
  if (after === undefined) return snap({ x: middle.x - NODE_WIDTH / 2, y: middle.y - 32 });
  return { x: after.position.x + after.width + GAP_X, y: after.position.y };
}

/** Finds the handle that alone leads to the end: a new node continues the chain there. Null where several do. */
export function findLastHandle(
  document: CanvasDocument,
): { readonly source: string; readonly handle: string } | null {
  const [last, more] = listEdges(document).filter(({ target }) => target === END);
  return last === undefined || more !== undefined ? null : { source: last.source, handle: last.handle };
}

/** Finds the edge from a handle to the end; null when the handle leads elsewhere, too, or on a condition. */
export function findEdgeToEnd(
  document: CanvasDocument,
  from: { readonly source: string; readonly handle: string },
): string | null {
  const leaving = listEdges(document).filter(
    ({ source, handle }) => source === from.source && handle === from.handle,
  );
  const [edge] = leaving;
  if (edge === undefined || leaving.length > 1 || edge.target !== END) return null;
  return ownValue(findElement(document.edges, edge.id) ?? {}, 'when') === undefined ? edge.id : null;
}

interface Gap {
  /** The column of the new node; null: as wanted. */
  readonly x: number | null;
  /** Places of the nodes that move. */
  readonly places: ReadonlyMap<string, Point>;
}

const NO_GAP: Gap = { x: null, places: new Map() };

/** Moves the nodes behind an edge right as far as a new node needs between its ends. */
function openGap({ document, boxes }: Graph, edge: JsonObject): Gap {
  const [from, to] = [readText(edge, 'source'), readText(edge, 'target')];
  const [source, target] = [boxes.get(from), boxes.get(to)];
  if (source === undefined || target === undefined || target.x <= source.x) return NO_GAP;
  const x = source.x + source.width + GAP_X;
  const missing = x + NODE_WIDTH + GAP_X - target.x;
  if (missing <= 0)
    return { x: snap({ x: (x + target.x - GAP_X - NODE_WIDTH) / 2, y: 0 }).x, places: new Map() };
  const places = new Map<string, Point>();
  for (const id of listReachable(document, to)) {
    const box = boxes.get(id);
    const isFree = id === END && !hasEndPosition(document);
    if (box !== undefined && id !== from && !isFree && box.x >= target.x)
      places.set(id, { x: box.x + missing, y: box.y });
  }
  return { x, places };
}

function listReachable(document: CanvasDocument, from: string): ReadonlySet<string> {
  const targets = new Map<string, string[]>();
  for (const { source, target } of listEdges(document))
    targets.set(source, [...(targets.get(source) ?? []), target]);
  const found = new Set([from]);
  // The set grows while it is walked.
  for (const id of found) for (const next of targets.get(id) ?? []) found.add(next);
  return found;
}

/** Lists the boxes that a new node must not overlap. The end makes way by itself unless somebody has placed it. */
function listTaken({ document, boxes }: Graph, places: ReadonlyMap<string, Point>): Box[] {
  return [...boxes].flatMap(([id, box]) =>
    id === END && !hasEndPosition(document) ? [] : [{ ...box, ...places.get(id) }],
  );
}

const hasEndPosition = (document: CanvasDocument): boolean =>
  ownValue(ownValue(ownValue(document.rest, 'metadata'), 'canvas'), 'end_position') !== undefined;
