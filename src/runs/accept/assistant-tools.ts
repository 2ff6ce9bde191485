/**
 * The tools of the Assistant beside talking: it runs the organization's live workflows, each time with the word of the person
 * it talks with. A run is a sub-workflow of the answer: it has the rights of the chat, and no others.
 */
import type { JsonObject } from '../../graph/value.ts';
import type { OfferedWorkflow } from '../ledger/workflows.ts';

/** More would cost every message more than they help. */
export const MAX_OFFERED = 20;
const MAX_SLUG = 40;
const MAX_DESCRIPTION = 1_000;

/** Escapes templates: people's texts must not be rendered as the Assistant's. */
const plain = (text: string): string => text.replaceAll('{{', '{ {').slice(0, MAX_DESCRIPTION);

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
