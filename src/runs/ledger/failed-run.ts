/** Reads the facts of a failed run for the error workflow of its workflow. */
import type { Sql } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';

export interface FailedRun {
  readonly createdBy: string | null;
  readonly childDepth: number;
  /** Input of the error workflow. */
  readonly facts: JsonObject;
  readonly errorWorkflowId: string;
  readonly errorWorkflowName: string;
  readonly errorWorkflowVersion: string;
}

/** Reads a failed run; null when it was deleted, or its workflow has no error workflow any more. */
export async function readFailedRun(
  sql: Sql,
  { organizationId, runPk }: { readonly organizationId: string; readonly runPk: string },
): Promise<FailedRun | null> {
  const [run] = await sql.query<FailedRun>(
    `SELECT r.created_by AS "createdBy", r.child_depth AS "childDepth", e.id AS "errorWorkflowId",
            e.name AS "errorWorkflowName", coalesce(e.version, '1.0.0') AS "errorWorkflowVersion",
            json_build_object(
              'run_id', r.run_id, 'run_pk', r.id, 'workflow_id', r.workflow_id, 'workflow_name', r.workflow_name,
              'workflow_version', r.workflow_version, 'trigger_type', r.trigger_type, 'error', r.error,
              'failed_node', (SELECT json_build_object('id', s.node_id, 'name', s.node_name, 'type', s.node_type)
                              FROM run_steps s WHERE s.root_run_pk = r.root_run_pk AND s.node_id = r.error->>'node_id'
                              ORDER BY s.visit DESC LIMIT 1),
              'started_at', iso_moment(r.started_at), 'failed_at', iso_moment(r.completed_at)) AS facts
     FROM runs r
     JOIN workflows w ON w.id = r.workflow_id AND w.organization_id = r.organization_id
     JOIN workflows e ON e.id = w.error_workflow_id AND e.organization_id = r.organization_id
     WHERE r.id = $1 AND r.organization_id = $2 AND r.status = 'failed'`,
    [runPk, organizationId],
  );
  return run ?? null;
}
