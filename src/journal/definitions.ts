/** Definitions by content: what runs execute, stored once per organization however often it is deployed or run. */
import { createHash } from 'node:crypto';
import type { Sql } from '../db/client.ts';
import type { JsonObject } from '../graph/value.ts';

/**
 * Stores a definition unless it is there.
 * @returns its hash: SHA-256, in hex, of its exact JSON text
 */
export async function storeDefinition(
  sql: Sql,
  organizationId: string,
  definition: JsonObject,
): Promise<string> {
  const text = JSON.stringify(definition);
  const hash = createHash('sha256').update(text).digest('hex');
  await sql.query(
    `INSERT INTO definitions (organization_id, hash, definition) VALUES ($1, $2, $3::json) ON CONFLICT DO NOTHING`,
    [organizationId, hash, text],
  );
  return hash;
}
