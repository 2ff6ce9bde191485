/**
 * The tools of the Assistant beside talking: it runs the organization's live workflows, each time with the word of the person
 * it talks with. A run is a sub-workflow of the answer: it has the rights of the chat, and no others.
 */
import { cutText } from '../../graph/cut-text.ts';
import type { Sql } from '../../db/client.ts';
import type { Json, JsonObject } from '../../graph/value.ts';

/** More would cost every message more than they help. */
const MAX_OFFERED = 20;
const MAX_SLUG = 40;
const MAX_DESCRIPTION = 1_000;

export interface OfferedWorkflow {
  readonly workflow_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly input_parameters: Json;
}

/** Workflows that can be run as they are, by what their live deployment is called and takes; last edited first. */
export function listLive(sql: Sql, organizationId: string): Promise<OfferedWorkflow[]> {
  return sql.query<OfferedWorkflow>(
    `SELECT w.id AS workflow_id, d.name, d.description, d.workflow_schema->'input_parameters' AS input_parameters
     FROM workflows w JOIN deployments d ON d.id = w.live_deployment_id
     WHERE w.organization_id = $1 AND w.status <> 'archived' ORDER BY w.updated_at DESC, w.id LIMIT ${MAX_OFFERED}`,
    [organizationId],
  );
}

/** Escapes templates: people's texts must not be rendered as the Assistant's. */
const plain = (text: string): string => cutText(text.replaceAll('{{', '{ {'), MAX_DESCRIPTION);

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_SLUG);

function describe({ name, description, input_parameters: parameters }: OfferedWorkflow): string {
  const about = description === null || description === '' ? '' : `: ${description}`;
  const takes =
    Array.isArray(parameters) && parameters.length > 0 ? `. Its input: ${JSON.stringify(parameters)}` : '';
  return plain(`Runs the workflow "${name}"${about}${takes}`);
}

/** The tools of an agent that runs these workflows when `userId` allows it. */
export function assistantTools(workflows: readonly OfferedWorkflow[], userId: string): JsonObject[] {
  return workflows.slice(0, MAX_OFFERED).map((workflow, index) => ({
    kind: 'workflow',
    workflow_id: workflow.workflow_id,
    // The number keeps workflows of the same name apart.
    name: `run_${index + 1}_${slugOf(workflow.name)}`,
    description: describe(workflow),
    approval: 'always',
    approval_assignees: { roles: [], user_ids: [userId] },
  }));
}
