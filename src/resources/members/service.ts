/**
 * Members of an organization: who they are, what they may, and their leaving. Owners are made and unmade by owners
 * only, and an organization never loses its last one.
 */
import type { Scope } from '../../access/caller.ts';
import { requireLiveRole } from '../../access/membership.ts';
import type { Sql, Db } from '../../db/client.ts';
import { conflict, forbidden, notFound } from '../../errors.ts';

export interface MemberRow {
  readonly user_id: string;
  readonly organization_id: string;
  readonly email: string;
  readonly role: string;
  readonly is_active: boolean;
  readonly created_at: Date;
}

export interface MemberDeps {
  readonly db: Db;
}

const SELECT_MEMBERS = `
  SELECT m.user_id, m.organization_id, u.email, m.role, u.is_active, m.created_at
  FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.organization_id = $1 AND m.is_active`;

/** The members, in the order in which they joined. */
export async function listMembers({ db }: MemberDeps, scope: Scope): Promise<MemberRow[]> {
  return db.query(`${SELECT_MEMBERS} ORDER BY m.created_at, m.user_id`, [scope.organizationId]);
}

/**
 * Locks the rows that a change is decided by: all owners', the actor's and the target's. Two owners who unmake each
 * other at once are taken one after the other, and each sees what the one before has done.
 */
async function lockDeciders(tx: Sql, scope: Scope, userId: string): Promise<MemberRow[]> {
  return tx.query(
    `${SELECT_MEMBERS} AND (m.role = 'owner' OR m.user_id = ANY($2::uuid[])) ORDER BY m.user_id FOR UPDATE OF m`,
    [scope.organizationId, [scope.caller.userId, userId]],
  );
}

/**
 * The member who is to become `role` (null: leave), if the caller may decide that.
 * @throws ApiError 403 for a decision about owners by anybody else; 404 for no member; 409 for the last owner
 */
async function decide(
  tx: Sql,
  scope: Scope,
  { userId, role }: { readonly userId: string; readonly role: string | null },
): Promise<MemberRow> {
  const rows = await lockDeciders(tx, scope, userId);
  // Read again under the lock: the guard in front has looked before somebody else's change.
  const actor = rows.find((row) => row.user_id === scope.caller.userId);
  requireLiveRole(actor?.role ?? '');
  const target = rows.find((row) => row.user_id === userId);
  if (target === undefined) throw notFound('Member');
  if (target.role === role) return target;
  if ((target.role === 'owner' || role === 'owner') && actor?.role !== 'owner') {
    throw forbidden('Owner role required');
  }
  // Somebody who may not use the service cannot look after an organization.
  const remaining = rows.filter((row) => row.role === 'owner' && row.is_active && row.user_id !== userId);
  if (target.role === 'owner' && remaining.length === 0) {
    throw conflict('An organization must keep at least one owner');
  }
  return target;
}

/** @throws ApiError as `decide` */
export async function changeRole(
  { db }: MemberDeps,
  scope: Scope,
  { userId, role }: { readonly userId: string; readonly role: string },
): Promise<MemberRow> {
  return db.transaction(async (tx) => {
    const member = await decide(tx, scope, { userId, role });
    await tx.query('UPDATE memberships SET role = $3 WHERE organization_id = $1 AND user_id = $2', [
      scope.organizationId,
      userId,
      role,
    ]);
    return { ...member, role };
  });
}

/**
 * Takes a member out, or lets one leave. Access ends with the commit; keys pinned to the organization are revoked, so
 * that they do not come back to life when the user is invited again.
 * @throws ApiError as `decide`
 */
export async function removeMember({ db }: MemberDeps, scope: Scope, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await decide(tx, scope, { userId, role: null });
    await tx.query(
      `WITH revoked AS (
         UPDATE api_keys SET is_active = false, revoked_at = now()
         WHERE organization_id = $1 AND user_id = $2 AND is_active
       )
       DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2`,
      [scope.organizationId, userId],
    );
  });
}
