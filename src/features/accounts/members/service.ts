/**
 * Members of an organization: list, change of role, removal. Only owners change who is an owner, and an organization never
 * loses its last owner.
 */
import type { Scope } from '../../../platform/access/caller.ts';
import { requireLiveRole } from '../../../platform/access/membership.ts';
import type { Db } from '../../../base/db/client.ts';
import type { Prisma } from '../../../base/db/generated/client.ts';
import { conflict, forbidden, notFound } from '../../../base/errors.ts';

const WITH_USER = {
  user: { select: { email: true, isActive: true, serviceAccount: { select: { id: true } } } },
} as const;
/** Service accounts have memberships, too, and are managed on their own. */
const IS_PERSON = { user: { serviceAccount: null } } as const;
export type Member = Prisma.MembershipGetPayload<{ include: typeof WITH_USER }>;

export interface MemberDeps {
  readonly db: Db;
}

/** Lists the members in the order in which they joined. */
export function listMembers({ db }: MemberDeps, { organizationId }: Scope): Promise<Member[]> {
  return db.prisma.membership.findMany({
    where: { organizationId, isActive: true, ...IS_PERSON },
    include: WITH_USER,
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
  });
}

/**
 * Locks the memberships that a change depends on: all owners', the caller's and the target's. Two owners who remove each other
 * concurrently run one after the other, and the second sees the change of the first.
 */
async function lockDeciders(
  tx: Prisma.TransactionClient,
  { organizationId, caller }: Scope,
  userId: string,
): Promise<Member[]> {
  await tx.$queryRaw`
    SELECT user_id FROM memberships
    WHERE organization_id = ${organizationId}::uuid AND is_active
      AND (role = 'owner' OR user_id IN (${caller.userId}::uuid, ${userId}::uuid))
    ORDER BY user_id FOR UPDATE`;
  return tx.membership.findMany({
    where: {
      organizationId,
      isActive: true,
      OR: [{ role: 'owner' }, { userId: { in: [caller.userId, userId] } }],
    },
    include: WITH_USER,
  });
}

/**
 * Refuses a change of role (null: removal) that the caller may not make.
 * @throws ApiError 403 for a change of owners by a non-owner; 404 for no member; 409 for the last owner
 */
async function requireAllowedChange(
  tx: Prisma.TransactionClient,
  scope: Scope,
  { userId, role }: { readonly userId: string; readonly role: string | null },
): Promise<void> {
  const rows = await lockDeciders(tx, scope, userId);
  // Checked again under the lock, because the role may have changed since the access check of the request.
  const actor = rows.find((row) => row.userId === scope.caller.userId);
  requireLiveRole(actor?.role ?? '');
  const people = rows.filter((row) => row.user.serviceAccount === null);
  const target = people.find((row) => row.userId === userId);
  if (target === undefined) throw notFound('Member');
  if (target.role === role) return;
  if ((target.role === 'owner' || role === 'owner') && actor?.role !== 'owner') {
    throw forbidden('owner_role_required', 'The owner role is required');
  }
  // A deactivated user does not count as an owner.
  const remaining = people.filter(
    (row) => row.role === 'owner' && row.user.isActive && row.userId !== userId,
  );
  if (target.role === 'owner' && remaining.length === 0) {
    throw conflict('last_owner', 'An organization must keep at least one owner');
  }
}

/** Changes a member's role. @throws ApiError as `requireAllowedChange` */
export function changeRole(
  { db }: MemberDeps,
  scope: Scope,
  { userId, role }: { readonly userId: string; readonly role: string },
): Promise<Member> {
  const { organizationId } = scope;
  return db.prisma.$transaction(async (tx) => {
    await requireAllowedChange(tx, scope, { userId, role });
    return tx.membership.update({
      where: { userId_organizationId: { userId, organizationId } },
      data: { role },
      include: WITH_USER,
    });
  });
}

/**
 * Removes a member, or the caller. Access ends with the commit; the database ends what the member has made or holds there
 * (`end_access_of_member`).
 * @throws ApiError as `requireAllowedChange`
 */
export async function removeMember({ db }: MemberDeps, scope: Scope, userId: string): Promise<void> {
  const { organizationId } = scope;
  await db.prisma.$transaction(async (tx) => {
    await requireAllowedChange(tx, scope, { userId, role: null });
    await tx.membership.delete({ where: { userId_organizationId: { userId, organizationId } } });
  });
}
