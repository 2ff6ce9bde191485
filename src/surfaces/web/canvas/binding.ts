/**
 * From the document to React Flow's nodes and edges. An unchanged element stays the same object, so that React Flow keeps
 * its internals and nothing renders; a changed node keeps its selection and an own drag.
 */
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { END, START } from '../../../language/graph/definition/definition.ts';
import { findElement, type CanvasDocument } from '../../../features/canvas/room/document.ts';
import {
  END_SIZE,
  placeEndHandle,
  GAP_X,
  placeHandles,
  measureHeight,
  NODE_WIDTH,
  type HandlePlace,
  type Point,
} from './geometry.ts';
import type { Handle } from '../../../language/nodes/face.ts';
import { listHandles } from './kinds.ts';
import { NOTE, readNotes, type Note } from './notes.ts';

export interface FlowNode {
  readonly id: string;
  readonly type: 'kind' | 'end' | 'note';
  readonly position: Point;
  readonly width: number;
  readonly height: number;
  readonly handles: HandlePlace[];
  readonly data: FlowData;
  readonly deletable?: boolean;
  /** Far out nothing is mounted (overview.tsx). */
  readonly hidden?: boolean;
  readonly zIndex?: number;
  readonly selected?: boolean;
  readonly dragging?: boolean;
  /** FrameOptions, not measured: React Flow fits a graph only when it knows the size of each node, seen or not. */
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

/** Reads a text of an object; the empty text where there is none. */
export const readText = (object: JsonObject | undefined, key: string): string => {
  const value = ownValue(object, key);
  return typeof value === 'string' ? value : '';
};

/** Reads a position; null where there is none. */
export function readPoint(value: Json | undefined): Point | null {
  if (!isObject(value)) return null;
  const [x, y] = [ownValue(value, 'x'), ownValue(value, 'y')];
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}

/** Reads the handle that an edge leaves by. */
export const readHandle = (edge: JsonObject): string => readText(edge, 'source_handle') || 'default';

export interface EdgeEnds {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly handle: string;
  /** Whether the edge is taken only while its condition is true. */
  readonly isConditional: boolean;
}

export const readEdge = (id: string, edge: JsonObject): EdgeEnds => ({
  id,
  source: readText(edge, 'source'),
  target: readText(edge, 'target'),
  handle: readHandle(edge),
  isConditional: ownValue(edge, 'when') !== undefined,
});

/** Lists the ends of all edges, whether React Flow shows them or not. */
export const listEdges = (document: CanvasDocument): EdgeEnds[] =>
  document.edges.order.flatMap((id) => {
    const edge = findElement(document.edges, id);
    return edge === undefined ? [] : [readEdge(id, edge)];
  });

export interface Frame {
  readonly nodes: FlowNode[];
  readonly edges: FlowEdge[];
}

interface FrameOptions {
  /** Where others have dragged nodes to and not dropped them yet. */
  readonly drags: ReadonlyMap<string, Point>;
  /** Whether nothing is to be mounted: nodes are hidden, and edges are not there. */
  readonly isOverview: boolean;
}

/** Input and result of a node's last binding: while both are the same nothing is built. */
interface BoundNode {
  readonly node: JsonObject;
  readonly used: readonly string[];
  readonly handles: readonly Handle[];
  readonly flow: FlowNode;
}

interface BindingInput {
  readonly id: string;
  readonly node: JsonObject;
  readonly own: FlowNode | undefined;
  readonly at: () => Point;
  readonly isDragged: boolean;
  readonly isOverview: boolean;
}

const NO_HANDLES: readonly string[] = [];

export class Binding {
  #document: CanvasDocument | null = null;
  readonly #bound = new Map<string, BoundNode>();
  #used: ReadonlyMap<string, readonly string[]> = new Map();
  readonly #edges = new Map<string, { readonly edge: JsonObject; readonly flow: FlowEdge }>();
  #edgeList: FlowEdge[] | null = null;
  /** Nodes that stood where somebody dragged them. */
  #dragged: ReadonlySet<string> = new Set();

