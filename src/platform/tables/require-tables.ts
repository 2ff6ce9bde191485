/** Rejects definitions with a table that the organization does not have (SPEC SEC-T16). */
import type { Sql } from '../../base/db/client.ts';
import { badRequest } from '../../base/errors.ts';
import { listReferencesTo } from '../../language/graph/template/references.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';

/** @throws ApiError 400 naming the node, also for a table of another organization */
export async function requireTables(sql: Sql, organizationId: string, definition: JsonObject): Promise<void> {
  const references = listReferencesTo('table', definition);
  if (references.length === 0) return;
  const rows = await sql.query<{ id: string }>(
    'SELECT id FROM data_tables WHERE organization_id = $1 AND id::text = ANY ($2::text[])',
    [organizationId, references.map(({ id }) => id)],
  );
  const known = new Set(rows.map(({ id }) => id));
  const missing = references.find(({ id }) => !known.has(id));
  if (missing === undefined) return;
  throw badRequest(
    'node_table_missing',
    `Node ${JSON.stringify(missing.nodeId)}: table_id: the table does not exist`,
  );
}
