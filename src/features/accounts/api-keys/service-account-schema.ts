/** Wire shapes of service accounts. */
import { z } from 'zod';
import { LIVE_ROLES } from '../../../platform/access/caller.ts';
import { uuid } from '../../../platform/http/wire.ts';
import { expiry } from './schema.ts';
import {
  createdAt,
  displayName,
  owningOrganizationId,
  totalCount,
  uniqueId,
} from '../../../platform/http/fields.ts';

const ABOUT_RATE_LIMIT_PER_MINUTE =
  'Requests in 60 seconds, across all keys of the account; at most what the plan allows';

/** Requests per minute beyond which one account would be most of what a process serves; a guess. */
const MAX_ACCOUNT_LIMIT = 100_000;

const name = z.string().min(1).max(255);
const role = z.enum(LIVE_ROLES);
const limit = z.int().min(1).max(MAX_ACCOUNT_LIMIT);

export const newServiceAccount = z
  .object({
    name: name.meta({ description: 'Name of the program that uses it' }),
    role: role
      .default('admin')
      .meta({ description: 'Role of the account in the organization; only owners may create owners' }),
    rate_limit_per_minute: limit.optional().meta({ description: ABOUT_RATE_LIMIT_PER_MINUTE }),
  })
  .meta({ id: 'CreateServiceAccount' });
export type NewServiceAccount = z.output<typeof newServiceAccount>;

export const serviceAccountChange = z
  .object({
    name: name.optional().meta({ description: 'Display name' }),
    role: role
      .optional()
      .meta({ description: 'Role of the account in the organization; only owners may make owners' }),
    rate_limit_per_minute: limit.optional().meta({ description: ABOUT_RATE_LIMIT_PER_MINUTE }),
  })
  .meta({ id: 'ServiceAccountChange' });
export type ServiceAccountChange = z.output<typeof serviceAccountChange>;

export const serviceAccount = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    name: displayName,
    role: z.string().meta({ description: 'Role of the account in the organization' }),
    rate_limit_per_minute: z
      .int()
      .meta({ description: 'Requests in 60 seconds, across all keys of the account' }),
    created_by: uuid.nullable().meta({ description: 'The user who created it; stays when the user leaves' }),
    created_by_email: z
      .string()
      .nullable()
      .meta({ description: 'Email address of the user who created it; null: unknown' }),
    created_at: createdAt,
  })
  .meta({ id: 'ServiceAccount' });

export const serviceAccountList = z
  .looseObject({
    service_accounts: z
      .array(serviceAccount)
      .meta({ description: 'The service accounts of the organization, oldest first' }),
    total: totalCount,
  })
  .meta({ id: 'ServiceAccountList' });

/** A key has no organization of its own to choose: it is pinned to the account's. */
export const newServiceAccountKey = z
  .object({
    name: name.meta({ description: 'Display name' }),
    expires_at: expiry.nullish().meta({ description: 'Time of expiry, ISO 8601 UTC; null: never' }),
    rate_limit_per_minute: limit
      .optional()
      .meta({ description: 'Requests in 60 seconds with this key; the limit of the account by default' }),
  })
  .meta({ id: 'CreateServiceAccountKey' });
export type NewServiceAccountKey = z.output<typeof newServiceAccountKey>;
