/** Reasons to reject an operation or a request: code, message, and whether the same opId may be sent again. */
import type { Reply } from './ports.ts';

/** By code: whether the same request may be sent again, and the message. */
export const REJECTIONS = {
  NOT_JOINED: [false, 'Join the workflow first'],
  INVALID_PAYLOAD: [false, 'The payload is not what this event takes'],
  UNKNOWN_EVENT: [false, 'There is no such event'],
  FORBIDDEN: [false, 'You may not edit this workflow'],
  NODE_NOT_FOUND: [false, 'There is no such node'],
  NODE_EXISTS: [false, 'Another node has this id'],
  EDGE_NOT_FOUND: [false, 'There is no such edge'],
  EDGE_EXISTS: [false, 'Another edge has this id'],
  EDGE_ENDPOINT_MISSING: [false, 'An edge must connect nodes that exist'],
  RESERVED_NODE_ID: [false, 'This node id is reserved'],
  UNKNOWN_KEY: [false, 'A workflow has no such key'],
  NODE_LOCKED: [false, 'Somebody else is editing this node'],
  LOCK_LIMIT: [false, 'Too many locks are held'],
  LOCK_LOST: [false, 'The lock is not held any more'],
  BATCH_REJECTED: [false, 'A part of the batch cannot be applied'],
  DOC_TOO_LARGE: [false, 'The workflow would become too large'],
  PIN_TOO_LARGE: [false, 'The output that a node is pinned to is too large'],
  PAYLOAD_TOO_LARGE: [false, 'The payload is too large'],
  OPID_REUSED: [false, 'This opId was used for another operation'],
  CONFLICT: [false, 'Too far behind: leave and join again'],
  RATE_LIMITED: [true, 'Too many operations'],
  PERSISTENCE_DEGRADED: [true, 'Changes cannot be saved right now'],
  SERVER_DRAINING: [true, 'The server is restarting'],
  OWNER_LOST: [true, 'This server is not sure to own the workflow'],
  WORKFLOW_NOT_FOUND: [false, 'Workflow not found'],
  ROOM_FULL: [false, 'Too many people are in this workflow'],
  ROOM_LIMIT: [false, 'Too many workflows are open on this connection'],
  LOAD_FAILED: [true, 'The workflow cannot be loaded right now'],
  SERVER_ERROR: [true, 'The request could not be handled'],
  SUPERSEDED: [false, 'The request was overtaken by a later one'],
} as const satisfies Record<string, readonly [isRetryable: boolean, message: string]>;

export type RejectionCode = keyof typeof REJECTIONS;

/** The codes after which the same request is not sent again. */
export type FinalCode = {
  [Code in RejectionCode]: (typeof REJECTIONS)[Code][0] extends false ? Code : never;
}[RejectionCode];

/** A reason to reject; `details` are for programs, `because` completes the message for people. */
export interface Rejection {
  readonly code: RejectionCode;
  readonly because?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type RejectedReply = Extract<Reply, { ok: false }>;

/** Builds the reply of a rejection. */
export function reject({ code, because, details }: Rejection): RejectedReply {
  const [retryable, message] = REJECTIONS[code];
  return {
    ok: false,
    code,
    message: because === undefined ? message : `${message}: ${because}`,
    retryable,
    ...(details === undefined ? {} : { details }),
  };
}
