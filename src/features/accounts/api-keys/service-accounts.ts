/**
 * Service accounts: identities of an organization for its programs. An account is a user who cannot sign in, with a membership
 * in the one organization and keys that are pinned to it, so it outlasts the people who create it.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../base/clock.ts';
import type { Scope } from '../../../platform/access/caller.ts';
import { findAccountLimit } from '../../../platform/billing/plans.ts';
import type { ApiKey, Prisma } from '../../../base/db/generated/client.ts';
import { conflict, forbidden, invalid, notFound } from '../../../base/errors.ts';
import { SERVICE_ACCOUNT_PREFIX } from '../../../platform/access/provision.ts';
import { insertKey, requireNarrower, type ApiKeyDeps } from './service.ts';
import type {
  NewServiceAccount,
  NewServiceAccountKey,
  ServiceAccountChange,
} from './service-account-schema.ts';

/** Accounts per organization; a guess. */
export const MAX_ACCOUNTS = 100;
/** The specification's limit of a person, for an account without one of its own. */
const DEFAULT_LIMIT = 300;

const WITH_USER = {
  user: { select: { memberships: { select: { role: true, organizationId: true } } } },
} as const;
type AccountRow = Prisma.ServiceAccountGetPayload<{ include: typeof WITH_USER }>;

export interface ServiceAccount {
  readonly row: AccountRow;
  readonly role: string;
  /** Null when the person is unknown by now. */
  readonly creatorEmail: string | null;
}

/** Only owners change owner accounts: an admin with a key of one would be an owner. @throws ApiError 403 */
function requireRole(scope: Scope, role: string | undefined): void {
  if (role === 'owner' && scope.role !== 'owner')
    throw forbidden('owner_role_required', 'The owner role is required');
}

/** @throws ApiError 422 above the limit of the organization's plan */
function requireLimit(scope: Scope, limit: number | undefined): void {
  const most = findAccountLimit(scope.subscription);
  if (limit === undefined || most === null || limit <= most) return;
  const msg = `The plan of the organization allows a service account ${most} requests a minute`;
  throw invalid([{ loc: ['body', 'rate_limit_per_minute'], msg, type: 'less_than_equal' }]);
}

async function present(deps: ApiKeyDeps, rows: readonly AccountRow[]): Promise<ServiceAccount[]> {
  const ids = rows.flatMap(({ createdBy }) => createdBy ?? []);
  const people = await deps.db.prisma.user.findMany({
    where: { id: { in: ids } },
    select: { id: true, email: true },
  });
  const emails = new Map(people.map(({ id, email }) => [id, email]));
  return rows.map((row) => ({
    row,
    role:
      row.user.memberships.find(({ organizationId }) => organizationId === row.organizationId)?.role ?? '',
    creatorEmail: row.createdBy === null ? null : (emails.get(row.createdBy) ?? null),
  }));
}

