/** Reasons to reject an operation or a request: code, message, and whether the same opId may be sent again. */
import type { Reply } from './ports.ts';

/** By code: whether the same request may be sent again, and the message. */
export const REJECTIONS = {
  NOT_JOINED: [false, 'Join the workflow first'],
  INVALID_PAYLOAD: [false, 'The payload is invalid for this event'],
  UNKNOWN_EVENT: [false, 'Unknown event'],
  FORBIDDEN: [false, 'You cannot edit this workflow'],
  NODE_NOT_FOUND: [false, 'Node not found'],
  NODE_EXISTS: [false, 'Another node has this id'],
  EDGE_NOT_FOUND: [false, 'Edge not found'],
  EDGE_EXISTS: [false, 'Another edge has this id'],
  EDGE_ENDPOINT_MISSING: [false, 'An edge must connect nodes that exist'],
  RESERVED_NODE_ID: [false, 'This node id is reserved'],
  UNKNOWN_KEY: [false, 'Unknown workflow field'],
  NODE_LOCKED: [false, 'Someone else is editing this node'],
  LOCK_LIMIT: [false, 'Too many nodes are locked'],
  LOCK_LOST: [false, 'The lock was lost'],
  BATCH_REJECTED: [false, 'Part of the batch could not be applied'],
  DOC_TOO_LARGE: [false, 'The workflow would become too large'],
  PIN_TOO_LARGE: [false, 'The pinned output is too large'],
  PAYLOAD_TOO_LARGE: [false, 'The payload is too large'],
  OPID_REUSED: [false, 'This opId was used for another operation'],
  CONFLICT: [false, 'Too far behind. Leave and join again'],
  RATE_LIMITED: [true, 'Too many operations'],
  PERSISTENCE_DEGRADED: [true, 'Changes cannot be saved right now. Try again'],
  SERVER_DRAINING: [true, 'The server is restarting'],
  OWNER_LOST: [true, 'Another server may own this workflow'],
  WORKFLOW_NOT_FOUND: [false, 'Workflow not found'],
  ROOM_FULL: [false, 'Too many people are in this workflow'],
  ROOM_LIMIT: [false, 'Too many workflows are open on this connection'],
  LOAD_FAILED: [true, 'The workflow could not be loaded. Try again'],
  SERVER_ERROR: [true, 'The request could not be handled'],
  SUPERSEDED: [false, 'A later request replaced this one'],
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
