/** Creates, lists, reads and revokes a user's API keys. A key never manages a key with more rights than its own. */
import { systemClock } from '../../../base/clock.ts';
import { mintKey } from '../../../platform/access/api-key.ts';
import type { Caller } from '../../../platform/access/caller.ts';
import type { KeyUse } from '../../../platform/access/key-use.ts';
import {
  findPinnedOrganization,
  requireKeyScope,
  requireMembership,
} from '../../../platform/access/membership.ts';
import type { Db } from '../../../base/db/client.ts';
import type { Config } from '../../../base/config/config.ts';
import type { ApiKey } from '../../../base/db/generated/client.ts';
import { ApiError, conflict, forbidden, notFound } from '../../../base/errors.ts';
import type { NewApiKey } from './schema.ts';

/** SPEC API-limits: keys per user. Revoked keys do not count. */
export const MAX_KEYS = 10;

export interface ApiKeyDeps {
  readonly db: Db;
  readonly config: Config;
  /** Uses are written once a second; a record that is read shows those of this process before. */
  readonly keyUse: Pick<KeyUse, 'flush'>;
}

/** The fields that limit a key. */
type Powers = Pick<ApiKey, 'organizationId' | 'expiresAt' | 'rateLimitPerMinute'>;

/**
 * A key creates and revokes only keys of its organization that do not outlive it and have no higher limit (SPEC SEC-A20).
 * @throws ApiError 403 for a wider key
 */
export function requireNarrower(
  caller: Caller,
  verb: 'create' | 'revoke',
  { organizationId, expiresAt, rateLimitPerMinute }: Powers,
): void {
  if (caller.via.kind !== 'api_key') return;
  requireKeyScope(caller, organizationId);
  const { expiresAt: end, rateLimitPerMinute: most } = caller.via;
  if (rateLimitPerMinute > most) {
    const message = `An API key of ${most} requests a minute cannot ${verb} one of ${rateLimitPerMinute}`;
    throw forbidden('api_key_too_wide', message);
  }
  if (end !== null && (expiresAt === null || expiresAt > end)) {
    throw forbidden('api_key_too_wide', `An API key cannot ${verb} a key that expires later`);
  }
}

/**
 * Creates a key for the caller.
 * @returns its record and the key itself, which is not stored
 * @throws ApiError 403 for a foreign organization or a wider key, 400 MAX_KEYS_EXCEEDED at ten active keys
 */
export async function createApiKey(
  deps: ApiKeyDeps,
  caller: Caller,
  body: NewApiKey,
): Promise<{ readonly record: ApiKey; readonly key: string }> {
  const organizationId = body.organization_id ?? null;
  const expiresAt = typeof body.expires_at === 'string' ? new Date(body.expires_at) : null;
  requireNarrower(caller, 'create', {
    organizationId,
    expiresAt,
    rateLimitPerMinute: body.rate_limit_per_minute,
  });
  if (organizationId !== null) await requireMembership(deps.db, caller.userId, organizationId);
  const { name, rate_limit_per_minute: rateLimitPerMinute } = body;
  const powers = { organizationId, expiresAt, rateLimitPerMinute };
  return insertKey(deps, { ...powers, userId: caller.userId, name, createdBy: null });
}

type NewKey = Powers & Pick<ApiKey, 'userId' | 'name' | 'createdBy'>;

/**
 * Creates a key of a user or of a service account.
 * @param key `createdBy`: the user who creates it for a service account; null for an own key
 * @throws ApiError 400 MAX_KEYS_EXCEEDED, or 409 for a service account, at ten active keys
 */
export async function insertKey(
  deps: ApiKeyDeps,
  key: NewKey,
): Promise<{ readonly record: ApiKey; readonly key: string }> {
  const minted = mintKey(deps.config.auth.apiKeySecret);
  const record = await deps.db.prisma.$transaction(async (tx) => {
    // Locks the user's row, so that concurrent requests are counted one after the other.
    await tx.$queryRaw`SELECT id FROM users WHERE id = ${key.userId}::uuid FOR NO KEY UPDATE`;
    const active = await tx.apiKey.count({ where: { userId: key.userId, isActive: true } });
    if (active >= MAX_KEYS) {
      if (key.createdBy !== null)
        throw conflict(
          'service_account_key_limit_reached',
          `A service account can have at most ${MAX_KEYS} API keys. Revoke one first`,
        );
      const message = `A user can have at most ${MAX_KEYS} API keys. Revoke one first.`;
      const code = 'MAX_KEYS_EXCEEDED';
      throw new ApiError({ shape: 'B', status: 400, code, detail: { code, message } });
    }
    return tx.apiKey.create({
      data: { ...key, fingerprint: new Uint8Array(minted.fingerprint), keyHint: minted.keyHint },
    });
  });
  return { record, key: minted.key };
}

/** Lists the keys, newest first and revoked ones included; a pinned key sees those of its organization. */
export async function listApiKeys(deps: ApiKeyDeps, caller: Caller): Promise<ApiKey[]> {
  const pin = findPinnedOrganization(caller);
  await deps.keyUse.flush();
  return deps.db.prisma.apiKey.findMany({
    where: { userId: caller.userId, ...(pin === null ? {} : { organizationId: pin }) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

/** @throws ApiError 404 when the caller has no such key; 403 when the caller's own is pinned to another organization */
export async function findApiKey(deps: ApiKeyDeps, caller: Caller, apiKeyId: string): Promise<ApiKey> {
  await deps.keyUse.flush();
  const record = await deps.db.prisma.apiKey.findFirst({ where: { id: apiKeyId, userId: caller.userId } });
  if (record === null) throw notFound('API key');
  requireKeyScope(caller, record.organizationId);
  return record;
}

/** Revokes a key permanently and keeps its record; idempotent. @throws ApiError 404; 403 for a wider key than the caller's */
export async function revokeApiKey(deps: ApiKeyDeps, caller: Caller, apiKeyId: string): Promise<ApiKey> {
  requireNarrower(caller, 'revoke', await findApiKey(deps, caller, apiKeyId));
  await deps.db.prisma.apiKey.updateMany({
    where: { id: apiKeyId, userId: caller.userId, isActive: true },
    data: { isActive: false, revokedAt: new Date(systemClock.now()) },
  });
  return findApiKey(deps, caller, apiKeyId);
}
