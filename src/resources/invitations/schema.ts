/** Wire shapes of invitations (SPEC API-organizations: "invitations accept only `admin`"). */
import { z } from 'zod';
import { moment, uuid } from '../../http/wire.ts';

export const newInvitation = z
  .object({ email: z.email().max(320), role: z.literal('admin') })
  .meta({ id: 'CreateInvitation' });

export const invitation = z
  .looseObject({
    id: uuid,
    organization_id: uuid,
    organization_name: z.string(),
    email: z.string(),
    role: z.string(),
    status: z.enum(['pending', 'accepted']),
    created_at: moment,
  })
  .meta({ id: 'Invitation' });

export const invitationList = z
  .looseObject({ invitations: z.array(invitation) })
  .meta({ id: 'InvitationList' });
