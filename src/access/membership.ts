/** The organization checks, in the order of SPEC API-organization-scope, and the roles of members. */
import type { Sql } from '../db/client.ts';
import { badRequest, forbidden } from '../errors.ts';
import { LIVE_ROLES, type Caller, type Scope, type Subscription } from './caller.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface Membership extends Subscription {
  readonly role: string;
}

/**
 * Looks the membership up together with the user `u`, for those who find out who somebody is: null where the user is no
 * active member. @param organizationId SQL of a uuid, or of null
 */
export const MEMBERSHIP_COLUMN = `
  CASE WHEN m.role IS NOT NULL THEN json_build_object(
    'role', m.role, 'plan', o.plan, 'overrides', o.entitlements, 'isSuspended', o.is_suspended) END AS membership`;
export const joinMembership = (organizationId: string): string => `
  LEFT JOIN (memberships m JOIN organizations o ON o.id = m.organization_id AND o.is_active)
    ON m.user_id = u.id AND m.organization_id = ${organizationId} AND m.is_active`;

const FIND_MEMBERSHIP = `SELECT ${MEMBERSHIP_COLUMN} FROM users u ${joinMembership('$2')} WHERE u.id = $1`;

async function findMembership(sql: Sql, userId: string, organizationId: string): Promise<Membership | null> {
  const rows = await sql.query<{ membership: Membership | null }>(FIND_MEMBERSHIP, [userId, organizationId]);
  return rows[0]?.membership ?? null;
}

function requireMember(membership: Membership | null, organizationId: string): Membership {
  if (membership === null)
    throw forbidden('not_a_member', `User is not a member of organization ${organizationId}`);
  return membership;
}

/** The organization that a request names, as far as it can be looked up: null for none and for what is no UUID. */
export const parseOrganizationHeader = (header: string | undefined): string | null =>
  header !== undefined && UUID.test(header) ? header : null;

/**
 * The role of a user in an organization.
 * @throws ApiError 403 when the user is no active member; whether the organization exists makes no difference
 */
export async function readMemberRole(sql: Sql, userId: string, organizationId: string): Promise<string> {
  return requireMember(await findMembership(sql, userId, organizationId), organizationId).role;
}

/** The organization that the caller's key is pinned to; null when the caller acts for all of the user's. */
export const findPinnedOrganization = ({ via }: Caller): string | null =>
  via.kind === 'api_key' ? via.organizationId : null;

/**
 * @param organizationId the one that is acted on; null: none in particular
 * @throws ApiError 403 when the caller's key is pinned to another organization
 */
export function requireKeyScope(caller: Caller, organizationId: string | null): void {
  const pinned = findPinnedOrganization(caller);
  if (pinned !== null && pinned !== organizationId?.toLowerCase()) {
    throw forbidden('api_key_scope', 'API key is scoped to a different organization');
  }
}

/** @throws ApiError 400 without a UUID in X-Organization-ID, 403 when the caller's key is pinned elsewhere */
function requireOrganizationHeader(caller: Caller, header: string): void {
  if (header === '') throw badRequest('organization_header_missing', 'X-Organization-ID header is required');
  if (!UUID.test(header)) throw badRequest('organization_header_invalid', 'Invalid X-Organization-ID format');
  requireKeyScope(caller, header);
}

/**
 * Checks 1 to 3: header present, key not pinned elsewhere, caller a member.
 * @param header the value of X-Organization-ID, empty when there is none
 * @param membership of the caller, looked up with it
 * @throws ApiError 400 or 403
 */
export function buildScope(caller: Caller, header: string, membership: Membership | null): Scope {
  requireOrganizationHeader(caller, header);
  const { role, ...subscription } = requireMember(membership, header);
  return { caller, organizationId: header.toLowerCase(), role, subscription };
}

/** As `buildScope`, with the membership looked up here. @throws ApiError 400 or 403 */
export async function resolveScope(sql: Sql, caller: Caller, header: string): Promise<Scope> {
  requireOrganizationHeader(caller, header);
  return buildScope(caller, header, await findMembership(sql, caller.userId, header));
}

/** Check 4. A retired role (`member`) carries no rights. */
export function hasLiveRole(role: string): boolean {
  return LIVE_ROLES.some((live) => live === role);
}

/** @throws ApiError 403 for a role that is neither owner nor admin */
export function requireLiveRole(role: string): void {
  if (!hasLiveRole(role)) throw forbidden('role_required', 'Owner or admin role required');
}

/**
 * The scope of a new resource: the organization in the body owns it, whatever the header says (SPEC API-organization-scope).
 * @param named the body's `organization_id`; without one the organization of the header owns it
 * @throws ApiError 403 when the caller's key is pinned elsewhere, or the caller is no owner or admin there
 */
export async function resolveOwnerScope(
  sql: Sql,
  scope: Scope,
  named: string | null | undefined,
): Promise<Scope> {
  if (named === undefined || named === null || named.toLowerCase() === scope.organizationId) return scope;
  const owner = await resolveScope(sql, scope.caller, named);
  requireLiveRole(owner.role);
  return owner;
}
