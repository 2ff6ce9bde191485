/** Routes of /api-keys (SPEC API-keys), which need no X-Organization-ID. */
import { maskKey } from '../../../platform/access/api-key.ts';
import { systemClock } from '../../../base/clock.ts';
import type { ApiKey } from '../../../base/db/generated/client.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { uuidParams } from '../../../platform/http/wire.ts';
import { apiKey, apiKeyList, createdApiKey, newApiKey, tooManyKeys } from './schema.ts';
import { createApiKey, findApiKey, listApiKeys, revokeApiKey, type ApiKeyDeps } from './service.ts';

const route = routesFor<ApiKeyDeps>();

const common = { tag: 'api-keys', access: 'caller' } as const;
const params = uuidParams('api_key_id');

/** Presents a key without its secret. */
export function presentKey(record: ApiKey): object {
  return {
    id: record.id,
    name: record.name,
    key_hint: record.keyHint,
    masked_key: maskKey(record.keyHint),
    organization_id: record.organizationId,
    expires_at: record.expiresAt?.toISOString() ?? null,
    is_expired: record.expiresAt !== null && record.expiresAt.getTime() <= systemClock.now(),
    is_active: record.isActive,
    rate_limit_per_minute: record.rateLimitPerMinute,
    last_used_at: record.lastUsedAt?.toISOString() ?? null,
    created_at: record.createdAt.toISOString(),
    revoked_at: record.revokedAt?.toISOString() ?? null,
  };
}

export const apiKeyRoutes: readonly Route<ApiKeyDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: '/api-keys',
    operationId: 'createApiKey',
    summary: 'Create an API key; the key is returned only once',
    body: newApiKey,
    replies: { 201: createdApiKey, 400: tooManyKeys },
    async handle({ deps, caller, body }) {
      const { record, key } = await createApiKey(deps, caller, body);
      return { status: 201, body: { ...presentKey(record), key } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api-keys',
    operationId: 'listApiKeys',
    summary: "List the caller's API keys, including revoked ones",
    replies: { 200: apiKeyList },
    async handle({ deps, caller }) {
      const records = await listApiKeys(deps, caller);
      return { status: 200, body: { api_keys: records.map(presentKey), total: records.length } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api-keys/:api_key_id',
    operationId: 'getApiKey',
    summary: 'Retrieve an API key',
    params,
    replies: { 200: apiKey },
    async handle({ deps, caller, params: { api_key_id: apiKeyId } }) {
      return { status: 200, body: presentKey(await findApiKey(deps, caller, apiKeyId)) };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/api-keys/:api_key_id',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key permanently',
    params,
    replies: { 200: apiKey },
    async handle({ deps, caller, params: { api_key_id: apiKeyId } }) {
      return { status: 200, body: presentKey(await revokeApiKey(deps, caller, apiKeyId)) };
    },
  }),
];
