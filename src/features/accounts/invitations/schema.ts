/** Wire shapes of invitations (SPEC API-organizations: "invitations accept only `admin`"). */
import { z } from 'zod';
import { moment, uuid } from '../../../platform/http/wire.ts';

/** The most characters before the @ (RFC 5321, section 4.5.3.1.1): no server takes mail for a longer name. */
const MAX_LOCAL_PART = 64;
const email = z
  .email()
  .max(320)
  .refine((address) => address.lastIndexOf('@') <= MAX_LOCAL_PART, {
    message: `Must have at most ${MAX_LOCAL_PART} characters before the @`,
  });

export const newInvitation = z.object({ email, role: z.literal('admin') }).meta({ id: 'CreateInvitation' });

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
