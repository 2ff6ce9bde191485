/** A finished run with a node that was mapped over a list, for the pages of long runs. */

interface MappedRun {
  readonly organizationId: string;
  readonly name: string;
  readonly items: number;
}

/** Inserts the run, by a member of the organization. @param query runs SQL on the database */
export async function insertMappedRun(
  query: (sql: string, values: (string | number)[]) => Promise<unknown>,
  { organizationId, name, items }: MappedRun,
): Promise<void> {
  await query(
    `WITH made AS (SELECT gen_random_uuid() AS id), run AS (
       INSERT INTO runs (id, root_run_pk, organization_id, created_by, definition_hash, workflow_name, workflow_version,
         workflow_source, trigger_type, is_ad_hoc, status, started_at, completed_at)
       SELECT made.id, made.id, m.organization_id, m.user_id, repeat('0', 64), $1, '1.0.0', 'database', 'api', false,
         'completed', now(), now() + interval '90 seconds'
       FROM made, memberships m WHERE m.organization_id = $2::uuid LIMIT 1 RETURNING id
     ), mapped AS (
       INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status,
         effect, started_at, completed_at)
       SELECT gen_random_uuid(), id, id, 'each', 'transformer', 'Each order', 1, 1, 1, 'succeeded', 'pure', now(),
         now() + interval '80 seconds' FROM run RETURNING step_id, run_pk
     )
     INSERT INTO run_steps (step_id, run_pk, root_run_pk, parent_step_id, item_index, node_id, node_type, node_name, visit,
       depth, position, status, effect, input, output, started_at, completed_at)
     SELECT gen_random_uuid(), run_pk, run_pk, step_id, item, 'each', 'transformer', 'Each order', 1, 1, 1, 'succeeded',
       'pure', to_json(item), to_json('order ' || item), now(), now() + interval '1 second'
     FROM mapped, generate_series(0, $3::integer - 1) AS item`,
    [name, organizationId, items],
  );
}
