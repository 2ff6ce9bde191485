/** Asks again what a person may do with a job: at each of its steps, and at each use of its file. A job outlives the request for it. */
import { hasLiveRole } from '../../platform/access/membership.ts';
import type { Sql } from '../../base/db/client.ts';
import type { DataJob } from './jobs.ts';

interface Standing {
  readonly isActive: boolean;
  /** The role in the organization of the job; null for no member, and once the organization is closed. */
  readonly role: string | null;
}

async function readStanding(
  sql: Sql,
  { organization_id: organizationId }: DataJob,
  userId: string,
): Promise<Standing | null> {
  const [standing] = await sql.query<Standing>(
    `SELECT u.is_active AS "isActive", m.role FROM users u
     LEFT JOIN (memberships m JOIN organizations o ON o.id = m.organization_id AND o.is_active)
       ON m.user_id = u.id AND m.organization_id = $2 AND m.is_active
     WHERE u.id = $1`,
    [userId, organizationId],
  );
  return standing ?? null;
}

const isOwn = ({ subject, requested_by: requester }: DataJob): boolean =>
  subject.type === 'member' && subject.user_id === requester;

const erasesOrganization = ({ kind, subject }: DataJob): boolean =>
  kind === 'erasure' && subject.type === 'organization';

async function isOwner(sql: Sql, organizationId: string, userId: string): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM memberships WHERE organization_id = $1 AND user_id = $2 AND role = 'owner' AND is_active`,
    [organizationId, userId],
  );
  return rows.length > 0;
}

/** Tells whether the next step of a job may be taken: its requester still has the rights with which it was requested. */
export async function mayContinue(sql: Sql, job: DataJob): Promise<boolean> {
  // The operator's command line.
  if (job.requested_by === null) return true;
  const standing = await readStanding(sql, job, job.requested_by);
  if (standing === null || !standing.isActive) return false;
  // The request has closed the organization, and an own erasure deletes the membership: neither leaves a role to ask for.
  if (erasesOrganization(job)) return true;
  if (isOwn(job)) return job.kind === 'erasure' || standing.role !== null;
  if (standing.role === null || !hasLiveRole(standing.role)) return false;
  const { kind, subject, organization_id: organizationId } = job;
  if (kind === 'export' || subject.type !== 'member' || standing.role === 'owner') return true;
  return !(await isOwner(sql, organizationId, subject.user_id));
}

/**
 * Tells whether a person may read a job now: owners and admins of its organization may, and its requester a job about themselves. Its
 * receipt can also be read when the job has ended the requester's own access.
 */
export async function mayRead(sql: Sql, job: DataJob, userId: string): Promise<boolean> {
  const standing = await readStanding(sql, job, userId);
  if (standing === null || !standing.isActive) return false;
  if (standing.role !== null && hasLiveRole(standing.role)) return true;
  if (job.requested_by !== userId) return false;
  if (isOwn(job)) return job.kind === 'erasure' || standing.role !== null;
  return erasesOrganization(job);
}
