/** Routes of /requests and its deprecated alias /support (SPEC API-aliases). */
import { z } from 'zod';
import { resolveScope } from '../../../platform/access/membership.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal, uuid } from '../../../platform/http/wire.ts';
import type { Db } from '../../../base/db/client.ts';
import { createdAt, uniqueId } from '../../../platform/http/fields.ts';

interface SupportDeps {
  readonly db: Db;
}
const route = routesFor<SupportDeps>();

const supportRequest = z
  .looseObject({
    id: uniqueId,
    subject: z.string().meta({ description: 'Subject of the request' }),
    message: z.string().meta({ description: 'Text of the request' }),
    status: z.string().meta({ description: 'Status of the request' }),
    organization_id: uuid.nullable().meta({ description: 'The organization of the request; null: none' }),
    created_at: createdAt,
  })
  .meta({ id: 'SupportRequest' });

const newSupportRequest = z
  .object({
    subject: z.string().min(1).max(255).meta({ description: 'Subject of the request' }),
    message: z.string().min(1).max(20_000).meta({ description: 'Text of the request' }),
    organization_id: uuid.nullish().meta({ description: 'The organization of the request; null: none' }),
  })
  .meta({ id: 'CreateSupportRequest' });

/** The organization is optional: a user without one may request support too. */
const buildSupportRoute = (path: '/requests' | '/support'): Route<SupportDeps> =>
  route({
    method: 'POST',
    path,
    tag: 'support',
    operationId: path === '/requests' ? 'createRequest' : 'createSupportRequest',
    isDeprecated: path === '/support',
    summary:
      path === '/requests'
        ? 'Create a support request'
        : 'Create a support request (deprecated alias of POST /requests)',
    access: 'caller',
    headers: { 'X-Organization-ID': 'The organization that asks; left out, the user asks' },
    body: newSupportRequest,
    replies: { 201: supportRequest, 400: refusal },
    async handle({ deps, caller, body, ctx }) {
      const header = ctx.get('X-Organization-ID');
      const scope = header === '' ? null : await resolveScope(deps.db, caller, header);
      // As for every new resource, the organization of the body takes precedence over the header.
      const named = body.organization_id ?? null;
      const owner = named === null ? scope : await resolveScope(deps.db, caller, named);
      const organizationId = owner?.organizationId ?? null;
      const row = await deps.db.prisma.supportRequest.create({
        data: { userId: caller.userId, organizationId, subject: body.subject, message: body.message },
      });
      return {
        status: 201,
        body: {
          id: row.id,
          subject: row.subject,
          message: row.message,
          status: row.status,
          organization_id: row.organizationId,
          created_at: row.createdAt.toISOString(),
        },
      };
    },
  });

export const supportRoutes: readonly Route<SupportDeps>[] = [
  buildSupportRoute('/requests'),
  buildSupportRoute('/support'),
];
