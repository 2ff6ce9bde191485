/** Wire shapes of organizations (SPEC API-organizations). Bounds of lengths are ours. */
import { z } from 'zod';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { jsonObject, describeJsonObject } from '../../../platform/http/wire.ts';
import { createdAt, displayName, uniqueId } from '../../../platform/http/fields.ts';
import { isActive, unverifiedDomain } from '../fields.ts';

const ABOUT_RUN_RETENTION_DAYS =
  'Days after their end that runs are kept, 1 to 3,650; null: for good. Shorter deletes older runs within minutes';

const name = z.string().trim().min(1).max(255);
/** A host name, or nothing. It is a label: its ownership is not verified. */
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^$|^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'Must be a domain name',
  );

/** Ten years. */
const MAX_RETENTION_DAYS = 3_650;
/** A limit, because every read of the organization includes the settings. */
const MAX_SETTINGS_CHARACTERS = 16 * 1024;
const settings = describeJsonObject({
  description: 'Free-form settings; an update replaces all of them',
}).refine((value) => JSON.stringify(value).length <= MAX_SETTINGS_CHARACTERS, {
  error: `Must have at most ${MAX_SETTINGS_CHARACTERS} characters as JSON`,
  params: { type: 'too_long' },
});

export const newOrganization = z
  .object({ name: name.meta({ description: 'Display name' }) })
  .meta({ id: 'CreateOrganization' });

/** Only supplied fields change; `settings` is replaced as a whole. */
export const organizationUpdate = z
  .object({
    name: name.optional().meta({ description: 'Display name' }),
    domain: domain.optional().meta({ description: 'Domain of the organization, not verified; empty: none' }),
    settings: settings.optional(),
    run_retention_days: z
      .int()
      .min(1)
      .max(MAX_RETENTION_DAYS)
      .nullable()
      .optional()
      .meta({ description: ABOUT_RUN_RETENTION_DAYS }),
  })
  .meta({ id: 'OrganizationUpdate' });
export type OrganizationUpdate = z.output<typeof organizationUpdate>;

const listed = {
  id: uniqueId,
  name: displayName,
  slug: z.string().meta({ description: 'Unique name for URLs' }),
  domain: unverifiedDomain,
  is_active: isActive,
  created_at: createdAt,
};
export const organization = z.looseObject(listed).meta({ id: 'Organization' });
export const organizationList = z.array(organization).meta({ id: 'OrganizationList' });
export const organizationDetail = z
  .looseObject({
    ...listed,
    stripe_customer_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the customer at Stripe; null: none' }),
    settings: jsonObject.meta({ description: 'Free-form settings of the organization' }),
    run_retention_days: z.int().nullable().meta({ description: ABOUT_RUN_RETENTION_DAYS }),
    has_ever_trialed: z.boolean().meta({ description: 'Whether the organization has ever had a trial' }),
    warnings: bodyWarnings,
  })
  .meta({ id: 'OrganizationDetail' });
