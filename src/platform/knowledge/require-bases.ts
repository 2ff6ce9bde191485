/** Rejects definitions with a knowledge base that the organization does not have (SPEC SEC-T16). */
import type { Sql } from '../../base/db/client.ts';
import { badRequest } from '../../base/errors.ts';
import { listReferencesTo } from '../../language/graph/template/references.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';

/** @throws ApiError 400 naming the node, also for a base of another organization */
export async function requireBases(sql: Sql, organizationId: string, definition: JsonObject): Promise<void> {
  const references = listReferencesTo('knowledge_base', definition);
  if (references.length === 0) return;
  const rows = await sql.query<{ id: string }>(
    'SELECT id FROM knowledge_bases WHERE organization_id = $1 AND id::text = ANY ($2::text[])',
    [organizationId, references.map(({ id }) => id)],
  );
  const known = new Set(rows.map(({ id }) => id));
  const missing = references.find(({ id }) => !known.has(id));
  if (missing === undefined) return;
  const node = JSON.stringify(missing.nodeId);
  throw badRequest(
    'node_knowledge_base_missing',
    `Node ${node}: knowledge_base_ids: the knowledge base does not exist`,
  );
}