  /**
   * Builds the nodes and edges that React Flow shows of a document.
   * @param now the content of its store
   */
  next(document: CanvasDocument, now: Frame, given: FrameOptions): Frame {
    const { drags, isOverview } = given;
    if (document.edges !== this.#document?.edges) this.#used = usedHandles(document, this.#used);
    const current = new Map(now.nodes.map((node) => [node.id, node]));
    const nodes: FlowNode[] = [];
    for (const [index, id] of document.nodes.order.entries()) {
      const node = findElement(document.nodes, id);
      if (node === undefined) continue;
      const drag = drags.get(id);
      const at = (): Point => drag ?? readPoint(ownValue(node, 'position')) ?? placeByIndex(index);
      const isDragged = drag !== undefined || this.#dragged.has(id);
      nodes.push(this.#bind({ id, node, own: current.get(id), at, isDragged, isOverview }));
    }
    const ends = endNodes(document, nodes, { current, isOverview });
    const notes = noteNodes(document, { current, drags, isOverview });
    const edges = isOverview ? [] : this.#bindEdges(document, now.edges);
    if (document.nodes.order !== this.#document?.nodes.order) forget(this.#bound, document.nodes);
    this.#document = document;
    this.#dragged = new Set(drags.keys());
    return { nodes: [...notes, ...ends, ...nodes], edges };
  }

  #bind({ id, node, own, at, isDragged, isOverview }: BindingInput): FlowNode {
    const before = this.#bound.get(id);
    const used = this.#used.get(id) ?? NO_HANDLES;
    const isKnown = before !== undefined && before.node === node && before.used === used;
    if (isKnown && before.flow === own && !isDragged && own.hidden === isOverview) return own;
    const handles = isKnown ? before.handles : sameOr(before?.handles, listHandles(node, used));
    const isBound = own?.data.kind === 'node' && own.data.node === node && own.data.handles === handles;
    const flow: FlowNode = isBound
      ? placed(own, at(), isOverview)
      : {
          ...own,
          id,
          type: 'kind',
          position: own?.dragging === true ? own.position : copied(at()),
          width: NODE_WIDTH,
          height: measureHeight(handles),
          measured: { width: NODE_WIDTH, height: measureHeight(handles) },
          handles: placeHandles(handles),
          data: { kind: 'node', node, handles },
          hidden: isOverview,
        };
    this.#bound.set(id, { node, used, handles, flow });
    return flow;
  }

  #bindEdges(document: CanvasDocument, now: FlowEdge[]): FlowEdge[] {
    if (document.edges === this.#document?.edges && now === this.#edgeList) return now;
    const current = new Map(now.map((edge) => [edge.id, edge]));
    const edges = document.edges.order.flatMap((id): FlowEdge[] => {
      const edge = findElement(document.edges, id);
      if (edge === undefined) return [];
      const own = current.get(id);
      const flow: FlowEdge =
        this.#edges.get(id)?.edge === edge && own !== undefined
          ? own
          : {
              ...own,
              id,
              type: 'flow',
              source: readText(edge, 'source'),
              target: readText(edge, 'target'),
              sourceHandle: readHandle(edge),
              data: { edge },
            };
      this.#edges.set(id, { edge, flow });
      return [flow];
    });
    forget(this.#edges, document.edges);
    const isSame = edges.length === now.length && edges.every((edge, index) => edge === now[index]);
    this.#edgeList = isSame ? now : edges;
    return this.#edgeList;
  }
}

/** Drops the entries of elements that the document no longer has. */
function forget(bound: Map<string, unknown>, list: CanvasDocument['nodes']): void {
  if (bound.size === list.order.length) return;
  for (const id of bound.keys()) if (!list.byKey.has(id)) bound.delete(id);
}

/** Positions of drags change in place, frame by frame. */
const copied = ({ x, y }: Point): Point => ({ x, y });

/** A drag of our own wins over where the document, or somebody else, has the node. */
function placed(node: FlowNode, at: Point, hidden: boolean): FlowNode {
  const stays = node.dragging === true || (node.position.x === at.x && node.position.y === at.y);
  if (stays && node.hidden === hidden) return node;
  return { ...node, position: stays ? node.position : copied(at), hidden };
}

function sameOr(before: readonly Handle[] | undefined, handles: readonly Handle[]): readonly Handle[] {
  const isSame =
    before?.length === handles.length &&
    before.every(({ id, label }, index) => handles[index]?.id === id && handles[index].label === label);
  return isSame ? before : handles;
}

/** The handles that edges leave nodes by; the list of a node is that of before while it says the same. */
function usedHandles(
  document: CanvasDocument,
  before: ReadonlyMap<string, readonly string[]>,
): Map<string, readonly string[]> {
  const used = new Map<string, string[]>();
  for (const edge of document.edges.byKey.values()) {
    if (!isObject(edge)) continue;
    const source = readText(edge, 'source');
    const handles = used.get(source) ?? [];
    used.set(source, handles);
    if (!handles.includes(readHandle(edge))) handles.push(readHandle(edge));
  }
  return new Map(
    [...used].map(([id, handles]) => {
      const old = before.get(id);
      const isSame =
        old?.length === handles.length && old.every((handle, index) => handle === handles[index]);
      return [id, isSame ? old : handles];
    }),
  );
}

/** Places a node that has no position yet. */
export const placeByIndex = (index: number): Point => ({ x: 200 + index * (NODE_WIDTH + GAP_X), y: 96 });

/** Start and end are no nodes of the document: they stand left and right of it unless somebody has moved them. */
function endPlaces(
  document: CanvasDocument,
  nodes: readonly FlowNode[],
): { readonly start: Point; readonly end: Point } {
  const first = nodes[0]?.position ?? { x: 0, y: 0 };
  let [left, right, y] = [first.x, first.x + (nodes.length === 0 ? 160 : 0), first.y];
  for (const { position, width } of nodes) {
    if (position.x < left) [left, y] = [position.x, position.y];
    right = Math.max(right, position.x + width);
  }
  const told = readPoint(ownValue(document.rest, 'start_position'));
  const metadata = ownValue(document.rest, 'metadata');
  const canvas = ownValue(metadata, 'canvas');
  return {
    start: told ?? { x: left - GAP_X - END_SIZE.width, y: y + 12 },
    end: readPoint(ownValue(canvas, 'end_position')) ?? { x: right + GAP_X, y: y + 12 },
  };
}

function endNodes(
  document: CanvasDocument,
  nodes: readonly FlowNode[],
  { current, isOverview }: Pick<FrameContext, 'current' | 'isOverview'>,
): FlowNode[] {
  const places = endPlaces(document, nodes);
  return [START, END].map((id) => {
    const own = current.get(id);
    const at = id === START ? places.start : places.end;
    if (own !== undefined) return placed(own, at, isOverview);
    return {
      id,
      type: 'end',
      position: at,
      ...END_SIZE,
      measured: END_SIZE,
      handles: [placeEndHandle(id === START ? 'source' : 'target')],
      data: { kind: 'end', label: id === START ? 'Start' : 'End' },
      deletable: false,
      hidden: isOverview,
    };
  });
}

interface FrameContext extends FrameOptions {
  /** The nodes of React Flow's store, by id. */
  readonly current: ReadonlyMap<string, FlowNode>;
}

function noteNodes(document: CanvasDocument, { current, drags, isOverview }: FrameContext): FlowNode[] {
  return [...readNotes(document)].map(([key, note]) => {
    const id = `${NOTE}${key}`;
    const own = current.get(id);
    const at = drags.get(id) ?? { x: note.x, y: note.y };
    if (own?.data.kind === 'note' && own.data.note.source === note.source) return placed(own, at, isOverview);
    return {
      ...own,
      id,
      type: 'note',
      position: own?.dragging === true ? own.position : copied(at),
      width: note.width,
      height: note.height,
      measured: { width: note.width, height: note.height },
      handles: [],
      data: { kind: 'note', note },
      zIndex: -1,
      hidden: isOverview,
    };
  });
}
