/** Requests exports and erasures, and reads their jobs; reads and changes the retention of an organization and its workflows. */
import type { Caller, Scope } from '../../platform/access/caller.ts';
import { findPinnedOrganization } from '../../platform/access/membership.ts';
import { insertJob, readJob, type DataJob, type DataSubject } from './jobs.ts';
import { closeOrganization } from './request-job.ts';
import { requireJobLimits } from './request-limits.ts';
import { changeRetention, presentRetention } from './retention.ts';
import { mayRead } from './rights.ts';
import type { Db, Tx } from '../../base/db/client.ts';
import { conflict, forbidden, invalid, notFound } from '../../base/errors.ts';
import type { Dispatcher } from '../../platform/outbox/dispatcher.ts';
import type { NewDataJob, OwnDataJob, RetentionChange } from './schema.ts';

export interface DataJobDeps {
  readonly db: Db;
  readonly dispatcher: Pick<Dispatcher, 'kick'>;
}

const refuse = (field: string, type: string, msg: string): Error =>
  invalid([{ loc: ['body', field], msg, type }]);

/** Reads the subject of a new job. @throws ApiError 422 when its `user_id` or `metadata` is missing */
function toSubject({ subject, user_id: userId, metadata }: NewDataJob): DataSubject {
  if (subject === 'organization') return { type: 'organization' };
  if (subject === 'member') {
    if (userId === undefined) throw refuse('user_id', 'missing', 'Field required');
    return { type: 'member', user_id: userId };
  }
  // An empty object would match every run with metadata.
  if (metadata === undefined || Object.keys(metadata).length === 0)
    throw refuse('metadata', 'missing', 'Field required');
  return { type: 'metadata', metadata };
}

/**
 * Requests an export or an erasure of the organization, of a member, or of the runs with some metadata.
 * @throws ApiError 403 when a caller who is no owner erases the organization or an owner; 404 for a person who is no member; 409 for
 *   the last owner, and for an open job of the same kind and subject; 429 for too many exports; 422 for a missing field, and when `confirm` is not the name of the organization to erase
 */
export async function requestJob(deps: DataJobDeps, scope: Scope, body: NewDataJob): Promise<DataJob> {
  const subject = toSubject(body);
  const { organizationId } = scope;
  const job = await deps.db.transaction(async (tx) => {
    if (subject.type === 'member')
      await authorizeMemberJob(tx, scope, { userId: subject.user_id, kind: body.kind });
    if (subject.type === 'organization' && body.kind === 'erasure') {
      await authorizeOrganizationErasure(tx, scope, body.confirm);
      await closeOrganization(tx, organizationId);
    }
    return insertRequested(tx, {
      organization_id: organizationId,
      kind: body.kind,
      subject,
      requested_by: scope.caller.userId,
    });
  });
  deps.dispatcher.kick();
  return job;
}

/**
 * Requests an export or erasure of the caller's own data, whatever their role.
 * @throws ApiError 404 without a membership; 409 for the last owner and for an open job of the kind; 429 for too many exports; 422 when `confirm` is not the email address of the person to erase
 */
export async function requestOwnJob(
  { db, dispatcher }: DataJobDeps,
  caller: Caller,
  { kind, organization_id: organizationId, confirm }: OwnDataJob,
): Promise<DataJob> {
  const pin = findPinnedOrganization(caller);
  if (pin !== null && pin !== organizationId) throw notFound('Member');
  const { userId } = caller;
  const job = await db.transaction(async (tx) => {
    // Acts as an owner: everybody may erase themselves, owners included.
    await authorizeMemberJob(tx, { organizationId, role: 'owner' }, { userId, kind });
    if (kind === 'erasure' && confirm !== caller.email)
      throw refuse('confirm', 'not_confirmed', 'Must match your email address');
    const subject = { type: 'member', user_id: userId } as const;
    return insertRequested(tx, { organization_id: organizationId, kind, subject, requested_by: userId });
  });
  dispatcher.kick();
  return job;
}

/** @throws ApiError 409 and 429 as requireJobLimits */
async function insertRequested(tx: Tx, job: Parameters<typeof insertJob>[1]): Promise<DataJob> {
  await requireJobLimits(tx, job);
  return insertJob(tx, job);
}

