/**
 * API keys: creation and verification (SPEC API-keys). A key is readable only in the answer that creates it; the database stores
 * an HMAC of it under a secret that is not in the database.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { systemClock } from '../../base/clock.ts';
import { keysTable } from '../../base/db/batcher.ts';
import type { BatchedReads, Sql } from '../../base/db/client.ts';
import type { Config } from '../../base/config/config.ts';
import { unauthenticated } from '../../base/errors.ts';
import type { AccountLimits, Caller } from './caller.ts';
import { MEMBERSHIP_COLUMN, joinMembership, type Membership } from './membership.ts';

/** Default request limit of a key, per minute (SPEC API-limits). */
export const DEFAULT_KEY_LIMIT = 60;
/** Maximum request limit of a key, per minute. */
export const MAX_KEY_LIMIT = 1_000;
export const API_KEY_PREFIX = 'svc_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
/** 62^43 > 2^256: every 32 bytes fit into 43 characters. */
const RANDOM_LENGTH = 43;
const KEY = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH}}$`);
/** `key_hint`: the first characters of the random part (SPEC API-keys). */
const HINT_LENGTH = 8;

/** Encodes bytes as Base62, padded to a fixed length. */
function encodeBase62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  while (rest > 0n) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits.padStart(RANDOM_LENGTH, '0');
}

/** Computes the stored HMAC of a key. @param secret API_KEY_SECRET */
function fingerprintKey(secret: string, key: string): Buffer {
  return createHmac('sha256', secret).update(key).digest();
}

interface MintedKey {
  readonly key: string;
  readonly keyHint: string;
  readonly fingerprint: Buffer;
}

/** Creates a random key. @param secret API_KEY_SECRET */
export function mintKey(secret: string): MintedKey {
  const random = encodeBase62(randomBytes(RANDOM_BYTES));
  const key = `${API_KEY_PREFIX}${random}`;
  return { key, keyHint: random.slice(0, HINT_LENGTH), fingerprint: fingerprintKey(secret, key) };
}

/**
 * Creates a key for a user, for the operator's command line.
 * @param secret API_KEY_SECRET
 * @returns the key in plain text, which is stored nowhere
 */
export async function createKey(
  db: Sql,
  secret: string,
  owner: {
    readonly userId: string;
    readonly name: string;
    readonly organizationId: string | null;
    readonly rateLimitPerMinute: number;
  },
): Promise<string> {
  const minted = mintKey(secret);
  await db.query(
    `INSERT INTO api_keys (user_id, name, fingerprint, key_hint, organization_id, rate_limit_per_minute)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      owner.userId,
      owner.name,
      minted.fingerprint,
      minted.keyHint,
      owner.organizationId,
      owner.rateLimitPerMinute,
    ],
  );
  return minted.key;
}

/** Formats a key for display as `svc_live_<hint>********` (SPEC API-keys). */
export const maskKey = (keyHint: string): string => `${API_KEY_PREFIX}${keyHint}********`;

interface VerifiedKey {
  readonly caller: Caller;
  readonly isOwnerActive: boolean;
  /** The owner's membership in the requested organization. */
  readonly membership: Membership | null;
}

interface KeyRow {
  readonly api_key_id: string;
  readonly key_hint: string;
  readonly fingerprint: Buffer;
  readonly organization_id: string | null;
  readonly expires_at: Date | null;
  readonly rate_limit_per_minute: number;
  readonly user_id: string;
  readonly subject: string;
  readonly email: string;
  readonly role: string;
  readonly is_owner_active: boolean;
  readonly has_maker: boolean;
  readonly account: AccountLimits | null;
  readonly membership: Membership | null;
}

/**
 * SQL condition on a key `k`: whoever made it for a service account has the rights for that now. The maker knows the key. A key of an
 * owner account is made by owners alone.
 */
