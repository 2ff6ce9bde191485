/** The steps of a run without their values, for runs of many steps. */
import type { Sql } from '../../../../base/db/client.ts';
import { STEP_ORDER } from './run-record.ts';

/** The place of a step in the order of execution: the columns of STEP_ORDER. */
interface StepPlace {
  position: number;
  item_index: number;
  visit: number;
  turn: number;
  call: number;
}

/**
 * A step without its values and attempts: what lists, timelines and graphs show of it. Its times are numbers, because a Date
 * for each of 10,000 steps takes as long as the rest of the read.
 */
export interface StepOutlineRow extends StepPlace {
  step_id: string;
  node_id: string;
  node_name: string;
  status: string;
  parent_step_id: string | null;
  iteration: number | null;
  selected_handle: string | null;
  /** Milliseconds since 1970. */
  started_ms: number | null;
  duration_ms: number | null;
}

/** Counts the steps of a run. */
export async function countSteps(sql: Sql, runPk: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>('SELECT count(*) FROM run_steps WHERE run_pk = $1', [
    runPk,
  ]);
  return row?.count ?? 0;
}

interface OutlinePage {
  /** The last step of the page before; null for the first page. */
  readonly after: StepPlace | null;
  readonly limit: number;
}

/** Reads outlines of steps in the order of execution. */
export async function readOutlines(
  sql: Sql,
  runPk: string,
  { after, limit }: OutlinePage,
): Promise<StepOutlineRow[]> {
  return sql.query<StepOutlineRow>(
    `SELECT s.step_id, s.node_id, s.node_name, s.status, s.visit, s.parent_step_id, s.item_index, s.iteration,
            s.selected_handle, s.position, s.turn, s.call,
            (extract(epoch FROM s.started_at) * 1000)::bigint AS started_ms,
            (extract(epoch FROM s.completed_at - s.started_at) * 1000)::integer AS duration_ms
     FROM run_steps s
     WHERE s.run_pk = $1 AND ($2::integer[] IS NULL
       OR (s.position, s.item_index, s.visit, s.turn, s.call) > ($2[1], $2[2], $2[3], $2[4], $2[5]))
     ${STEP_ORDER} LIMIT $3`,
    [runPk, after && [after.position, after.item_index, after.visit, after.turn, after.call], limit],
  );
}
