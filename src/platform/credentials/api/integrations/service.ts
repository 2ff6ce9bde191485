/** The integration catalog and the types of an organization, with the entries that an organization has an active credential for. */
import { systemClock } from '../../../../base/clock.ts';
import type { Scope } from '../../../access/caller.ts';
import type { Db } from '../../../../base/db/client.ts';
import { notFound } from '../../../../base/errors.ts';
import { integrations } from '../../../../language/nodes/integrations/catalog.ts';
import { findType, listOwnTypes } from '../../find-type.ts';
import type { Integration } from '../../../../language/nodes/integrations/integration.ts';

export interface IntegrationDeps {
  readonly db: Db;
}

/** Returns the names of the integrations that the organization has an active credential for. */
async function listConnected({ db }: IntegrationDeps, scope: Scope): Promise<Set<string>> {
  const rows = await db.prisma.credential.groupBy({
    by: ['integration'],
    where: {
      organizationId: scope.organizationId,
      status: 'active',
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(systemClock.now()) } }],
    },
  });
  return new Set(rows.map(({ integration }) => integration));
}

interface CatalogEntry {
  readonly integration: Integration;
  readonly isConnected: boolean;
}

function matchesSearch(integration: Integration, words: string): boolean {
  const { name, displayName, description, tags } = integration;
  return [name, displayName, description, ...tags].some((text) => text.toLowerCase().includes(words));
}

/** Lists integrations in the order of the catalog, then those of the organization, filtered by category and by a text in name, description or tags. */
export async function listIntegrations(
  deps: IntegrationDeps,
  scope: Scope,
  filter: { readonly category?: string | undefined; readonly search?: string | undefined },
): Promise<CatalogEntry[]> {
  const connected = await listConnected(deps, scope);
  const own = await listOwnTypes(deps.db.prisma, scope.organizationId);
  const words = (filter.search ?? '').trim().toLowerCase();
  return [...integrations, ...own]
    .filter(({ category }) => filter.category === undefined || category === filter.category)
    .filter((integration) => words === '' || matchesSearch(integration, words))
    .map((integration) => ({ integration, isConnected: connected.has(integration.name) }));
}

/** @throws ApiError 404 */
export async function readIntegration(
  deps: IntegrationDeps,
  scope: Scope,
  name: string,
): Promise<CatalogEntry> {
  const integration = await findType(deps.db.prisma, { organizationId: scope.organizationId, name });
  if (integration === null) throw notFound('Integration');
  return { integration, isConnected: (await listConnected(deps, scope)).has(name) };
}
