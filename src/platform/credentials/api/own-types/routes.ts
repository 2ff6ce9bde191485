/** Routes of integration types that an organization makes. */
import { routesFor, type Route } from '../../../http/route.ts';
import { refusal, success, uuidParams } from '../../../http/wire.ts';
import { integrationType, newType, typeChange, typeList } from './schema.ts';
import {
  changeType,
  createType,
  deleteType,
  getType,
  listTypes,
  type TypeDeps,
  type TypeRow,
} from './service.ts';

const route = routesFor<TypeDeps>();
const common = { tag: 'integrations', access: 'organization' } as const;
const all = '/integration-types';
const one = `${all}/:integration_type_id`;
const params = uuidParams('integration_type_id');

/** A type as the API returns it. */
export const presentType = (row: TypeRow): object => ({
  id: row.id,
  organization_id: row.organizationId,
  name: row.name,
  display_name: row.displayName,
  description: row.description,
  base_url: row.baseUrl,
  allowed_hosts: row.allowedHosts,
  auth: row.auth,
  test: row.test,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const typeRoutes: readonly Route<TypeDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'createIntegrationType',
    isGated: true,
    summary:
      'Create an integration type: where the secrets of its credentials go, or how their tokens are given',
    body: newType,
    replies: { 201: integrationType, 409: refusal, 503: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 201,
      body: presentType(await createType(deps, scope, body)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listIntegrationTypes',
    summary: 'List the integration types that the organization made',
    replies: { 200: typeList },
    async handle({ deps, scope }) {
      const rows = await listTypes(deps, scope);
      return { status: 200, body: { integration_types: rows.map(presentType), total: rows.length } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    operationId: 'getIntegrationType',
    summary: 'Retrieve an integration type, without the secret of its OAuth client',
    params,
    replies: { 200: integrationType },
    handle: async ({ deps, scope, params: { integration_type_id: id } }) => ({
      status: 200,
      body: presentType(await getType(deps, scope, id)),
    }),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: one,
    operationId: 'updateIntegrationType',
    summary: 'Update an integration type; while credentials have it, only its names and its test',
    params,
    body: typeChange,
    find: ({ deps, scope, params: { integration_type_id: id } }) => getType(deps, scope, id),
    replies: { 200: integrationType, 409: refusal, 503: refusal },
    handle: async ({ deps, scope, params: { integration_type_id: id }, body }) => ({
      status: 200,
      body: presentType(await changeType(deps, scope, { id, body })),
    }),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    operationId: 'deleteIntegrationType',
    summary: 'Delete an integration type that no credential has',
    params,
    replies: { 200: success, 409: refusal },
    async handle({ deps, scope, params: { integration_type_id: id } }) {
      await deleteType(deps, scope, id);
      return { status: 200, body: { success: true, message: 'Integration type deleted' } };
    },
  }),
];