export const HAS_MAKER = `
  (k.created_by IS NULL OR EXISTS (
    SELECT 1 FROM memberships made JOIN users maker ON maker.id = made.user_id AND maker.is_active
    WHERE made.user_id = k.created_by AND made.organization_id = k.organization_id AND made.is_active
      AND (made.role = 'owner' OR made.role = 'admin' AND NOT EXISTS (
        SELECT 1 FROM memberships held
        WHERE held.user_id = k.user_id AND held.organization_id = k.organization_id AND held.role = 'owner'))))`;

const FIND = `
  SELECT keys.place, found.*
  FROM ${keysTable({ fingerprint: 'bytea', other_fingerprint: 'bytea', organization_id: 'uuid' })}
  CROSS JOIN LATERAL (
    SELECT k.id AS api_key_id, k.key_hint, k.fingerprint, k.organization_id, k.expires_at, k.rate_limit_per_minute,
           u.id AS user_id, u.subject, u.email, u.role, u.is_active AS is_owner_active, ${HAS_MAKER} AS has_maker,
           CASE WHEN s.id IS NOT NULL THEN json_build_object(
             'rateLimitPerMinute', s.rate_limit_per_minute,
             'subscription', json_build_object(
               'plan', own.plan, 'overrides', own.entitlements, 'isSuspended', own.is_suspended)) END AS account,
           ${MEMBERSHIP_COLUMN}
    FROM api_keys k JOIN users u ON u.id = k.user_id ${joinMembership('keys.organization_id')}
    LEFT JOIN (service_accounts s JOIN organizations own ON own.id = s.organization_id) ON s.id = u.id
    WHERE k.fingerprint = ANY (ARRAY[keys.fingerprint, keys.other_fingerprint]) AND k.is_active LIMIT 1
  ) AS found`;

/**
 * Finds the active key with this text. While API_KEY_SECRET is replaced, it is found under either secret in one statement, for another
 * process may store it under the other one meanwhile; then it is stored under the one that makes what is new. Nothing is cached, so a revocation is effective with its commit. The caller checks
 * `isOwnerActive` after the rate limits (SPEC API-keys).
 * @param organizationId the organization whose membership is also read; null for none
 * @throws ApiError 401 for an unknown, revoked or expired key, and for one of a service account whose maker has no rights any more
 */
export async function verifyKey(
  db: BatchedReads & Sql,
  { apiKeySecret, otherApiKeySecret }: Pick<Config['auth'], 'apiKeySecret' | 'otherApiKeySecret'>,
  { key, organizationId }: { readonly key: string; readonly organizationId: string | null },
): Promise<VerifiedKey> {
  const unknown = unauthenticated('api_key_invalid', 'Invalid API key');
  if (!KEY.test(key)) throw unknown;
  const wanted = fingerprintKey(apiKeySecret, key);
  const other = otherApiKeySecret === null ? null : fingerprintKey(otherApiKeySecret, key);
  const [row] = await db.batched<KeyRow>(FIND, [wanted, other ?? wanted, organizationId]);
  if (row === undefined) throw unknown;
  const isStored = timingSafeEqual(row.fingerprint, wanted);
  if (!isStored && (other === null || !timingSafeEqual(row.fingerprint, other))) throw unknown;
  if (!isStored)
    await db.query('UPDATE api_keys SET fingerprint = $2 WHERE fingerprint = $1', [other, wanted]);
  if (row.expires_at !== null && row.expires_at.getTime() <= systemClock.now())
    throw unauthenticated('api_key_expired', 'API key has expired');
  if (!row.has_maker)
    throw unauthenticated(
      'api_key_without_maker',
      'The person who created this API key no longer has the rights for it. Create another one',
    );
  return {
    caller: {
      userId: row.user_id,
      subject: row.subject,
      email: row.email,
      role: row.role,
      via: {
        kind: 'api_key',
        apiKeyId: row.api_key_id,
        keyHint: row.key_hint,
        organizationId: row.organization_id,
        expiresAt: row.expires_at,
        rateLimitPerMinute: row.rate_limit_per_minute,
        account: row.account,
      },
    },
    isOwnerActive: row.is_owner_active,
    membership: row.membership,
  };
}
