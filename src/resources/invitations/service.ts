/**
 * Invitations: an organization asks an address to become an admin; whoever the identity provider says owns the address
 * accepts. A new user's are linked when the account is made (access/provision.ts).
 */
import type { Caller, Scope } from '../../access/caller.ts';
import { normalizeEmail } from '../../access/provision.ts';
import type { Sql, Db } from '../../db/client.ts';
import { conflict, forbidden, notFound } from '../../errors.ts';

export interface InvitationRow {
  readonly id: string;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
  readonly created_at: Date;
}

export interface InvitationDeps {
  readonly db: Db;
}

const COLUMNS = `i.id, i.organization_id, o.name AS organization_name, i.email, i.role, i.status, i.created_at`;
const SELECT_INVITATIONS = `
  SELECT ${COLUMNS} FROM invitations i JOIN organizations o ON o.id = i.organization_id AND o.is_active`;

/** API keys carry no statement of the provider about the address of their owner. */
const hasVerifiedEmail = ({ via }: Caller): boolean => via.kind === 'jwt' && via.isEmailVerified;

async function requireNoMember(tx: Sql, organizationId: string, email: string): Promise<void> {
  const members = await tx.query(
    `SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND u.email = $2 AND m.is_active AND m.role IN ('owner', 'admin')`,
    [organizationId, email],
  );
  if (members.length > 0) throw conflict('The user is a member of the organization already');
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
  return db.transaction(async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('invite:' || $1 || $2, 0))`, [
      organizationId,
      email,
    ]);
    await requireNoMember(tx, organizationId, email);
    const [pending] = await tx.query<InvitationRow>(
      `${SELECT_INVITATIONS} WHERE i.organization_id = $1 AND i.email = $2 AND i.status = 'pending'`,
      [organizationId, email],
    );
    if (pending !== undefined) return { row: pending, isNew: false };
    const [made] = await tx.query<InvitationRow>(
      `WITH i AS (
         INSERT INTO invitations (organization_id, email, role, invited_by) VALUES ($1, $2, 'admin', $3) RETURNING *
       )
       SELECT ${COLUMNS} FROM i JOIN organizations o ON o.id = i.organization_id`,
      [organizationId, email, caller.userId],
    );
    if (made === undefined) throw new Error('the new invitation was not returned');
    return { row: made, isNew: true };
  });
}

/** What the organization has asked and nobody has accepted, newest first. */
export async function listPending({ db }: InvitationDeps, scope: Scope): Promise<InvitationRow[]> {
  return db.query(
    `${SELECT_INVITATIONS} WHERE i.organization_id = $1 AND i.status = 'pending' ORDER BY i.created_at DESC, i.id`,
    [scope.organizationId],
  );
}

/** @throws ApiError 404 for an invitation that is not the organization's, or not pending */
export async function withdraw({ db }: InvitationDeps, scope: Scope, invitationId: string): Promise<void> {
  const gone = await db.query(
    `DELETE FROM invitations WHERE id = $1 AND organization_id = $2 AND status = 'pending' RETURNING id`,
    [invitationId, scope.organizationId],
  );
  if (gone.length === 0) throw notFound('Invitation');
}

/** Pending invitations to the caller's address, newest first; none unless the provider vouches for the address. */
export async function listMine({ db }: InvitationDeps, caller: Caller): Promise<InvitationRow[]> {
  if (!hasVerifiedEmail(caller)) return [];
  return db.query(
    `${SELECT_INVITATIONS} WHERE i.email = $1 AND i.status = 'pending' ORDER BY i.created_at DESC, i.id`,
    [caller.email],
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
  if (!hasVerifiedEmail(caller)) {
    throw forbidden('Accepting an invitation requires a token with a verified e-mail address');
  }
  return db.transaction(async (tx) => {
    const [row] = await tx.query<InvitationRow>(
      `${SELECT_INVITATIONS} WHERE i.id = $1 AND i.email = $2 AND i.role = 'admin' FOR UPDATE OF i`,
      [invitationId, caller.email],
    );
    if (row === undefined) throw notFound('Invitation');
    if (row.status === 'accepted') {
      await requireStillMember(tx, caller.userId, row.organization_id);
      return row;
    }
    // A retired role or an old inactive row becomes a live one.
    await tx.query(
      `WITH accepted AS (UPDATE invitations SET status = 'accepted' WHERE id = $3)
       INSERT INTO memberships (user_id, organization_id, role) VALUES ($1, $2, 'admin')
       ON CONFLICT (user_id, organization_id) DO UPDATE SET is_active = true,
         role = CASE WHEN memberships.is_active AND memberships.role = 'owner' THEN 'owner' ELSE 'admin' END`,
      [caller.userId, row.organization_id, row.id],
    );
    return { ...row, status: 'accepted' };
  });
}

/** An accepted invitation opens the door once: who was taken out needs a new one. */
async function requireStillMember(tx: Sql, userId: string, organizationId: string): Promise<void> {
  const rows = await tx.query(
    'SELECT 1 FROM memberships WHERE user_id = $1 AND organization_id = $2 AND is_active',
    [userId, organizationId],
  );
  if (rows.length === 0) throw conflict('Invitation was already used');
}
