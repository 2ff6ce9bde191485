/** Nodes as text on the clipboard. Pasted nodes get new ids, and the references among them follow. */
import { keepDigits } from '../../../language/graph/values/exact-json.ts';
import {
  isDeeperThan,
  isObject,
  ownValue,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import { findElement, type CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { BatchOp, SubOp } from '../../../features/canvas/room/operations.ts';
import { rewriteReferences } from '../../../features/canvas/room/rewrite-references.ts';
import { readPoint, readText } from './binding.ts';
import { findFreeShift, measureHeight, NODE_WIDTH, snap, type Box, type Point } from './geometry.ts';
import { listHandles } from './kinds.ts';
import { findFreeId } from './node-ids.ts';

const FORMAT = 'workflow-nodes/1';
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_DEPTH = 128;

export interface Clip {
  readonly nodes: readonly JsonObject[];
  readonly edges: readonly JsonObject[];
}

/** Takes the selected nodes and the edges among them. */
export function createClip(document: CanvasDocument, ids: readonly string[]): Clip {
  const chosen = new Set(ids);
  const nodes = document.nodes.order.flatMap((id) => {
    const node = chosen.has(id) ? findElement(document.nodes, id) : undefined;
    return node === undefined ? [] : [node];
  });
  const edges = [...document.edges.byKey.values()].filter(
    (edge): edge is JsonObject =>
      isObject(edge) && chosen.has(readText(edge, 'source')) && chosen.has(readText(edge, 'target')),
  );
  return { nodes, edges };
}

export const writeClip = ({ nodes, edges }: Clip): string =>
  JSON.stringify({ format: FORMAT, nodes, edges }, null, 2);

const objectsIn = (value: Json | undefined): JsonObject[] =>
  (Array.isArray(value) ? value : []).filter((entry) => isObject(entry));

/** @returns the nodes of a text: of our clipboard, or of a definition; null when it holds none */
export function readClip(text: string): Clip | null {
  if (text.length > MAX_TEXT || !text.trimStart().startsWith('{')) return null;
  try {
    const read = JSON.parse(text) as Json;
    if (!isObject(read) || isDeeperThan(read, MAX_DEPTH)) return null;
    keepDigits(text, read);
    const schema = ownValue(read, 'workflow_schema');
    const whole = isObject(schema) ? schema : read;
    const nodes = objectsIn(ownValue(whole, 'nodes')).filter((node) => readText(node, 'type') !== '');
    return nodes.length === 0 ? null : { nodes, edges: objectsIn(ownValue(whole, 'edges')) };
  } catch {
    return null;
  }
}

interface PasteResult {
  readonly batch: BatchOp;
  readonly ids: readonly string[];
}

/** An id for an edge: its ends, or a numbered form of them. */
export function edgeId(source: string, target: string, taken: ReadonlySet<string>): string {
  const base = `${source}-${target}`.slice(0, 80);
  if (!taken.has(base)) return base;
  for (let n = 2; ; n += 1) if (!taken.has(`${base}-${n}`)) return `${base}-${n}`;
}

interface PastePlace {
  /** The wanted upper left corner of the pasted nodes; they move down where something is in the way. */
  readonly at: Point;
  readonly taken: readonly Box[];
}

/** Builds the operation that pastes a clip, of any size: the client sends a large one in several batches. */
export function pasteClip(
  document: CanvasDocument,
  clip: Clip,
  { at, taken: boxes }: PastePlace,
): PasteResult {
  const taken = new Set(document.nodes.order);
  const names = new Map<string, string>();
  for (const node of clip.nodes) {
    const id = findFreeId(readText(node, 'id'), taken);
    taken.add(id);
    names.set(readText(node, 'id'), id);
  }
  const places = clip.nodes.map((node) => readPoint(ownValue(node, 'position')) ?? { x: 0, y: 0 });
  const left = Math.min(...places.map(({ x }) => x));
  const top = Math.min(...places.map(({ y }) => y));
  const wanted = clip.nodes.map((node, index): Box => {
    const place = places[index] ?? { x: 0, y: 0 };
    const position = snap({ x: at.x + place.x - left, y: at.y + place.y - top });
    return { ...position, width: NODE_WIDTH, height: measureHeight(listHandles(node, [])) };
  });
  const shift = findFreeShift(wanted, boxes);
  const nodes = clip.nodes.map((node, index): SubOp => {
    const { x, y } = wanted[index] ?? { x: at.x, y: at.y };
    const position = { x, y: y + shift };
    const { id: _id, position: _position, ...rest } = node;
    const copy = rewriteReferences(rest, names);
    return {
      type: 'node:add',
      node: {
        ...(isObject(copy) ? copy : {}),
        id: names.get(readText(node, 'id')) ?? '',
        position,
      },
    };
  });
  const edgeIds = new Set(document.edges.order);
  const edges = clip.edges.flatMap((edge): SubOp[] => {
    const [source, target] = [names.get(readText(edge, 'source')), names.get(readText(edge, 'target'))];
    if (source === undefined || target === undefined) return [];
    const id = edgeId(source, target, edgeIds);
    edgeIds.add(id);
    const copy = rewriteReferences({ ...edge, id, source, target }, names);
    return isObject(copy) ? [{ type: 'edge:add', edge: copy }] : [];
  });
  return { batch: { type: 'batch', ops: [...nodes, ...edges], reason: 'paste' }, ids: [...names.values()] };
}
