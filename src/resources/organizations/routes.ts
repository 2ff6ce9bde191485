/** The rows of /organizations (specification, "Organizations"). */
import { z } from 'zod';
import { route, type Route } from '../../http/route.ts';
import { moment, uuid, uuidParams } from '../../http/wire.ts';
import { createOrganization, inviteAdmin, organizationsOf, type OrganizationRow } from './service.ts';

const organization = z
  .looseObject({
    id: uuid,
    name: z.string(),
    slug: z.string(),
    domain: z.string(),
    is_active: z.boolean(),
    created_at: moment,
  })
  .meta({ id: 'Organization' });

export const invitation = z
  .looseObject({
    id: uuid,
    organization_id: uuid,
    email: z.string(),
    role: z.string(),
    status: z.string(),
    created_at: moment,
  })
  .meta({ id: 'Invitation' });

function presentOrganization(row: OrganizationRow): object {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    domain: row.domain,
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
  };
}

export const organizationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/organizations',
    tag: 'organizations',
    summary: "List the caller's organizations",
    access: 'caller',
    replies: { 200: z.array(organization) },
    async handle({ deps, caller }) {
      return { status: 200, body: (await organizationsOf(deps.db, caller.userId)).map(presentOrganization) };
    },
  }),
  route({
    method: 'POST',
    path: '/organizations',
    tag: 'organizations',
    summary: 'Create an organization; the caller becomes its owner',
    access: 'caller',
    body: z.object({ name: z.string().min(1).max(255) }),
    replies: { 201: organization },
    async handle({ deps, caller, body }) {
      return {
        status: 201,
        body: presentOrganization(await createOrganization(deps.db, caller.userId, body.name)),
      };
    },
  }),
  route({
    method: 'POST',
    path: '/organizations/:organization_id/invitations',
    tag: 'organizations',
    summary: 'Invite somebody as an admin of the organization',
    access: 'owner_or_admin',
    params: uuidParams('organization_id'),
    // "invitations accept only `admin`"
    body: z.object({ email: z.email().max(320), role: z.literal('admin') }),
    replies: { 201: invitation },
    async handle({ deps, scope, params: { organization_id: organizationId }, body }) {
      const row = await inviteAdmin(deps, scope, { organizationId, email: body.email });
      return {
        status: 201,
        body: {
          id: row.id,
          organization_id: row.organizationId,
          email: row.email,
          role: row.role,
          status: row.status,
          created_at: row.createdAt.toISOString(),
        },
      };
    },
  }),
];
