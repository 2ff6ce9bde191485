/** Items of a mapped node that a rerun reuses, as long as each item is unchanged. */
import type { Sql } from '../../../../base/db/client.ts';
import { sameJson, type Json } from '../../../../language/graph/values/value.ts';
import type { StepRow } from './steps.ts';

interface KeptItem {
  readonly stepId: string;
  readonly index: number;
  /** The item of the earlier run. */
  readonly item: Json;
}

// The items of the earlier run are in the input of the mapped step.
const KEPT = `
  SELECT s.step_id AS "stepId", s.item_index AS index, p.input->'items'->s.item_index AS item
  FROM run_steps s JOIN run_steps o ON o.step_id = s.reused_from JOIN run_steps p ON p.step_id = o.parent_step_id
  WHERE s.run_pk = $1 AND s.node_id = $2 AND s.visit = $3 AND s.item_index >= 0`;

/** Makes the step of the mapped node the parent of the unchanged reused items, and deletes the others. */
export async function keepItems(
  sql: Sql,
  { step_id, run_pk, node_id, visit }: StepRow,
  items: readonly Json[],
): Promise<void> {
  const kept = await sql.query<KeptItem>(KEPT, [run_pk, node_id, visit]);
  if (kept.length === 0) return;
  const isSame = ({ index, item }: KeptItem): boolean => index < items.length && sameJson(item, items[index]);
  await sql.query('UPDATE run_steps SET parent_step_id = $2 WHERE step_id = ANY($1::uuid[])', [
    kept.filter(isSame).map(({ stepId }) => stepId),
    step_id,
  ]);
  await sql.query('DELETE FROM run_steps WHERE step_id = ANY($1::uuid[])', [
    kept.filter((item) => !isSame(item)).map(({ stepId }) => stepId),
  ]);
}
