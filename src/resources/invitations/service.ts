/**
 * Invitations: an organization asks an address to become an admin; whoever the identity provider says owns the address
 * accepts. A new user's are linked when the account is made (access/provision.ts).
 */
import type { Caller, Scope } from '../../access/caller.ts';
import { normalizeEmail } from '../../access/provision.ts';
import type { Db } from '../../db/client.ts';
import type { Prisma } from '../../db/generated/client.ts';
import { conflict, forbidden, notFound } from '../../errors.ts';

const WITH_NAME = { organization: { select: { name: true } } } as const;
export type InvitationRow = Prisma.InvitationGetPayload<{ include: typeof WITH_NAME }>;

export interface InvitationDeps {
  readonly db: Db;
}

/** What may be accepted: an invitation that nobody has used, to an organization that is in use. */
const PENDING = { status: 'pending', organization: { isActive: true } } as const;
const NEWEST_FIRST: Prisma.InvitationOrderByWithRelationInput[] = [{ createdAt: 'desc' }, { id: 'asc' }];

/** API keys carry no statement of the provider about the address of their owner. */
const hasVerifiedEmail = ({ via }: Caller): boolean => via.kind === 'jwt' && via.isEmailVerified;

async function requireNoMember(
  tx: Prisma.TransactionClient,
  organizationId: string,
  email: string,
): Promise<void> {
  const members = await tx.membership.count({
    where: { organizationId, isActive: true, role: { in: ['owner', 'admin'] }, user: { email } },
  });
  if (members > 0) throw conflict('member_exists', 'The user is a member of the organization already');
}

/**
 * Invites an address as an admin; asked again while that is pending, answers with the same invitation.
 * @throws ApiError 409 for somebody who is an owner or admin already
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
    if (pending !== null) return { row: pending, isNew: false };
    const data = { organizationId, email, role: 'admin', invitedBy: caller.userId };
    return { row: await tx.invitation.create({ data, include: WITH_NAME }), isNew: true };
  });
}

/** What the organization has asked and nobody has accepted, newest first. */
export function listPending({ db }: InvitationDeps, { organizationId }: Scope): Promise<InvitationRow[]> {
  const where = { ...PENDING, organizationId };
  return db.prisma.invitation.findMany({ where, include: WITH_NAME, orderBy: NEWEST_FIRST });
}

/** @throws ApiError 404 for an invitation that is not the organization's, or not pending */
export async function withdraw(
  { db }: InvitationDeps,
  { organizationId }: Scope,
  invitationId: string,
): Promise<void> {
  const where = { id: invitationId, organizationId, status: 'pending' };
  if ((await db.prisma.invitation.deleteMany({ where })).count === 0) throw notFound('Invitation');
}

/** Pending invitations to the caller's address, newest first; none unless the provider vouches for the address. */
export async function listMine({ db }: InvitationDeps, caller: Caller): Promise<InvitationRow[]> {
  if (!hasVerifiedEmail(caller)) return [];
  const where = { ...PENDING, email: caller.email };
  return db.prisma.invitation.findMany({ where, include: WITH_NAME, orderBy: NEWEST_FIRST });
}

/** Only the address itself speaks for it. @throws ApiError 403 without a token that vouches for the address */
function requireVerifiedEmail(caller: Caller, doing: string): void {
  if (hasVerifiedEmail(caller)) return;
  throw forbidden(
    'verified_email_required',
    `${doing} an invitation requires a token with a verified e-mail address`,
  );
}

/**
 * Makes the caller an admin of the organization that invited its address; an owner stays owner. Accepting again
 * changes nothing as long as the caller is a member.
 * @throws ApiError 403 without a token that vouches for the address; 404 for an invitation to another address; 409 for
 *   one that was used by somebody who has been taken out since
 */
export async function acceptInvitation(
  { db }: InvitationDeps,
  caller: Caller,
  invitationId: string,
): Promise<InvitationRow> {
  requireVerifiedEmail(caller, 'Accepting');
  const { userId, email } = caller;
  return db.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM invitations WHERE id = ${invitationId}::uuid AND email = ${email} FOR UPDATE`;
    const row = await tx.invitation.findFirst({
      where: { id: invitationId, email, role: 'admin', organization: { isActive: true } },
      include: WITH_NAME,
    });
    if (row === null) throw notFound('Invitation');
    const { organizationId } = row;
    if (row.status === 'accepted') {
      // An accepted invitation opens the door once: who was taken out needs a new one.
      if ((await tx.membership.count({ where: { userId, organizationId, isActive: true } })) === 0) {
        throw conflict('invitation_used', 'Invitation was already used');
      }
      return row;
    }
    // A retired role or an old inactive row becomes a live one.
    await tx.$executeRaw`
      INSERT INTO memberships (user_id, organization_id, role) VALUES (${userId}::uuid, ${organizationId}::uuid, 'admin')
      ON CONFLICT (user_id, organization_id) DO UPDATE SET is_active = true,
        role = CASE WHEN memberships.is_active AND memberships.role = 'owner' THEN 'owner' ELSE 'admin' END`;
    await tx.invitation.update({ where: { id: row.id, organizationId }, data: { status: 'accepted' } });
    return { ...row, status: 'accepted' };
  });
}

/**
 * Ends a pending invitation to the caller's address; the organization may invite it again.
 * @throws ApiError 403 without a token that vouches for the address; 404 for an invitation to another address, or one
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
