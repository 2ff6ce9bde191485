/** Reads durable operations: the schema of each event, and the rejection of an invalid payload. */
import { z } from 'zod';
import { parsePointer } from '../../../language/graph/values/pointer.ts';
import { describeRawIssue } from '../../../language/graph/schema/schema-words.ts';
import {
  isForbiddenKey,
  isObject,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import { NODE_TYPES } from '../../../language/nodes/faces.ts';
import { inspectPayload } from './inspect-payload.ts';
import type { DurableEvent, DurableOp, RenameOp, SingleEvent, SingleOp, SubOp } from './operations.ts';
import { BROADCASTS, MAX_BATCH_OPS, MAX_BATCH_SIZE } from './operations.ts';
import type { Rejection } from './rejection.ts';

/** In UTF-16 units of JSON. */
export const MAX_OP_SIZE = 256 * 1024;
/** Bound of a position's x and y. */
const MAX_COORDINATE = 1e7;

/** Any JSON value: inspect-payload.ts has checked depth, texts and keys. */
const json = z.unknown().transform((value) => value as Json);
const jsonObject = z.custom<JsonObject>(isObject, 'an object is needed').meta({ type: 'object' });
/** Lower case, as in the database. */
export const workflowId = z.guid().transform((text) => text.toLowerCase());
export const nodeId = z.string().min(1).max(128);
export const edgeId = z.string().min(1).max(256);
const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
const position = z.object({ x: coordinate, y: coordinate });
export const moves = z.array(z.object({ nodeId, position })).min(1).max(MAX_BATCH_OPS);
const pointer = z
  .string()
  .max(512)
  .regex(/^(?:\/(?:[^~/]|~0|~1)*)+$/);
/** A pointer to write at: a forbidden key may be removed but not written (inspect-payload.ts says why of constructor/prototype). */
const writable = pointer
  .refine((text) => !parsePointer(text).some(isForbiddenKey), '__proto__ is not allowed as a key')
  .refine(
    (text) =>
      !parsePointer(text).some((key, at, keys) => key === 'prototype' && keys[at - 1] === 'constructor'),
    'the path constructor/prototype is not allowed',
  );
const index = z.int().min(0).max(100_000);
const version = z.int().min(0);

/** Fields that every durable operation has. */
export const ENVELOPE = z.object({
  workflowId,
  opId: z.string().min(1).max(96).exactOptional(),
  version: version.exactOptional(),
  baseVersion: version.exactOptional(),
});

const record = z.record(z.string(), json);
const edit = {
  changes: jsonObject.exactOptional(),
  set: z.record(writable, json).exactOptional(),
  unset: z.array(pointer).max(MAX_BATCH_OPS).exactOptional(),
};
const isOneForm = (value: { changes?: unknown; set?: unknown; unset?: unknown }): boolean =>
  (value.changes === undefined) !== (value.set === undefined && value.unset === undefined);
const ONE_FORM = 'either `changes`, or `set` and `unset`';

const node = jsonObject.and(z.looseObject({ id: nodeId, type: z.enum(NODE_TYPES) }));
const edge = jsonObject.and(z.looseObject({ id: edgeId, source: nodeId, target: nodeId }));
const field = jsonObject.and(
  z.looseObject({
    type: z.string().max(64).exactOptional(),
    reducer: z.enum(['none', 'add', 'update']).exactOptional(),
  }),
);
const several = <T extends z.ZodType>(one: T): z.ZodArray<T> => z.array(one).min(1).max(MAX_BATCH_OPS);

/** Keys that `workflow:update` writes as a whole; null removes one. */
const WHOLE_KEYS = {
  entry_point: nodeId,
  input_parameters: z.array(json),
  end_points: json,
  start_position: position,
};

const deletion = <One extends 'nodeId' | 'edgeId'>(one: One, id: z.ZodString) =>
  z.union([z.object({ [`${one}s`]: several(id) }), z.object({ [one]: id })]).transform((value) => {
    const [ids] = Object.values(value);
    return typeof ids === 'string' ? [ids] : ids;
  });

/** Fields of each operation that may be a part of a batch, without the envelope. */
export const OPERATION_FIELDS = {
  'node:add': z.object({ node, index: index.exactOptional() }),
  'node:move': z.object({ nodeId, position }),
  'nodes:move': z.object({ moves }),
  'node:update': z.object({ nodeId, ...edit }).refine(isOneForm, ONE_FORM),
  'node:delete': deletion('nodeId', nodeId).transform((nodeIds) => ({ nodeIds })),
  'edge:add': z.object({ edge, index: index.exactOptional() }),
  'edge:update': z.object({ edgeId, ...edit }).refine(isOneForm, ONE_FORM),
  'edge:delete': deletion('edgeId', edgeId).transform((edgeIds) => ({ edgeIds })),
  'state-schema:update': z
    .object({
      set: z.record(z.string().min(1).max(128), field).exactOptional(),
      unset: z.array(z.string().max(128)).max(MAX_BATCH_OPS).exactOptional(),
    })
    // Else an edit in another form would be acknowledged, and lost.
    .refine(({ set, unset }) => set !== undefined || unset !== undefined, '`set` or `unset`'),
  'config:update': z.object(edit).refine(isOneForm, ONE_FORM),
  'metadata:update': z.object(edit).refine(isOneForm, ONE_FORM),
  'workflow:update': z
    .object(
      Object.fromEntries(
        Object.entries(WHOLE_KEYS).map(([key, shape]) => [key, shape.nullable().exactOptional()]),
      ),
    )
    .transform((values) => ({ values })),
} satisfies Record<SingleEvent, z.ZodType>;
export const RENAME_FIELDS = z.object({ nodeId, newId: nodeId });

/** `if` of a part of a batch. */
export const GUARD = z.object({
  ptr: z.union([z.literal(''), pointer]),
  equals: json.exactOptional(),
  hash: z.string().max(64).exactOptional(),
});
export const BATCH_FIELDS = z.object({
  ops: several(record),
  reason: z.enum(['undo', 'redo', 'paste', 'import', 'layout', 'other']),
  mode: z.enum(['lenient', 'atomic']).exactOptional(),
});

const ENVELOPE_KEYS: ReadonlySet<string> = new Set([
  'workflowId',
  'opId',
  'version',
  'baseVersion',
  'type',
  'if',
]);

const PARSING = { error: describeRawIssue } as const;

function toRejection(error: z.ZodError, at: string): Rejection {
  const [issue] = error.issues;
  const path = issue === undefined ? '' : [at, ...issue.path].filter((part) => part !== '').join('.');
  return {
    code: 'INVALID_PAYLOAD',
    because: `${path === '' ? 'it' : path} ${issue?.message ?? 'is invalid'}`,
  };
}

const isSingle = (event: unknown): event is SingleEvent =>
  typeof event === 'string' && Object.hasOwn(OPERATION_FIELDS, event);
const isRejection = (value: object): value is Rejection => 'code' in value;

function readSingle(event: unknown, fields: unknown, at: string): SingleOp | Rejection {
  if (!isSingle(event)) return { code: 'INVALID_PAYLOAD', because: `${at} is an unknown operation` };
  if (event === 'workflow:update' && isObject(fields)) {
    const unknown = Object.keys(fields).find(
      (key) => !ENVELOPE_KEYS.has(key) && !Object.hasOwn(WHOLE_KEYS, key),
    );
    if (unknown !== undefined) return { code: 'UNKNOWN_KEY', because: unknown };
  }
  const read = OPERATION_FIELDS[event].safeParse(fields, PARSING);
  if (!read.success) return toRejection(read.error, at);
  return { type: event, ...(read.data as object) } as SingleOp;
}

function readRename(payload: unknown): RenameOp | Rejection {
  const read = RENAME_FIELDS.safeParse(payload, PARSING);
  return read.success ? { type: 'node:rename', ...read.data } : toRejection(read.error, '');
}

function readBatch(payload: unknown): DurableOp | Rejection {
  const read = BATCH_FIELDS.safeParse(payload, PARSING);
  if (!read.success) return toRejection(read.error, '');
  const ops: SubOp[] = [];
  for (const [at, fields] of read.data.ops.entries()) {
    const op = readSingle(fields['type'], fields, `ops.${at}`);
    if (isRejection(op)) return op;
    const condition = fields['if'] === undefined ? undefined : GUARD.safeParse(fields['if'], PARSING);
    if (condition?.success === false) return toRejection(condition.error, `ops.${at}.if`);
    ops.push(condition === undefined ? op : { ...op, if: condition.data });
  }
  const { reason, mode } = read.data;
  return { type: 'batch', ops, reason, ...(mode === undefined ? {} : { mode }) };
}

export interface ReadOperation {
  readonly op: DurableOp;
  readonly opId: string | undefined;
  /** The version that the client has seen; undefined counts as the newest. */
  readonly version: number | undefined;
  /** The version that the edit was made on, where it is sent again later. */
  readonly baseVersion: number | undefined;
}

export const isDurableEvent = (event: string): event is DurableEvent => Object.hasOwn(BROADCASTS, event);

function readEvent(event: DurableEvent, payload: unknown): DurableOp | Rejection {
  if (event === 'batch') return readBatch(payload);
  return event === 'node:rename' ? readRename(payload) : readSingle(event, payload, '');
}

/** Reads the payload of a durable event. @returns a rejection when it is invalid */
export function readOperation(event: DurableEvent, payload: unknown): ReadOperation | Rejection {
  const problem = inspectPayload(payload, event === 'batch' ? MAX_BATCH_SIZE : MAX_OP_SIZE);
  if (problem !== null) return problem;
  const read = ENVELOPE.safeParse(payload, PARSING);
  if (!read.success) return toRejection(read.error, '');
  const op = readEvent(event, payload);
  if (isRejection(op)) return op;
  const { opId, version, baseVersion } = read.data;
  return { op, opId, version: version ?? baseVersion, baseVersion: baseVersion ?? version };
}
