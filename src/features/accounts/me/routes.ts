/** Routes of /auth/me: the caller's user and organizations (SPEC API-identity), without X-Organization-ID. */
import { z } from 'zod';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { uuid } from '../../../platform/http/wire.ts';
import { listOrganizations, type OrganizationDeps } from '../organizations/service.ts';
import { createdAt, displayName, uniqueId } from '../../../platform/http/fields.ts';
import { isActive, personEmail, unverifiedDomain } from '../fields.ts';

const route = routesFor<OrganizationDeps>();

const common = { method: 'GET', tag: 'identity', access: 'caller' } as const;

const me = z
  .looseObject({
    id: uniqueId,
    subject: z.string().meta({ description: 'Id of the user at the identity provider' }),
    email: personEmail,
    role: z.string().meta({
      description: 'Role of the user in the service, such as `USER`; independent of roles in organizations',
    }),
    is_active: isActive,
    created_at: createdAt,
  })
  .meta({ id: 'Me' });

const myOrganization = z
  .looseObject({
    id: uniqueId,
    organization_id: uuid.meta({ description: 'The same as `id`' }),
    name: displayName,
    slug: z.string().meta({ description: 'Unique name for URLs' }),
    domain: unverifiedDomain,
    role: z.string().meta({ description: 'Role of the user in the organization' }),
    is_active: isActive,
    created_at: createdAt,
  })
  .meta({ id: 'MyOrganization' });
const myOrganizations = z
  .looseObject({
    organizations: z
      .array(myOrganization)
      .meta({ description: 'The organizations that the user belongs to' }),
  })
  .meta({ id: 'MyOrganizationList' });

export const meRoutes: readonly Route<OrganizationDeps>[] = [
  route({
    ...common,
    path: '/auth/me',
    operationId: 'getMe',
    summary: 'Retrieve the authenticated user',
    replies: { 200: me },
    async handle({ deps, caller }) {
      const user = await deps.db.prisma.user.findUniqueOrThrow({ where: { id: caller.userId } });
      return {
        status: 200,
        body: {
          id: user.id,
          subject: user.subject,
          email: user.email,
          role: caller.role,
          is_active: user.isActive,
          created_at: user.createdAt.toISOString(),
        },
      };
    },
  }),
  route({
    ...common,
    path: '/auth/me/organizations',
    operationId: 'listMyOrganizations',
    summary: "List the caller's organizations with the role in each",
    replies: { 200: myOrganizations },
    async handle({ deps, caller }) {
      const organizations = (await listOrganizations(deps, caller)).map((row) => ({
        id: row.id,
        name: row.name,
        slug: row.slug,
        domain: row.domain,
        is_active: row.isActive,
        role: row.role,
        organization_id: row.id,
        created_at: row.createdAt.toISOString(),
      }));
      return { status: 200, body: { organizations } };
    },
  }),
];
