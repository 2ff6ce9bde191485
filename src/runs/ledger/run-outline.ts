/** The steps of a run without their values, for runs of many steps. */
import type { Sql } from '../../db/client.ts';
import { STEP_ORDER } from './run-record.ts';

/** A step without its values and attempts: what lists, timelines and graphs show of it. */
export interface StepOutlineRow {
  step_id: string;
  node_id: string;
  node_name: string;
  status: string;
  visit: number;
  parent_step_id: string | null;
  item_index: number;
  iteration: number | null;
  selected_handle: string | null;
  started_at: Date | null;
  completed_at: Date | null;
}

/** Reads the ids of a run's steps in the order of their execution; null when there are at most `limit`. */
export async function readManyStepIds(sql: Sql, runPk: string, limit: number): Promise<string[] | null> {
  const [more] = await sql.query('SELECT FROM run_steps WHERE run_pk = $1 OFFSET $2 LIMIT 1', [runPk, limit]);
  if (more === undefined) return null;
  const rows = await sql.query<{ step_id: string }>(
    `SELECT s.step_id FROM run_steps s WHERE s.run_pk = $1 ${STEP_ORDER}`,
    [runPk],
  );
  return rows.map(({ step_id: id }) => id);
}

/** Reads outlines of steps in the order of the ids. */
export async function readOutlines(
  sql: Sql,
  runPk: string,
  stepIds: readonly string[],
): Promise<StepOutlineRow[]> {
  return sql.query<StepOutlineRow>(
    `SELECT s.step_id, s.node_id, s.node_name, s.status, s.visit, s.parent_step_id, s.item_index, s.iteration,
            s.selected_handle, s.started_at, s.completed_at
     FROM unnest($2::uuid[]) WITH ORDINALITY AS p(step_id, place)
     JOIN run_steps s ON s.step_id = p.step_id WHERE s.run_pk = $1 ORDER BY p.place`,
    [runPk, stepIds],
  );
}
