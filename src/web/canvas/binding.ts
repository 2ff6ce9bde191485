/**
 * From the document to React Flow's nodes and edges. What did not change stays the same object, so that React Flow keeps
 * its internals and nothing renders; a changed node keeps what React Flow knows of it (selection, a drag of our own).
 */
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { END, START } from '../../graph/definition.ts';
import { elementOf, type CanvasDocument } from '../../canvas/room/document.ts';
import {
  END_SIZE,
  endHandle,
  GAP_X,
  handlePlaces,
  heightOf,
  NODE_WIDTH,
  type HandlePlace,
  type Point,
} from './geometry.ts';
import { handlesOf, type Handle } from './kinds.ts';
import { NOTE, notesOf, type Note } from './notes.ts';

export interface FlowNode {
  readonly id: string;
  readonly type: 'kind' | 'end' | 'note';
  readonly position: Point;
  readonly width: number;
  readonly height: number;
  readonly handles: HandlePlace[];
  readonly data: FlowData;
  readonly deletable?: boolean;
  readonly zIndex?: number;
  readonly selected?: boolean;
  readonly dragging?: boolean;
  /** As it is given: React Flow shows the whole of a graph only once it knows the size of each node, seen or not. */
  readonly measured?: { width?: number; height?: number };
}

export type FlowData =
  | { readonly kind: 'node'; readonly node: JsonObject; readonly handles: readonly Handle[] }
  | { readonly kind: 'end'; readonly label: string }
  | { readonly kind: 'note'; readonly note: Note };

export interface FlowEdge {
  readonly id: string;
  readonly type: 'flow';
  readonly source: string;
  readonly target: string;
  readonly sourceHandle: string;
  readonly data: { readonly edge: JsonObject };
  readonly selected?: boolean;
}

export const textOf = (object: JsonObject, key: string): string => {
  const value = ownValue(object, key);
  return typeof value === 'string' ? value : '';
};

export function pointOf(value: Json | undefined): Point | null {
  if (!isObject(value)) return null;
  const [x, y] = [ownValue(value, 'x'), ownValue(value, 'y')];
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}

/** The handle that an edge leaves by. */
export const handleOf = (edge: JsonObject): string => textOf(edge, 'source_handle') || 'default';

interface Bound {
  readonly node: JsonObject;
  readonly handles: readonly Handle[];
}

export interface Frame {
  readonly nodes: FlowNode[];
  readonly edges: FlowEdge[];
}

export class Binding {
  #document: CanvasDocument | null = null;
  #bound = new Map<string, Bound>();
  #used = new Map<string, readonly string[]>();
  #edges = new Map<string, { readonly edge: JsonObject; readonly flow: FlowEdge }>();

