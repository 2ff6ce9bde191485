/** The schema of what a tool takes: of an action of the catalog, a tool of an MCP server, or another workflow. */
import { useQuery } from '@tanstack/react-query';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { useEditing } from '../canvas/context.ts';
import { integrationQuery } from './use-action-schemas.ts';
import { useCredentialTools } from './use-credential-tools.ts';

interface Tool {
  readonly name: string;
  readonly input_schema: object;
}

/** Makes a schema of the input parameters of a workflow. */
function readParameterSchema(declared: Json | undefined): JsonObject | null {
  const parameters = (Array.isArray(declared) ? declared : []).filter(
    (one): one is JsonObject => isObject(one) && readText(one, 'name') !== '',
  );
  if (parameters.length === 0) return null;
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((one) => [readText(one, 'name'), one])),
    required: parameters.filter((one) => one['required'] === true).map((one) => readText(one, 'name')),
  };
}

/** @returns null while it is not known: the parameters are edited as JSON then */
export function useInputSchema(config: JsonObject): JsonObject | null {
  const editing = useEditing();
  const { client, organizationId } = editing;
  const kind = readText(config, 'kind');
  const workflowId = readText(config, 'workflow_id');
  const integration = readText(config, 'integration');
  const catalog = useQuery({
    ...integrationQuery(editing, integration),
    enabled: kind === 'integration' && integration !== '',
  });
  const tools = useCredentialTools(kind === 'mcp' ? readText(config, 'credential_id') : '');
  const workflow = useQuery({
    queryKey: [organizationId, 'workflow', workflowId],
    queryFn: () => client.workflows.get(workflowId),
    enabled: kind === 'workflow' && workflowId !== '',
    retry: false,
  });
  const find = (list: readonly Tool[], key: string): JsonObject | null =>
    (list.find(({ name }) => name === readText(config, key))?.input_schema ?? null) as JsonObject | null;
  if (kind === 'integration') return find(catalog.data?.actions ?? [], 'action');
  if (kind === 'mcp') return find(tools, 'tool');
  return readParameterSchema(
    ownValue((workflow.data?.workflow_schema ?? {}) as JsonObject, 'input_parameters'),
  );
}
