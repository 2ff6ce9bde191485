/** Definitions by content: what runs execute, stored once per organization however often it is deployed or run. */
import { createHash } from 'node:crypto';
import type { Sql } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';

/** A definition as it is stored: its exact JSON text, under the SHA-256 of that in hex. */
export interface WrittenDefinition {
  readonly hash: string;
  readonly text: string;
}

export function writeDefinition(definition: JsonObject): WrittenDefinition {
  const text = JSON.stringify(definition);
  return { hash: createHash('sha256').update(text).digest('hex'), text };
}

/**
 * Stores a definition unless it is there.
 * @returns its hash
 */
export async function storeDefinition(
  sql: Sql,
  organizationId: string,
  definition: JsonObject,
): Promise<string> {
  const { hash, text } = writeDefinition(definition);
  await sql.query(
    `INSERT INTO definitions (organization_id, hash, definition) VALUES ($1, $2, $3::json) ON CONFLICT DO NOTHING`,
    [organizationId, hash, text],
  );
  return hash;
}
