/**
 * Opaque cursors of lists: a position and a direction, signed together with the list and its filters, so that a forged cursor or one
 * of another user, list or filter is refused.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readWithSecrets } from '../access/signed-text.ts';
import type { Config } from '../../base/config/config.ts';
import type { Position } from '../../base/db/keyset.ts';
import { badRequest } from '../../base/errors.ts';

type Secrets = Pick<Config['auth'], 'apiKeySecret' | 'otherApiKeySecret'>;

/** A place in a list from which a page is read. */
interface Cursor {
  readonly position: Position;
  /** The page ends before the position, instead of beginning behind it. */
  readonly isBackward: boolean;
}

const CURSOR = /^(b?)(\d{1,15})_([\x21-\x7e]{1,1100})_([A-Za-z0-9_-]{43})$/;

function sign(secret: string, list: string, text: string): string {
  return createHmac('sha256', secret).update(`cursor\n${list}\n${text}`).digest('base64url');
}

/** Encodes and signs a cursor. @param list identifies the list: its kind, organization, user and filters */
export function sealCursor(
  { apiKeySecret }: Secrets,
  list: string,
  { position, isBackward }: Cursor,
): string {
  const text = `${isBackward ? 'b' : ''}${position.place}_${position.rowId}`;
  return Buffer.from(`${text}_${sign(apiKeySecret, list, text)}`).toString('base64url');
}

/** Verifies and decodes a cursor. @throws ApiError 400 for a cursor that was not signed for this list */
export function openCursor(secrets: Secrets, list: string, cursor: string): Cursor {
  const read = readWithSecrets(secrets, (secret) => readCursor(secret, list, cursor));
  if (read === null) throw badRequest('cursor_invalid', 'Invalid cursor');
  return read;
}

function readCursor(secret: string, list: string, cursor: string): Cursor | null {
  if (cursor.length > 1_600) return null;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, backward, place, rowId, mac] = CURSOR.exec(text) ?? [];
  if (place === undefined || rowId === undefined || mac === undefined) return null;
  const signed = text.slice(0, -mac.length - 1);
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(sign(secret, list, signed)))) return null;
  return { position: { place: Number(place), rowId }, isBackward: backward === 'b' };
}
