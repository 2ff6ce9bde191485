/** The parts of a workflow that forms edit: how each is read, and the operation that changes it. */
import { findElement, type CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { SingleOp } from '../../../features/canvas/room/operations.ts';
import { parsePointer, removeAt, setAt } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';

/** A node, an edge, or settings of the workflow; `workflow` has the keys that are written as a whole. */
export type Entity = `node:${string}` | `edge:${string}` | 'config' | 'metadata' | 'state' | 'workflow';

const ENTITY = /^(?:(?:node|edge):.+|config|metadata|state|workflow)$/s;

export const isEntity = (text: string): text is Entity => ENTITY.test(text);

/** Returns the id of the node that an entity is; null for other entities. */
export const readNodeId = (entity: Entity): string | null =>
  entity.startsWith('node:') ? entity.slice('node:'.length) : null;

/** Returns the id of the edge that an entity is; null for other entities. */
export const readEdgeId = (entity: Entity): string | null =>
  entity.startsWith('edge:') ? entity.slice('edge:'.length) : null;

/** Names the entity that an operation changes; null for one that changes several. */
export function findChanged(op: SingleOp): Entity | null {
  if ('nodeId' in op) return `node:${op.nodeId}`;
  if ('edgeId' in op) return `edge:${op.edgeId}`;
  if (op.type === 'config:update') return 'config';
  if (op.type === 'metadata:update') return 'metadata';
  if (op.type === 'state-schema:update') return 'state';
  return op.type === 'workflow:update' ? 'workflow' : null;
}

/** Returns the declared state fields, which older definitions have without a key `fields` around them. */
function readStateFields(schema: Json | undefined): JsonObject {
  const wrapped = ownValue(schema ?? null, 'fields');
  if (isObject(wrapped) && typeof wrapped['type'] !== 'string' && typeof wrapped['reducer'] !== 'string')
    return wrapped;
  return isObject(schema) ? schema : {};
}

/** Reads an entity; undefined when the node or edge is not there. */
export function readEntity(document: CanvasDocument, entity: Entity): JsonObject | undefined {
  const [nodeId, edgeId] = [readNodeId(entity), readEdgeId(entity)];
  if (nodeId !== null) return findElement(document.nodes, nodeId);
  if (edgeId !== null) return findElement(document.edges, edgeId);
  if (entity === 'workflow') return document.rest;
  if (entity === 'state') return readStateFields(ownValue(document.rest, 'state_schema'));
  const settings = ownValue(document.rest, entity);
  return isObject(settings) ? settings : {};
}

/** Lists the declared state fields; those that nodes have by their ids are left out. */
export const listDeclaredFields = (document: CanvasDocument): string[] =>
  Object.keys(readEntity(document, 'state') ?? {}).filter((name) => !document.nodes.byKey.has(name));

/**
 * Builds the operation that writes one value of an entity.
 * @param current the entity now @param value undefined removes it
 */
export function writeEntity(
  entity: Entity,
  current: JsonObject,
  { ptr, value }: { readonly ptr: string; readonly value: Json | undefined },
): SingleOp {
  const [nodeId, edgeId] = [readNodeId(entity), readEdgeId(entity)];
  if (entity === 'workflow' || entity === 'state') return writeWhole(entity, current, { ptr, value });
  // The value alone: the room makes the objects around it, and a colleague may make them first.
  const edit = value === undefined ? { unset: [ptr] } : { set: { [ptr]: value } };
  if (nodeId !== null) return { type: 'node:update', nodeId, ...edit };
  if (edgeId !== null) return { type: 'edge:update', edgeId, ...edit };
  return { type: entity === 'config' ? 'config:update' : 'metadata:update', ...edit };
}

/** State fields and keys of the workflow are written as a whole, whatever changes inside. */
function writeWhole(
  entity: 'workflow' | 'state',
  current: JsonObject,
  { ptr, value }: { readonly ptr: string; readonly value: Json | undefined },
): SingleOp {
  const tokens = parsePointer(ptr);
  const [key] = tokens;
  const without = key === undefined ? {} : removeAt(current, tokens);
  const next = value === undefined ? without : setAt(current, tokens, value);
  const entries: JsonObject = isObject(next) ? next : {};
  const changed = key === undefined ? Object.keys({ ...current, ...entries }) : [key];
  if (entity === 'workflow')
    return {
      type: 'workflow:update',
      values: Object.fromEntries(changed.map((name) => [name, ownValue(entries, name) ?? null])),
    };
  return {
    type: 'state-schema:update',
    set: Object.fromEntries(
      changed.flatMap((name) => {
        const field = ownValue(entries, name);
        return field === undefined ? [] : [[name, field]];
      }),
    ),
    unset: changed.filter((name) => ownValue(entries, name) === undefined),
  };
}
