/** Routes of /integrations: the catalog, and which integrations the organization has credentials for. */
import { routesFor, type Route } from '../../../http/route.ts';
import { presentIntegration, presentIntegrationSummary } from './present.ts';
import { integrationDetail, integrationList, integrationParams, integrationQuery } from './schema.ts';
import { listIntegrations, readIntegration, type IntegrationDeps } from './service.ts';

const route = routesFor<IntegrationDeps>();

const common = { tag: 'integrations', access: 'organization' } as const;

export const integrationRoutes: readonly Route<IntegrationDeps>[] = [
  route({
    ...common,
    method: 'GET',
    path: '/integrations',
    operationId: 'listIntegrations',
    summary: 'List the integrations, without the schemas of their actions',
    query: integrationQuery,
    replies: { 200: integrationList },
    async handle({ deps, scope, query }) {
      const entries = await listIntegrations(deps, scope, query);
      const rows = entries.map(({ integration, isConnected }) =>
        presentIntegrationSummary(integration, isConnected),
      );
      return { status: 200, body: { integrations: rows, total: rows.length } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/integrations/:name',
    operationId: 'getIntegration',
    summary: 'Retrieve an integration with the schemas of its actions',
    params: integrationParams,
    replies: { 200: integrationDetail },
    async handle({ deps, scope, params: { name } }) {
      const { integration, isConnected } = await readIntegration(deps, scope, name);
      return { status: 200, body: presentIntegration(integration, isConnected) };
    },
  }),
];
