/** Rejects definitions with a credential that the organization does not have (SPEC SEC-T16). */
import type { Sql } from '../../base/db/client.ts';
import { badRequest } from '../../base/errors.ts';
import { listReferencesTo } from '../../language/graph/template/references.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';

const FIND = 'SELECT id FROM credentials WHERE organization_id = $1 AND id::text = ANY ($2::text[])';
const FIND_AND_LOCK = `${FIND} FOR KEY SHARE`;

async function requireFound(
  sql: Sql,
  statement: string,
  organizationId: string,
  definition: JsonObject,
): Promise<void> {
  const references = listReferencesTo('credential', definition);
  if (references.length === 0) return;
  const ids = references.map(({ id }) => id);
  const rows = await sql.query<{ id: string }>(statement, [organizationId, ids]);
  const known = new Set(rows.map(({ id }) => id));
  const missing = references.find(({ id }) => !known.has(id));
  if (missing === undefined) return;
  throw badRequest(
    'node_credential_missing',
    `Node ${JSON.stringify(missing.nodeId)}: credential_id: the credential does not exist`,
  );
}

/** @throws ApiError 400 naming the node, also for a credential of another organization */
export const requireCredentials = (sql: Sql, organizationId: string, definition: JsonObject): Promise<void> =>
  requireFound(sql, FIND, organizationId, definition);

/** As requireCredentials, and blocks the deletion of the credentials until the transaction ends. */
export const lockCredentials = (tx: Sql, organizationId: string, definition: JsonObject): Promise<void> =>
  requireFound(tx, FIND_AND_LOCK, organizationId, definition);
