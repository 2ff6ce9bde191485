/** Renames a node's id, with everything that names it: edges, templates, the output mapping, its pin and its state field. */
import { findElement, type CanvasDocument } from '../../canvas/room/document.ts';
import type { BatchOp, SubOp } from '../../canvas/room/operations.ts';
import { RESERVED_NODE_IDS } from '../../graph/definition.ts';
import { readPins } from '../../graph/pins.ts';
import { formatPointer } from '../../graph/pointer.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { freeId } from '../canvas/clipboard.ts';
import { rewriteReferences } from '../canvas/rewrite-references.ts';
import { readEntity, writeEntity } from '../forms/entity.ts';

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

function renameInEdges(document: CanvasDocument, from: string, names: Names): SubOp[] {
  return document.edges.order.flatMap((edgeId): SubOp[] => {
    const edge = findElement(document.edges, edgeId);
    if (edge === undefined) return [];
    // `from` and `to` are older spellings of the ends.
    const ends = ['source', 'target', 'from', 'to'].filter((key) => ownValue(edge, key) === from);
    const set = Object.fromEntries([
      ...listRewrites(edge, names),
      ...ends.map((key): [string, Json] => [formatPointer([key]), names.get(from) ?? from]),
    ]);
    return Object.keys(set).length === 0 ? [] : [{ type: 'edge:update', edgeId, set }];
  });
}

function renameInNodes(document: CanvasDocument, from: string, names: Names): SubOp[] {
  return document.nodes.order.flatMap((nodeId): SubOp[] => {
    const node = nodeId === from ? undefined : findElement(document.nodes, nodeId);
    const set = Object.fromEntries(listRewrites(node ?? null, names));
    return Object.keys(set).length === 0 ? [] : [{ type: 'node:update', nodeId, set }];
  });
}

function renameInSettings(document: CanvasDocument, from: string, to: string, names: Names): SubOp[] {
  const config = readEntity(document, 'config') ?? {};
  const set = Object.fromEntries(listRewrites(config, names));
  const pin = ownValue(readPins(ownValue(document.rest, 'metadata')), from);
  const point = (id: string): string => formatPointer(['canvas', 'pins', id]);
  const fields = readEntity(document, 'state') ?? {};
  const field = ownValue(fields, from);
  return [
    ...(Object.keys(set).length === 0 ? [] : [{ type: 'config:update' as const, set }]),
    ...(pin === undefined
      ? []
      : [{ type: 'metadata:update' as const, set: { [point(to)]: pin }, unset: [point(from)] }]),
    ...(field === undefined
      ? []
      : [writeEntity('state', fields, { ptr: formatPointer([to]), value: field })]),
    ...(ownValue(document.rest, 'entry_point') === from
      ? [{ type: 'workflow:update' as const, values: { entry_point: to } }]
      : []),
  ];
}

/** Builds the operation that gives a node another id, in one step of undo. */
export function renameNode(document: CanvasDocument, from: string, to: string): BatchOp {
  const names: Names = new Map([[from, to]]);
  const node = findElement(document.nodes, from) ?? {};
  const renamed = rewriteReferences(node, names);
  const copy: JsonObject = { ...(isObject(renamed) ? renamed : node), id: to };
  return {
    type: 'batch',
    reason: 'other',
    mode: 'atomic',
    ops: [
      { type: 'node:add', node: copy, index: document.nodes.order.indexOf(from) },
      ...renameInEdges(document, from, names),
      ...renameInNodes(document, from, names),
      ...renameInSettings(document, from, to, names),
      { type: 'node:delete', nodeIds: [from] },
      ...(ownValue(readEntity(document, 'state') ?? {}, from) === undefined
        ? []
        : [{ type: 'state-schema:update' as const, set: {}, unset: [from] }]),
    ],
  };
}

const MAX_ID_LENGTH = 40;

/** Suggests a free id made of a name: `Fetch the list` becomes `fetch_the_list`; null when it has no letters. */
export function suggestId(document: CanvasDocument, name: string): string | null {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, MAX_ID_LENGTH);
  if (id === '' || RESERVED_NODE_IDS.has(id)) return null;
  return freeId(id, new Set(document.nodes.order));
}
