/** Wire shapes of service accounts. */
import { z } from 'zod';
import { LIVE_ROLES } from '../../../platform/access/caller.ts';
import { moment, uuid } from '../../../platform/http/wire.ts';
import { expiry } from './schema.ts';

/** Requests per minute beyond which one account would be most of what a process serves; a guess. */
const MAX_ACCOUNT_LIMIT = 100_000;

const name = z.string().min(1).max(255);
const role = z.enum(LIVE_ROLES);
const limit = z.int().min(1).max(MAX_ACCOUNT_LIMIT);

export const newServiceAccount = z
  .object({ name, role: role.default('admin'), rate_limit_per_minute: limit.optional() })
  .meta({ id: 'CreateServiceAccount' });
export type NewServiceAccount = z.output<typeof newServiceAccount>;

export const serviceAccountChange = z
  .object({ name: name.optional(), role: role.optional(), rate_limit_per_minute: limit.optional() })
  .meta({ id: 'ServiceAccountChange' });
export type ServiceAccountChange = z.output<typeof serviceAccountChange>;

export const serviceAccount = z
  .looseObject({
    id: uuid,
    organization_id: uuid,
    name: z.string(),
    role: z.string(),
    rate_limit_per_minute: z.int(),
    created_by: uuid.nullable(),
    created_by_email: z.string().nullable(),
    created_at: moment,
  })
  .meta({ id: 'ServiceAccount' });

export const serviceAccountList = z
  .looseObject({ service_accounts: z.array(serviceAccount), total: z.int() })
  .meta({ id: 'ServiceAccountList' });

/** A key has no organization of its own to choose: it is pinned to the account's. */
export const newServiceAccountKey = z
  .object({
    name,
    expires_at: expiry.nullish(),
    rate_limit_per_minute: limit.optional(),
  })
  .meta({ id: 'CreateServiceAccountKey' });
export type NewServiceAccountKey = z.output<typeof newServiceAccountKey>;
