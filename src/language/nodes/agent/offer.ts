/** Offers an agent's tools to the model, parses its calls and runs them (SPEC DEF-2.3, SEC-L07). */
import { cutText } from '../../graph/values/cut-text.ts';
import { checkSchema } from '../../graph/schema/json-schema.ts';
import { keepDigits } from '../../graph/values/exact-json.ts';
import { toStorable } from '../../graph/values/storable.ts';
import { isDeeperThan, findForbiddenKey, isObject } from '../../graph/values/value.ts';
import type { NodePolicy } from '../../graph/schedule/plan.ts';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { ARGUMENTS_ROOT, addArguments, listFixedValues, listPathParameters } from './agent-tool.ts';
import type { AgentTool, CallableTool } from './agent-tool.ts';
import type { RuleConfirmation } from '../confirm/confirmation.ts';
import { defineSender, send, type AnySender, type EffectPattern } from '../effect.ts';
import { flattenSchema } from './flat-schema.ts';
import type { NodeCall, NodeResult } from '../kind.ts';
import {
  MAX_QUERY,
  SEARCH_POLICY,
  describeSearch,
  performSearch,
  prepareSearch,
} from '../knowledge/knowledge.ts';
import type { SearchTool } from '../knowledge/knowledge.ts';
import { TOOL_SENDERS, getToolPolicy } from '../tool/tool.ts';
import { describeAction } from '../tool/integration.ts';
import type { ModelTool, ModelToolCall } from '../tools.ts';

/** Maximum nesting of arguments, above that of any real tool. */
const MAX_DEPTH = 32;
/** Characters of a tool name in records: a model may make up any name. */
const MAX_NAME = 128;

interface ToolDescription {
  readonly description: string;
  readonly schema: JsonObject;
  readonly fingerprint?: string;
}

/** Describes a knowledge search to the model when its config has no description. */
const SEARCH_DESCRIPTION: ToolDescription = {
  description:
    'Searches documents of the organization and returns the passages that are nearest to the query.',
  schema: {
    type: 'object',
    properties: { query: { type: 'string', minLength: 1, maxLength: MAX_QUERY } },
    required: ['query'],
  },
};

async function describeTool(
  call: NodeCall<unknown>,
  { config, schema }: AgentTool,
): Promise<ToolDescription> {
  switch (config.kind) {
    case 'integration':
      return describeAction(config);
    case 'mcp': {
      if (schema !== null) return { description: '', schema };
      const { server_url: serverUrl, credential_id: credentialId, tool, fingerprint } = config;
      const { organizationId } = call.identity;
      const credential = credentialId === null ? null : { organizationId, credentialId };
      const request = { serverUrl, credential, tool, fingerprint, signal: call.signal };
      const target = { server: serverUrl, tool };
      const facts = { door: 'mcp', target, effect: 'at_most_once', credential_id: credentialId } as const;
      // To read what a tool is calls nothing: people are asked about its calls.
      call.admit(facts, () => undefined);
      const found = await call.tools.mcp.describe(request);
      return { description: found.description, schema: found.inputSchema, fingerprint: found.fingerprint };
    }
    case 'knowledge':
      return SEARCH_DESCRIPTION;
    case 'http':
    case 'workflow':
      return { description: '', schema: {} };
  }
}

/** Removes the fixed values from a schema, and forbids properties that it does not declare. */
function removeFixed(schema: JsonObject, fixed: JsonObject): JsonObject {
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

/** Requires the parameters of an HTTP tool's URL that the config does not fix: without one there is no address. */
function addPathParameters(schema: JsonObject, config: CallableTool): JsonObject {
  const fixed = listFixedValues(config);
  const names = listPathParameters(config).filter((name) => !Object.hasOwn(fixed, name));
  if (names.length === 0) return schema;
  const { properties, required } = schema;
  const known = isObject(properties) ? properties : {};
  const added = names.filter((name) => !Object.hasOwn(known, name)).map((name) => [name, { type: 'string' }]);
  const needed = Array.isArray(required) ? required : [];
  return {
    ...schema,
    properties: { ...known, ...(Object.fromEntries(added) as JsonObject) },
    required: [...new Set([...needed, ...names])],
  };
}

/** Lists the tools that the model may call; reads descriptions from MCP servers. @throws NodeError of the MCP port */
export function listOffers(call: NodeCall<unknown>, tools: readonly AgentTool[]): Promise<ModelTool[]> {
  const offered = tools.filter(({ usage }) => usage !== 'none');
  return Promise.all(
    offered.map(async (tool) => {
      const { description, schema, fingerprint } = await describeTool(call, tool);
      return {
        ...(fingerprint !== undefined && { fingerprint }),
        name: tool.name,
        description: tool.description ?? description,
        schema: addPathParameters(
          removeFixed(flattenSchema(tool.schema ?? schema), listFixedValues(tool.config)),
          tool.config,
        ),
      };
    }),
  );
}

/** A rule that people approve a call by, as it was when the model requested it. */
interface AskedByRule {
  readonly rule: string;
  readonly confirm: RuleConfirmation;
}

/** A tool call that a model requests. */
export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them. */
  readonly text: string;
  /** Null when the call is invalid; then `refusal` has the reason. */
  readonly arguments: JsonObject | null;
  readonly refusal: string | null;
  /** Whom a rule of the organization asks before the call is made; undefined: no rule asks. */
  readonly asked?: AskedByRule;
}

