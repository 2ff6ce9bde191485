/** What a model is told of an agent's tools, and how its answers to that are read (SPEC DEF-2.3, SEC-L07). */
import { cutText } from '../../graph/cut-text.ts';
import { checkSchema } from '../../graph/json-schema.ts';
import { keepDigits } from '../../graph/exact-json.ts';
import { storable } from '../../graph/storable.ts';
import { deeperThan, findForbiddenKey, isObject } from '../../graph/value.ts';
import type { NodePolicy } from '../../graph/plan.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import { GIVEN_ROOT, configWith, fixedOf } from './agent-tool.ts';
import type { AgentTool, CallableTool } from './agent-tool.ts';
import { flattenSchema } from './flat-schema.ts';
import type { NodeCall, NodeResult } from '../kind.ts';
import { MAX_QUERY, SEARCH_POLICY, searchKnowledge } from '../knowledge.ts';
import { runTool, toolPolicy } from '../tool/tool.ts';
import { describeAction } from '../tool/integration.ts';
import type { ModelTool, ModelToolCall } from '../tools.ts';

/** Deeper than any tool takes; the schema's check is bounded by itself. */
const MAX_DEPTH = 32;
/** Characters of a name that a model made up, as records show it. */
const MAX_NAME = 128;

interface Described {
  readonly description: string;
  readonly schema: JsonObject;
  readonly fingerprint?: string;
}

/** What a model is told of a search when its config says nothing. */
const SEARCH: Described = {
  description:
    'Searches documents of the organization and returns the passages that are nearest to the query.',
  schema: {
    type: 'object',
    properties: { query: { type: 'string', minLength: 1, maxLength: MAX_QUERY } },
    required: ['query'],
  },
};

async function describe(call: NodeCall<unknown>, { config, schema }: AgentTool): Promise<Described> {
  switch (config.kind) {
    case 'integration':
      return describeAction(config);
    case 'mcp': {
      if (schema !== null) return { description: '', schema };
      const { server_url: serverUrl, credential_id: credentialId, tool, fingerprint } = config;
      const { organizationId } = call.identity;
      const credential = credentialId === null ? null : { organizationId, credentialId };
      const asked = { serverUrl, credential, tool, fingerprint, signal: call.signal };
      const found = await call.tools.mcp.describe(asked);
      return { description: found.description, schema: found.inputSchema, fingerprint: found.fingerprint };
    }
    case 'knowledge':
      return SEARCH;
    case 'http':
    case 'workflow':
      return { description: '', schema: {} };
  }
}

/** The schema without what is fixed; what it does not name is refused. */
function openPart(schema: JsonObject, fixed: JsonObject): JsonObject {
  const { properties, required } = schema;
  if (!isObject(properties)) return { ...schema, type: 'object' };
  const open = Object.entries(properties).filter(([name]) => !Object.hasOwn(fixed, name));
  const needed = (Array.isArray(required) ? required : []).filter(
    (name) => typeof name === 'string' && !Object.hasOwn(fixed, name),
  );
  return {
    additionalProperties: false,
    ...schema,
    type: 'object',
    properties: Object.fromEntries(open),
    required: needed,
  };
}

/** The tools that the model may call. Asks the MCP servers for theirs. @throws NodeError of the MCP port */
export function offersOf(call: NodeCall<unknown>, tools: readonly AgentTool[]): Promise<ModelTool[]> {
  const offered = tools.filter(({ usage }) => usage !== 'none');
  return Promise.all(
    offered.map(async (tool) => {
      const { description, schema, fingerprint } = await describe(call, tool);
      return {
        ...(fingerprint !== undefined && { fingerprint }),
        name: tool.name,
        description: tool.description ?? description,
        schema: openPart(flattenSchema(tool.schema ?? schema), fixedOf(tool.config)),
      };
    }),
  );
}

/** A call that a model asks for. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them. */
  readonly text: string;
  /** Null when they cannot be used; then `refusal` says why. */
  readonly arguments: JsonObject | null;
  readonly refusal: string | null;
}

/** The arguments of a call, or what is wrong with them, in words for the model. */
function readArguments(
  text: string,
  schema: JsonObject,
  patterns: NodeCall<unknown>['patterns'],
): { readonly value: JsonObject } | { readonly problem: string } {
  // Models that have nothing to say to a tool often say nothing.
  const given = text.trim() === '' ? '{}' : text;
  let value: Json;
  try {
    value = JSON.parse(given) as Json;
  } catch {
    return { problem: 'The arguments are not JSON' };
  }
  if (!isObject(value)) return { problem: 'The arguments must be a JSON object' };
  if (deeperThan(value, MAX_DEPTH)) return { problem: 'The arguments are nested too deeply' };
  const forbidden = findForbiddenKey(value);
  if (forbidden !== null) return { problem: `${forbidden}: Extra inputs are not permitted` };
  keepDigits(given, value);
  const [issue] = checkSchema(schema, value, patterns);
  if (issue === undefined) return { value: storable(value) };
  return { problem: `${issue.path.join('.') || 'The arguments'}: ${issue.message}` };
}

/** Reads a call against what was offered. */
export function readCall(
  call: NodeCall<unknown>,
  { id, name, arguments: text }: ModelToolCall,
  offers: readonly ModelTool[],
): AskedCall {
  const offer = offers.find((tool) => tool.name === name);
  const asked = { id, name: cutText(name.replaceAll('\0', ''), MAX_NAME), text };
  if (offer === undefined) return { ...asked, arguments: null, refusal: 'There is no tool of this name' };
  const read = readArguments(text, offer.schema, call.patterns);
  return 'problem' in read
    ? { ...asked, arguments: null, refusal: read.problem }
    : { ...asked, arguments: read.value, refusal: null };
}

/** A search as a tool: its `data` is what the model hears. */
async function searchForAgent(
  call: NodeCall<unknown>,
  config: Extract<CallableTool, { kind: 'knowledge' }>,
  given: JsonObject,
): Promise<NodeResult> {
  const { query } = given;
  const found = await searchKnowledge(call, config, typeof query === 'string' ? query : '');
  return { ...found, output: { data: found.output } };
}

/** The tool as it was offered: what its server says of it may not change between the model's question and the call. */
export function asOffered({ name, config }: AgentTool, offers: readonly ModelTool[]): AgentTool['config'] {
  const fingerprint = offers.find((offer) => offer.name === name)?.fingerprint;
  return config.kind === 'mcp' && fingerprint !== undefined ? { ...config, fingerprint } : config;
}

/** Runs a tool with the model's arguments; throws and answers as a tool node does. */
export function runAgentTool(
  call: NodeCall<unknown>,
  config: CallableTool,
  given: JsonObject,
): Promise<NodeResult> | NodeResult {
  if (config.kind === 'knowledge') return searchForAgent(call, config, given);
  return runTool({
    ...call,
    config: configWith(config, Object.keys(given)),
    render: (value, extra) => call.render(value, { ...extra, [GIVEN_ROOT]: given }),
  });
}

/** How a tool of an agent is run. */
export const callablePolicy = (config: CallableTool): NodePolicy =>
  config.kind === 'knowledge' ? SEARCH_POLICY : toolPolicy(config);
