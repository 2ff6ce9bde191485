/** The tools in the config of an agent, with fixed values that are hidden from the model (SPEC DEF-2.3). */
import { z } from 'zod';
import { describeRawIssue } from '../../graph/schema/schema-words.ts';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { isObject, ownValue, setOwn } from '../../graph/values/value.ts';
import { MAX_WAIT_SECONDS, assignees } from '../interrupt/interrupt.ts';
import type { Question } from '../kind.ts';
import { searchTool } from '../knowledge/knowledge.ts';
import type { SearchTool } from '../knowledge/knowledge.ts';
import { addIssues, addProblem, jsonObject, jsonSchema, orNull } from '../read-config.ts';
import type { ToolConfig } from '../tool/tool.ts';
import { httpTool } from '../tool/http.ts';
import { offeredIntegration } from '../tool/integration.ts';
import { mcpTool } from '../tool/mcp.ts';
import { workflowTool } from '../tool/workflow.ts';
import { ABOUT_ASSIGNEES } from '../fields.ts';

/** The function names that model providers accept. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** The template root of the model's arguments; no node can have this id. */
export const ARGUMENTS_ROOT = '_given';

/** A tool that an agent can call: any tool node, or a search of knowledge bases. */
export type CallableTool = Exclude<ToolConfig, { readonly kind: 'table' }> | SearchTool;

export interface AgentTool {
  readonly name: string;
  readonly description: string | null;
  /** The schema of the arguments; null: the tool itself defines it. */
  readonly schema: JsonObject | null;
  /** `force`: the model must call the tool once; `none`: the tool is not offered. */
  readonly usage: 'auto' | 'force' | 'none';
  /** People approve each call; null: no approval. */
  readonly approval: Approval | null;
  /** The tool with its fixed values only. */
  readonly config: CallableTool;
}

export interface Approval {
  /** Seconds after which the call is rejected; null: no limit. */
  readonly timeoutSeconds: number | null;
  /** Empty: any member of the organization. */
  readonly assignees: Question['assignees'];
}

/** The fields of an entry beside the config of its tool. */
export const agentToolOptions = z.looseObject({
  kind: z.enum(['http', 'integration', 'mcp', 'workflow', 'knowledge']),
  name: orNull(z.string().regex(NAME, 'must be 1 to 64 letters, digits, underscores and hyphens')).meta({
    description: 'Name of the tool for the model; null: the name of the tool itself, if it has one',
  }),
  description: orNull(z.string().max(4_096)).meta({
    description: 'Description of the tool for the model; null: that of the tool itself',
  }),
  input_schema: orNull(jsonSchema).meta({
    description: 'JSON Schema of the arguments; null: that of the tool itself',
  }),
  parameters: orNull(jsonObject).meta({ description: 'Fixed arguments, hidden from the model' }),
  usage: z.enum(['auto', 'force', 'none']).default('auto').meta({
    description:
      '`auto`: the model may call it; `force`: the model must call it once; `none`: it is not offered',
  }),
  approval: orNull(z.enum(['never', 'always'])).meta({
    description: 'Whether each call needs approval; null: never',
  }),
  approval_timeout_seconds: orNull(z.int().min(1).max(MAX_WAIT_SECONDS)).meta({
    description: 'Seconds until a call without an answer counts as rejected; null: no timeout',
  }),
  approval_assignees: assignees.meta({ description: ABOUT_ASSIGNEES }),
});
type Entry = z.output<typeof agentToolOptions>;

/** The config key that takes the arguments: requests without a body have them in the query. */
const chooseArgumentsKey = (method: unknown): 'query' | 'body' =>
  typeof method !== 'string' || /^(?:get|head)$/i.test(method) ? 'query' : 'body';

/** Parses the entry as the config of its tool. @returns null after adding problems to `ctx` */
function readToolConfig(given: Entry, ctx: z.core.$RefinementCtx): CallableTool | null {
  const schemas: Record<Entry['kind'], readonly [z.ZodType<CallableTool>, JsonObject]> = {
    http: [
      httpTool,
      given.parameters === null ? {} : { [chooseArgumentsKey(given['method'])]: given.parameters },
    ],
    integration: [offeredIntegration, {}],
    mcp: [mcpTool, given.parameters === null ? {} : { arguments: given.parameters }],
    workflow: [
      workflowTool,
      { ...(given.parameters === null ? {} : { input: given.parameters }), wait: true },
    ],
    knowledge: [searchTool, {}],
  };
  const [schema, more] = schemas[given.kind];
  const read = schema.safeParse({ ...given, ...more }, { error: describeRawIssue });
  if (read.success) return read.data;
  addIssues(ctx, read.error);
  return null;
}

