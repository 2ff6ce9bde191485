/** Definitions by content: stored once per organization, however often they are deployed or run. */
import {
  readInputParameters,
  type InputParameter,
} from '../../../../language/graph/definition/input-parameters.ts';
import { createHash } from 'node:crypto';
import type { Sql } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import type { RunSubject } from './insert-runs.ts';

/** Converts a definition to its stored form: its exact JSON text, and the SHA-256 of the text in hex. */
export function writeDefinition(
  definition: JsonObject,
): Pick<RunSubject, 'definitionHash'> & { readonly definitionText: string } {
  const text = JSON.stringify(definition);
  return { definitionHash: createHash('sha256').update(text).digest('hex'), definitionText: text };
}

/** Stores a definition if it is not stored yet. @returns its hash */
export async function storeDefinition(
  sql: Sql,
  organizationId: string,
  definition: JsonObject,
): Promise<string> {
  const { definitionHash, definitionText } = writeDefinition(definition);
  await sql.query(
    `INSERT INTO definitions (organization_id, hash, definition) VALUES ($1, $2, $3::json) ON CONFLICT DO NOTHING`,
    [organizationId, definitionHash, definitionText],
  );
  return definitionHash;
}

/** Reads a stored definition; null when the organization has none with this hash. */
export async function readDefinition(
  sql: Sql,
  organizationId: string,
  hash: string,
): Promise<JsonObject | null> {
  const [stored] = await sql.query<{ definition: JsonObject }>(
    'SELECT definition FROM definitions WHERE organization_id = $1 AND hash = $2',
    [organizationId, hash],
  );
  return stored?.definition ?? null;
}

/** Reads the execution config of a stored definition, and the declared parameters of its input. */
export async function readDefinitionSettings(
  sql: Sql,
  organizationId: string,
  hash: string,
): Promise<{ readonly config: Json | undefined; readonly parameters: readonly InputParameter[] }> {
  const [stored] = await sql.query<{ config: Json; parameters: Json }>(
    `SELECT definition -> 'config' AS config, definition -> 'input_parameters' AS parameters
     FROM definitions WHERE organization_id = $1 AND hash = $2`,
    [organizationId, hash],
  );
  return { config: stored?.config, parameters: readInputParameters(stored?.parameters) };
}
