/** Statements of the transactions that change deployments, which hold the workflow's row lock (workflows/service.ts, lockWorkflow). */
import { announceLive } from '../../../base/db/notices.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';

interface NewDeployment {
  readonly organizationId: string;
  readonly workflowId: string;
  readonly ordinal: number;
  readonly definitionHash: string;
  readonly note: string | null;
  readonly imageUrl: string | null;
  readonly userId: string;
}

/** Copies the workflow's row into a live deployment. Under the lock, so created_at rises with the ordinal. @returns its id */
export async function insertLive(sql: Sql, made: NewDeployment): Promise<string> {
  const [row] = await sql.query<{ id: string }>(
    `INSERT INTO deployments (organization_id, workflow_id, name, description, version, ordinal, deployment_note,
                              schema_image_url, deployed_by, is_live, definition_hash, workflow_schema, input, config,
                              created_at)
     SELECT organization_id, id, name, description, $3 || '.0.0', $3::int, $4, $5, $6, true, $7,
            workflow_schema, input, config, clock_timestamp()
     FROM workflows WHERE id = $1 AND organization_id = $2
     RETURNING id`,
    [
      made.workflowId,
      made.organizationId,
      String(made.ordinal),
      made.note,
      made.imageUrl,
      made.userId,
      made.definitionHash,
    ],
  );
  if (row === undefined) throw new Error('the workflow of the deployment is gone');
  return row.id;
}

/** Clears `is_live` of the live deployment. */
export async function clearLive(sql: Sql, workflowId: string): Promise<void> {
  await sql.query('UPDATE deployments SET is_live = false WHERE workflow_id = $1 AND is_live', [workflowId]);
}

export async function setLive(sql: Sql, deploymentId: string): Promise<void> {
  await sql.query('UPDATE deployments SET is_live = true WHERE id = $1', [deploymentId]);
}

/** Sets workflows.live_deployment_id, and tells the workflow's room. */
export async function pointAt(sql: Sql, workflowId: string, deploymentId: string | null): Promise<void> {
  await sql.query('UPDATE workflows SET live_deployment_id = $2 WHERE id = $1', [workflowId, deploymentId]);
  await announceLive(sql, workflowId, deploymentId);
}

/** Increments and returns the count of deployments; it never falls, so that no version is used twice. */
export async function countDeploy(sql: Sql, workflowId: string): Promise<number> {
  const [row] = await sql.query<{ deployment_count: number }>(
    'UPDATE workflows SET deployment_count = deployment_count + 1 WHERE id = $1 RETURNING deployment_count',
    [workflowId],
  );
  if (row === undefined) throw new Error('the workflow to deploy is gone');
  return row.deployment_count;
}

/** An activation is a save of the workflow: edit_version + 1. @returns the new edit_version */
export async function countActivation(sql: Sql, workflowId: string, userId: string): Promise<number> {
  const [row] = await sql.query<{ edit_version: number }>(
    `UPDATE workflows SET edit_version = edit_version + 1, last_edited_by = $2, last_edited_at = clock_timestamp(),
                          updated_at = clock_timestamp()
     WHERE id = $1 RETURNING edit_version`,
    [workflowId, userId],
  );
  if (row === undefined) throw new Error('the workflow to activate is gone');
  return row.edit_version;
}

export interface LockedDeployment {
  readonly id: string;
  readonly ordinal: number;
  readonly is_live: boolean;
  readonly workflow_schema: JsonObject;
}

export async function selectDeployment(
  sql: Sql,
  workflowId: string,
  deploymentId: string,
): Promise<LockedDeployment | null> {
  const rows = await sql.query<LockedDeployment>(
    'SELECT id, ordinal, is_live, workflow_schema FROM deployments WHERE id = $1 AND workflow_id = $2',
    [deploymentId, workflowId],
  );
  return rows[0] ?? null;
}

/** Selects the deployment before this one, or null. */
export async function selectPrevious(
  sql: Sql,
  workflowId: string,
  ordinal: number,
): Promise<LockedDeployment | null> {
  const rows = await sql.query<LockedDeployment>(
    `SELECT id, ordinal, is_live, workflow_schema FROM deployments WHERE workflow_id = $1 AND ordinal < $2
     ORDER BY ordinal DESC LIMIT 1`,
    [workflowId, ordinal],
  );
  return rows[0] ?? null;
}

export async function deleteDeploymentRow(sql: Sql, deploymentId: string): Promise<void> {
  await sql.query('DELETE FROM deployments WHERE id = $1', [deploymentId]);
}
