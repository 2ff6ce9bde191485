/**
 * Creates accounts from tokens: the first valid JWT of an unknown subject creates the user, a personal organization, the owner
 * membership and the default resources in one idempotent transaction (SPEC API-jwt).
 */
import { keysTable } from '../../base/db/batcher.ts';
import type { BatchedReads, Db, Sql } from '../../base/db/client.ts';
import { unauthenticated } from '../../base/errors.ts';
import { MEMBERSHIP_COLUMN, isLiveMember, joinMembership, type Membership } from './membership.ts';
import type { Caller } from './caller.ts';
import type { Claims } from './claims.ts';
import { normalizeEmail, readLocalPart } from './email.ts';
import { createOrganization } from './organization.ts';

export interface ProvisionDeps {
  readonly db: Db;
  /** Creates the default resources of a new account, in its transaction. */
  readonly seedAccount: (tx: Sql, owner: AccountOwner) => Promise<void>;
}

export interface AccountOwner {
  readonly organizationId: string;
  readonly userId: string;
}

interface KnownUser {
  readonly userId: string;
  readonly email: string;
  readonly role: string;
  readonly isActive: boolean;
  /** The membership in the requested organization, null without one; undefined when none was requested, and for a new user. */
  readonly membership?: Membership | null;
}

/** Prefix of the subjects of service accounts; no token may have such a subject. */
export const SERVICE_ACCOUNT_PREFIX = 'service-account:';

const FIND = `SELECT u.id AS "userId", u.email, u.role, u.is_active AS "isActive" FROM users u WHERE u.subject = $1`;
const FIND_MEMBER = `
  SELECT keys.place, found.*
  FROM ${keysTable({ subject: 'text', organization_id: 'uuid' })}
  CROSS JOIN LATERAL (
    SELECT u.id AS "userId", u.email, u.role, u.is_active AS "isActive", ${MEMBERSHIP_COLUMN}
    FROM users u ${joinMembership('keys.organization_id')} WHERE u.subject = keys.subject LIMIT 1
  ) AS found`;

async function findUser(sql: Sql, subject: string): Promise<KnownUser | undefined> {
  const [user] = await sql.query<KnownUser>(FIND, [subject]);
  return user;
}

async function findUserAndMembership(
  db: BatchedReads,
  subject: string,
  organizationId: string,
): Promise<KnownUser | undefined> {
  const [user] = await db.batched<KnownUser>(FIND_MEMBER, [subject, organizationId]);
  return user;
}

/** Converts the pending invitations of an address to memberships; call only for a verified address. */
async function linkInvitations(tx: Sql, userId: string, email: string): Promise<void> {
  await tx.query(
    `WITH accepted AS (
       UPDATE invitations i SET status = 'accepted'
       WHERE i.email = $2 AND i.status = 'pending' AND i.role = 'admin'
         AND (i.invited_by IS NULL OR ${isLiveMember('i.invited_by', 'i.organization_id')}) RETURNING organization_id, role
     )
     INSERT INTO memberships (user_id, organization_id, role)
     SELECT DISTINCT $1::uuid, organization_id, role FROM accepted
     ON CONFLICT DO NOTHING`,
    [userId, email],
  );
}

/** Creates the user of a token, with a personal organization and its default resources. */
async function createUser(deps: ProvisionDeps, tx: Sql, claims: Claims): Promise<KnownUser> {
  const email = normalizeEmail(claims.email);
  const [user] = await tx.query<KnownUser>(
    `INSERT INTO users (subject, email) VALUES ($1, $2)
     RETURNING id AS "userId", email, role, is_active AS "isActive"`,
    [claims.subject, email],
  );
  if (user === undefined) throw new Error('the new user was not returned');
  const name = readLocalPart(email) || 'Personal';
  const organization = await createOrganization(tx, user.userId, `${name}'s organization`);
  await deps.seedAccount(tx, { organizationId: organization.id, userId: user.userId });
  if (claims.isEmailVerified) await linkInvitations(tx, user.userId, email);
  return user;
}

/**
 * Finds the user of a verified token, with the token's email address, or creates the account. Concurrent first requests of one
 * subject wait on a lock, so one of them creates it.
 * @param organizationId the organization whose membership is also read; null for none
 * @throws ApiError 401 for the subject of a service account
 */
export async function findOrCreateUser(
  deps: ProvisionDeps,
  claims: Claims,
  organizationId: string | null = null,
): Promise<KnownUser> {
  const { subject } = claims;
  if (subject.startsWith(SERVICE_ACCOUNT_PREFIX))
    throw unauthenticated('token_invalid', 'Service accounts sign in with API keys, not with tokens');
  const user = await (organizationId === null
    ? findUser(deps.db, subject)
    : findUserAndMembership(deps.db, subject, organizationId));
  if (user !== undefined) return updateEmail(deps, user, claims);
  return deps.db.transaction(async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('provision:' || $1, 0))`, [claims.subject]);
    return (await findUser(tx, claims.subject)) ?? (await createUser(deps, tx, claims));
  });
}

/** Builds the caller of a verified token. A role in the token wins over the stored one. */
export const toTokenCaller = (claims: Claims, { userId, email, role }: KnownUser): Caller => ({
  userId,
  subject: claims.subject,
  email,
  role: claims.role ?? role,
  via: { kind: 'jwt', sessionId: claims.sessionId, isEmailVerified: claims.isEmailVerified },
});

/** Stores the token's address when it differs from the stored one. @returns the user with the token's address */
async function updateEmail(deps: ProvisionDeps, user: KnownUser, claims: Claims): Promise<KnownUser> {
  const email = normalizeEmail(claims.email);
  if (email === user.email) return user;
  await deps.db.query('UPDATE users SET email = $2 WHERE id = $1', [user.userId, email]);
  return { ...user, email };
}
