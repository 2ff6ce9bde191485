/** Routes of /credentials. Every member may read them; owners and admins change them. */
import { z } from 'zod';
import { routesFor, type Route } from '../../http/route.ts';
import { refusal, success, uuidParams } from '../../http/wire.ts';
import { beginAuthorization, endAuthorization } from './oauth.ts';
import { presentCredential } from './present.ts';
import {
  authorization,
  authorizationEnd,
  credential,
  credentialChange,
  credentialDetail,
  credentialList,
  credentialTest,
  credentialTools,
  newAuthorization,
  newCredential,
} from './schema.ts';
import {
  changeCredential,
  createCredential,
  deleteCredential,
  findCredential,
  listCredentials,
  listCredentialUsers,
  type CredentialDeps,
} from './service.ts';
import { listTools } from './list-tools.ts';
import { readStatus } from './store.ts';
import { tryCredential } from './try-credential.ts';

const route = routesFor<CredentialDeps>();

const tag = 'credentials';
const params = uuidParams('credential_id');
const reading = { tag, access: 'organization' } as const;
const changing = { tag, access: 'organization' } as const;

export const credentialRoutes: readonly Route<CredentialDeps>[] = [
  route({
    ...changing,
    method: 'POST',
    path: '/credentials',
    operationId: 'createCredential',
    namesOrganization: true,
    summary: 'Create a credential for an external service; its secret is encrypted and never returned',
    body: newCredential,
    replies: { 201: credential, 503: refusal },
    async handle({ deps, scope, body }) {
      return { status: 201, body: presentCredential(await createCredential(deps, scope, body)) };
    },
  }),
  route({
    ...reading,
    method: 'GET',
    path: '/credentials',
    operationId: 'listCredentials',
    summary: 'List the credentials of the organization, newest first',
    query: z.object({
      integration: z
        .string()
        .max(64)
        .optional()
        .meta({ description: 'Only credentials of this integration' }),
    }),
    replies: { 200: credentialList },
    async handle({ deps, scope, query }) {
      const rows = await listCredentials(deps, scope, query.integration ?? null);
      return { status: 200, body: { credentials: rows.map(presentCredential), total: rows.length } };
    },
  }),
  route({
    ...changing,
    method: 'POST',
    path: '/credentials/oauth/start',
    operationId: 'startAuthorization',
    summary: 'Start the OAuth authorization of an account',
    body: newAuthorization,
    replies: { 200: authorization, 404: refusal, 503: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 200,
      body: await beginAuthorization(deps, scope, body),
    }),
  }),
  route({
    ...changing,
    method: 'POST',
    path: '/credentials/oauth/callback',
    operationId: 'finishAuthorization',
    summary: 'Complete an OAuth authorization with the parameters of the redirect',
    body: authorizationEnd,
    replies: { 201: credential, 400: refusal, 503: refusal },
    async handle({ deps, scope, body }) {
      return { status: 201, body: presentCredential(await endAuthorization(deps, scope, body)) };
    },
  }),
  route({
    ...reading,
    method: 'GET',
    path: '/credentials/:credential_id',
    operationId: 'getCredential',
    summary: 'Retrieve a credential, without its secret',
    params,
    replies: { 200: credentialDetail },
    async handle({ deps, scope, params: { credential_id: credentialId } }) {
      const row = await findCredential(deps, scope, credentialId);
      const users = await listCredentialUsers(deps.db.prisma, {
        organizationId: row.organizationId,
        credentialId,
      });
      const workflows = new Set(users.flatMap((user) => (user.kind === 'workflow' ? [user.workflowId] : [])));
      const bases = users.filter(({ kind }) => kind === 'knowledge_base');
      const inUseBy = { workflows: workflows.size, knowledge_bases: bases.length };
      return { status: 200, body: { ...presentCredential(row), in_use_by: inUseBy } };
    },
  }),
  route({
    ...changing,
    method: 'PATCH',
    path: '/credentials/:credential_id',
    operationId: 'updateCredential',
    summary: 'Update a credential: its name, its data, its allowed hosts, or revoke it',
    params,
    body: credentialChange,
    find: ({ deps, scope, params }) => findCredential(deps, scope, params.credential_id),
    replies: { 200: credential, 503: refusal },
    async handle({ deps, scope, params: { credential_id: credentialId }, body }) {
      const row = await changeCredential(deps, scope, { credentialId, body });
      return { status: 200, body: presentCredential(row) };
    },
  }),
  route({
    ...changing,
    method: 'DELETE',
    path: '/credentials/:credential_id',
    operationId: 'deleteCredential',
    summary: 'Delete a credential that no workflow or knowledge base uses',
    params,
    replies: { 200: success, 409: refusal },
    async handle({ deps, scope, params: { credential_id: credentialId } }) {
      await deleteCredential(deps, scope, credentialId);
      return { status: 200, body: { success: true, message: 'Credential deleted' } };
    },
  }),
  route({
    ...changing,
    method: 'POST',
    path: '/credentials/:credential_id/test',
    operationId: 'testCredential',
    summary: 'Test a credential with a read-only request',
    params,
    replies: { 200: credentialTest },
    async handle({ deps, scope, params: { credential_id: credentialId } }) {
      const { success, message, row } = await tryCredential(deps, scope, credentialId);
      return { status: 200, body: { success, message, status: readStatus(row) } };
    },
  }),
  route({
    ...changing,
    method: 'GET',
    path: '/credentials/:credential_id/tools',
    operationId: 'listCredentialTools',
    summary: 'List the tools of the MCP server of a credential',
    params,
    replies: { 200: credentialTools, 502: refusal, 503: refusal },
    handle: async ({ deps, scope, params: { credential_id: credentialId } }) => ({
      status: 200,
      body: await listTools(deps, scope, credentialId),
    }),
  }),
];
