/** Wire shapes of memberships (SPEC API-organizations). */
import { z } from 'zod';
import { LIVE_ROLES } from '../../../platform/access/caller.ts';
import { moment, uuid } from '../../../platform/http/wire.ts';
import { owningOrganizationId, totalCount } from '../../../platform/http/fields.ts';
import { personEmail } from '../fields.ts';

/** The retired role `member` may be returned, but cannot be set. */
export const roleChange = z
  .object({ role: z.enum(LIVE_ROLES).meta({ description: 'The new role of the member' }) })
  .meta({ id: 'RoleChange' });

export const member = z
  .looseObject({
    user_id: uuid.meta({ description: 'Id of the user' }),
    organization_id: owningOrganizationId,
    email: personEmail,
    role: z
      .string()
      .meta({ description: '`owner` or `admin`; the retired role `member` has no permissions' }),
    is_active: z.boolean().meta({ description: 'Whether the user may use the service' }),
    created_at: moment.meta({ description: 'Start of the membership, ISO 8601 UTC' }),
  })
  .meta({ id: 'Member' });

export const memberList = z
  .looseObject({
    members: z.array(member).meta({ description: 'The members of the organization' }),
    total: totalCount,
  })
  .meta({ id: 'MemberList' });
