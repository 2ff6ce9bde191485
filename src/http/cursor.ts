/**
 * Opaque cursors of lists: a position, signed together with its list, so that a forged cursor or one of another user or list is
 * refused.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { badRequest } from '../base/errors.ts';

/** A position in a list ordered by a time and an id, newest first. */
export interface Position {
  /** The time by which the list is ordered: `updated_at` or `created_at`. */
  readonly time: Date;
  readonly rowId: string;
}

const CURSOR = /^(\d{1,15})_([0-9a-f-]{36})_([A-Za-z0-9_-]{43})$/;

function sign(secret: string, list: string, position: string): string {
  return createHmac('sha256', secret).update(`cursor\n${list}\n${position}`).digest('base64url');
}

/** Encodes and signs a cursor. @param list identifies the list: its kind, organization and user */
export function sealCursor(secret: string, list: string, position: Position): string {
  const text = `${position.time.getTime()}_${position.rowId}`;
  return Buffer.from(`${text}_${sign(secret, list, text)}`).toString('base64url');
}

/** Verifies and decodes a cursor. @returns the position behind which the next page begins @throws ApiError 400 for a cursor that was not signed for this list */
export function openCursor(secret: string, list: string, cursor: string): Position {
  const refused = badRequest('cursor_invalid', 'Invalid cursor');
  if (cursor.length > 400) throw refused;
  const [, time, rowId, mac] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (time === undefined || rowId === undefined || mac === undefined) throw refused;
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(sign(secret, list, `${time}_${rowId}`)))) throw refused;
  return { time: new Date(Number(time)), rowId };
}
