/** The start of a rerun: its cursor, its state fields, and the steps that it reuses. */
import type { Tx } from '../../../../base/db/client.ts';
import type { Redaction } from '../../../../language/graph/redaction/redaction.ts';
import type { WorkBudget } from '../../../../language/graph/values/work-budget.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import { handOverClaims } from './hand-over-claims.ts';
import { wakeListeners } from './events.ts';
import { VALUES_OF_STEP, type ChangedFields } from '../read/values.ts';

export interface ReusedStep {
  /** The step of the earlier run. */
  readonly stepId: string;
  /** Replaces the output of that step; undefined: keeps it. */
  readonly output?: Json | undefined;
}

export interface RerunStart {
  /** The progress from which the walk starts (graph/schedule/progress.ts). */
  readonly progress: string;
  readonly fields: ChangedFields;
  readonly steps: readonly ReusedStep[];
  /** Steps of the reused items of mapped nodes, whose other items run again. */
  readonly items: readonly string[];
}

/** The part of a rerun that reuses no step. */
export const NO_STEPS = { steps: [], items: [] } as const;

// A reused step refers to the step that has the values, also when it was itself reused. A skipped step stays skipped.
const REUSE = `
  WITH given AS (
    SELECT gen_random_uuid() AS new_id, g.step_id, g.output::json, g.output IS NOT NULL AS has_output
    FROM unnest($2::uuid[], $3::text[]) AS g(step_id, output)
  ), reused AS (
    INSERT INTO run_steps (
      step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, item_index, iteration, depth, position, status,
      effect, output, updates, selected_handle, outcome, ended, reused_from, started_at, completed_at)
    SELECT g.new_id, $1, $1, s.node_id, s.node_type, s.node_name, s.visit, -1, s.iteration, s.depth, s.position,
           CASE WHEN s.status = 'skipped' THEN 'skipped' ELSE 'reused' END,
           s.effect, g.output, CASE WHEN g.has_output THEN v.updates END,
           s.selected_handle, s.outcome, s.ended,
           CASE WHEN NOT g.has_output AND s.status <> 'skipped' THEN v.step_id END, clock_timestamp(), clock_timestamp()
    FROM given g JOIN run_steps s ON s.step_id = g.step_id ${VALUES_OF_STEP}
    RETURNING *
  )
  SELECT append_events($1,
    array_agg(CASE WHEN status = 'skipped' THEN 'node_skipped' ELSE 'node_reused' END ORDER BY position, ended),
    array_agg((CASE WHEN status = 'skipped' THEN json_build_object(
      'step_id', step_id, 'node_id', node_id, 'node_type', node_type, 'node_name', node_name, 'attempt', attempt,
      'depth', depth, 'reason', CASE WHEN outcome IS NULL THEN 'branch' ELSE 'disabled' END)
    ELSE json_build_object(
      'step_id', step_id, 'node_id', node_id, 'node_type', node_type, 'node_name', node_name, 'attempt', attempt,
      'depth', depth, 'selected_handle', selected_handle, 'reused_from_step_id', reused_from)
    END)::text ORDER BY position, ended))
  FROM reused HAVING count(*) > 0`;

// The mapped node starts later and becomes the parent of these steps then (reused-items.ts).
const REUSE_ITEMS = `
  INSERT INTO run_steps (
    step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, item_index, parent_step_id, iteration, depth,
    position, status, effect, selected_handle, outcome, ended, reused_from, started_at, completed_at)
  SELECT gen_random_uuid(), $1, $1, s.node_id, s.node_type, s.node_name, s.visit, s.item_index, NULL, s.iteration,
         s.depth, s.position, 'reused', s.effect, s.selected_handle, s.outcome, s.ended,
         coalesce(s.reused_from, s.step_id), clock_timestamp(), clock_timestamp()
  FROM run_steps s WHERE s.step_id = ANY($2::uuid[])`;

/**
 * Redacts the values of a rerun's start: fields, and outputs that the caller gives in place of earlier ones.
 * @param work the budget of the request
 */
export function redactRerunStart(start: RerunStart, redaction: Redaction, work: WorkBudget): RerunStart {
  const { names, values } = start.fields;
  const fields = values.map((value, index): JsonObject => {
    const name = names[index] ?? '';
    // A path may begin at the state, or at the value of one field.
    return redaction.json({ [name]: redaction.json(JSON.parse(value) as Json, work) }, work);
  });
  return {
    ...start,
    fields: { names, values: fields.map((field) => JSON.stringify(Object.values(field)[0] ?? null)) },
    steps: start.steps.map((step) =>
      step.output === undefined ? step : { ...step, output: redaction.json(step.output, work) },
    ),
  };
}

// Rows of a run that somebody deletes are gone, or have no values, once the lock is there.
const LOCK_REUSED = `
  WITH segments AS MATERIALIZED (
    SELECT values_deleted_at FROM runs
    WHERE organization_id = $1 AND root_run_pk = (SELECT root_run_pk FROM runs WHERE run_id = $2 AND organization_id = $1)
    ORDER BY id FOR KEY SHARE
  )
  SELECT CASE WHEN count(*) = 0 THEN 'deleted' WHEN count(values_deleted_at) > 0 THEN 'empty' ELSE 'kept' END AS state
  FROM segments`;

/**
 * Keeps a run from deletions until the rerun is written that reuses its steps; from then on the rerun keeps them.
 * @param runId a run_id of the earlier run
 * @returns `deleted`, or `empty` when its values were deleted, since its steps were chosen
 */
export async function lockReusedRun(
  tx: Tx,
  { organizationId, runId }: { readonly organizationId: string; readonly runId: string },
): Promise<'kept' | 'empty' | 'deleted'> {
  const [row] = await tx.query<{ state: 'kept' | 'empty' | 'deleted' }>(LOCK_REUSED, [organizationId, runId]);
  return row?.state ?? 'deleted';
}

// Values that are reused refer to the files of the runs that they are from.
const KEEP_FILES = `
  INSERT INTO file_references (run_pk, file_id, organization_id)
  SELECT DISTINCT $1::uuid, f.file_id, f.organization_id
  FROM run_steps s JOIN runs r ON r.root_run_pk = s.root_run_pk JOIN file_references f ON f.run_pk = r.id
  WHERE s.step_id = ANY ($2::uuid[]) ON CONFLICT DO NOTHING`;

/** Writes the start of a rerun, in the transaction that accepts the run. */
export async function writeRerunStart(tx: Tx, runPk: string, start: RerunStart): Promise<void> {
  const { progress, fields, steps, items } = start;
  if (fields.names.length > 0) {
    await tx.query(
      `INSERT INTO run_fields (root_run_pk, name, value)
       SELECT $1, f.name, f.value::json FROM unnest($2::text[], $3::text[]) AS f (name, value)`,
      [runPk, fields.names, fields.values],
    );
  }
  if (steps.length > 0) {
    const outputs = steps.map(({ output }) => (output === undefined ? null : JSON.stringify(output)));
    const reused = steps.map(({ stepId }) => stepId);
    await tx.query(REUSE, [runPk, reused, outputs]);
    await handOverClaims(tx, runPk, reused);
  }
  if (steps.length + items.length > 0)
    await tx.query(KEEP_FILES, [runPk, [...steps.map(({ stepId }) => stepId), ...items]]);
  await tx.query('UPDATE run_cursors SET progress = $2 WHERE root_run_pk = $1', [runPk, progress]);
  if (items.length > 0) await tx.query(REUSE_ITEMS, [runPk, items]);
  wakeListeners(tx, runPk);
}