  /**
   * What React Flow shows of a document.
   * @param now what its store holds
   * @param drags where others have dragged nodes to and not dropped them yet
   */
  next(document: CanvasDocument, now: Frame, drags: ReadonlyMap<string, Point>): Frame {
    if (document.edges !== this.#document?.edges) this.#used = usedHandles(document);
    const current = new Map(now.nodes.map((node) => [node.id, node]));
    const bound = new Map<string, Bound>();
    const nodes = document.nodes.order.flatMap((id, index): FlowNode[] => {
      const node = elementOf(document.nodes, id);
      if (node === undefined) return [];
      const part = this.#bind(id, node);
      bound.set(id, part);
      const own = current.get(id);
      const at = drags.get(id) ?? pointOf(ownValue(node, 'position')) ?? placeByIndex(index);
      if (own?.data.kind === 'node' && own.data.node === node && own.data.handles === part.handles) {
        return [moved(own, at)];
      }
      return [
        {
          ...own,
          id,
          type: 'kind',
          position: own?.dragging === true ? own.position : at,
          width: NODE_WIDTH,
          height: heightOf(part.handles),
          measured: { width: NODE_WIDTH, height: heightOf(part.handles) },
          handles: handlePlaces(part.handles),
          data: { kind: 'node', node, handles: part.handles },
        },
      ];
    });
    this.#bound = bound;
    this.#document = document;
    const ends = endNodes(document, nodes, current);
    const notes = noteNodes(document, current, drags);
    return { nodes: [...notes, ...ends, ...nodes], edges: this.#bindEdges(document, now.edges) };
  }

  #bind(id: string, node: JsonObject): Bound {
    const before = this.#bound.get(id);
    const handles = handlesOf(node, this.#used.get(id) ?? []);
    const isSame = before !== undefined && sameHandles(before.handles, handles);
    return { node, handles: isSame ? before.handles : handles };
  }

  #bindEdges(document: CanvasDocument, now: readonly FlowEdge[]): FlowEdge[] {
    const current = new Map(now.map((edge) => [edge.id, edge]));
    const bound = new Map<string, { readonly edge: JsonObject; readonly flow: FlowEdge }>();
    const edges = document.edges.order.flatMap((id): FlowEdge[] => {
      const edge = elementOf(document.edges, id);
      if (edge === undefined) return [];
      const before = this.#edges.get(id);
      const own = current.get(id);
      const flow: FlowEdge =
        before?.edge === edge && own !== undefined
          ? own
          : {
              ...own,
              id,
              type: 'flow',
              source: textOf(edge, 'source'),
              target: textOf(edge, 'target'),
              sourceHandle: handleOf(edge),
              data: { edge },
            };
      bound.set(id, { edge, flow });
      return [flow];
    });
    this.#edges = bound;
    return edges;
  }
}

/** A drag of our own wins over where the document, or somebody else, has the node. */
function moved(node: FlowNode, at: Point): FlowNode {
  if (node.dragging === true || (node.position.x === at.x && node.position.y === at.y)) return node;
  return { ...node, position: at };
}

const sameHandles = (a: readonly Handle[], b: readonly Handle[]): boolean =>
  a.length === b.length && a.every(({ id, label }, index) => b[index]?.id === id && b[index].label === label);

function usedHandles(document: CanvasDocument): Map<string, readonly string[]> {
  const used = new Map<string, string[]>();
  for (const edge of document.edges.byKey.values()) {
    if (!isObject(edge)) continue;
    const source = textOf(edge, 'source');
    const handles = used.get(source) ?? [];
    used.set(source, handles);
    if (!handles.includes(handleOf(edge))) handles.push(handleOf(edge));
  }
  return used;
}

const placeByIndex = (index: number): Point => ({ x: 200 + index * (NODE_WIDTH + GAP_X), y: 96 });

/** Start and end are no nodes of the document: they stand left and right of it, unless somebody has moved the start. */
export function endPlaces(
  document: CanvasDocument,
  nodes: readonly FlowNode[],
): { readonly start: Point; readonly end: Point } {
  const first = nodes[0]?.position ?? { x: 0, y: 0 };
  let [left, right, y] = [first.x, first.x + (nodes.length === 0 ? 160 : 0), first.y];
  for (const { position, width } of nodes) {
    if (position.x < left) [left, y] = [position.x, position.y];
    right = Math.max(right, position.x + width);
  }
  const told = pointOf(ownValue(document.rest, 'start_position'));
  const metadata = ownValue(document.rest, 'metadata');
  const canvas = ownValue(metadata, 'canvas');
  return {
    start: told ?? { x: left - GAP_X - END_SIZE.width, y: y + 12 },
    end: pointOf(ownValue(canvas, 'end_position')) ?? { x: right + GAP_X, y: y + 12 },
  };
}

function endNodes(
  document: CanvasDocument,
  nodes: readonly FlowNode[],
  current: ReadonlyMap<string, FlowNode>,
): FlowNode[] {
  const places = endPlaces(document, nodes);
  return [START, END].map((id) => {
    const own = current.get(id);
    const at = id === START ? places.start : places.end;
    if (own !== undefined) return moved(own, at);
    return {
      id,
      type: 'end',
      position: at,
      ...END_SIZE,
      measured: END_SIZE,
      handles: [endHandle(id === START ? 'source' : 'target')],
      data: { kind: 'end', label: id === START ? 'Start' : 'End' },
      deletable: false,
    };
  });
}

function noteNodes(
  document: CanvasDocument,
  current: ReadonlyMap<string, FlowNode>,
  drags: ReadonlyMap<string, Point>,
): FlowNode[] {
  return [...notesOf(document)].map(([key, note]) => {
    const id = `${NOTE}${key}`;
    const own = current.get(id);
    const at = drags.get(id) ?? { x: note.x, y: note.y };
    if (own?.data.kind === 'note' && own.data.note.source === note.source) return moved(own, at);
    return {
      ...own,
      id,
      type: 'note',
      position: own?.dragging === true ? own.position : at,
      width: note.width,
      height: note.height,
      measured: { width: note.width, height: note.height },
      handles: [],
      data: { kind: 'note', note },
      zIndex: -1,
    };
  });
}
