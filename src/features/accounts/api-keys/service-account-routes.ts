/** Routes of service accounts and their keys, for owners and admins. */
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal, success, uuidParams } from '../../../platform/http/wire.ts';
import { presentKey } from './routes.ts';
import { apiKey, apiKeyList, createdApiKey } from './schema.ts';
import type { ApiKeyDeps } from './service.ts';
import {
  newServiceAccount,
  newServiceAccountKey,
  serviceAccount,
  serviceAccountChange,
  serviceAccountList,
} from './service-account-schema.ts';
import {
  changeAccount,
  createAccount,
  createAccountKey,
  deleteAccount,
  findAccount,
  listAccounts,
  listKeys,
  revokeKey,
  type ServiceAccount,
} from './service-accounts.ts';

const route = routesFor<ApiKeyDeps>();
const common = { tag: 'service-accounts', access: 'organization', isAdministrative: true } as const;
const ofAccount = uuidParams('service_account_id');
const ofKey = uuidParams('service_account_id', 'api_key_id');
const all = '/service-accounts';
const one = `${all}/:service_account_id`;

const present = ({ row, role, creatorEmail }: ServiceAccount): object => ({
  id: row.id,
  organization_id: row.organizationId,
  name: row.name,
  role,
  rate_limit_per_minute: row.rateLimitPerMinute,
  created_by: row.createdBy,
  created_by_email: creatorEmail,
  created_at: row.createdAt.toISOString(),
});

const accountRows: readonly Route<ApiKeyDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'createServiceAccount',
    summary: 'Create a service account: an identity of the organization for a program',
    body: newServiceAccount,
    replies: { 201: serviceAccount, 409: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 201,
      body: present(await createAccount(deps, scope, body)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listServiceAccounts',
    summary: 'List the service accounts of the organization',
    replies: { 200: serviceAccountList },
    async handle({ deps, scope }) {
      const accounts = await listAccounts(deps, scope);
      return { status: 200, body: { service_accounts: accounts.map(present), total: accounts.length } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    operationId: 'getServiceAccount',
    summary: 'Retrieve a service account',
    params: ofAccount,
    replies: { 200: serviceAccount },
    handle: async ({ deps, scope, params }) => ({
      status: 200,
      body: present(await findAccount(deps, scope, params.service_account_id)),
    }),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: one,
    operationId: 'updateServiceAccount',
    summary: 'Change the name, role or request limit of a service account',
    params: ofAccount,
    body: serviceAccountChange,
    find: ({ deps, scope, params }) => findAccount(deps, scope, params.service_account_id),
    replies: { 200: serviceAccount },
    handle: async ({ deps, scope, params, body }) => ({
      status: 200,
      body: present(await changeAccount(deps, scope, { id: params.service_account_id, body })),
    }),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    operationId: 'deleteServiceAccount',
    summary: 'Delete a service account and revoke its keys; access ends immediately',
    params: ofAccount,
    replies: { 200: success },
    async handle({ deps, scope, params }) {
      await deleteAccount(deps, scope, params.service_account_id);
      return { status: 200, body: { success: true, message: 'Service account deleted' } };
    },
  }),
];

export const serviceAccountRoutes: readonly Route<ApiKeyDeps>[] = [
  ...accountRows,
  route({
    ...common,
    method: 'POST',
    path: `${one}/keys`,
    operationId: 'createServiceAccountKey',
    summary: 'Create an API key of a service account; the key is returned only once',
    params: ofAccount,
    body: newServiceAccountKey,
    find: ({ deps, scope, params }) => findAccount(deps, scope, params.service_account_id),
    replies: { 201: createdApiKey, 409: refusal },
    async handle({ deps, scope, params, body }) {
      const { record, key } = await createAccountKey(deps, scope, { id: params.service_account_id, body });
      return { status: 201, body: { ...presentKey(record), key } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: `${one}/keys`,
    operationId: 'listServiceAccountKeys',
    summary: 'List the API keys of a service account, including revoked ones',
    params: ofAccount,
    replies: { 200: apiKeyList },
    async handle({ deps, scope, params }) {
      const records = await listKeys(deps, scope, params.service_account_id);
      return { status: 200, body: { api_keys: records.map(presentKey), total: records.length } };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: `${one}/keys/:api_key_id`,
    operationId: 'revokeServiceAccountKey',
    summary: 'Revoke an API key of a service account permanently',
    params: ofKey,
    replies: { 200: apiKey },
    async handle({ deps, scope, params: { service_account_id: id, api_key_id: apiKeyId } }) {
      return { status: 200, body: presentKey(await revokeKey(deps, scope, { id, apiKeyId })) };
    },
  }),
];
