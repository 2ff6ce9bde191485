/** Wire shapes of invitations (SPEC API-organizations: "invitations accept only `admin`"). */
import { z } from 'zod';
import { createdAt, owningOrganizationId, uniqueId } from '../../../platform/http/fields.ts';
import { personEmail } from '../fields.ts';

/** The most characters before the @ (RFC 5321, section 4.5.3.1.1): no server takes mail for a longer name. */
const MAX_LOCAL_PART = 64;
const email = z
  .email()
  .max(320)
  .refine((address) => address.lastIndexOf('@') <= MAX_LOCAL_PART, {
    message: `Must have at most ${MAX_LOCAL_PART} characters before the @`,
  });

export const newInvitation = z
  .object({
    email: email.meta({ description: 'Email address of the person' }),
    role: z.literal('admin').meta({ description: 'The role of the person after joining' }),
  })
  .meta({ id: 'CreateInvitation' });

export const invitation = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    organization_name: z.string().meta({ description: 'Name of the organization' }),
    email: personEmail,
    role: z.string().meta({ description: 'The role of the person after joining' }),
    status: z.enum(['pending', 'accepted']).meta({ description: 'Whether the person has joined' }),
    created_at: createdAt,
  })
  .meta({ id: 'Invitation' });

export const invitationList = z
  .looseObject({ invitations: z.array(invitation).meta({ description: 'The invitations' }) })
  .meta({ id: 'InvitationList' });
