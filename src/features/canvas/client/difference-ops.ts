/**
 * Turns the difference of two documents into guarded operations. A guard lets an operation apply only while its place still has
 * the former value, so undo never reverts a colleague's edit.
 */
import { listDifferences, type Difference } from '../../../language/graph/definition/diff.ts';
import { formatPointer } from '../../../language/graph/values/pointer.ts';
import {
  isObject,
  ownValue,
  sameJson,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import { findElement, type CanvasDocument, type KeyedList } from '../room/document.ts';
import { listStateFields } from '../../../language/graph/definition/state-fields.ts';
import { hashValue } from '../room/document-measures.ts';
import type { BatchOp, Guard, SubOp } from '../room/operations.ts';
import { reduce } from '../room/reduce.ts';
import { UNLOCKED } from '../room/reduction.ts';

/** Creates the guard that the value at `ptr` is still `value`; objects and lists are compared by hash. */
function createGuard(ptr: string, value: Json | undefined): Guard {
  if (value === undefined) return { ptr };
  return isObject(value) || Array.isArray(value) ? { ptr, hash: hashValue(value) } : { ptr, equals: value };
}

const toWrite = ({ ptr, to }: Difference): { set: Record<string, Json> } | { unset: string[] } =>
  to === undefined ? { unset: [ptr] } : { set: { [ptr]: to } };

interface OpFactory {
  add(element: JsonObject, index: number): SubOp;
  remove(id: string): SubOp;
  update(id: string, difference: Difference): SubOp;
}

const NODES: OpFactory = {
  add: (node, index) => ({ type: 'node:add', node, index }),
  remove: (nodeId) => ({ type: 'node:delete', nodeIds: [nodeId] }),
  update: (nodeId, difference) => ({ type: 'node:update', nodeId, ...toWrite(difference) }),
};
const EDGES: OpFactory = {
  add: (edge, index) => ({ type: 'edge:add', edge, index }),
  remove: (edgeId) => ({ type: 'edge:delete', edgeIds: [edgeId] }),
  update: (edgeId, difference) => ({ type: 'edge:update', edgeId, ...toWrite(difference) }),
};

function diffRemovals(from: KeyedList, to: KeyedList, factory: OpFactory): SubOp[] {
  return from.order.flatMap((id): SubOp[] => {
    const element = findElement(from, id);
    if (element === undefined || findElement(to, id) !== undefined) return [];
    return [{ ...factory.remove(id), if: createGuard('', element) }];
  });
}

function diffAdditions(from: KeyedList, to: KeyedList, factory: OpFactory): SubOp[] {
  return to.order.flatMap((id, index): SubOp[] => {
    const element = findElement(to, id);
    return element === undefined || findElement(from, id) !== undefined ? [] : [factory.add(element, index)];
  });
}

function diffUpdates(from: KeyedList, to: KeyedList, factory: OpFactory): SubOp[] {
  return to.order.flatMap((id) => {
    const [was, is] = [findElement(from, id), findElement(to, id)];
    if (was === undefined || is === undefined || was === is) return [];
    return listDifferences(was, is).map((one) => ({
      ...factory.update(id, one),
      if: createGuard(one.ptr, one.from),
    }));
  });
}

function diffSettings(from: CanvasDocument, to: CanvasDocument): SubOp[] {
  const objectAt = (document: CanvasDocument, key: string): JsonObject => {
    const value = ownValue(document.rest, key);
    return isObject(value) ? value : {};
  };
  const edits = (['config', 'metadata'] as const).flatMap((key) =>
    listDifferences(objectAt(from, key), objectAt(to, key)).map((one): SubOp => ({
      type: `${key}:update`,
      ...toWrite(one),
      if: createGuard(one.ptr, one.from),
    })),
  );
  const replacements = ['entry_point', 'input_parameters', 'end_points', 'start_position'].flatMap(
    (key): SubOp[] => {
      const [was, is] = [ownValue(from.rest, key), ownValue(to.rest, key)];
      if (sameJson(was, is)) return [];
      return [
        {
          type: 'workflow:update',
          values: { [key]: is ?? null },
          if: createGuard(formatPointer([key]), was),
        },
      ];
    },
  );
  return [...edits, ...replacements];
}

/** Lists the operations on state fields. Compare with the document after the operations on nodes, which change their fields, too. */
function diffStateFields(from: CanvasDocument, to: CanvasDocument): SubOp[] {
  const [was, is] = [from, to].map(
    (document) => listStateFields(ownValue(document.rest, 'state_schema')).fields,
  );
  const names = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})]);
  return [...names].flatMap((name): SubOp[] => {
    const [old, field] = [ownValue(was, name), ownValue(is, name)];
    if (sameJson(old, field)) return [];
    const write = field === undefined ? { unset: [name] } : { set: { [name]: field } };
    return [{ type: 'state-schema:update', ...write, if: createGuard(formatPointer([name]), old) }];
  });
}

/** Lists the operations on edges, nodes and settings, in an order in which each finds the nodes that it needs. */
function diffElements(from: CanvasDocument, to: CanvasDocument): SubOp[] {
  return [
    ...diffRemovals(from.edges, to.edges, EDGES),
    ...diffRemovals(from.nodes, to.nodes, NODES),
    ...diffAdditions(from.nodes, to.nodes, NODES),
    ...diffUpdates(from.nodes, to.nodes, NODES),
    ...diffAdditions(from.edges, to.edges, EDGES),
    ...diffUpdates(from.edges, to.edges, EDGES),
    ...diffSettings(from, to),
  ];
}

/**
 * Builds a batch of guarded operations that turns `from` into `to`. On a later document it changes only the parts that are still
 * as in `from`.
 * @param reason the cause of the batch, such as `undo`
 * @returns the batch; null when the documents do not differ
 */
export function diffToBatch(
  from: CanvasDocument,
  to: CanvasDocument,
  reason: BatchOp['reason'],
): BatchOp | null {
  const elementOps = diffElements(from, to);
  const reduction = reduce(from, { type: 'batch', ops: elementOps, reason }, UNLOCKED);
  const reached = reduction.outcome === 'applied' ? reduction.document : from;
  // Adding or deleting a node also changes edges and state fields, so only the differences that remain then are added.
  const edgeOps = diffAdditions(reached.edges, to.edges, EDGES);
  const ops = [...elementOps, ...edgeOps, ...diffStateFields(reached, to)];
  return ops.length === 0 ? null : { type: 'batch', ops, reason };
}
