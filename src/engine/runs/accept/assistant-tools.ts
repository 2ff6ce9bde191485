/**
 * The tools of the Assistant: the organization's live workflows. The person in the chat approves each run, which is a
 * sub-workflow of the Assistant's run and has the chat's rights only.
 */
import { cutText } from '../../../language/graph/values/cut-text.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { OfferedWorkflow } from '../ledger/read/workflows.ts';

/** The most workflows offered as tools: each tool is sent with every message. A guess. */
export const MAX_OFFERED = 20;
const MAX_SLUG = 40;
const MAX_DESCRIPTION = 1_000;

/** Escapes template braces: texts of people must not be rendered as templates of the Assistant. */
const escapeTemplates = (text: string): string => cutText(text.replaceAll('{{', '{ {'), MAX_DESCRIPTION);

const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_SLUG);

function describe({ name, description, input_parameters: parameters }: OfferedWorkflow): string {
  const about = description === null || description === '' ? '' : `: ${description}`;
  const takes =
    Array.isArray(parameters) && parameters.length > 0 ? `. Its input: ${JSON.stringify(parameters)}` : '';
  return escapeTemplates(`Runs the workflow "${name}"${about}${takes}`);
}

/** Builds the tools of an agent that runs these workflows when `userId` approves. */
export function buildTools(workflows: readonly OfferedWorkflow[], userId: string): JsonObject[] {
  return workflows.slice(0, MAX_OFFERED).map((workflow, index) => ({
    kind: 'workflow',
    workflow_id: workflow.workflow_id,
    // The number tells workflows of the same name apart.
    name: `run_${index + 1}_${toSlug(workflow.name)}`,
    description: describe(workflow),
    approval: 'always',
    approval_assignees: { roles: [], user_ids: [userId] },
  }));
}
