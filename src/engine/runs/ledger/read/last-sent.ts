/** Reads the last request of a node, for people who compare it with the next one. */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json } from '../../../../language/graph/values/value.ts';

/** Runs that are looked at, the newest first; a workflow may have millions. */
const LOOKED_AT = 50;
/** Characters of JSON. A guess: nobody compares more. */
const MAX_CHARS = 65_536;

/** @returns the input of its newest step that succeeded, as it was recorded; null when there is none among the newest runs, or it is large */
export async function readLastSent(
  sql: Sql,
  {
    organizationId,
    workflowId,
    nodeId,
  }: {
    readonly organizationId: string;
    readonly workflowId: string | null;
    readonly nodeId: string;
  },
): Promise<Json> {
  if (workflowId === null) return null;
  const [row] = await sql.query<{ input: Json }>(
    `SELECT CASE WHEN length(s.input::text) <= ${MAX_CHARS} THEN s.input END AS input
     FROM (SELECT id, created_at FROM runs WHERE workflow_id = $1 AND organization_id = $2
           ORDER BY created_at DESC, id DESC LIMIT ${LOOKED_AT}) AS r
     JOIN run_steps s ON s.run_pk = r.id AND s.node_id = $3 AND s.item_index = -1 AND s.turn = 0
     WHERE s.status = 'succeeded' AND s.input IS NOT NULL ORDER BY r.created_at DESC, s.position DESC LIMIT 1`,
    [workflowId, organizationId, nodeId],
  );
  return row?.input ?? null;
}
