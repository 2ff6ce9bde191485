/** Workflows as tools: a live deployment whose definition has `metadata.mcp.enabled`, with the schema of its input parameters. */
import { cutText } from '../../language/graph/values/cut-text.ts';
import { isObject, ownValue, setOwn, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import type { OfferedWorkflow } from '../../engine/runs/ledger/read/workflows.ts';

/** Clients join the name of a server to that of its tool, and models refuse more than 64 characters together. */
const MAX_NAME = 48;
const MAX_DESCRIPTION = 1_000;
/** Characters of the workflow's id that distinguish tools of the same name. */
const ID_SUFFIX = 8;

export interface WorkflowTool {
  readonly workflowId: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: Json };
}

const sanitize = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, MAX_NAME);

const readText = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '');

const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

/** Describes one parameter; a type that JSON Schema does not know accepts any value. */
function describeParameter(parameter: JsonObject): JsonObject {
  const type = readText(ownValue(parameter, 'type')) || 'string';
  const description = readText(ownValue(parameter, 'description'));
  const fallback = ownValue(parameter, 'default');
  return {
    ...(TYPES.includes(type) ? { type } : {}),
    ...(type === 'array' ? { items: {} } : {}),
    ...(description === '' ? {} : { description }),
    ...(fallback === undefined || fallback === null ? {} : { default: fallback }),
  };
}

/** Builds the schema of the arguments: a parameter is required unless it has a default, or the deployment a value. */
function buildInputSchema({ input_parameters: given, input }: OfferedWorkflow): WorkflowTool['inputSchema'] {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const parameter of Array.isArray(given) ? given.filter(isObject) : []) {
    const name = readText(ownValue(parameter, 'name'));
    if (name === '') continue;
    const schema = describeParameter(parameter);
    setOwn(properties, name, schema);
    const hasValue = 'default' in schema || ownValue(input, name) !== undefined;
    if (ownValue(parameter, 'required') === true && !hasValue) required.push(name);
  }
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

/** Builds the tools of an organization. Tools of the same name get the beginning of the id of their workflow as well. */
export function toTools(workflows: readonly OfferedWorkflow[]): WorkflowTool[] {
  const named = workflows.map((workflow) => ({
    workflow,
    name: sanitize(readText(ownValue(workflow.mcp, 'name'))) || sanitize(workflow.name) || 'workflow',
  }));
  const counts = new Map<string, number>();
  for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1);
  return named.map(({ workflow, name }) => ({
    workflowId: workflow.workflow_id,
    name: counts.get(name) === 1 ? name : `${name}_${workflow.workflow_id.slice(0, ID_SUFFIX)}`,
    title: workflow.name,
    description: cutText(
      readText(ownValue(workflow.mcp, 'description')) || (workflow.description ?? '') || workflow.name,
      MAX_DESCRIPTION,
    ),
    inputSchema: buildInputSchema(workflow),
  }));
}
