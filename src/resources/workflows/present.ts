/** Workflow rows as the wire shows them. */
import type { Problem } from '../../graph/definition.ts';
import { validate } from '../../graph/validate.ts';
import { kindRules } from '../../nodes/registry.ts';
import type { WorkflowRow, WorkflowSummaryRow } from './store.ts';

/** More than these would make the findings larger than the workflow. */
const MAX_PROBLEMS = 100;

export function presentSummary(row: WorkflowSummaryRow): object {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    version: row.version,
    status: row.status,
    visibility: row.visibility,
    category: row.category,
    tags: row.tags,
    creator_id: row.creator_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function presentProblem({ nodeId, ...problem }: Problem): object {
  return nodeId === undefined ? problem : { ...problem, node_id: nodeId };
}

/** The record, with the findings about its definition (an additional field; the specification's validation is silent). */
export function presentWorkflow(row: WorkflowRow): object {
  return {
    ...presentSummary(row),
    organization_id: row.organization_id,
    workflow_schema: row.workflow_schema,
    input: row.input,
    config: row.config,
    edit_version: row.edit_version,
    last_edited_by: row.last_edited_by,
    last_edited_at: row.last_edited_at?.toISOString() ?? null,
    live_deployment_id: row.live_deployment_id,
    problems: validate(row.workflow_schema, kindRules).slice(0, MAX_PROBLEMS).map(presentProblem),
  };
}
