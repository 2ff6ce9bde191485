/**
 * Schemas of the server's events and replies, for the AsyncAPI document. The tests validate every payload that a room sends
 * against them, so that no field is undocumented.
 */
import { z } from 'zod';
import { BROADCASTS, type SingleEvent } from '../room/operations.ts';
import { REJECTIONS, type RejectionCode } from '../room/rejection.ts';

const int = z.int();
const text = z.string();
const id = z.string();
const when = z.iso.datetime();
const stateHash = z.string().regex(/^[0-9a-f]{16}$/);
/** JSON of the workflow: an object whose members the definition language names. */
const object = z.looseObject({});
const position = z.object({ x: z.number(), y: z.number() });
const codes = Object.keys(REJECTIONS) as RejectionCode[];
const code = z.enum(codes);

const place = {
  workflowId: id,
  /** Counts the room's loads: versions of different epochs do not compare. */
  epoch: int,
  /** The room's counter: one for each accepted operation. */
  version: int,
  /** The stored workflow's counter: one for each save. */
  editVersion: int,
  /** Operations up to this version are saved. */
  savedThrough: int,
};
const identity = { sessionId: id, userId: id, name: text, color: text };
const viewport = z.object({ x: z.number(), y: z.number(), zoom: z.number().optional() });
const activity = {
  state: z.enum(['active', 'idle']),
  focus: z
    .object({ nodeId: id, field: text.optional() })
    .nullish()
    .meta({ description: 'The node that the person edits; null when it is none any more' }),
  viewport: viewport.optional(),
};
const selection = { nodeIds: z.array(id), edgeIds: z.array(id) };
const cursor = z.union([viewport, z.object({ hidden: z.literal(true) })]);
const person = z.object({
  ...identity,
  ...activity,
  selection: z.object(selection).optional(),
  cursor: cursor.optional(),
});
const holder = z.object({ sessionId: id, userId: id, name: text });
const lock = { nodeId: id, holder, expiresAt: when };
const members = { presence: z.array(person), locks: z.array(z.object(lock)) };

const patch = z.union([
  z.object({ op: z.enum(['add', 'replace']), path: text, value: z.unknown() }),
  z.object({ op: z.literal('remove'), path: text }),
]);
const skipped = z.array(z.object({ index: int, code: z.enum([...codes, 'GUARD_FAILED']) })).optional();
const trouble = z.object({ workflowId: id, since: when, unsavedOps: int });
const workflow = z.object({ workflowId: id });

const refusal = {
  code,
  message: text,
  retryable: z.boolean(),
  /** `{retryAfterMs}`, `{nodeId}`, ...: fields of this code for programs. */
  details: object.optional(),
};
const acknowledgement = {
  workflowId: id,
  opId: id.optional(),
  version: int,
  /** The opId was answered before; the operation was not applied again. */
  duplicate: z.literal(true).optional(),
  /** The operation changed nothing and has no version of its own. */
  noop: z.literal(true).optional(),
  skipped,
  /** The edit version in which an earlier epoch saved the operation. */
  savedIn: int.optional(),
  /** The broadcast's fields, when they differ from the sent ones. */
  normalized: object.optional(),
  /** Places that another session wrote after the version that the sender had seen. */
  contended: z.array(z.object({ ptr: text, byUserId: id, version: int })).optional(),
};

const edited = { set: z.record(text, z.unknown()), unset: z.array(text) };
/** Fields of each operation's broadcast, without those of all broadcasts. */
const APPLIED = {
  'node:add': { node: object, index: int, stateSchema: object.optional() },
  'node:move': { nodeId: id, position },
  'nodes:move': { moves: z.array(z.object({ nodeId: id, position })) },
  'node:update': { nodeId: id, ...edited },
  'node:delete': { nodeIds: z.array(id), edgeIds: z.array(id), stateSchemaKeys: z.array(text) },
  'edge:add': { edge: object, index: int },
  'edge:update': { edgeId: id, ...edited },
  'edge:delete': { edgeIds: z.array(id) },
  'state-schema:update': edited,
  'config:update': edited,
  'metadata:update': edited,
  'workflow:update': {
    entry_point: id.nullish(),
    input_parameters: z.array(z.unknown()).nullish(),
    end_points: z.unknown().optional(),
    start_position: position.nullish(),
  },
} as const satisfies Record<SingleEvent, z.ZodRawShape>;

const part = z.union(
  Object.entries(APPLIED).map(([type, fields]) => z.object({ type: z.literal(type), ...fields })),
);
const applied = { workflowId: id, version: int, opId: id, userId: id, sessionId: id };
const broadcasts = Object.fromEntries(
  Object.entries(BROADCASTS).map(([type, event]) => {
    const fields =
      event === BROADCASTS.batch ? { reason: text, ops: z.array(part) } : APPLIED[type as SingleEvent];
    return [event, z.object({ ...applied, ...fields })];
  }),
);

