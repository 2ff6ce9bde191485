/**
 * Members of an organization: who they are, what they may, and their leaving. Owners are made and unmade by owners
 * only, and an organization never loses its last one.
 */
import type { Scope } from '../../access/caller.ts';
import { requireLiveRole } from '../../access/membership.ts';
import type { Db } from '../../db/client.ts';
import type { Prisma } from '../../db/generated/client.ts';
import { conflict, forbidden, notFound } from '../../errors.ts';

const WITH_USER = { user: { select: { email: true, isActive: true } } } as const;
export type Member = Prisma.MembershipGetPayload<{ include: typeof WITH_USER }>;

export interface MemberDeps {
  readonly db: Db;
}

/** The members, in the order in which they joined. */
export function listMembers({ db }: MemberDeps, { organizationId }: Scope): Promise<Member[]> {
  return db.prisma.membership.findMany({
    where: { organizationId, isActive: true },
    include: WITH_USER,
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
  });
}

/**
 * Locks the rows that a change is decided by: all owners', the actor's and the target's. Two owners who unmake each
 * other at once are taken one after the other, and each sees what the one before has done.
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
 * Refuses what the caller may not decide: that a member becomes `role` (null: leaves).
 * @throws ApiError 403 for a decision about owners by anybody else; 404 for no member; 409 for the last owner
 */
async function decide(
  tx: Prisma.TransactionClient,
  scope: Scope,
  { userId, role }: { readonly userId: string; readonly role: string | null },
): Promise<void> {
  const rows = await lockDeciders(tx, scope, userId);
  // Read again under the lock: the guard in front has looked before somebody else's change.
  const actor = rows.find((row) => row.userId === scope.caller.userId);
  requireLiveRole(actor?.role ?? '');
  const target = rows.find((row) => row.userId === userId);
  if (target === undefined) throw notFound('Member');
  if (target.role === role) return;
  if ((target.role === 'owner' || role === 'owner') && actor?.role !== 'owner') {
    throw forbidden('owner_role_required', 'Owner role required');
  }
  // Somebody who may not use the service cannot look after an organization.
  const remaining = rows.filter((row) => row.role === 'owner' && row.user.isActive && row.userId !== userId);
  if (target.role === 'owner' && remaining.length === 0) {
    throw conflict('last_owner', 'An organization must keep at least one owner');
  }
}

/** @throws ApiError as `decide` */
export function changeRole(
  { db }: MemberDeps,
  scope: Scope,
  { userId, role }: { readonly userId: string; readonly role: string },
): Promise<Member> {
  const { organizationId } = scope;
  return db.prisma.$transaction(async (tx) => {
    await decide(tx, scope, { userId, role });
    return tx.membership.update({
      where: { userId_organizationId: { userId, organizationId } },
      data: { role },
      include: WITH_USER,
    });
  });
}

/**
 * Takes a member out, or lets one leave. Access ends with the commit; keys pinned to the organization are revoked, so
 * that they do not come back to life when the user is invited again.
 * @throws ApiError as `decide`
 */
export async function removeMember({ db }: MemberDeps, scope: Scope, userId: string): Promise<void> {
  const { organizationId } = scope;
  await db.prisma.$transaction(async (tx) => {
    await decide(tx, scope, { userId, role: null });
    await tx.apiKey.updateMany({
      where: { organizationId, userId, isActive: true },
      data: { isActive: false, revokedAt: new Date() },
    });
    await tx.membership.delete({ where: { userId_organizationId: { userId, organizationId } } });
  });
}
