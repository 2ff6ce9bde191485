/** Lists a user's organizations; reads and changes the settings of one. */
import { LIVE_ROLES, type Caller, type Scope } from '../../../platform/access/caller.ts';
import { findPinnedOrganization } from '../../../platform/access/membership.ts';
import type { Db } from '../../../base/db/client.ts';
import type { Organization, Prisma } from '../../../base/db/generated/client.ts';
import { notFound } from '../../../base/errors.ts';
import { ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import type { OrganizationUpdate } from './schema.ts';

export interface OrganizationDeps {
  readonly db: Db;
}

/** Lists the organizations of which the caller is an owner or admin, oldest membership first, with the role; a pinned key has one. */
export async function listOrganizations(
  { db }: OrganizationDeps,
  caller: Caller,
): Promise<(Organization & { readonly role: string })[]> {
  const pin = findPinnedOrganization(caller);
  const rows = await db.prisma.membership.findMany({
    where: {
      userId: caller.userId,
      isActive: true,
      role: { in: [...LIVE_ROLES] },
      organization: { isActive: true },
      ...(pin === null ? {} : { organizationId: pin }),
    },
    select: { role: true, organization: true },
    orderBy: [{ createdAt: 'asc' }, { organizationId: 'asc' }],
  });
  return rows.map(({ role, organization }) => ({ ...organization, role }));
}

/**
 * The path must name the organization of the header; any other is 404, even if the caller is a member of it.
 * @throws ApiError 404
 */
export function requireScoped(scope: Scope, organizationId: string): void {
  if (organizationId !== scope.organizationId) throw notFound('Organization');
}

/** Reads the organization of the scope with its settings. */
export function findOrganization({ db }: OrganizationDeps, scope: Scope): Promise<Organization> {
  return db.prisma.organization.findUniqueOrThrow({ where: { id: scope.organizationId } });
}

/** Changes the supplied fields. The slug stays, because clients may have built addresses from it. */
export function changeOrganization(
  { db }: OrganizationDeps,
  scope: Scope,
  { name, domain, settings, run_retention_days: runRetentionDays }: OrganizationUpdate,
): Promise<Organization> {
  return db.prisma.organization.update({
    where: { id: scope.organizationId },
    data: {
      ...(name === undefined ? {} : { name }),
      ...(domain === undefined ? {} : { domain }),
      ...(runRetentionDays === undefined ? {} : { runRetentionDays }),
      ...(settings === undefined ? {} : { settings: settings as Prisma.InputJsonObject }),
    },
  });
}

/** Reads the Composer's default model from the settings; null when they name none. */
export async function readComposerModel(
  { db }: OrganizationDeps,
  organizationId: string,
): Promise<string | null> {
  const where = { id: organizationId };
  const row = await db.prisma.organization.findUnique({ where, select: { settings: true } });
  const model = ownValue(ownValue(row?.settings as JsonObject | undefined, 'composer'), 'model');
  return typeof model === 'string' && model !== '' ? model : null;
}
