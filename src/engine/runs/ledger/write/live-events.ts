/** Events that attempts stream while they run, of many attempts and runs in one statement. */
import type { Tx } from '../../../../base/db/client.ts';
import type { NodeEventType } from '../event-types.ts';
import { wakeListeners } from './events.ts';

/** An event of an attempt, with its payload as JSON. */
export interface LiveEventRow {
  readonly runPk: string;
  readonly stepId: string;
  readonly attempt: number;
  readonly type: NodeEventType;
  readonly payload: string;
}

// Rows are looked up by arrays: for a join with what is given the planner might read the whole table.
const APPEND = `
  WITH said AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::text[])
      WITH ORDINALITY AS e(run_pk, step_id, attempt, type, payload, ord)
  ), open AS (
    SELECT id FROM runs WHERE id = ANY ($1::uuid[]) AND status = 'running' ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  ), locked AS (
    SELECT id FROM runs WHERE id = ANY ($1::uuid[]) AND status = 'running' AND id NOT IN (SELECT id FROM open)
  ), speaking AS (
    -- Locked after the run, as attempts begin and end: who had to wait sees what happened meanwhile.
    SELECT step_id, attempt FROM run_steps
    WHERE run_pk = ANY ((SELECT array_agg(id) FROM open)::uuid[]) AND step_id = ANY ($2::uuid[]) AND status = 'running'
    FOR NO KEY UPDATE
  ), current AS (
    SELECT run_pk, array_agg(DISTINCT step_id) AS step_ids,
           array_agg(type ORDER BY ord) AS types, array_agg(payload ORDER BY ord) AS payloads
    FROM said JOIN speaking USING (step_id, attempt) GROUP BY run_pk
  ), added AS MATERIALIZED (
    SELECT run_pk, step_ids, append_events(run_pk, types, payloads) AS last_seq FROM current
  )
  SELECT run_pk, step_id, last_seq FROM added, unnest(step_ids) AS step_id
  UNION ALL
  SELECT run_pk, step_id, NULL FROM locked JOIN said ON run_pk = id`;

/**
 * Appends events of attempts, in their order, and wakes the listeners of their runs. An attempt that is no longer the current one
 * of its step, or whose run has ended, writes nothing. A run that somebody else has locked is left out, so that it delays no other.
 * @returns by step: the seq of its run's last event; null when its run was locked. A step that is missing may write no more.
 */
export async function appendLiveEvents(
  sql: Tx,
  events: readonly LiveEventRow[],
): Promise<Map<string, number | null>> {
  const rows = await sql.query<{ run_pk: string; step_id: string; last_seq: number | null }>(APPEND, [
    events.map(({ runPk }) => runPk),
    events.map(({ stepId }) => stepId),
    events.map(({ attempt }) => attempt),
    events.map(({ type }) => type),
    events.map(({ payload }) => payload),
  ]);
  for (const { run_pk: runPk, last_seq: seq } of rows) if (seq !== null) wakeListeners(sql, runPk);
  return new Map(rows.map((row) => [row.step_id, row.last_seq]));
}
