/** The steps by which two runs are compared: the last visit of each node. */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json } from '../../../../language/graph/values/value.ts';
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
  /** Null: it has not ended. Zero for a reused step. */
  readonly durationMs: number | null;
  /** The sum over all visits, items and tool calls of the node in this run. */
  readonly creditsMc: number;
  /** Digest of the output's text: equal digests mean the same output. */
  readonly outputDigest: string | null;
}

/** Reads the last step of each node of a run, in the order of the walk. */
export async function readComparable(sql: Sql, rootRunPk: string): Promise<ComparableStep[]> {
  const rows = await sql.query<ComparableStep & { readonly stepId: string | null }>(
    // A FULL join forces a hash or merge join: with statistics from before the run the planner would expect one row and compare
    // each of nine thousand nodes with each. Neither side has a row that the other lacks.
    `WITH used AS (
       SELECT s.node_id, sum(u.credits_mc)::bigint AS mc
       FROM (SELECT run_pk, step_id, node_id FROM run_steps WHERE root_run_pk = $1) AS s
       FULL JOIN (
         SELECT subject_id, step_id, credits_mc FROM credit_usage
         WHERE subject_id = ANY(ARRAY(SELECT id FROM runs WHERE root_run_pk = $1))
       ) AS u ON u.subject_id = s.run_pk AND u.step_id = s.step_id
       GROUP BY s.node_id
     ), latest AS MATERIALIZED (
       SELECT DISTINCT ON (node_id) step_id, node_id, node_name, node_type, visit, status, selected_handle, outcome, error,
              started_at, completed_at, position, output, reused_from
       FROM run_steps WHERE root_run_pk = $1 AND item_index = -1 AND turn = 0
       ORDER BY node_id, visit DESC, outcome IS NULL
     )
     SELECT step_id AS "stepId", s.node_id AS "nodeId", node_name AS "nodeName", node_type AS "nodeType", visit, status,
            selected_handle AS "selectedHandle", outcome, error->>'code' AS "errorCode",
            greatest(0, extract(epoch FROM completed_at - started_at) * 1000)::int AS "durationMs",
            coalesce(used.mc, 0) AS "creditsMc", md5((${STEP_OUTPUT})::text) AS "outputDigest"
     FROM latest s FULL JOIN used ON used.node_id = s.node_id ORDER BY position, s.node_id`,
    [rootRunPk],
  );
  // Usage of steps that are not compared.
  return rows.filter(({ stepId }) => stepId !== null);
}

/** The most bytes of all outputs that one comparison reads. */
export const MAX_OUTPUTS_BYTES = 4 * 1024 * 1024;

/**
 * Reads the outputs of these steps, by step. Outputs above the limit of a step's value are left out, and those beyond the limit
 * of a comparison.
 */
export async function readOutputs(
  sql: Sql,
  stepIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly output: Json }>> {
  if (stepIds.length === 0) return new Map();
  const rows = await sql.query<{ step_id: string; output: Json }>(
    `WITH outputs AS MATERIALIZED (
       SELECT s.step_id, ${STEP_OUTPUT} AS output FROM run_steps s WHERE s.step_id = ANY($1::uuid[])
     ), sized AS (
       SELECT step_id, output, coalesce(octet_length(output::text), 0) AS bytes FROM outputs
     ), added AS (
       SELECT step_id, output, sum(bytes) OVER (ORDER BY array_position($1::uuid[], step_id)) AS total
       FROM sized WHERE bytes <= $2
     )
     SELECT step_id, output FROM added WHERE total <= $3`,
    [stepIds, MAX_STEP_VALUE_BYTES, MAX_OUTPUTS_BYTES],
  );
  return new Map(rows.map(({ step_id: stepId, output }) => [stepId, { output }]));
}
