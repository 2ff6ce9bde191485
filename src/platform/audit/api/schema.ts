/** Wire shapes of the audit log. */
import { z } from 'zod';
import { cursor, limit } from '../../http/paginate.ts';
import { anyMoment, jsonObject, uuid } from '../../http/wire.ts';
import { createdAt, nextCursor, uniqueId } from '../../http/fields.ts';

const filter = {
  actor_id: uuid.optional().meta({ description: 'Only actions of this user or service account' }),
  action: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Only this action, such as `credential.deleted`, or all of a type: `credential`' }),
  object_id: z.string().max(100).optional().meta({ description: 'Only actions on this object' }),
  since: anyMoment.optional().meta({ description: 'Only entries at or after this time' }),
  until: anyMoment.optional().meta({ description: 'Only entries before this time' }),
};

export const auditExportQuery = z.object(filter);
export const auditQuery = z.object({ ...filter, limit: limit(50), cursor });

const entry = z
  .looseObject({
    id: uniqueId,
    created_at: createdAt,
    organization_id: uuid.nullable().meta({ description: 'The organization; null: the whole deployment' }),
    action: z
      .string()
      .meta({ description: 'What was done: the type of the object and a verb, such as `api_key.revoked`' }),
    actor: z
      .looseObject({
        type: z.enum(['user', 'service_account', 'operator', 'system']).meta({
          description: '`operator` is the command line of the deployment, `system` the service itself',
        }),
        id: uuid.nullable().meta({ description: 'Id of the user or service account; null for others' }),
        name: z
          .string()
          .nullable()
          .meta({ description: 'Email address, name of the service account, or name of the operator' }),
        api_key_id: uuid
          .nullable()
          .meta({ description: 'The API key of the request; null: a signed-in person' }),
      })
      .meta({ id: 'AuditActor' })
      .meta({ description: 'Who did it' }),
    object: z
      .looseObject({
        type: z.string().meta({ description: 'Type of the object, such as `credential`' }),
        id: z.string().nullable().meta({ description: 'Id of the object, which may be deleted' }),
        name: z.string().nullable().meta({ description: 'Its name at that time; null: it has none' }),
      })
      .meta({ id: 'AuditObject' })
      .meta({ description: 'What it was done to' }),
    ip_address: z.string().nullable().meta({ description: 'Address of the caller; null: no request' }),
    request_id: z
      .string()
      .nullable()
      .meta({ description: 'The `X-Request-ID` of the response; null: no request' }),
    details: jsonObject.meta({
      description:
        'Names of changed `fields`, and former and new values of those that are not secret as `changes`',
    }),
  })
  .meta({ id: 'AuditEntry' });
export const auditPage = z
  .looseObject({
    entries: z.array(entry).meta({ description: 'The entries, newest first' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'AuditLogPage' });
