/**
 * Idempotency-Key of POST /workflows/run: one run per organization, caller, key and body within 24 hours of database time. Only
 * successes are stored: a refused request does not use its key.
 */
import { createHash } from 'node:crypto';
import type { Sql } from '../../../../base/db/client.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';

export interface IdempotencyKey {
  readonly organizationId: string;
  /** Keys belong to their caller: another user with the same key must not receive the response of a private run. */
  readonly userId: string;
  readonly key: string;
  readonly bodyHash: string;
}

export type StoredReply =
  | { readonly kind: 'replay'; readonly response: JsonObject }
  | { readonly kind: 'reused' };

/** Computes the SHA-256 of a request body, as hex. */
export function hashBody(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

/** Builds the column `key`, with the caller as a prefix, because the primary key has no column for the caller. */
const toStoredKey = ({ userId, key }: IdempotencyKey): string => `${userId}:${key}`;

/** Locks the key until the transaction ends; false when another request has locked it. */
export async function lockIdempotencyKey(tx: Sql, key: IdempotencyKey): Promise<boolean> {
  const rows = await tx.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
    [`idempotency:${key.organizationId}:${toStoredKey(key)}`],
  );
  return rows[0]?.locked ?? false;
}

/** Reads the stored response of a key: `reused` when it belongs to another body, null when there is none. */
export async function readReply(sql: Sql, key: IdempotencyKey): Promise<StoredReply | null> {
  const rows = await sql.query<{ body_hash: string; response: JsonObject }>(
    `SELECT body_hash, response FROM idempotency_keys
     WHERE organization_id = $1 AND key = $2 AND created_at > now() - interval '24 hours'`,
    [key.organizationId, toStoredKey(key)],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return row.body_hash === key.bodyHash ? { kind: 'replay', response: row.response } : { kind: 'reused' };
}

/** Stores the response; it replaces an expired one of the same key. */
export async function storeReply(tx: Sql, key: IdempotencyKey, response: JsonObject): Promise<void> {
  await tx.query(
    `INSERT INTO idempotency_keys (organization_id, key, body_hash, response) VALUES ($1, $2, $3, $4::json)
     ON CONFLICT (organization_id, key) DO UPDATE
       SET body_hash = excluded.body_hash, response = excluded.response, created_at = now()`,
    [key.organizationId, toStoredKey(key), key.bodyHash, JSON.stringify(response)],
  );
}
