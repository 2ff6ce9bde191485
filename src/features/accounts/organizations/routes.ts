/** Routes of /organizations and their settings (SPEC API-organizations). */
import { requireKeyScope } from '../../../platform/access/membership.ts';
import { createOrganization, type OrganizationRow } from '../../../platform/access/organization.ts';
import type { Organization } from '../../../base/db/generated/client.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { uuidParams } from '../../../platform/http/wire.ts';
import {
  newOrganization,
  organization,
  organizationDetail,
  organizationList,
  organizationUpdate,
} from './schema.ts';
import {
  changeOrganization,
  findOrganization,
  listOrganizations,
  requireScoped,
  type OrganizationDeps,
} from './service.ts';

const route = routesFor<OrganizationDeps>();

const params = uuidParams('organization_id');

function present(row: OrganizationRow): object {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    domain: row.domain,
    is_active: row.isActive,
    created_at: row.createdAt.toISOString(),
  };
}

function presentDetail(row: Organization): object {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    domain: row.domain,
    is_active: row.isActive,
    stripe_customer_id: row.stripeCustomerId,
    settings: row.settings,
    run_retention_days: row.runRetentionDays,
    has_ever_trialed: row.hasEverTrialed,
    created_at: row.createdAt.toISOString(),
  };
}

export const organizationRoutes: readonly Route<OrganizationDeps>[] = [
  route({
    method: 'GET',
    path: '/organizations',
    tag: 'organizations',
    operationId: 'listOrganizations',
    summary: "List the caller's organizations",
    access: 'caller',
    replies: { 200: organizationList },
    async handle({ deps, caller }) {
      return { status: 200, body: (await listOrganizations(deps, caller)).map(present) };
    },
  }),
  route({
    method: 'POST',
    path: '/organizations',
    tag: 'organizations',
    operationId: 'createOrganization',
    summary: 'Create an organization; the caller becomes its owner',
    access: 'caller',
    body: newOrganization,
    replies: { 201: organization },
    async handle({ deps, caller, body }) {
      requireKeyScope(caller, null);
      return { status: 201, body: present(await createOrganization(deps.db, caller.userId, body.name)) };
    },
  }),
  route({
    method: 'GET',
    path: '/organizations/:organization_id',
    tag: 'organizations',
    operationId: 'getOrganization',
    summary: 'Retrieve the organization and its settings',
    access: 'organization',
    isAdministrative: true,
    params,
    replies: { 200: organizationDetail },
    async handle({ deps, scope, params: { organization_id: organizationId } }) {
      requireScoped(scope, organizationId);
      return { status: 200, body: presentDetail(await findOrganization(deps, scope)) };
    },
  }),
  route({
    method: 'PATCH',
    path: '/organizations/:organization_id',
    tag: 'organizations',
    operationId: 'updateOrganization',
    summary: 'Update the organization',
    access: 'organization',
    isAdministrative: true,
    params,
    body: organizationUpdate,
    find: ({ scope, params }) => requireScoped(scope, params.organization_id),
    replies: { 200: organizationDetail },
    async handle({ deps, scope, params: { organization_id: organizationId }, body }) {
      requireScoped(scope, organizationId);
      return { status: 200, body: presentDetail(await changeOrganization(deps, scope, body)) };
    },
  }),
];
