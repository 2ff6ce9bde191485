/** Refuses definitions that name a credential which the organization does not have (SPEC SEC-T16). */
import type { Sql } from '../db/client.ts';
import { badRequest } from '../errors.ts';
import { credentialReferences, type CredentialReference } from '../graph/credential-references.ts';
import type { JsonObject } from '../graph/value.ts';

const FIND = 'SELECT id FROM credentials WHERE organization_id = $1 AND id::text = ANY ($2::text[])';
const FIND_AND_LOCK = `${FIND} FOR KEY SHARE`;

const idsOf = (references: readonly CredentialReference[]): string[] =>
  references.map(({ credentialId }) => credentialId);

function requireAll(references: readonly CredentialReference[], rows: readonly { id: string }[]): void {
  const known = new Set(rows.map(({ id }) => id));
  const missing = references.find(({ credentialId }) => !known.has(credentialId));
  if (missing === undefined) return;
  throw badRequest(
    'node_credential_missing',
    `Node ${JSON.stringify(missing.nodeId)}: credential_id: the credential does not exist`,
  );
}

/** @throws ApiError 400 naming the node; a foreign credential and none are the same */
export async function requireCredentials(
  sql: Sql,
  organizationId: string,
  definition: JsonObject,
): Promise<void> {
  const references = credentialReferences(definition);
  if (references.length === 0) return;
  requireAll(references, await sql.query<{ id: string }>(FIND, [organizationId, idsOf(references)]));
}

/** As requireCredentials, and keeps the credentials from being deleted until the transaction ends. */
export async function lockCredentials(
  tx: Sql,
  organizationId: string,
  definition: JsonObject,
): Promise<void> {
  const references = credentialReferences(definition);
  if (references.length === 0) return;
  requireAll(references, await tx.query<{ id: string }>(FIND_AND_LOCK, [organizationId, idsOf(references)]));
}
