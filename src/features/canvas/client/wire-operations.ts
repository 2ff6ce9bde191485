/** Converts operations to the fields of their events, and broadcasts back to operations. */
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import {
  BROADCASTS,
  type AppliedOp,
  type BatchOp,
  type DurableOp,
  type RenameOp,
  type SingleOp,
  type SubOp,
} from '../room/operations.ts';

const WHOLE_KEYS = ['entry_point', 'input_parameters', 'end_points', 'start_position'];

function toSingleFields(op: SingleOp | RenameOp): JsonObject {
  if (op.type === 'workflow:update') return { ...op.values };
  const { type: _type, ...fields } = op;
  return fields as unknown as JsonObject;
}

function toSubFields({ if: guard, ...op }: SubOp): JsonObject {
  return {
    type: op.type,
    ...toSingleFields(op),
    ...(guard === undefined ? {} : { if: { ...guard } }),
  };
}

/** Returns the fields of an operation's event. */
export function toWireFields(op: DurableOp): JsonObject {
  if (op.type !== 'batch') return toSingleFields(op);
  const { ops, reason, mode } = op;
  return { ops: ops.map(toSubFields), reason, ...(mode === undefined ? {} : { mode }) };
}

const TYPES: ReadonlyMap<string, DurableOp['type']> = new Map(
  Object.entries(BROADCASTS).map(([type, broadcast]) => [broadcast, type as DurableOp['type']]),
);

/** Events that are broadcasts of durable operations. */
export const DURABLE_BROADCASTS: readonly string[] = [...TYPES.keys()];

/** Field names by type of operation. */
const FIELDS: Readonly<Record<Exclude<SingleOp['type'], 'workflow:update'>, readonly string[]>> = {
  'node:add': ['node', 'index'],
  'node:move': ['nodeId', 'position'],
  'nodes:move': ['moves'],
  'node:update': ['nodeId', 'set', 'unset'],
  'node:delete': ['nodeIds'],
  'edge:add': ['edge', 'index'],
  'edge:update': ['edgeId', 'set', 'unset'],
  'edge:delete': ['edgeIds'],
  'state-schema:update': ['set', 'unset'],
  'config:update': ['set', 'unset'],
  'metadata:update': ['set', 'unset'],
};

const pick = (body: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(
    keys.flatMap((key): [string, Json][] => {
      const value = ownValue(body, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );

/** Reads the applied operation of a broadcast's body or of an acknowledgement's `normalized`. */
export function readAppliedOp(type: DurableOp['type'], body: JsonObject): AppliedOp {
  if (type === 'batch' || type === 'node:rename') {
    const ops = ownValue(body, 'ops');
    const parts = (Array.isArray(ops) ? ops : []).filter(isObject);
    return {
      type: 'batch',
      ops: parts.map((part) => readAppliedOp(part['type'] as SingleOp['type'], part)),
      reason: body['reason'],
    } as BatchOp;
  }
  if (type === 'workflow:update') return { type, values: pick(body, WHOLE_KEYS) };
  return { type, ...pick(body, FIELDS[type]) } as unknown as SingleOp;
}

/** Reads the operation of a broadcast; null for any other event. */
export function readBroadcastOp(event: string, payload: JsonObject): AppliedOp | null {
  const type = TYPES.get(event);
  return type === undefined ? null : readAppliedOp(type, payload);
}
