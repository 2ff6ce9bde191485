/** Workflows as models: a live deployment whose input has the messages, or the text, of a conversation. */
import { isObject, ownValue, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import type { OfferedWorkflow } from '../../engine/runs/ledger/read/workflows.ts';

/** Parameters that take the last text of the user, in the order of preference. */
const TEXT_PARAMETERS = ['message', 'text'];

export interface Model {
  readonly workflowId: string;
  /** The slug of the name, when no other model has it; else the id of the workflow. */
  readonly id: string;
  readonly name: string;
  /** Unix seconds. */
  readonly createdSeconds: number;
  /** The parameters of the workflow that take the conversation; null: it has none of this kind. */
  readonly takes: { readonly messages: boolean; readonly text: string | null };
}

interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

function readParameter(given: Json): Parameter | null {
  const name = ownValue(given, 'name');
  const type = ownValue(given, 'type');
  if (!isObject(given) || typeof name !== 'string') return null;
  const isRequired = ownValue(given, 'required') === true && (ownValue(given, 'default') ?? null) === null;
  return { name, type: typeof type === 'string' ? type : 'string', isRequired };
}

/**
 * Reads which parameters of a workflow take a conversation: `messages` (an array), `message` or `text` (a string).
 * @returns null when there is none, or when another parameter is required that the deployment has no value for
 */
function findTaken({
  input_parameters: given,
  input,
}: Pick<OfferedWorkflow, 'input_parameters' | 'input'>): Model['takes'] | null {
  const parameters = Array.isArray(given) ? given.map(readParameter).filter((found) => found !== null) : [];
  const has = (wanted: string, type: string): boolean =>
    parameters.some((parameter) => parameter.name === wanted && parameter.type === type);
  const messages = has('messages', 'array');
  const text = TEXT_PARAMETERS.find((name) => has(name, 'string')) ?? null;
  if (!messages && text === null) return null;
  const isMissing = ({ name, isRequired }: Parameter): boolean =>
    isRequired && !(messages && name === 'messages') && name !== text && ownValue(input, name) === undefined;
  return parameters.some(isMissing) ? null : { messages, text };
}

/** Keeps the workflows that are models, each under the id by which a request names it. */
export function toModels(workflows: readonly OfferedWorkflow[]): Model[] {
  const taken = workflows.flatMap((workflow) => {
    const takes = findTaken(workflow);
    return takes === null ? [] : [{ workflow, takes }];
  });
  const counts = new Map<string, number>();
  for (const { workflow } of taken) counts.set(workflow.slug, (counts.get(workflow.slug) ?? 0) + 1);
  return taken.map(({ workflow, takes }) => ({
    workflowId: workflow.workflow_id,
    id: workflow.slug !== '' && counts.get(workflow.slug) === 1 ? workflow.slug : workflow.workflow_id,
    name: workflow.name,
    createdSeconds: workflow.created_seconds,
    takes,
  }));
}

/** A model as a list shows it. */
export const presentModel = (model: Model, organizationId: string): JsonObject => ({
  id: model.id,
  object: 'model',
  created: model.createdSeconds,
  owned_by: organizationId,
  workflow_id: model.workflowId,
  name: model.name,
});
