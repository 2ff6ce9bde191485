/** Checks access again: of streams and downloads, which outlive keys, memberships and tokens, and of requests that fail. */
import { decodeJwt } from 'jose';
import { systemClock } from '../../base/clock.ts';
import { unauthenticated } from '../../base/errors.ts';
import { HAS_MAKER } from './api-key.ts';
import { LIVE_ROLES, type Caller, type Scope } from './caller.ts';
import { requireMembership } from './membership.ts';
import type { Db, Sql } from '../../base/db/client.ts';

/** Reads when the (verified) token of a request expires, in milliseconds since 1970; null for API keys. */
export function readTokenExpiry(caller: Caller, authorization: string): number | null {
  if (caller.via.kind !== 'jwt') return null;
  const { exp } = decodeJwt(authorization.replace(/^Bearer\s+/i, ''));
  return exp === undefined ? null : exp * 1_000;
}

/** Returns whether user, membership, organization and credential are still active, and the role is live. */
export async function isStillAllowed(
  db: Pick<Db, 'within'>,
  scope: Scope,
  tokenEndsAtMs: number | null,
): Promise<boolean> {
  if (tokenEndsAtMs !== null && tokenEndsAtMs <= systemClock.now()) return false;
  const { via, userId } = scope.caller;
  // A key that is pinned to no organization is no row of one.
  const sql = db.within({ request: '', organizationId: null });
  const rows = await sql.query(
    `SELECT 1 FROM users u
     JOIN memberships m ON m.user_id = u.id AND m.organization_id = $2 AND m.is_active AND m.role = ANY ($4)
     JOIN organizations o ON o.id = m.organization_id AND o.is_active
     WHERE u.id = $1 AND u.is_active
       AND ($3::uuid IS NULL OR EXISTS (
         SELECT 1 FROM api_keys k
         WHERE k.id = $3 AND k.is_active AND (k.expires_at IS NULL OR k.expires_at > now()) AND ${HAS_MAKER}))`,
    [userId, scope.organizationId, via.kind === 'api_key' ? via.apiKeyId : null, LIVE_ROLES],
  );
  return rows.length > 0;
}

/**
 * Checks whether a request has failed because its user or its membership was erased after it was authenticated (SEC-A31).
 * @throws ApiError 401 without the user, 403 without the membership
 */
export async function requireStillThere(sql: Sql, caller: Caller, scope: Scope | null): Promise<void> {
  const rows = await sql.query('SELECT 1 FROM users WHERE id = $1', [caller.userId]);
  if (rows.length === 0)
    throw caller.via.kind === 'api_key'
      ? unauthenticated('api_key_invalid', 'Invalid API key')
      : unauthenticated('token_invalid', 'The user of this token was deleted');
  if (scope !== null) await requireMembership(sql, caller.userId, scope.organizationId);
}

/** Passes on the pieces of a download while its reader is allowed. @throws Error, which ends the connection, once it is not */
export async function* whileAllowed<Piece>(
  pieces: AsyncIterable<Piece>,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    if (!(await isAllowed())) throw new Error('the reader of a download has lost its access');
    yield piece;
  }
}

export interface Member {
  readonly organizationId: string;
  readonly userId: string;
}

/**
 * Reads the current roles of members.
 * @returns the active ones of `members`, in no order; a missing one has no access
 */
export async function readRoles(
  sql: Sql,
  members: readonly Member[],
): Promise<readonly (Member & { readonly role: string })[]> {
  return sql.query(
    `SELECT m.organization_id AS "organizationId", m.user_id AS "userId", m.role
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (organization_id, user_id)
     JOIN memberships m USING (organization_id, user_id)
     JOIN users u ON u.id = m.user_id AND u.is_active
     JOIN organizations o ON o.id = m.organization_id AND o.is_active
     WHERE m.is_active`,
    [members.map((member) => member.organizationId), members.map((member) => member.userId)],
  );
}

/**
 * SQL condition on an answer link `l`: its person may use it. One who was removed from the organization may not, nor a member who has no rights
 * there or is deactivated; people without an account may.
 */
export const IS_LINK_VALID = `
  l.revoked_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM users person
    LEFT JOIN memberships held ON held.user_id = person.id AND held.organization_id = l.organization_id
    WHERE person.email = l.address AND (NOT person.is_active OR NOT held.is_active OR held.role NOT IN ('owner', 'admin')))`;
