/** The route of model lists, which the form of a model completes from. */
import { z } from 'zod';
import { systemClock } from '../../../base/clock.ts';
import { routesFor, type Route } from '../../http/route.ts';
import { refusal, uuid } from '../../http/wire.ts';
import { ModelLists } from './list-models.ts';
import { modelList } from './schema.ts';
import type { CredentialDeps } from './service.ts';

const route = routesFor<CredentialDeps>();

/** Builds the route anew: the lists that it keeps belong to the application that mounts it. */
export function modelRoutes(): readonly Route<CredentialDeps>[] {
  const lists = new ModelLists(systemClock);
  return [
    route({
      tag: 'integrations',
      access: 'organization',
      method: 'GET',
      path: '/models',
      operationId: 'listModels',
      summary: 'List the models of a credential, or of the managed endpoint, as the provider lists them',
      query: z.object({
        credential_id: uuid
          .optional()
          .meta({ description: 'Credential of a model provider; without it, the managed endpoint' }),
      }),
      replies: { 200: modelList, 404: refusal },
      handle: async ({ deps, scope, query }) => ({
        status: 200,
        body: await lists.list(deps, scope, query.credential_id ?? null),
      }),
    }),
  ];
}
