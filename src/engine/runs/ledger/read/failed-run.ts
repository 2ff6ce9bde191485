/** Why a run failed: its failed step, its stored error, and its facts for the error workflow of its workflow. */
import type { Sql } from '../../../../base/db/client.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import type { RunRef } from '../../engine.ts';
import type { SegmentKey } from '../write/segments.ts';

interface FailedStep {
  readonly nodeId: string;
  readonly error: (JsonObject & { code?: string; message?: string }) | null;
}

/** Reads the node and the error of the last step that failed unhandled, preferably of the node `nodeId`; null: none did. */
export async function readFailedStep(
  sql: Sql,
  { rootRunPk }: Pick<RunRef, 'rootRunPk'>,
  nodeId: string,
): Promise<FailedStep | null> {
  const [failed] = await sql.query<FailedStep>(
    `SELECT node_id AS "nodeId", error FROM run_steps
     WHERE root_run_pk = $1 AND status = 'failed' AND NOT error_handled AND item_index = -1 AND turn = 0
     ORDER BY (node_id = $2) DESC, completed_at DESC LIMIT 1`,
    [rootRunPk, nodeId],
  );
  return failed ?? null;
}

/** Reads the error of the step that failed a run; null when the run failed for another reason. @param error of the run */
export async function readFailureCause(
  sql: Sql,
  run: Pick<RunRef, 'rootRunPk'>,
  error: { readonly code?: string; readonly node_id?: string | null } | null,
): Promise<JsonObject | null> {
  if (error === null || typeof error.node_id !== 'string') return null;
  const failed = await readFailedStep(sql, run, error.node_id);
  return failed?.nodeId === error.node_id && failed.error?.code === error.code ? failed.error : null;
}

/** Reads the error with which a segment failed; null when it has none. */
export async function readRunFailure(
  sql: Sql,
  { organizationId, runPk }: SegmentKey,
): Promise<{ readonly code: string; readonly message: string; readonly nodeId: string | null } | null> {
  const [row] = await sql.query<{
    error: { code: string; message: string; node_id: string | null } | null;
  }>('SELECT error FROM runs WHERE id = $1 AND organization_id = $2', [runPk, organizationId]);
  const error = row?.error ?? null;
  return error === null ? null : { code: error.code, message: error.message, nodeId: error.node_id };
}

export interface FailedRun {
  readonly createdBy: string | null;
  readonly childDepth: number;
  readonly metadata: Readonly<Record<string, string>> | null;
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
  const [row] = await sql.query<
    Omit<FailedRun, 'facts'> & {
      readonly rootRunPk: string;
      readonly facts: JsonObject & { readonly error: (JsonObject & { code?: string }) | null };
    }
  >(
    `SELECT r.root_run_pk AS "rootRunPk", r.created_by AS "createdBy", r.child_depth AS "childDepth", r.metadata, e.id AS "errorWorkflowId",
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
  if (row === undefined) return null;
  const { rootRunPk, facts, ...run } = row;
  const { status, response } = (await readFailureCause(sql, { rootRunPk }, facts.error)) ?? {};
  if (status === undefined || response === undefined) return { ...run, facts };
  return { ...run, facts: { ...facts, error: { ...facts.error, status, response } } };
}

/**
 * Locks the run_pk of an error run until the transaction ends, so that it is accepted once.
 * @returns false when it was accepted before
 */
export async function lockErrorRun(
  tx: Sql,
  { organizationId, runPk }: { readonly organizationId: string; readonly runPk: string },
): Promise<boolean> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`error-run:${runPk}`]);
  const rows = await tx.query('SELECT 1 FROM runs WHERE id = $1 AND organization_id = $2', [
    runPk,
    organizationId,
  ]);
  return rows.length === 0;
}
