/**
 * The way from one state of a document to another as guarded operations: each writes only where the document still is
 * as it was left, so that undoing never takes back what a colleague did meanwhile.
 */
import { differences, type Difference } from '../../graph/diff.ts';
import { formatPointer } from '../../graph/pointer.ts';
import { isObject, ownValue, sameJson, type Json, type JsonObject } from '../../graph/value.ts';
import { elementOf, type CanvasDocument, type KeyedList } from '../room/document.ts';
import { stateFields } from '../../graph/state-fields.ts';
import { hashOf } from '../room/entity-facts.ts';
import type { DurableOp, Guard, SubOp } from '../room/operations.ts';
import { reduce } from '../room/reduce.ts';
import { UNLOCKED } from '../room/reduction.ts';

/** As long as it is what we left there. Long values are compared by their hash. */
function guardFor(ptr: string, value: Json | undefined): Guard {
  if (value === undefined) return { ptr };
  return isObject(value) || Array.isArray(value) ? { ptr, hash: hashOf(value) } : { ptr, equals: value };
}

const write = ({ ptr, to }: Difference): { set: Record<string, Json> } | { unset: string[] } =>
  to === undefined ? { unset: [ptr] } : { set: { [ptr]: to } };

interface ListWords {
  add(element: JsonObject, index: number): SubOp;
  remove(id: string): SubOp;
  update(id: string, difference: Difference): SubOp;
}

const NODES: ListWords = {
  add: (node, index) => ({ type: 'node:add', node, index }),
  remove: (nodeId) => ({ type: 'node:delete', nodeIds: [nodeId] }),
  update: (nodeId, difference) => ({ type: 'node:update', nodeId, ...write(difference) }),
};
const EDGES: ListWords = {
  add: (edge, index) => ({ type: 'edge:add', edge, index }),
  remove: (edgeId) => ({ type: 'edge:delete', edgeIds: [edgeId] }),
  update: (edgeId, difference) => ({ type: 'edge:update', edgeId, ...write(difference) }),
};

function removals(from: KeyedList, to: KeyedList, words: ListWords): SubOp[] {
  return from.order.flatMap((id): SubOp[] => {
    const element = elementOf(from, id);
    if (element === undefined || elementOf(to, id) !== undefined) return [];
    return [{ ...words.remove(id), if: guardFor('', element) }];
  });
}

function additions(from: KeyedList, to: KeyedList, words: ListWords): SubOp[] {
  return to.order.flatMap((id, index): SubOp[] => {
    const element = elementOf(to, id);
    return element === undefined || elementOf(from, id) !== undefined ? [] : [words.add(element, index)];
  });
}

function updates(from: KeyedList, to: KeyedList, words: ListWords): SubOp[] {
  return to.order.flatMap((id) => {
    const [was, is] = [elementOf(from, id), elementOf(to, id)];
    if (was === undefined || is === undefined || was === is) return [];
    return differences(was, is).map((one) => ({ ...words.update(id, one), if: guardFor(one.ptr, one.from) }));
  });
}

function settings(from: CanvasDocument, to: CanvasDocument): SubOp[] {
  const objectAt = (document: CanvasDocument, key: string): JsonObject => {
    const value = ownValue(document.rest, key);
    return isObject(value) ? value : {};
  };
  const edits = (['config', 'metadata'] as const).flatMap((key) =>
    differences(objectAt(from, key), objectAt(to, key)).map((one): SubOp => ({
      type: `${key}:update`,
      ...write(one),
      if: guardFor(one.ptr, one.from),
    })),
  );
  const wholes = ['entry_point', 'input_parameters', 'end_points', 'start_position'].flatMap(
    (key): SubOp[] => {
      const [was, is] = [ownValue(from.rest, key), ownValue(to.rest, key)];
      if (sameJson(was, is)) return [];
      return [
        { type: 'workflow:update', values: { [key]: is ?? null }, if: guardFor(formatPointer([key]), was) },
      ];
    },
  );
  return [...edits, ...wholes];
}

/** Fields that come and go with their nodes need no words of their own; the second pass finds what is left. */
function fields(from: CanvasDocument, to: CanvasDocument): SubOp[] {
  const [was, is] = [from, to].map((document) => stateFields(ownValue(document.rest, 'state_schema')).fields);
  const names = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})]);
  return [...names].flatMap((name): SubOp[] => {
    const [old, field] = [ownValue(was, name), ownValue(is, name)];
    if (sameJson(old, field)) return [];
    const write = field === undefined ? { unset: [name] } : { set: { [name]: field } };
    return [{ type: 'state-schema:update', ...write, if: guardFor(formatPointer([name]), old) }];
  });
}

function onePass(from: CanvasDocument, to: CanvasDocument): SubOp[] {
  return [
    ...removals(from.edges, to.edges, EDGES),
    ...removals(from.nodes, to.nodes, NODES),
    ...additions(from.nodes, to.nodes, NODES),
    ...updates(from.nodes, to.nodes, NODES),
    ...additions(from.edges, to.edges, EDGES),
    ...updates(from.edges, to.edges, EDGES),
    ...settings(from, to),
  ];
}

/**
 * Guarded operations that turn `from` into `to`; applied to a later state they change only what is still as in `from`.
 * @param reason what the batch is for
 * @returns null when there is no difference
 */
export function differenceBatch(
  from: CanvasDocument,
  to: CanvasDocument,
  reason: 'undo' | 'redo',
): Extract<DurableOp, { type: 'batch' }> | null {
  const first = onePass(from, to);
  const reached = reduce(from, { type: 'batch', ops: first, reason }, UNLOCKED);
  const middle = reached.outcome === 'applied' ? reached.document : from;
  // Adding and deleting nodes has consequences for edges and fields: what they did not do by themselves follows.
  const ops = [...first, ...additions(middle.edges, to.edges, EDGES), ...fields(middle, to)];
  return ops.length === 0 ? null : { type: 'batch', ops, reason };
}