/** Parses the arguments of a call, or returns a problem that the model can correct. */
function readArguments(
  text: string,
  schema: JsonObject,
  patterns: NodeCall<unknown>['patterns'],
): { readonly value: JsonObject } | { readonly problem: string } {
  // Models often send an empty text to a tool without parameters.
  const json = text.trim() === '' ? '{}' : text;
  let value: Json;
  try {
    value = JSON.parse(json) as Json;
  } catch {
    return { problem: 'The arguments are not JSON' };
  }
  if (!isObject(value)) return { problem: 'The arguments must be a JSON object' };
  if (isDeeperThan(value, MAX_DEPTH)) return { problem: 'The arguments are nested too deeply' };
  const forbidden = findForbiddenKey(value);
  if (forbidden !== null) return { problem: `${forbidden}: Unknown field` };
  keepDigits(json, value);
  const [issue] = checkSchema(schema, value, patterns);
  if (issue === undefined) return { value: toStorable(value) };
  return { problem: `${issue.path.join('.') || 'The arguments'}: ${issue.message}` };
}

/** Parses a call and checks it against the offered tools. */
export function readCall(
  call: NodeCall<unknown>,
  { id, name, arguments: text }: ModelToolCall,
  offers: readonly ModelTool[],
): RequestedCall {
  const offer = offers.find((tool) => tool.name === name);
  const requested = { id, name: cutText(name.replaceAll('\0', ''), MAX_NAME), text };
  if (offer === undefined)
    return { ...requested, arguments: null, refusal: 'There is no tool with this name' };
  const read = readArguments(text, offer.schema, call.patterns);
  return 'problem' in read
    ? { ...requested, arguments: null, refusal: read.problem }
    : { ...requested, arguments: read.value, refusal: null };
}

/** A search as a tool, whose query is its argument; `data` is the result that the model reads. */
const searchSender = defineSender<SearchTool, 'search'>({
  describe: describeSearch,
  prepare(call) {
    const query = call.render(`{{${ARGUMENTS_ROOT}.query}}`, {}, true);
    return prepareSearch(call, call.config, typeof query === 'string' ? query : '');
  },
  async perform(call, effect) {
    const found = await performSearch(call, effect);
    return { ...found, output: { data: found.output } };
  },
});

const SENDERS = { ...TOOL_SENDERS, knowledge: searchSender };

/** Describes what a call of the tool sends. */
export const describeCallable = (config: CallableTool): EffectPattern =>
  SENDERS[config.kind].describe(config);

/** Pins an MCP tool to the fingerprint of its offer, so that the server cannot change the tool between offer and call. */
export function pinFingerprint(
  { name, config }: AgentTool,
  offers: readonly ModelTool[],
): AgentTool['config'] {
  const fingerprint = offers.find((offer) => offer.name === name)?.fingerprint;
  return config.kind === 'mcp' && fingerprint !== undefined ? { ...config, fingerprint } : config;
}

/** The call of a tool with the model's arguments, and what sends it. */
interface BoundTool {
  readonly call: NodeCall<unknown>;
  readonly sender: AnySender;
}

/** Binds a tool to the model's arguments. */
export const bindAgentTool = (
  call: NodeCall<unknown>,
  config: CallableTool,
  given: JsonObject,
): BoundTool => ({
  call: {
    ...call,
    config: addArguments(config, Object.keys(given)),
    render: (value, extra, mayMiss) => call.render(value, { ...extra, [ARGUMENTS_ROOT]: given }, mayMiss),
    renderText: (template, encode) => call.renderText(template, encode, { [ARGUMENTS_ROOT]: given }),
  },
  sender: SENDERS[config.kind],
});

/** Runs a tool with the model's arguments; results and errors are those of a tool node. */
export function runAgentTool(
  call: NodeCall<unknown>,
  config: CallableTool,
  given: JsonObject,
): Promise<NodeResult> {
  const bound = bindAgentTool(call, config, given);
  return send(bound.call, bound.sender);
}

/** The policy of a tool call of an agent. */
export const getCallablePolicy = (config: CallableTool): NodePolicy =>
  config.kind === 'knowledge' ? SEARCH_POLICY : getToolPolicy(config);
