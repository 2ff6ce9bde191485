/** The steps by which two runs are compared: the last visit of each node. */
import type { Sql } from '../../db/client.ts';
import type { Json } from '../../graph/value.ts';
import { MAX_STEP_VALUE_BYTES } from './run-record.ts';
import { STEP_OUTPUT } from './values.ts';

export interface ComparableStep {
  readonly stepId: string;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly nodeType: string;
  readonly visit: number;
  readonly status: string;
  readonly selectedHandle: string | null;
  readonly outcome: { readonly taken: readonly number[] } | null;
  readonly errorCode: string | null;
  /** Null: it has not ended. A reused step took no time. */
  readonly durationMs: number | null;
  /** Of all visits, items and tool calls of the node in this run. */
  readonly creditsMc: number;
  /** Digest of the output's text: equal digests mean the same output. */
  readonly outputDigest: string | null;
}

/** Reads the last step of each node of a run, in the order of the walk. */
export function readComparable(sql: Sql, rootRunPk: string): Promise<ComparableStep[]> {
  return sql.query<ComparableStep>(
    `WITH used AS (
       SELECT s.node_id, sum(u.credits_mc)::bigint AS mc
       FROM run_steps s JOIN credit_usage u ON u.subject_id = s.run_pk AND u.step_id = s.step_id
       WHERE s.root_run_pk = $1 GROUP BY s.node_id
     ), latest AS (
       SELECT DISTINCT ON (s.node_id) s.*, md5((${STEP_OUTPUT})::text) AS digest FROM run_steps s
       WHERE s.root_run_pk = $1 AND s.item_index = -1 AND s.turn = 0
       ORDER BY s.node_id, s.visit DESC, s.outcome IS NULL
     )
     SELECT step_id AS "stepId", l.node_id AS "nodeId", node_name AS "nodeName", node_type AS "nodeType", visit, status,
            selected_handle AS "selectedHandle", outcome, error->>'code' AS "errorCode",
            greatest(0, extract(epoch FROM completed_at - started_at) * 1000)::int AS "durationMs",
            coalesce(used.mc, 0) AS "creditsMc", digest AS "outputDigest"
     FROM latest l LEFT JOIN used ON used.node_id = l.node_id ORDER BY position, l.node_id`,
    [rootRunPk],
  );
}

/** Reads the outputs of these steps, by step; those above the limit of a step's value are missing. */
export async function readOutputs(
  sql: Sql,
  stepIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly output: Json }>> {
  if (stepIds.length === 0) return new Map();
  const rows = await sql.query<{ step_id: string; output: Json }>(
    `SELECT step_id, output FROM (
       SELECT s.step_id, ${STEP_OUTPUT} AS output FROM run_steps s WHERE s.step_id = ANY($1::uuid[])
     ) AS outputs WHERE output IS NULL OR octet_length(output::text) <= $2`,
    [stepIds, MAX_STEP_VALUE_BYTES],
  );
  return new Map(rows.map(({ step_id: stepId, output }) => [stepId, { output }]));
}
