/** Why a canvas does not open or has closed, and why an edit was not applied. */
import type { FinalCode } from '../../features/canvas/room/rejection.ts';

const REFUSED = 'the server rejected it';

/** By the code of the room; a batch may leave out a part because its guard fails. */
const WHY: Readonly<Record<FinalCode | 'GUARD_FAILED', string>> = {
  GUARD_FAILED: 'someone else changed it first',
  NODE_LOCKED: 'someone else is editing that node',
  LOCK_LOST: 'someone else is editing that node',
  NODE_NOT_FOUND: 'the node was deleted',
  EDGE_NOT_FOUND: 'the edge was deleted',
  EDGE_ENDPOINT_MISSING: 'a node of the edge was deleted',
  NODE_EXISTS: 'another node has this ID',
  RESERVED_NODE_ID: 'this node ID is reserved',
  EDGE_EXISTS: 'another edge has this ID',
  DOC_TOO_LARGE: 'the workflow is too large',
  PIN_TOO_LARGE: 'the pinned output is too large',
  PAYLOAD_TOO_LARGE: 'the edit is too large',
  BATCH_REJECTED: 'part of it could not be applied',
  FORBIDDEN: 'you can no longer edit this workflow',
  WORKFLOW_NOT_FOUND: 'the workflow was deleted',
  INVALID_PAYLOAD: REFUSED,
  UNKNOWN_KEY: REFUSED,
  UNKNOWN_EVENT: REFUSED,
  OPID_REUSED: REFUSED,
  LOCK_LIMIT: REFUSED,
  NOT_JOINED: REFUSED,
  CONFLICT: REFUSED,
  ROOM_FULL: REFUSED,
  ROOM_LIMIT: REFUSED,
  SUPERSEDED: REFUSED,
};
const WHY_BY_CODE = new Map<string, string>(Object.entries(WHY));

/** Completes the sentence “Your edit was not applied: …”. */
export const describeRejection = (code: string): string => WHY_BY_CODE.get(code) ?? REFUSED;

export const connectionWords = {
  signOutLoses:
    'Some of your edits are not saved yet, and signing out discards them. To keep them, cancel, resolve fields that are not saved, and wait until the canvas says “Saved”.',
  signOutAnyway: 'Discard and sign out',
  opening: 'Opening canvas…',
  unreached: 'Cannot connect to the canvas. Trying again…',
  forbidden: 'You need the Owner or Admin role to open this canvas.',
  notFound: 'This workflow does not exist or belongs to another organization.',
  full: 'Too many people have this canvas open. Try again later.',
  other: 'The canvas could not be opened. Reload the page to try again.',
  deleted: 'This workflow was deleted.',
  revoked: 'Your access to this workflow has ended.',
  replaced: 'You opened this workflow in another tab.',
  openHere: 'Open here',
} as const;
