/** The integration catalog as an organization sees it: which entries it has an account for. */
import type { Scope } from '../../access/caller.ts';
import type { Db } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { findIntegration, integrations } from '../../nodes/integrations/catalog.ts';
import type { Integration } from '../../nodes/integrations/integration.ts';

export interface IntegrationDeps {
  readonly db: Db;
}

/** Names of the integrations that the organization has an active credential for. */
async function connectedTo({ db }: IntegrationDeps, scope: Scope): Promise<Set<string>> {
  const rows = await db.prisma.credential.groupBy({
    by: ['integration'],
    where: {
      organizationId: scope.organizationId,
      status: 'active',
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
  });
  return new Set(rows.map(({ integration }) => integration));
}

export interface Entry {
  readonly integration: Integration;
  readonly isConnected: boolean;
}

function mentions(integration: Integration, words: string): boolean {
  const { name, displayName, description, tags } = integration;
  return [name, displayName, description, ...tags].some((text) => text.toLowerCase().includes(words));
}

/** By category, and by a text that occurs in name, description or tags; in the order of the catalog. */
export async function listIntegrations(
  deps: IntegrationDeps,
  scope: Scope,
  filter: { readonly category?: string | undefined; readonly search?: string | undefined },
): Promise<Entry[]> {
  const connected = await connectedTo(deps, scope);
  const words = (filter.search ?? '').trim().toLowerCase();
  return integrations
    .filter(({ category }) => filter.category === undefined || category === filter.category)
    .filter((integration) => words === '' || mentions(integration, words))
    .map((integration) => ({ integration, isConnected: connected.has(integration.name) }));
}

/** @throws ApiError 404 */
export async function readIntegration(deps: IntegrationDeps, scope: Scope, name: string): Promise<Entry> {
  const integration = findIntegration(name);
  if (integration === null) throw notFound('Integration');
  return { integration, isConnected: (await connectedTo(deps, scope)).has(name) };
}
