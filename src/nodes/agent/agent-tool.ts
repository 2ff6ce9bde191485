/** The tools of an agent as its config lists them: what is fixed and hidden, and what the model fills in (SPEC DEF-2.3). */
import { z } from 'zod';
import type { Json, JsonObject } from '../../graph/value.ts';
import { isObject, setOwn } from '../../graph/value.ts';
import { MAX_WAIT_SECONDS, assignees } from '../interrupt.ts';
import type { Question } from '../kind.ts';
import { searchTool } from '../knowledge.ts';
import type { SearchTool } from '../knowledge.ts';
import { addIssues, addProblem, jsonObject, jsonSchema, orNull } from '../read-config.ts';
import type { ToolConfig } from '../tool/tool.ts';
import { httpTool } from '../tool/http.ts';
import { offeredIntegration } from '../tool/integration.ts';
import { mcpTool } from '../tool/mcp.ts';
import { workflowTool } from '../tool/workflow.ts';

/** What the providers take for a name of a function. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** The root under which a tool's templates see the model's arguments: no node can have this name. */
export const GIVEN_ROOT = '_given';

/** What an agent can call: any tool, and a search of knowledge bases. */
export type CallableTool = ToolConfig | SearchTool;

export interface AgentTool {
  readonly name: string;
  readonly description: string | null;
  /** The arguments' schema, when the config has one. */
  readonly schema: JsonObject | null;
  /** `force`: has to be called once; `none`: is not offered. */
  readonly usage: 'auto' | 'force' | 'none';
  /** People are asked before each call; null: nobody is. */
  readonly approval: Approval | null;
  /** The tool with its fixed values alone. */
  readonly config: CallableTool;
}

export interface Approval {
  /** Then the call counts as rejected; null: the agent waits for ever. */
  readonly timeoutSeconds: number | null;
  /** Nobody named: anybody of the organization. */
  readonly assignees: Question['assignees'];
}

/** What an entry says beside the config of its tool. */
export const agentToolOptions = z.looseObject({
  kind: z.enum(['http', 'integration', 'mcp', 'workflow', 'knowledge']),
  name: orNull(z.string().regex(NAME, 'must be 1 to 64 letters, digits, underscores and hyphens')),
  description: orNull(z.string().max(4_096)),
  input_schema: orNull(jsonSchema),
  parameters: orNull(jsonObject),
  usage: z.enum(['auto', 'force', 'none']).default('auto'),
  approval: orNull(z.enum(['never', 'always'])),
  approval_timeout_seconds: orNull(z.int().min(1).max(MAX_WAIT_SECONDS)),
  approval_assignees: assignees,
});
type Entry = z.output<typeof agentToolOptions>;

/** What has no body carries its arguments in the query. */
const openKey = (method: unknown): 'query' | 'body' =>
  typeof method !== 'string' || /^(?:get|head)$/i.test(method) ? 'query' : 'body';

/** The part of a tool node's config that the entry stands for; problems are added to `ctx`. */
function configOf(given: Entry, ctx: z.core.$RefinementCtx): CallableTool | null {
  const schemas: Record<Entry['kind'], readonly [z.ZodType<CallableTool>, JsonObject]> = {
    http: [httpTool, given.parameters === null ? {} : { [openKey(given['method'])]: given.parameters }],
    integration: [offeredIntegration, {}],
    mcp: [mcpTool, given.parameters === null ? {} : { arguments: given.parameters }],
    workflow: [
      workflowTool,
      { ...(given.parameters === null ? {} : { input: given.parameters }), wait: true },
    ],
    knowledge: [searchTool, {}],
  };
  const [schema, more] = schemas[given.kind];
  const read = schema.safeParse({ ...given, ...more });
  if (read.success) return read.data;
  addIssues(ctx, read.error);
  return null;
}

/** Where the model's arguments go has to be an object, so that the fixed values can stand beside them. */
function checkOpenPart(config: CallableTool, ctx: z.core.$RefinementCtx): void {
  if (config.kind === 'http' && config.body !== null && !isObject(config.body)) {
    addProblem(ctx, {
      code: 'invalid_config',
      message: 'must be an object: the model adds to it',
      path: ['body'],
    });
  }
  if (config.kind === 'workflow' && !isObject(config.input ?? {})) {
    addProblem(ctx, {
      code: 'invalid_config',
      message: 'must be an object: the model adds to it',
      path: ['input'],
    });
  }
}

function defaultName(config: CallableTool): string | null {
  if (config.kind === 'integration') return `${config.integration}_${config.action}`;
  return config.kind === 'mcp' ? config.tool : null;
}

/** One entry of `tools`. */
export const agentTool = agentToolOptions.transform((given, ctx): AgentTool => {
  const config = configOf(given, ctx);
  if (config === null) return z.NEVER;
  checkOpenPart(config, ctx);
  const name =
    given.name ??
    defaultName(config)
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

/** The fixed values that a model may neither see nor change. */
export function fixedOf(config: CallableTool): JsonObject {
  switch (config.kind) {
    case 'http':
      if (openKey(config.method) === 'query') return config.query ?? {};
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
 * The tool with the model's arguments beside its fixed values. The arguments are put in as references to GIVEN_ROOT:
 * what a model writes is never read as a template.
 */
export function configWith<Config extends CallableTool>(config: Config, names: readonly string[]): Config {
  const merged: JsonObject = {};
  for (const name of names) setOwn(merged, name, `{{${GIVEN_ROOT}[${JSON.stringify(name)}]}}`);
  for (const [name, value] of Object.entries(fixedOf(config))) setOwn(merged, name, value satisfies Json);
  switch (config.kind) {
    case 'http':
      return { ...config, [openKey(config.method)]: merged };
    case 'integration':
      return { ...config, parameters: merged };
    case 'mcp':
      return { ...config, arguments: merged };
    case 'workflow':
      return { ...config, input: merged };
    // The model gives the query alone.
    case 'knowledge':
      return config;
  }
}
