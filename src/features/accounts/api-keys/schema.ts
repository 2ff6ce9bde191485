/** Wire shapes of API keys (SPEC API-keys). */
import { z } from 'zod';
import { DEFAULT_KEY_LIMIT, MAX_KEY_LIMIT } from '../../../platform/access/api-key.ts';
import { systemClock } from '../../../base/clock.ts';
import { anyMoment, moment, uuid } from '../../../platform/http/wire.ts';
import { createdAt, displayName, expiresAt, totalCount, uniqueId } from '../../../platform/http/fields.ts';

/** A time in the future. */
export const expiry = anyMoment.refine((text) => Date.parse(text) > systemClock.now(), {
  error: 'Must be in the future',
  params: { type: 'datetime_future' },
});

export const newApiKey = z
  .object({
    name: z.string().min(1).max(255).meta({ description: 'Display name' }),
    organization_id: uuid.nullish().meta({
      description:
        'Restricts the key to one organization, of which the caller is a member. Null: valid in all organizations of its owner',
    }),
    expires_at: expiry.nullish().meta({ description: 'Time of expiry, ISO 8601 UTC; null: never' }),
    rate_limit_per_minute: z
      .int()
      .min(1)
      .max(MAX_KEY_LIMIT)
      .default(DEFAULT_KEY_LIMIT)
      .meta({ description: 'Maximum number of requests in 60 seconds' }),
  })
  .meta({ id: 'CreateApiKey' });
export type NewApiKey = z.output<typeof newApiKey>;

const recordFields = {
  id: uniqueId,
  name: displayName,
  key_hint: z.string().meta({ description: 'The first 8 characters of the random part' }),
  masked_key: z.string().meta({ description: 'The key with its prefix and hint; the rest is masked' }),
  organization_id: uuid
    .nullable()
    .meta({ description: 'The only organization in which the key is valid; null: all of its owner' }),
  expires_at: expiresAt,
  is_expired: z.boolean().meta({ description: 'Whether `expires_at` is past' }),
  is_active: z.boolean().meta({ description: 'False after the key was revoked' }),
  rate_limit_per_minute: z.int().meta({ description: 'Maximum number of requests in 60 seconds' }),
  last_used_at: moment
    .nullable()
    .meta({ description: 'Time of the last use, ISO 8601 UTC; null: never used' }),
  created_at: createdAt,
  revoked_at: moment
    .nullable()
    .meta({ description: 'Time of the revocation, ISO 8601 UTC; null: not revoked' }),
};

export const apiKey = z.looseObject(recordFields).meta({ id: 'ApiKey' });
export const createdApiKey = z
  .looseObject({
    ...recordFields,
    key: z.string().meta({ description: 'The full key; returned only here' }),
  })
  .meta({ id: 'CreatedApiKey' });
export const apiKeyList = z
  .looseObject({
    api_keys: z.array(apiKey).meta({ description: "The caller's keys, including revoked ones" }),
    total: totalCount,
  })
  .meta({ id: 'ApiKeyList' });

/** SPEC API-limits: keys per user. */
export const tooManyKeys = z
  .looseObject({
    detail: z
      .looseObject({
        code: z.literal('MAX_KEYS_EXCEEDED').meta({ description: 'Stable code for programs' }),
        message: z.string().meta({ description: 'Description of the error, human-readable' }),
      })
      .meta({ description: 'Description of the error' }),
  })
  .meta({ id: 'TooManyKeys' });
