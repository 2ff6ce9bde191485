/** Deployments as the API returns them: list items, records, details. */
import type { Deployment } from '../../../base/db/generated/client.ts';
import type { DeploymentRow } from './service.ts';

/** "workflow_id: absent from list rows, present on detail" */
export function presentListItem(row: DeploymentRow): object {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    deployment_note: row.deploymentNote,
    schema_image_url: row.schemaImageUrl,
    deployed_by: row.deployedBy,
    is_live: row.isLive,
    created_at: row.createdAt.toISOString(),
  };
}

export function presentDeployment(row: DeploymentRow): object {
  return { ...presentListItem(row), workflow_id: row.workflowId, description: row.description };
}

export function presentDeploymentDetail(row: Deployment): object {
  return {
    ...presentDeployment(row),
    workflow_schema: row.workflowSchema,
    input: row.input,
    config: row.config,
  };
}
