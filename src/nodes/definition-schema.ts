/**
 * The workflow definition as schemas of the OpenAPI document: nodes by type with the config schemas that the kinds parse
 * with, edges, rules. A definition is read by src/graph, more leniently than this: here stands how to write one.
 */
import { z } from 'zod';
import { NODE_ID, RULE_OPS } from '../graph/definition.ts';
import { MAX_ATTEMPTS, MAX_DURATION_MS } from '../graph/read-node.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import { agentTool, agentToolOptions } from './agent/agent-tool.ts';
import { ruleCase } from './conditional.ts';
import { guardrailCheck } from './guardrails/guardrails.ts';
import { searchTool } from './knowledge.ts';
import { anyJson, jsonObject, jsonSchema, ruleGroup } from './read-config.ts';
import { nodeKinds } from './registry.ts';

const refTo = (id: string) => ({ $ref: `#/components/schemas/${id}` });
const JSON_VALUE = refTo('Json');
const freeForm = (description?: string): JsonObject => ({
  type: 'object',
  ...(description === undefined ? {} : { description }),
  additionalProperties: JSON_VALUE,
});
const pascal = (text: string): string =>
  text.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
const nodeName = (type: string): string => `${pascal(type)}Node`;

/** Alternatives that a word tells apart: names of schemas by word. */
const oneOfBy = (propertyName: string, names: ReadonlyMap<string, string>): JsonObject => ({
  oneOf: [...names.values()].map(refTo),
  discriminator: {
    propertyName,
    mapping: Object.fromEntries([...names].map(([word, name]) => [word, refTo(name).$ref])),
  },
});

const TOOL_KINDS = ['http', 'integration', 'mcp', 'workflow', 'knowledge'] as const;

/** What zod cannot show, because code reads it. */
const SHOWN: ReadonlyMap<z.ZodType, JsonObject> = new Map<z.ZodType, JsonObject>([
  [anyJson, JSON_VALUE],
  [jsonObject, freeForm()],
  [jsonSchema, freeForm('JSON Schema')],
  [ruleGroup, refTo('Rules')],
  [
    ruleCase,
    {
      allOf: [
        {
          type: 'object',
          required: ['id'],
          properties: {
            id: {
              type: 'string',
              minLength: 1,
              maxLength: 64,
              description: 'The handle that the case selects',
            },
            label: { type: 'string' },
          },
        },
        { anyOf: [refTo('RuleGroup'), refTo('Rule')] },
      ],
    },
  ],
  [
    agentTool,
    {
      allOf: [
        refTo('AgentToolOptions'),
        oneOfBy('kind', new Map(TOOL_KINDS.map((kind) => [kind, `${pascal(kind)}ToolConfig`]))),
      ],
    },
  ],
]);

/** The alternatives of a config, wherever refinements and preprocessing have put them. */
function unionOf(schema: z.ZodType): z.ZodDiscriminatedUnion | null {
  if (schema instanceof z.ZodPipe) return unionOf(schema.out as z.ZodType);
  return schema instanceof z.ZodDiscriminatedUnion ? schema : null;
}

/** The word by which an alternative is chosen: `http` of a tool. */
function wordOf(option: z.core.$ZodType, key: string): string {
  const [word] = option._zod.propValues?.[key] ?? [];
  return String(word);
}

/** Schemas by the name that they have in the document. */
function namedConfigs(): Map<string, z.ZodType> {
  const named = new Map<string, z.ZodType>([
    ['AgentToolOptions', agentToolOptions],
    ['AgentTool', agentTool],
    ['KnowledgeToolConfig', searchTool],
    ['GuardrailCheck', guardrailCheck],
  ]);
  for (const { type, config } of nodeKinds) named.set(`${nodeName(type)}Config`, config);
  const unions = nodeKinds.map(({ type, config }) => [pascal(type), 'Config', config] as const);
  for (const [type, suffix, schema] of [...unions, ['Guardrail', 'Check', guardrailCheck] as const]) {
    const union = unionOf(schema);
    for (const option of union?.options ?? [])
      named.set(`${pascal(wordOf(option, union!.def.discriminator))}${type}${suffix}`, option as z.ZodType);
  }
  return named;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** As the rest of the document says it: open objects, formats without their patterns, integers without the bounds of doubles. */
function shorten(schema: JsonSchema, type: z.core.$ZodTypeDef['type']): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (type === 'object') delete schema.additionalProperties;
  if (type === 'record') delete schema.propertyNames;
}

