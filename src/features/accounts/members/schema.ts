/** Wire shapes of memberships (SPEC API-organizations). */
import { z } from 'zod';
import { LIVE_ROLES } from '../../../platform/access/caller.ts';
import { moment, uuid } from '../../../platform/http/wire.ts';

/** The retired role `member` may be returned, but cannot be set. */
export const roleChange = z.object({ role: z.enum(LIVE_ROLES) }).meta({ id: 'RoleChange' });

export const member = z
  .looseObject({
    user_id: uuid,
    organization_id: uuid,
    email: z.string(),
    role: z.string(),
    is_active: z.boolean().meta({ description: 'Whether the user may use the service' }),
    created_at: moment,
  })
  .meta({ id: 'Member' });

export const memberList = z
  .looseObject({ members: z.array(member), total: z.int() })
  .meta({ id: 'MemberList' });
