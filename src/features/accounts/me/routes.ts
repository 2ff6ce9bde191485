/** Routes of /auth/me: the caller's user and organizations (SPEC API-identity), without X-Organization-ID. */
import { z } from 'zod';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { moment, uuid } from '../../../platform/http/wire.ts';
import { listOrganizations, type OrganizationDeps } from '../organizations/service.ts';

const route = routesFor<OrganizationDeps>();

const common = { method: 'GET', tag: 'identity', access: 'caller' } as const;

const me = z
  .looseObject({
    id: uuid,
    subject: z.string().meta({ description: 'Id of the user at the identity provider' }),
    email: z.string(),
    role: z.string(),
    is_active: z.boolean(),
    created_at: moment,
  })
  .meta({ id: 'Me' });

const myOrganization = z
  .looseObject({
    id: uuid,
    organization_id: uuid.meta({ description: 'The same as `id`' }),
    name: z.string(),
    slug: z.string(),
    domain: z.string(),
    role: z.string(),
    is_active: z.boolean(),
    created_at: moment,
  })
  .meta({ id: 'MyOrganization' });
const myOrganizations = z
  .looseObject({ organizations: z.array(myOrganization) })
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