/** Lists the service accounts of the organization, in the order of their creation. */
export async function listAccounts(deps: ApiKeyDeps, { organizationId }: Scope): Promise<ServiceAccount[]> {
  const rows = await deps.db.prisma.serviceAccount.findMany({
    where: { organizationId, deletedAt: null },
    include: WITH_USER,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return present(deps, rows);
}

/** @throws ApiError 404 when the organization has no such service account */
export async function findAccount(
  deps: ApiKeyDeps,
  { organizationId }: Scope,
  id: string,
): Promise<ServiceAccount> {
  const where = { id, organizationId, deletedAt: null };
  const row = await deps.db.prisma.serviceAccount.findFirst({ where, include: WITH_USER });
  const [account] = row === null ? [] : await present(deps, [row]);
  if (account === undefined) throw notFound('Service account');
  return account;
}

/**
 * Creates a service account.
 * @throws ApiError 403 for an owner account of a non-owner, 409 at the maximum number, 422 above the plan's limit
 */
export async function createAccount(
  deps: ApiKeyDeps,
  scope: Scope,
  body: NewServiceAccount,
): Promise<ServiceAccount> {
  const { organizationId, caller, subscription } = scope;
  const { name, role, rate_limit_per_minute: wanted } = body;
  requireRole(scope, role);
  requireLimit(scope, wanted);
  const id = randomUUID();
  const rateLimitPerMinute =
    wanted ?? Math.max(1, Math.min(DEFAULT_LIMIT, findAccountLimit(subscription) ?? DEFAULT_LIMIT));
  await deps.db.prisma.$transaction(async (tx) => {
    // Locks the organization's row, so that concurrent requests are counted one after the other.
    await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
    if ((await tx.serviceAccount.count({ where: { organizationId, deletedAt: null } })) >= MAX_ACCOUNTS) {
      const message = `An organization may have ${MAX_ACCOUNTS} service accounts. Delete one first.`;
      throw conflict('service_account_limit_reached', message);
    }
    const [subject, email] = [`${SERVICE_ACCOUNT_PREFIX}${id}`, `${id}@service-account.invalid`];
    await tx.user.create({ data: { id, subject, email } });
    await tx.membership.create({ data: { userId: id, organizationId, role } });
    const data = { id, organizationId, name, rateLimitPerMinute, createdBy: caller.userId };
    await tx.serviceAccount.create({ data });
  });
  return findAccount(deps, scope, id);
}

/** Changes the supplied fields. @throws ApiError 403, 404 and 422 as `createAccount` and `findAccount` */
export async function changeAccount(
  deps: ApiKeyDeps,
  scope: Scope,
  { id, body }: { readonly id: string; readonly body: ServiceAccountChange },
): Promise<ServiceAccount> {
  const { name, role, rate_limit_per_minute: limit } = body;
  const { organizationId } = scope;
  requireRole(scope, (await findAccount(deps, scope, id)).role);
  requireRole(scope, role);
  requireLimit(scope, limit);
  await deps.db.prisma.$transaction(async (tx) => {
    await tx.serviceAccount.updateMany({
      where: { id, organizationId },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(limit === undefined ? {} : { rateLimitPerMinute: limit }),
      },
    });
    if (role !== undefined)
      await tx.membership.updateMany({ where: { userId: id, organizationId }, data: { role } });
  });
  return findAccount(deps, scope, id);
}

/**
 * Deletes a service account: its keys are revoked and its access ends with the commit. The row stays, because workflows, runs
 * and deployments name it.
 * @throws ApiError 403 for an owner account of a non-owner, 404
 */
export async function deleteAccount(deps: ApiKeyDeps, scope: Scope, id: string): Promise<void> {
  const { organizationId } = scope;
  requireRole(scope, (await findAccount(deps, scope, id)).role);
  const now = new Date(systemClock.now());
  await deps.db.prisma.$transaction(async (tx) => {
    await tx.apiKey.updateMany({
      where: { userId: id, organizationId, isActive: true },
      data: { isActive: false, revokedAt: now },
    });
    await tx.membership.deleteMany({ where: { userId: id, organizationId } });
    await tx.user.updateMany({
      where: { id, serviceAccount: { organizationId } },
      data: { isActive: false },
    });
    await tx.serviceAccount.updateMany({ where: { id, organizationId }, data: { deletedAt: now } });
  });
}

/** Lists the keys of a service account, newest first and revoked ones included. @throws ApiError 404 */
export async function listKeys(deps: ApiKeyDeps, scope: Scope, id: string): Promise<ApiKey[]> {
  await findAccount(deps, scope, id);
  await deps.keyUse.flush();
  return deps.db.prisma.apiKey.findMany({
    where: { userId: id, organizationId: scope.organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

/**
 * Creates a key of a service account, pinned to its organization; by default with the account's limit.
 * @throws ApiError 409 at ten active keys; 403 for a wider key than the caller's; 404
 */
export async function createAccountKey(
  deps: ApiKeyDeps,
  scope: Scope,
  { id, body }: { readonly id: string; readonly body: NewServiceAccountKey },
): Promise<{ readonly record: ApiKey; readonly key: string }> {
  const { row, role } = await findAccount(deps, scope, id);
  requireRole(scope, role);
  const { organizationId, caller } = scope;
  const expiresAt = typeof body.expires_at === 'string' ? new Date(body.expires_at) : null;
  const rateLimitPerMinute = body.rate_limit_per_minute ?? row.rateLimitPerMinute;
  const powers = { organizationId, expiresAt, rateLimitPerMinute };
  requireNarrower(caller, 'create', powers);
  return insertKey(deps, { ...powers, userId: id, name: body.name, createdBy: caller.userId });
}

/** Revokes a key permanently and keeps its record; idempotent. @throws ApiError 403 for a wider key than the caller's; 404 */
export async function revokeKey(
  deps: ApiKeyDeps,
  scope: Scope,
  { id, apiKeyId }: { readonly id: string; readonly apiKeyId: string },
): Promise<ApiKey> {
  const { organizationId, caller } = scope;
  const { role } = await findAccount(deps, scope, id);
  requireRole(scope, role);
  const where = { id: apiKeyId, userId: id, organizationId };
  const record = await deps.db.prisma.apiKey.findFirst({ where });
  if (record === null) throw notFound('API key');
  requireNarrower(caller, 'revoke', record);
  await deps.db.prisma.apiKey.updateMany({
    where: { ...where, isActive: true },
    data: { isActive: false, revokedAt: new Date(systemClock.now()) },
  });
  return deps.db.prisma.apiKey.findFirstOrThrow({ where });
}
