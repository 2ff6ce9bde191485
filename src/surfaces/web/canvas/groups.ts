/** Groups of nodes: a name and the ids of its nodes, in the metadata under `/canvas/groups/<id>`; no run sees them. */
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { BatchOp, SubOp } from '../../../features/canvas/room/operations.ts';
import { formatPointer } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json } from '../../../language/graph/values/value.ts';
import { readEntity } from '../forms/entity.ts';
import { guardedWrite } from '../forms/field-value.ts';
import { readText } from './binding.ts';
import { batch } from './gestures.ts';

export interface Group {
  readonly id: string;
  readonly name: string;
  /** Ids of the nodes that are still there. */
  readonly nodes: readonly string[];
}

const point = (id: string, ...keys: string[]): string => formatPointer(['canvas', 'groups', id, ...keys]);

function listStored(document: CanvasDocument): [string, Json][] {
  const metadata = ownValue(document.rest, 'metadata');
  const groups = ownValue(ownValue(metadata, 'canvas'), 'groups');
  return isObject(groups) ? Object.entries(groups) : [];
}

/** Lists the groups; one whose nodes are all deleted is left out. */
export const listGroups = (document: CanvasDocument): Group[] =>
  listStored(document).flatMap(([id, stored]) => {
    const listed = ownValue(stored, 'nodes');
    const nodes = (Array.isArray(listed) ? listed : [])
      .map(String)
      .filter((node) => document.nodes.byKey.has(node));
    return nodes.length === 0 || !isObject(stored) ? [] : [{ id, name: readText(stored, 'name'), nodes }];
  });

/** Takes nodes out of their groups. */
function leaveGroups(document: CanvasDocument, nodes: ReadonlySet<string>): SubOp[] {
  const settings = readEntity(document, 'metadata') ?? {};
  return listGroups(document).flatMap((group): SubOp[] => {
    const rest = group.nodes.filter((node) => !nodes.has(node));
    if (rest.length === group.nodes.length) return [];
    if (rest.length === 0) return [removeGroup(group.id)];
    // A colleague may have taken other nodes out of it.
    return [...guardedWrite({ entity: 'metadata', ptr: point(group.id, 'nodes') }, settings, rest).ops];
  });
}

/** Makes a group of nodes; a node is in one group at a time. */
export const groupNodes = (document: CanvasDocument, { id, name, nodes }: Group): BatchOp => ({
  ...batch([
    ...leaveGroups(document, new Set(nodes)),
    // A merge patch: the parents of the first group may not exist yet.
    { type: 'metadata:update', changes: { canvas: { groups: { [id]: { name, nodes: [...nodes] } } } } },
  ]),
  mode: 'atomic',
});

/** Removes the groups of nodes; the nodes stay. */
export const ungroupNodes = (document: CanvasDocument, nodes: ReadonlySet<string>): BatchOp | null => {
  const groups = listGroups(document).filter((group) => group.nodes.some((node) => nodes.has(node)));
  return groups.length === 0 ? null : batch(groups.map(({ id }) => removeGroup(id)));
};

export const renameGroup = (id: string, name: string): SubOp => ({
  type: 'metadata:update',
  set: { [point(id, 'name')]: name },
});

const removeGroup = (id: string): SubOp => ({ type: 'metadata:update', unset: [point(id)] });
