/** Wire shapes of the audit log. */
import { z } from 'zod';
import { cursor, limit } from '../../http/paginate.ts';
import { anyMoment, jsonObject, moment, uuid } from '../../http/wire.ts';

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
    id: uuid,
    created_at: moment,
    organization_id: uuid.nullable(),
    action: z.string(),
    actor: z
      .looseObject({
        type: z.enum(['user', 'service_account', 'operator', 'system']),
        id: uuid.nullable(),
        name: z.string().nullable(),
        api_key_id: uuid.nullable(),
      })
      .meta({ id: 'AuditActor' }),
    object: z
      .looseObject({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() })
      .meta({ id: 'AuditObject' }),
    ip_address: z.string().nullable(),
    request_id: z.string().nullable(),
    details: jsonObject,
  })
  .meta({ id: 'AuditEntry' });
export const auditPage = z
  .looseObject({ entries: z.array(entry), next_cursor: z.string().nullable() })
  .meta({ id: 'AuditLogPage' });
