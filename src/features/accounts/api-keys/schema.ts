/** Wire shapes of API keys (SPEC API-keys). */
import { z } from 'zod';
import { DEFAULT_KEY_LIMIT, MAX_KEY_LIMIT } from '../../../platform/access/api-key.ts';
import { systemClock } from '../../../base/clock.ts';
import { anyMoment, moment, uuid } from '../../../platform/http/wire.ts';

/** A time in the future. */
export const expiry = anyMoment.refine((text) => Date.parse(text) > systemClock.now(), {
  error: 'Must be in the future',
  params: { type: 'datetime_future' },
});

export const newApiKey = z
  .object({
    name: z.string().min(1).max(255),
    organization_id: uuid.nullish(),
    expires_at: expiry.nullish(),
    rate_limit_per_minute: z.int().min(1).max(MAX_KEY_LIMIT).default(DEFAULT_KEY_LIMIT),
  })
  .meta({ id: 'CreateApiKey' });
export type NewApiKey = z.output<typeof newApiKey>;

const recordFields = {
  id: uuid,
  name: z.string(),
  key_hint: z.string(),
  masked_key: z.string(),
  organization_id: uuid.nullable(),
  expires_at: moment.nullable(),
  is_expired: z.boolean(),
  is_active: z.boolean(),
  rate_limit_per_minute: z.int(),
  last_used_at: moment.nullable(),
  created_at: moment,
  revoked_at: moment.nullable(),
};

export const apiKey = z.looseObject(recordFields).meta({ id: 'ApiKey' });
export const createdApiKey = z
  .looseObject({
    ...recordFields,
    key: z.string().meta({ description: 'The full key; returned only here' }),
  })
  .meta({ id: 'CreatedApiKey' });
export const apiKeyList = z
  .looseObject({ api_keys: z.array(apiKey), total: z.int() })
  .meta({ id: 'ApiKeyList' });

/** SPEC API-limits: keys per user. */
export const tooManyKeys = z
  .looseObject({
    detail: z.looseObject({ code: z.literal('MAX_KEYS_EXCEEDED'), message: z.string() }),
  })
  .meta({ id: 'TooManyKeys' });
