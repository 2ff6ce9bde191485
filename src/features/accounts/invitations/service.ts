/**
 * Invitations of an e-mail address to become an admin of an organization. Accepting one requires a token whose identity
 * provider verified the address. Creating an account accepts those to its address (access/email.ts).
 */
import type { Caller, Scope } from '../../../platform/access/caller.ts';
import { normalizeEmail } from '../../../platform/access/email.ts';
import { isLiveMember } from '../../../platform/access/membership.ts';
import type { Db } from '../../../base/db/client.ts';
import type { Prisma } from '../../../base/db/generated/client.ts';
import { conflict, forbidden, notFound } from '../../../base/errors.ts';

const WITH_NAME = { organization: { select: { name: true } } } as const;
export type InvitationRow = Prisma.InvitationGetPayload<{ include: typeof WITH_NAME }>;

export interface InvitationDeps {
  readonly db: Db;
}

/** An invitation can be accepted while it is pending and its organization is active. */
const PENDING = { status: 'pending', organization: { isActive: true } } as const;
/** SQL condition on an invitation `i`: whoever sent it may still do so. */
const HAS_SENDER = `(i.invited_by IS NULL OR ${isLiveMember('i.invited_by', 'i.organization_id')})`;
const NEWEST_FIRST: Prisma.InvitationOrderByWithRelationInput[] = [{ createdAt: 'desc' }, { id: 'asc' }];

/** An API key does not prove that the identity provider verified its owner's address. */
const hasVerifiedEmail = ({ via }: Caller): boolean => via.kind === 'jwt' && via.isEmailVerified;

async function requireNoMember(
  tx: Prisma.TransactionClient,
  organizationId: string,
  email: string,
): Promise<void> {
  const members = await tx.membership.count({
    where: {
      organizationId,
      isActive: true,
      role: { in: ['owner', 'admin'] },
      user: { email, serviceAccount: null },
    },
  });
  if (members > 0) throw conflict('member_exists', 'The user is already a member of the organization');
}

/**
 * Invites an address as an admin; returns the pending invitation if there is one.
 * @throws ApiError 409 for an owner or admin
 */
export async function inviteAdmin(
  { db }: InvitationDeps,
  scope: Scope,
  address: string,
): Promise<{ readonly row: InvitationRow; readonly isNew: boolean }> {
  const { organizationId, caller } = scope;
  const email = normalizeEmail(address);
  return db.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('invite:' || ${organizationId} || ${email}, 0))`;
    await requireNoMember(tx, organizationId, email);
    const where = { ...PENDING, organizationId, email };
    const pending = await tx.invitation.findFirst({ where, include: WITH_NAME });
    if (pending !== null) {
      // An invitation is as good as the rights of its sender, who may have left.
      const row = await tx.invitation.update({
        where: { id: pending.id, organizationId },
        data: { invitedBy: caller.userId },
        include: WITH_NAME,
      });
      return { row, isNew: false };
    }
    const data = { organizationId, email, role: 'admin', invitedBy: caller.userId };
    return { row: await tx.invitation.create({ data, include: WITH_NAME }), isNew: true };
  });
}

/** Lists the pending invitations of the organization, newest first. */
export function listPending({ db }: InvitationDeps, { organizationId }: Scope): Promise<InvitationRow[]> {
  const where = { ...PENDING, organizationId };
  return db.prisma.invitation.findMany({ where, include: WITH_NAME, orderBy: NEWEST_FIRST });
}

/** @throws ApiError 404 for an invitation that is not the organization's, or not pending */
export async function withdrawInvitation(
  { db }: InvitationDeps,
  { organizationId }: Scope,
  invitationId: string,
): Promise<void> {
  const where = { id: invitationId, organizationId, status: 'pending' };
  if ((await db.prisma.invitation.deleteMany({ where })).count === 0) throw notFound('Invitation');
}

/** Lists the pending invitations to the caller's address, newest first; none unless the address is verified. */
export async function listMine({ db }: InvitationDeps, caller: Caller): Promise<InvitationRow[]> {
  if (!hasVerifiedEmail(caller)) return [];
  const valid = await db.query<{ id: string }>(
    `SELECT i.id FROM invitations i WHERE i.email = $1 AND i.status = 'pending' AND ${HAS_SENDER}`,
    [caller.email],
  );
  const where = { ...PENDING, id: { in: valid.map(({ id }) => id) }, email: caller.email };
  return db.prisma.invitation.findMany({ where, include: WITH_NAME, orderBy: NEWEST_FIRST });
}

/** @throws ApiError 403 without a token whose address is verified */
function requireVerifiedEmail(caller: Caller, doing: string): void {
  if (hasVerifiedEmail(caller)) return;
  throw forbidden('verified_email_required', `${doing} an invitation requires a verified email address`);
}

/**
 * Makes the caller an admin of the inviting organization; an owner stays owner. Idempotent while the caller is a member.
 * @throws ApiError 403 without a token whose address is verified; 404 for an invitation to another address, or whose sender
 *   has no rights any more; 409 for one
 *   that was accepted by a member who has been removed since
 */
export async function acceptInvitation(
  { db }: InvitationDeps,
  caller: Caller,
  invitationId: string,
): Promise<InvitationRow> {
  requireVerifiedEmail(caller, 'Accepting');
  const { userId, email } = caller;
  return db.prisma.$transaction(async (tx) => {
    const valid = await tx.$queryRawUnsafe<object[]>(
      `SELECT i.id FROM invitations i
       WHERE i.id = $1::uuid AND i.email = $2 AND (i.status <> 'pending' OR ${HAS_SENDER}) FOR UPDATE`,
      invitationId,
      email,
    );
    if (valid.length === 0) throw notFound('Invitation');
    const row = await tx.invitation.findFirst({
      where: { id: invitationId, email, role: 'admin', organization: { isActive: true } },
      include: WITH_NAME,
    });
    if (row === null) throw notFound('Invitation');
    const { organizationId } = row;
    if (row.status === 'accepted') {
      // A removed member needs a new invitation.
      if ((await tx.membership.count({ where: { userId, organizationId, isActive: true } })) === 0) {
        throw conflict('invitation_used', 'The invitation was already used');
      }
      return row;
    }
    // A retired role or an inactive membership becomes an active admin.
    await tx.$executeRaw`
      INSERT INTO memberships (user_id, organization_id, role) VALUES (${userId}::uuid, ${organizationId}::uuid, 'admin')
      ON CONFLICT (user_id, organization_id) DO UPDATE SET is_active = true,
        role = CASE WHEN memberships.is_active AND memberships.role = 'owner' THEN 'owner' ELSE 'admin' END`;
    await tx.invitation.update({ where: { id: row.id, organizationId }, data: { status: 'accepted' } });
    return { ...row, status: 'accepted' };
  });
}

/**
 * Deletes a pending invitation to the caller's address; the organization may invite it again.
 * @throws ApiError 403 without a token whose address is verified; 404 for an invitation to another address, or one
 *   that is no longer pending
 */
export async function declineInvitation(
  { db }: InvitationDeps,
  caller: Caller,
  invitationId: string,
): Promise<void> {
  requireVerifiedEmail(caller, 'Declining');
  const where = { ...PENDING, id: invitationId, email: caller.email };
  if ((await db.prisma.invitation.deleteMany({ where })).count === 0) throw notFound('Invitation');
}