/** @throws ApiError 403 for a caller who is no owner; 422 when `confirm` is not the name of the organization */
async function authorizeOrganizationErasure(
  tx: Tx,
  scope: Scope,
  confirm: string | undefined,
): Promise<void> {
  if (scope.role !== 'owner') throw forbidden('owner_role_required', 'The owner role is required');
  const [row] = await tx.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
    scope.organizationId,
  ]);
  if (confirm !== row?.name)
    throw refuse('confirm', 'not_confirmed', 'Must match the name of the organization');
}

/**
 * Checks that a member may be exported or erased, and locks the owners, so that two erasures cannot remove the last two.
 * @throws ApiError 404 for a person who is no member; for an erasure of an owner 403 for a caller who is none, 409 for the last one
 */
async function authorizeMemberJob(
  tx: Tx,
  scope: Pick<Scope, 'organizationId' | 'role'>,
  { userId, kind }: { readonly userId: string; readonly kind: DataJob['kind'] },
): Promise<void> {
  const ownersAndMember = await tx.query<{ user_id: string; role: string }>(
    `SELECT user_id, role FROM memberships WHERE organization_id = $1 AND is_active AND (role = 'owner' OR user_id = $2)
     ORDER BY user_id FOR UPDATE`,
    [scope.organizationId, userId],
  );
  const member = ownersAndMember.find((row) => row.user_id === userId);
  if (member === undefined) throw notFound('Member');
  if (kind === 'export' || member.role !== 'owner') return;
  if (scope.role !== 'owner') throw forbidden('owner_role_required', 'The owner role is required');
  if (ownersAndMember.filter((row) => row.role === 'owner').length === 1)
    throw conflict('last_owner', 'An organization must keep at least one owner');
}

/** Reads a job for a person who may read it now. @throws ApiError 404 */
export async function findJob({ db }: DataJobDeps, caller: Caller, jobId: string): Promise<DataJob> {
  const job = await readJob(db, jobId);
  const pin = findPinnedOrganization(caller);
  if (job === null || (pin !== null && pin !== job.organization_id)) throw notFound('Data job');
  if (!(await mayRead(db, job, caller.userId))) throw notFound('Data job');
  return job;
}

/** Reads how long runs and their values are kept, and which values are redacted. */
export async function readRetention({ db }: DataJobDeps, { organizationId }: Scope): Promise<object> {
  const [own, workflows] = await Promise.all([
    db.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } }),
    db.prisma.workflowRetention.findMany({
      where: { organizationId },
      include: { workflow: { select: { name: true } } },
      orderBy: [{ workflow: { name: 'asc' } }, { workflowId: 'asc' }],
    }),
  ]);
  return {
    ...presentRetention(own),
    audit_retention_days: own.auditRetentionDays,
    workflows: workflows.map((row) => ({
      workflow_id: row.workflowId,
      name: row.workflow.name,
      ...presentRetention(row),
    })),
  };
}

/**
 * Changes the supplied settings of the organization, or of one workflow.
 * @throws ApiError 403 for a caller who is no owner and changes `audit_retention_days`; 404 for the workflow; 422 for
 *   `audit_retention_days` of a workflow
 */
export async function updateRetention(
  { db }: DataJobDeps,
  { organizationId, role }: Scope,
  { workflow_id: workflowId, audit_retention_days: auditRetentionDays, ...settings }: RetentionChange,
): Promise<void> {
  if (workflowId !== undefined && auditRetentionDays !== undefined)
    throw refuse('audit_retention_days', 'value_error', 'A workflow has no audit log of its own');
  if (auditRetentionDays !== undefined && role !== 'owner') {
    const before = await db.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
    // A form sends all of its fields.
    if (before.auditRetentionDays !== auditRetentionDays)
      throw forbidden('owner_role_required', 'The owner role is required');
  }
  const changed = await changeRetention(
    db,
    { organizationId, workflowId: workflowId ?? null },
    {
      runRetentionDays: settings.run_retention_days,
      valueRetentionDays: settings.value_retention_days,
      redactedPaths: settings.redacted_paths,
      auditRetentionDays,
    },
  );
  if (changed === null) throw notFound('Workflow');
}
