/** The items of mapped nodes, as the step of the node records them. */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import type { StepKey } from './steps.ts';
import { STEP_OUTPUT } from '../read/values.ts';

/** Reads one item and the step of its mapped node; null when the node has no step. */
export async function readMapItem(
  sql: Sql,
  { runPk, nodeId, visit, itemIndex }: StepKey,
): Promise<{ readonly parentStepId: string; readonly value: Json } | null> {
  const [row] = await sql.query<{ parentStepId: string; value: Json }>(
    `SELECT step_id AS "parentStepId", input->'items'->$4::int AS value FROM run_steps
     WHERE run_pk = $1 AND node_id = $2 AND visit = $3 AND item_index = -1`,
    [runPk, nodeId, visit, itemIndex],
  );
  return row ?? null;
}

interface MapItems {
  readonly parentStepId: string;
  readonly items: readonly Json[];
  /** Those of the range that have ended without failing the node, such as in the run that a rerun reuses. */
  readonly ended: readonly number[];
}

/**
 * Reads all items and the step of their mapped node; null when the node has no step.
 * @param range the items to run, whose ends are read
 */
export async function readMapItems(
  sql: Sql,
  { runPk, nodeId, visit }: Omit<StepKey, 'itemIndex'>,
  range: { readonly first: number; readonly end: number },
): Promise<MapItems | null> {
  const [row] = await sql.query<MapItems>(
    `SELECT m.step_id AS "parentStepId", m.input->'items' AS items,
            ARRAY(SELECT i.item_index FROM run_steps i
                  WHERE i.run_pk = $1 AND i.node_id = $2 AND i.visit = $3 AND i.item_index >= $4 AND i.item_index < $5
                    AND i.parent_step_id = m.step_id AND i.outcome->>'failed' = 'false') AS ended
     FROM run_steps m WHERE m.run_pk = $1 AND m.node_id = $2 AND m.visit = $3 AND m.item_index = -1`,
    [runPk, nodeId, visit, range.first, range.end],
  );
  return row ?? null;
}

/** An item that has ended. */
interface EndedItem {
  readonly index: number;
  readonly output: Json;
  readonly error: JsonObject | null;
  /** Whether the item fails the node. */
  readonly isBroken: boolean;
}

/**
 * Counts the bytes of the outputs of a mapped node's items, as the database writes them: with spaces, at most one per character.
 */
export async function countItemBytes(sql: Sql, parentStepId: string): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    `SELECT coalesce(sum(octet_length(output::text)), 0)::float8 AS bytes FROM run_steps WHERE parent_step_id = $1`,
    [parentStepId],
  );
  return row?.bytes ?? 0;
}

/** Bytes of the responses of services in the errors of all items together; an eighth of the largest output. */
const MAX_RESPONSES_BYTES = 1024 * 1024;

/**
 * Reads the ends of a mapped node's items, in the order of the items. Beyond MAX_RESPONSES_BYTES an error has the status of its response
 * alone; the step of the item has the whole.
 */
export function readEndedItems(sql: Sql, parentStepId: string): Promise<EndedItem[]> {
  return sql.query<EndedItem>(
    `SELECT item_index AS index, ${STEP_OUTPUT} AS output,
            CASE WHEN "isBroken" OR error->'response' IS NULL OR sum(octet_length((error->'response')::text))
                   FILTER (WHERE NOT "isBroken") OVER (ORDER BY item_index) <= $2 THEN error
                 ELSE (error::jsonb || jsonb_build_object('response', jsonb_build_object('status', error->'response'->'status',
                   'headers', '{}'::jsonb, 'data', NULL, 'truncated', true)))::json END AS error,
            "isBroken"
     FROM (SELECT *, coalesce((outcome->>'failed')::boolean, false) AS "isBroken" FROM run_steps
           WHERE parent_step_id = $1) AS s ORDER BY item_index`,
    [parentStepId, MAX_RESPONSES_BYTES],
  );
}

/** Finds the running items of a mapped node from an index on. */
export async function readRunningItems(sql: Sql, parentStepId: string, from: number): Promise<number[]> {
  const rows = await sql.query<{ item_index: number }>(
    `SELECT item_index FROM run_steps
     WHERE parent_step_id = $1 AND item_index >= $2 AND status = 'running' ORDER BY item_index`,
    [parentStepId, from],
  );
  return rows.map((row) => row.item_index);
}