/** Payloads by the names of their events. */
export const SERVER_EVENTS: Readonly<Record<string, z.ZodType>> = {
  'workflow:joined': z.object({
    ...place,
    mode: z.enum(['snapshot', 'resume']),
    schema: object.optional(),
    events: z.array(z.tuple([text, object])).optional(),
    stateHash,
    ...members,
    you: z.object({ sessionId: id, userId: id, role: text, color: text, appliedSeq: int }),
    limits: z.object({
      opsPerSec: int,
      opBurst: int,
      maxOpBytes: int,
      maxBatch: int,
      maxLag: int,
      lockTtlMs: int,
    }),
  }),
  'workflow:join-error': z.object({ workflowId: id, ...refusal }),
  'workflow:left': workflow,
  'workflow:snapshot': z.object({ ...place, schema: object, stateHash, ...members }),
  ack: z.object(acknowledgement),
  'operation:rejected': z.object({
    workflowId: id.optional(),
    opId: id.optional(),
    event: text,
    version: int.optional(),
    ...refusal,
  }),
  conflict: z.object({
    workflowId: id,
    opId: id,
    yourVersion: int,
    serverVersion: int,
    resolution: z.literal('rebase'),
  }),
  ...broadcasts,
  saved: z.object({
    workflowId: id,
    /** The new edit version; `roomVersion` is the room's counter. */
    version: int,
    roomVersion: int,
    savedThrough: int,
    epoch: int,
    userId: id,
    at: when,
    stateHash,
    noop: z.literal(true).optional(),
  }),
  'persistence:degraded': trouble,
  'persistence:recovered': trouble,
  'workflow:external-sync': z.object({
    workflowId: id,
    version: int,
    epoch: int,
    source: z.enum(['composer', 'rest', 'activation', 'unknown']),
    editVersion: int,
    userId: id.optional(),
    patches: z.array(patch),
    /** The difference is too long to send: join again. */
    full: z.literal(true).optional(),
    stateHash,
    dropped: z.array(z.object({ opId: id, userId: id, code })).optional(),
    liveDeploymentId: id.optional(),
  }),
  'workflow:live-changed': z.object({
    workflowId: id,
    /** Null: no deployment is live any more. */
    liveDeploymentId: id.nullable(),
  }),
  'workflow:moved': workflow,
  'workflow:deleted': workflow,
  'workflow:access-revoked': workflow,
  'session:replaced': z.object({ workflowId: id, bySessionId: id }),
  'node:locked': z.object({ workflowId: id, ...lock }),
  'node:unlocked': z.object({
    workflowId: id,
    nodeId: id,
    holder,
    reason: z.enum(['released', 'expired', 'disconnected', 'stolen', 'node-deleted', 'revoked']),
  }),
  'presence:joined': z.object({ workflowId: id, ...person.shape }),
  'presence:left': z.object({ workflowId: id, ...identity }),
  'presence:updated': z.object({ workflowId: id, ...identity, ...activity }),
  'cursor:moved': z.union([
    z.object({ workflowId: id, ...identity, hidden: z.literal(true) }),
    z.object({ workflowId: id, ...identity, ...viewport.shape }),
  ]),
  'selection:updated': z.object({ workflowId: id, ...identity, ...selection }),
  'node:dragging': z.object({ workflowId: id, ...identity, ...APPLIED['nodes:move'] }),
  'run:progress': z.object({
    workflowId: id,
    runId: id,
    nodeId: id.nullable(),
    status: text,
    seq: int,
    selectedHandle: text.nullable().optional(),
    resumedFromRunId: id.optional(),
  }),
  'auth:expiring': z.object({ expiresAt: int }),
  flood: z.object({ retryAfterMs: int }),
  'server:draining': z.object({ reconnectInMs: int }),
  ops: z.array(z.tuple([text, object])),
};

const ok = z.literal(true);
const done = z.object({ ok, ...place });
/** Replies of requests that succeed. */
export const REPLIES = {
  'workflow:join': done,
  'workflow:leave': z.object({ ok, workflowId: id }),
  'workflow:resync': done,
  'workflow:flush': z.object({ ok, editVersion: int, savedThrough: int }),
  'node:lock': z.object({ ok, token: int, expiresAt: when }),
  'node:lock-renew': z.object({
    ok,
    renewed: z.array(z.object({ nodeId: id, expiresAt: when })),
    lost: z.array(id),
  }),
  'node:unlock': z.object({ ok }),
  'auth:refresh': z.object({ ok, expiresAt: int }),
} as const satisfies Readonly<Record<string, z.ZodType>>;

export const OPERATION_REPLY = z.object({ ok, ...acknowledgement });

/** Reply of a rejected request; NODE_LOCKED also carries the conflicting lock. */
export const REFUSED = z.object({ ok: z.literal(false), ...refusal, ...z.object(lock).partial().shape });
