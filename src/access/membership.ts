/** The organization checks, in the specification's order ("Organization scope"), and the roles of members. */
import type { Sql } from '../db/client.ts';
import { badRequest, forbidden } from '../errors.ts';
import { LIVE_ROLES, type Caller, type Scope, type Subscription } from './caller.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const FIND_MEMBERSHIP = `
  SELECT m.role, o.plan, o.entitlements AS overrides, o.is_suspended AS "isSuspended"
  FROM memberships m JOIN organizations o ON o.id = m.organization_id
  WHERE m.user_id = $1 AND m.organization_id = $2 AND m.is_active AND o.is_active`;

interface Membership extends Subscription {
  readonly role: string;
}

async function findMembership(sql: Sql, userId: string, organizationId: string): Promise<Membership> {
  const [row] = await sql.query<Membership>(FIND_MEMBERSHIP, [userId, organizationId]);
  if (row === undefined) throw forbidden(`User is not a member of organization ${organizationId}`);
  return row;
}

/**
 * The role of a user in an organization.
 * @throws ApiError 403 when the user is no active member; whether the organization exists makes no difference
 */
export async function membershipRole(sql: Sql, userId: string, organizationId: string): Promise<string> {
  return (await findMembership(sql, userId, organizationId)).role;
}

/** @throws ApiError 403 when the caller's key is pinned to another organization */
export function requireUnpinned(caller: Caller, organizationId: string): void {
  const pinned = caller.via.kind === 'api_key' ? caller.via.organizationId : null;
  if (pinned !== null && pinned !== organizationId.toLowerCase()) {
    throw forbidden('API key is scoped to a different organization');
  }
}

/**
 * Checks 1 to 3: header present, key not pinned elsewhere, caller a member.
 * @param header the value of X-Organization-ID, empty when there is none
 * @throws ApiError 400 or 403
 */
export async function resolveScope(sql: Sql, caller: Caller, header: string): Promise<Scope> {
  if (header === '') throw badRequest('X-Organization-ID header is required');
  if (!UUID.test(header)) throw badRequest('Invalid X-Organization-ID format');
  requireUnpinned(caller, header);
  const { role, ...subscription } = await findMembership(sql, caller.userId, header);
  return { caller, organizationId: header.toLowerCase(), role, subscription };
}

/** Check 4. A retired role (`member`) carries no rights. */
export function hasLiveRole(role: string): boolean {
  return LIVE_ROLES.some((live) => live === role);
}

/** @throws ApiError 403 for a role that is neither owner nor admin */
export function requireLiveRole(role: string): void {
  if (!hasLiveRole(role)) throw forbidden('Owner or admin role required');
}
