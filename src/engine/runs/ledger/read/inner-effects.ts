/** Effects inside the executions of nodes, at any depth, which a rerun of the node would repeat. */
import type { Sql } from '../../../../base/db/client.ts';
import { VALUES_OF_STEP } from './values.ts';

/** An effect inside an execution of a node: of an item, of a tool call of an agent, or in a sub-workflow. */
export interface InnerEffect {
  readonly nodeId: string;
  readonly visit: number;
  /** Name of the tool, or of the node in the sub-workflow. */
  readonly name: string;
  /** Whether it is unknown that the effect happened. */
  readonly isUnknown: boolean;
  /** Whether the effect may be repeated. */
  readonly isRepeatable: boolean;
  /** Whether the node, or the item, that it belongs to has succeeded. */
  readonly isOver: boolean;
}

// For a reused execution, the effects are in the run that executed it. A sub-workflow belongs to the step that called it and has
// segments of its own. A window function over the steps tells whether an item has ended: without statistics the planner would
// take either side of a join for one row.
const INNER_EFFECTS = `
  WITH RECURSIVE past AS (
    SELECT DISTINCT s.node_id, s.visit, v.root_run_pk AS root
    FROM run_steps s ${VALUES_OF_STEP}
    WHERE s.root_run_pk = $1 AND s.item_index = -1 AND s.turn = 0
  ), own AS MATERIALIZED (
    SELECT i.step_id, i.run_pk, i.node_id, i.visit, i.item_index, i.turn, i.node_name, i.effect, i.status,
           i.error->>'code' AS code, i.outcome IS NULL AND i.sent_at IS NOT NULL AS is_open, i.child_run_pk,
           bool_or(i.turn = 0 AND i.status IN ('succeeded', 'reused'))
             OVER (PARTITION BY i.node_id, i.visit, i.item_index) AS is_over
    FROM past p JOIN run_steps i ON i.root_run_pk = p.root AND i.node_id = p.node_id AND i.visit = p.visit
  ), below AS (
    SELECT o.node_id, o.visit, o.is_over, r.root_run_pk AS root
    FROM own o JOIN runs r ON r.parent_run_pk = o.run_pk AND r.parent_step_id = o.step_id
    UNION
    SELECT b.node_id, b.visit, b.is_over, r.root_run_pk
    FROM below b JOIN runs c ON c.root_run_pk = b.root JOIN runs r ON r.parent_run_pk = c.id
  ), effects AS (
    SELECT node_id, visit, is_over, node_name, effect, code, is_open, status = 'succeeded' AND turn > 0 AS is_done
    FROM own WHERE (item_index >= 0 OR turn > 0) AND child_run_pk IS NULL
    UNION ALL
    SELECT b.node_id, b.visit, b.is_over, s.node_name, s.effect, s.error->>'code',
           s.outcome IS NULL AND s.sent_at IS NOT NULL, s.status = 'succeeded'
    FROM below b JOIN run_steps s ON s.root_run_pk = b.root WHERE s.child_run_pk IS NULL
  ), found AS (
    SELECT *, effect = 'at_most_once' AND (is_open OR coalesce(code = 'outcome_unknown', false)) AS is_unknown
    FROM effects WHERE effect IN ('idempotent', 'at_most_once')
  )
  SELECT DISTINCT node_id AS "nodeId", visit, node_name AS name, is_unknown AS "isUnknown",
         effect = 'idempotent' AS "isRepeatable", is_over AS "isOver"
  FROM found WHERE is_unknown OR is_done ORDER BY 1, 2, 3`;

/** Reads the effects inside the executions of a run's nodes that happened, or may have happened. */
export function readInnerEffects(sql: Sql, rootRunPk: string): Promise<InnerEffect[]> {
  return sql.query<InnerEffect>(INNER_EFFECTS, [rootRunPk]);
}