/** Alternatives by a word are told apart by a discriminator, as generators of clients want it. */
function discriminate(schema: JsonSchema, zodSchema: z.core.$ZodTypes): void {
  const { def } = zodSchema._zod;
  if (def.type !== 'union' || !('discriminator' in def)) return;
  const options = schema.oneOf ?? schema.anyOf ?? [];
  delete schema.anyOf;
  schema.oneOf = options;
  const key = String(def.discriminator);
  const entries = def.options.map((option, at) => [wordOf(option, key), options[at]?.$ref]);
  if (entries.every(([, ref]) => ref !== undefined))
    schema['discriminator'] = {
      propertyName: key,
      mapping: Object.fromEntries(entries) as Record<string, string>,
    };
}

function configSchemas(): Record<string, JsonObject> {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of namedConfigs()) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => refTo(id).$ref,
    override: ({ zodSchema, jsonSchema }) => {
      const shown = SHOWN.get(zodSchema as unknown as z.ZodType);
      if (shown !== undefined) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        Object.assign(jsonSchema, shown);
      }
      shorten(jsonSchema, zodSchema._zod.def.type);
      discriminate(jsonSchema, zodSchema);
    },
  });
  // Left out, `mode` is `rules`: what may be missing tells nothing apart.
  delete schemas['ConditionalNodeConfig']?.['discriminator'];
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id: _id, $schema: _schema, ...schema }]) => [
      id,
      schema as JsonObject,
    ]),
  );
}

const milliseconds = (description: string): JsonObject => ({
  type: 'integer',
  minimum: 1,
  maximum: MAX_DURATION_MS,
  description,
});

/** What stands beside the config of every node (SPEC DEF-2.0). */
const ENVELOPE: Readonly<Record<string, JsonObject>> = {
  id: {
    type: 'string',
    pattern: NODE_ID.source,
    description: 'The root under which templates find the result',
  },
  name: { type: 'string', description: 'Shown to people; the id when left out' },
  position: refTo('CanvasPosition'),
  retry: refTo('NodeRetry'),
  timeout_ms: milliseconds('Of one attempt; the kind decides when left out'),
  on_error: {
    type: 'string',
    enum: ['fail', 'continue', 'branch'],
    description:
      'After the last attempt: the run fails, goes on with default_output, or takes the handle `error`',
  },
  default_output: JSON_VALUE,
  join: {
    type: 'string',
    enum: ['all', 'any'],
    default: 'all',
    description: 'Waits for all edges that lead here, or for the first that is taken',
  },
  for_each: refTo('NodeForEach'),
  state_updates: freeForm('Templates by state field, rendered when the node completes'),
  disabled: { type: 'boolean', default: false, description: 'The node is skipped' },
  mock: refTo('NodeMock'),
};

const nodeSchema = (type: string): JsonObject => ({
  type: 'object',
  required: ['id', 'type', 'config'],
  properties: {
    ...ENVELOPE,
    type: { type: 'string', const: type },
    config: refTo(`${nodeName(type)}Config`),
  },
});

const RULE: Json = { anyOf: [refTo('RuleGroup'), refTo('Rule')] };

