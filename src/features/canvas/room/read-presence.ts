/** Schemas of the events that are not stored: cursors, drags, selections, presence, lock requests and joins. */
import { z } from 'zod';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { inspectPayload } from './inspect-payload.ts';
import { edgeId, moves, nodeId, workflowId } from './read-operation.ts';

const MAX_SIZE = 64 * 1024;
const MAX_SELECTED = 500;

const coordinate = z.number().min(-1e9).max(1e9);
const zoom = z.number().min(0).max(1_000);
const viewport = z.object({ x: coordinate, y: coordinate, zoom: zoom.exactOptional() });

/** Fields of ephemeral events: shown to the other members and not stored. */
export const EPHEMERAL_FIELDS = {
  'cursor:move': z.union([
    z.object({ hidden: z.literal(true) }),
    z.object({ x: coordinate, y: coordinate, zoom: zoom.exactOptional() }),
  ]),
  'node:drag': z.object({ moves }),
  'selection:update': z.object({
    nodeIds: z.array(nodeId).max(MAX_SELECTED),
    edgeIds: z.array(edgeId).max(MAX_SELECTED),
  }),
  'presence:update': z.object({
    state: z.enum(['active', 'idle']),
    focus: z
      .object({ nodeId, field: z.string().max(256).exactOptional() })
      .nullable()
      .exactOptional(),
    viewport: viewport.exactOptional(),
  }),
};

const token = z.int().min(0);
export const LOCK_FIELDS = {
  'node:lock': z.object({ nodeId, steal: z.boolean().default(false) }),
  'node:lock-renew': z.object({ locks: z.array(z.object({ nodeId, token })).max(100) }),
  'node:unlock': z.object({ nodeId, token }),
};

export const isEphemeral = (event: string): event is keyof typeof EPHEMERAL_FIELDS =>
  Object.hasOwn(EPHEMERAL_FIELDS, event);

/** Reads an ephemeral event; null when its payload is invalid. */
export function readEphemeral(event: keyof typeof EPHEMERAL_FIELDS, payload: unknown): JsonObject | null {
  if (inspectPayload(payload, MAX_SIZE) !== null) return null;
  const read = EPHEMERAL_FIELDS[event].safeParse(payload);
  return read.success ? (read.data satisfies object as JsonObject) : null;
}

export type LockRequest =
  | ({ readonly event: 'node:lock' } & z.infer<(typeof LOCK_FIELDS)['node:lock']>)
  | ({ readonly event: 'node:lock-renew' } & z.infer<(typeof LOCK_FIELDS)['node:lock-renew']>)
  | ({ readonly event: 'node:unlock' } & z.infer<(typeof LOCK_FIELDS)['node:unlock']>);

/** Reads a lock request; null when its payload is invalid. */
export function readLockRequest(event: string, payload: unknown): LockRequest | null {
  if (inspectPayload(payload, MAX_SIZE) !== null) return null;
  switch (event) {
    case 'node:lock': {
      const read = LOCK_FIELDS[event].safeParse(payload);
      return read.success ? { event, ...read.data } : null;
    }
    case 'node:lock-renew': {
      const read = LOCK_FIELDS[event].safeParse(payload);
      return read.success ? { event, ...read.data } : null;
    }
    case 'node:unlock': {
      const read = LOCK_FIELDS[event].safeParse(payload);
      return read.success ? { event, ...read.data } : null;
    }
    default:
      return null;
  }
}

/** The field of every event. */
export const TARGET = z.object({ workflowId });
export const JOIN_FIELDS = z.object({
  workflowId,
  since: z.object({ epoch: z.int().min(0), version: z.int().min(0) }).exactOptional(),
});

export type JoinRequest = z.infer<typeof JOIN_FIELDS>;

/** Reads `workflow:join`; null when its payload is invalid. */
export function readJoin(payload: unknown): JoinRequest | null {
  if (inspectPayload(payload, MAX_SIZE) !== null) return null;
  const read = JOIN_FIELDS.safeParse(payload);
  return read.success ? read.data : null;
}

/** Reads the workflowId of any payload; null when it has none. */
export function readWorkflowId(payload: unknown): string | null {
  const read = TARGET.safeParse(payload);
  return read.success ? read.data.workflowId : null;
}
