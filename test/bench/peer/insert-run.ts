/**
 * The row that the service's node activities work on, in one statement: a run of a workflow's live deployment. Nobody is
 * told of it, so that the one who inserts it runs it.
 */
import type { RunRef } from '../../../src/runs/engine.ts';

interface Pool {
  query(text: string, values: unknown[]): Promise<{ rows: { organization_id: string; id: string }[] }>;
}

const INSERT = (lastSeq: number): string => `
  INSERT INTO runs (id, root_run_pk, organization_id, workflow_id, deployment_id, deployment_version, definition_hash,
                    workflow_name, workflow_version, workflow_source, trigger_type, is_ad_hoc, input, last_seq)
  SELECT new.id, new.id, organization_id, workflow_id, d.id, version, definition_hash, name, version, 'database', 'api',
         false, $2::json, ${lastSeq}
  FROM deployments d, gen_random_uuid() AS new(id) WHERE workflow_id = $1 AND is_live
  RETURNING organization_id, id`;

// With what the interpreter needs beside it.
const INSERT_WHOLE = `
  WITH run AS (${INSERT(1)}), cursor AS (
    INSERT INTO run_cursors (root_run_pk) SELECT id FROM run
  ), event AS (
    INSERT INTO run_events (run_pk, seq, type, payload) SELECT id, 1, 'run_started', '{}' FROM run
  )
  SELECT organization_id, id FROM run`;

/** @throws when the workflow has no live deployment */
export function insertRun(pool: Pool, workflowId: string, input: object): Promise<RunRef> {
  return insert(pool, INSERT(0), workflowId, input);
}

/** As insertRun, a run that the service's interpreter can run. */
export function insertWholeRun(pool: Pool, workflowId: string, input: object): Promise<RunRef> {
  return insert(pool, INSERT_WHOLE, workflowId, input);
}

async function insert(pool: Pool, statement: string, workflowId: string, input: object): Promise<RunRef> {
  const { rows } = await pool.query(statement, [workflowId, JSON.stringify(input)]);
  const [row] = rows;
  if (row === undefined) throw new Error(`workflow ${workflowId} has no live deployment`);
  return { organizationId: row.organization_id, rootRunPk: row.id };
}