/** The value that takes the model's arguments must be an object, because the fixed values are in it too. */
function checkArgumentsPlace(config: CallableTool, ctx: z.core.$RefinementCtx): void {
  if (config.kind === 'http' && config.body !== null && !isObject(config.body)) {
    addProblem(ctx, {
      code: 'invalid_config',
      message: 'must be an object, because the model adds to it',
      path: ['body'],
    });
  }
  if (config.kind === 'workflow' && !isObject(config.input ?? {})) {
    addProblem(ctx, {
      code: 'invalid_config',
      message: 'must be an object, because the model adds to it',
      path: ['input'],
    });
  }
}

function createDefaultName(config: CallableTool): string | null {
  if (config.kind === 'integration') return `${config.integration}_${config.action}`;
  return config.kind === 'mcp' ? config.tool : null;
}

/** Parses one entry of `tools`. */
export const agentTool = agentToolOptions.transform((given, ctx): AgentTool => {
  const config = readToolConfig(given, ctx);
  if (config === null) return z.NEVER;
  checkArgumentsPlace(config, ctx);
  const name =
    given.name ??
    createDefaultName(config)
      ?.replaceAll(/[^A-Za-z0-9_-]/g, '_')
      .slice(0, 64) ??
    '';
  if (name === '') addProblem(ctx, { code: 'invalid_config', message: 'is required', path: ['name'] });
  const { description, usage } = given;
  const approval =
    given.approval === 'always'
      ? { timeoutSeconds: given.approval_timeout_seconds, assignees: given.approval_assignees }
      : null;
  return { name, description, usage, schema: given.input_schema, approval, config };
});

/** A parameter in the URL of an HTTP tool, as OpenAPI writes it; `{{` begins a template. */
const PATH_PARAMETER = /(?<!\{)\{([A-Za-z_][\w-]*)\}(?!\})/g;

/** Lists the parameters `{name}` of an HTTP tool's URL. */
export const listPathParameters = (config: CallableTool): string[] =>
  config.kind === 'http' ? [...config.url.matchAll(PATH_PARAMETER)].map(([, name = '']) => name) : [];

/** Writes a value into a URL template: a template is encoded when it is rendered, a literal here. */
function writeInUrl(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.includes('{{') ? text : encodeURIComponent(text);
}

/** Fills the parameters of a URL and leaves the other values to the query or the body. */
function fillUrl(url: string, values: JsonObject): { readonly url: string; readonly others: JsonObject } {
  const used = new Set<string>();
  const filled = url.replaceAll(PATH_PARAMETER, (whole, name: string) => {
    const value = ownValue(values, name);
    if (value === undefined) return whole;
    used.add(name);
    return writeInUrl(value);
  });
  const others: JsonObject = {};
  for (const [name, value] of Object.entries(values)) if (!used.has(name)) setOwn(others, name, value);
  return { url: filled, others };
}

/** The fixed values of a tool, which a model can neither see nor change. */
export function listFixedValues(config: CallableTool): JsonObject {
  switch (config.kind) {
    case 'http':
      if (chooseArgumentsKey(config.method) === 'query') return config.query ?? {};
      return isObject(config.body) ? config.body : {};
    case 'integration':
      return config.parameters;
    case 'mcp':
      return config.arguments;
    case 'workflow':
      return isObject(config.input) ? config.input : {};
    case 'knowledge':
      return {};
  }
}

/**
 * Adds the model's arguments to the fixed values of a tool, as references to ARGUMENTS_ROOT: otherwise text of a model
 * would be parsed as templates.
 */
export function addArguments<Config extends CallableTool>(config: Config, names: readonly string[]): Config {
  const merged: JsonObject = {};
  for (const name of names) setOwn(merged, name, `{{${ARGUMENTS_ROOT}[${JSON.stringify(name)}]}}`);
  for (const [name, value] of Object.entries(listFixedValues(config)))
    setOwn(merged, name, value satisfies Json);
  switch (config.kind) {
    case 'http': {
      const { url, others } = fillUrl(config.url, merged);
      return { ...config, url, [chooseArgumentsKey(config.method)]: others };
    }
    case 'integration':
      return { ...config, parameters: merged };
    case 'mcp':
      return { ...config, arguments: merged };
    case 'workflow':
      return { ...config, input: merged };
    // Only the query is an argument, and it is no part of the config.
    case 'knowledge':
      return config;
  }
}
