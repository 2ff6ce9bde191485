/** A promise as a question to the rows (SPEC REL-completed): a run that is completed has no step that goes on. */
import type { Sql } from '../../src/base/db/client.ts';

/**
 * Executions that have not ended in runs that are completed: of nodes, items and tool calls, in every segment of the run; and nodes
 * that say that their child run is completed while its row says otherwise, or that went on before the child that they wait for ended. A question that was answered stays in the segment that
 * asked, and ends in a later one. In words; empty when there are none.
 */
export async function unendedSteps(db: Sql): Promise<string[]> {
  const rows = await db.query<{ what: string }>(
    `SELECT 'run ' || r.run_id || ' is completed, and its step ' || s.node_id || '#' || s.visit || ' [' || s.item_index || '] '
              || s.turn || '.' || s.call || ' is ' || s.status || ' in attempt ' || s.attempt AS what
     FROM newest_segments r JOIN run_steps s USING (root_run_pk)
     WHERE r.status = 'completed' AND s.outcome IS NULL AND s.status IN ('running', 'interrupted')
       AND (s.status = 'running' OR NOT EXISTS (
         SELECT 1 FROM run_steps e WHERE e.root_run_pk = s.root_run_pk AND e.node_id = s.node_id AND e.visit = s.visit
           AND e.item_index = s.item_index AND e.turn = s.turn AND e.call = s.call AND e.outcome IS NOT NULL))
     UNION ALL
     SELECT 'step ' || s.node_id || ' says that its child is completed, and run ' || c.run_id || ' is ' || c.status
     FROM run_steps s JOIN newest_segments c ON c.root_run_pk = s.child_run_pk
     WHERE s.status = 'succeeded' AND s.output->>'status' = 'completed' AND c.status <> 'completed'
     UNION ALL
     SELECT 'step ' || s.node_id || ' waits for its child, and succeeded while it was ' || (s.output->>'status')
     FROM run_steps s JOIN runs r ON r.id = s.run_pk
     JOIN definitions d ON d.organization_id = r.organization_id AND d.hash = r.definition_hash,
     json_array_elements(d.definition->'nodes') AS n
     WHERE s.status = 'succeeded' AND s.child_run_pk IS NOT NULL AND s.turn = 0 AND n->>'id' = s.node_id
       AND n->'config'->>'wait' IS DISTINCT FROM 'false' AND s.output->>'status' IN ('running', 'interrupted')`,
  );
  return rows.map((row) => row.what);
}