/** The parts of a definition that no kind owns. */
const COMMON: Readonly<Record<string, JsonObject>> = {
  CanvasPosition: {
    type: 'object',
    required: ['x', 'y'],
    properties: { x: { type: 'number' }, y: { type: 'number' } },
    description: 'Where it stands on the canvas',
  },
  NodeRetry: {
    type: 'object',
    properties: {
      max_attempts: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_ATTEMPTS,
        description: 'The kind decides when left out',
      },
      initial_interval_ms: { ...milliseconds('Before the second attempt'), default: 1_000 },
      backoff_coefficient: { type: 'number', minimum: 1, maximum: 10, default: 2 },
      max_interval_ms: { ...milliseconds('Between two attempts at most'), default: 30_000 },
    },
    description: 'How often a failure that may pass is tried again',
  },
  NodeForEach: {
    type: 'object',
    required: ['items'],
    properties: {
      items: {
        anyOf: [{ type: 'string' }, { type: 'array', items: JSON_VALUE }],
        description: 'An array, or a template of one',
      },
      as: {
        type: 'string',
        pattern: NODE_ID.source,
        default: 'item',
        description: 'The root of the item in templates',
      },
      max_concurrency: { type: 'integer', minimum: 1, maximum: 100, default: 5 },
      max_items: { type: 'integer', minimum: 1, maximum: 10_000, default: 1_000 },
      on_item_error: { type: 'string', enum: ['fail', 'continue', 'drop'], default: 'fail' },
    },
    description: 'Runs the node once for each item',
  },
  NodeMock: {
    type: 'object',
    properties: { enabled: { type: 'boolean', default: false }, output: JSON_VALUE },
    description: 'A fixed output in place of the work',
  },
  Rule: {
    type: 'object',
    required: ['left', 'op'],
    properties: { left: JSON_VALUE, op: { type: 'string', enum: [...RULE_OPS] }, right: JSON_VALUE },
    description: 'A comparison; what tells of one side alone has no `right`',
  },
  RuleGroup: {
    type: 'object',
    required: ['rules'],
    properties: {
      match: { type: 'string', enum: ['all', 'any'], default: 'all' },
      rules: { type: 'array', items: RULE },
    },
    description: 'Rules of which all or any must hold',
  },
  Rules: { anyOf: [refTo('RuleGroup'), refTo('Rule'), { type: 'array', items: RULE }] },
  Edge: {
    type: 'object',
    required: ['source', 'target'],
    properties: {
      id: { type: 'string' },
      source: { type: 'string', description: 'Id of a node, or `__start__`' },
      target: { type: 'string', description: 'Id of a node, or `__end__`' },
      source_handle: {
        type: 'string',
        default: 'default',
        description: '`default`, `error`, `timeout`, `else`, `pass`, `fail`, a case or an action',
      },
      when: refTo('Rules'),
    },
  },
  StateField: {
    type: 'object',
    properties: {
      type: { type: 'string' },
      reducer: {
        type: 'string',
        enum: ['none', 'add', 'update'],
        default: 'none',
        description: 'Replaces, appends to an array, or merges objects',
      },
      default: JSON_VALUE,
    },
  },
  WorkflowMetadata: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 255 },
      description: { type: ['string', 'null'], maxLength: 20_000 },
      version: { type: ['string', 'null'], minLength: 1, maxLength: 64 },
      tags: {
        type: ['array', 'null'],
        maxItems: 100,
        items: { type: 'string', minLength: 1, maxLength: 100 },
      },
    },
    description: 'Where the fields of the same names at the workflow come from',
  },
  WorkflowSettings: {
    type: 'object',
    properties: {
      output: JSON_VALUE,
      strict_templates: {
        type: 'boolean',
        default: false,
        description: 'A path that leads nowhere fails its node',
      },
      recursion_limit: { type: 'integer', minimum: 1, maximum: 1_000 },
      batch_interval_ms: { type: 'integer', minimum: 0, maximum: 60_000 },
    },
    description: "Of every run; `output` is the template of a run's output",
  },
  WorkflowDefinition: {
    type: 'object',
    required: ['nodes', 'edges'],
    properties: {
      metadata: refTo('WorkflowMetadata'),
      config: refTo('WorkflowSettings'),
      state_schema: {
        type: 'object',
        properties: { fields: { type: 'object', additionalProperties: refTo('StateField') } },
        description: 'Fields of the state beside one for each node',
      },
      nodes: { type: 'array', items: refTo('Node') },
      edges: { type: 'array', items: refTo('Edge') },
      entry_point: { type: 'string', default: '__start__' },
      input_parameters: { type: 'array', items: freeForm('name, type, required, default, description') },
      end_points: JSON_VALUE,
      start_position: refTo('CanvasPosition'),
    },
    description:
      'A graph that deploys and runs. Saving takes less: a draft may have mistakes, and is told so in `problems`.',
  },
  WorkflowDraft: {
    type: 'object',
    required: ['nodes', 'edges'],
    properties: {
      metadata: refTo('WorkflowMetadata'),
      config: freeForm(),
      nodes: { type: 'array', items: {} },
      edges: { type: 'array', items: {} },
    },
    description: 'A graph as it was saved, with mistakes or in other spellings',
  },
};

/** The definition and its parts, as components of the OpenAPI document. */
export function definitionSchemas(): Readonly<Record<string, JsonObject>> {
  const types = nodeKinds.map(({ type }) => type);
  return {
    ...configSchemas(),
    ...COMMON,
    ...Object.fromEntries(types.map((type) => [nodeName(type), nodeSchema(type)])),
    Node: oneOfBy('type', new Map(types.map((type) => [type, nodeName(type)]))),
  };
}
