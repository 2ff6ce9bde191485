/** Deployment rows as the wire shows them: list rows, records, details. */
import type { DeploymentDetailRow, DeploymentListRow, DeploymentRow } from './store.ts';

/** "workflow_id: absent from list rows, present on detail" */
export function presentListItem(row: DeploymentListRow): object {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    deployment_note: row.deployment_note,
    schema_image_url: row.schema_image_url,
    deployed_by: row.deployed_by,
    is_live: row.is_live,
    created_at: row.created_at.toISOString(),
  };
}

export function presentDeployment(row: DeploymentRow): object {
  return { ...presentListItem(row), workflow_id: row.workflow_id, description: row.description };
}

export function presentDetail(row: DeploymentDetailRow): object {
  return {
    ...presentDeployment(row),
    workflow_schema: row.workflow_schema,
    input: row.input,
    config: row.config,
  };
}
