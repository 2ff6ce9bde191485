/** Checks the organization of a request, in the order of SPEC API-organization-scope, and the roles of members. */
import type { Sql } from '../../base/db/client.ts';
import { badRequest, forbidden } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import { LIVE_ROLES, type Caller, type Scope, type Subscription } from './caller.ts';

export interface Membership extends Subscription {
  readonly role: string;
}

/**
 * SQL column and join that read the membership together with the user `u`; null unless the user is an active member.
 * @param organizationId SQL of a uuid or of null
 */
export const MEMBERSHIP_COLUMN = `
  CASE WHEN m.role IS NOT NULL THEN json_build_object(
    'role', m.role, 'plan', o.plan, 'overrides', o.entitlements, 'isSuspended', o.is_suspended) END AS membership`;
export const joinMembership = (organizationId: string): string => `
  LEFT JOIN (memberships m JOIN organizations o ON o.id = m.organization_id AND o.is_active)
    ON m.user_id = u.id AND m.organization_id = ${organizationId} AND m.is_active`;

/**
 * SQL condition: the user is an owner or admin of the organization now. For what a person has made and outlives the request.
 * @param userId SQL of a uuid
 * @param organizationId likewise
 */
export const isLiveMember = (userId: string, organizationId: string): string => `
  EXISTS (SELECT 1 FROM memberships live JOIN users person ON person.id = live.user_id AND person.is_active
          WHERE live.user_id = ${userId} AND live.organization_id = ${organizationId} AND live.is_active AND live.role IN ('owner', 'admin'))`;

const FIND_MEMBERSHIP = `SELECT ${MEMBERSHIP_COLUMN} FROM users u ${joinMembership('$2')} WHERE u.id = $1`;

async function findMembership(sql: Sql, userId: string, organizationId: string): Promise<Membership | null> {
  const rows = await sql.query<{ membership: Membership | null }>(FIND_MEMBERSHIP, [userId, organizationId]);
  return rows[0]?.membership ?? null;
}

/** @throws ApiError 403 for no member, and for a role that is not live: a retired one (`member`) has no rights */
function requireLiveMember(membership: Membership | null, organizationId: string): Membership {
  if (membership === null)
    throw forbidden('not_a_member', `User is not a member of organization ${organizationId}`);
  requireLiveRole(membership.role);
  return membership;
}

/** Reads X-Organization-ID for the lookup; null without a UUID. */
export const parseOrganizationHeader = (header: string | undefined): string | null =>
  header !== undefined && isUuid(header) ? header : null;

/** @throws ApiError 403 unless the user is an owner or admin, also when the organization does not exist */
export async function requireMembership(sql: Sql, userId: string, organizationId: string): Promise<void> {
  requireLiveMember(await findMembership(sql, userId, organizationId), organizationId);
}

/** Returns the organization that the caller's key is pinned to; null for all of the user's organizations. */
export const findPinnedOrganization = ({ via }: Caller): string | null =>
  via.kind === 'api_key' ? via.organizationId : null;

/** Finds the organization that a request without a header means: the key's, or the only one of the user; null otherwise. */
export async function findOnlyOrganization(sql: Sql, caller: Caller): Promise<string | null> {
  const pinned = findPinnedOrganization(caller);
  if (pinned !== null) return pinned;
  const rows = await sql.query<{ id: string }>(
    `SELECT o.id FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.is_active
     WHERE m.user_id = $1 AND m.is_active AND m.role = ANY ($2) LIMIT 2`,
    [caller.userId, LIVE_ROLES],
  );
  const [only, other] = rows;
  return other === undefined ? (only?.id ?? null) : null;
}

/**
 * Checks that the caller's key may act in an organization.
 * @param organizationId null for an action outside of organizations
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
  if (!isUuid(header)) throw badRequest('organization_header_invalid', 'Invalid X-Organization-ID format');
  requireKeyScope(caller, header);
}

/**
 * Checks 1 to 4: the header is present, the key is not pinned to another organization, the caller is a member, the role is live.
 * @param header the value of X-Organization-ID, empty without one
 * @param membership of the caller in that organization
 * @throws ApiError 400 or 403
 */
export function buildScope(caller: Caller, header: string, membership: Membership | null): Scope {
  requireOrganizationHeader(caller, header);
  const { role, ...subscription } = requireLiveMember(membership, header);
  return { caller, organizationId: header.toLowerCase(), role, subscription };
}

/** As `buildScope`, but reads the membership. @throws ApiError 400 or 403 */
export async function resolveScope(sql: Sql, caller: Caller, header: string): Promise<Scope> {
  requireOrganizationHeader(caller, header);
  return buildScope(caller, header, await findMembership(sql, caller.userId, header));
}

/** Tells whether a role has rights. */
export function hasLiveRole(role: string): boolean {
  return LIVE_ROLES.some((live) => live === role);
}

/** @throws ApiError 403 unless the role is owner or admin */
export function requireLiveRole(role: string): void {
  if (!hasLiveRole(role)) throw forbidden('role_required', 'The owner or admin role is required');
}

/**
 * Resolves the scope that owns a new resource: the organization of the body, else that of the header (SPEC
 * API-organization-scope).
 * @param named the body's `organization_id`
 * @throws ApiError 403 when the key is pinned to another organization, or the caller is neither owner nor admin there
 */
export async function resolveOwnerScope(
  sql: Sql,
  scope: Scope,
  named: string | null | undefined,
): Promise<Scope> {
  if (named === undefined || named === null || named.toLowerCase() === scope.organizationId) return scope;
  return resolveScope(sql, scope.caller, named);
}
