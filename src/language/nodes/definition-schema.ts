/**
 * The workflow definition as schemas of the OpenAPI document: nodes by type, edges, rules. They say how to write a definition;
 * src/language/graph accepts more.
 */
import { NODE_ID, RULE_OPS } from '../graph/definition/definition.ts';
import { MAX_ATTEMPTS, MAX_DURATION_MS } from '../graph/definition/read-node.ts';
import type { Json, JsonObject } from '../graph/values/value.ts';
import {
  JSON_VALUE,
  OPEN_TO_OTHER_PARTS,
  describeConfigs,
  describeFreeForm,
  nameNodeSchema,
  describeOneOf,
  createRef,
} from './config-schemas.ts';
import { NODE_EXAMPLES } from './node-examples.ts';
import { nodeKinds } from './registry.ts';

const milliseconds = (description: string): JsonObject => ({
  type: 'integer',
  minimum: 1,
  maximum: MAX_DURATION_MS,
  description,
});

/** The fields of every node beside its config (SPEC DEF-2.0). */
const ENVELOPE: Readonly<Record<string, JsonObject>> = {
  id: {
    type: 'string',
    pattern: NODE_ID.source,
    description: 'Name of the output in templates',
  },
  name: { type: 'string', description: 'Display name; the id by default' },
  position: createRef('CanvasPosition'),
  retry: createRef('NodeRetry'),
  timeout_ms: milliseconds('Timeout of one attempt; the default depends on the type'),
  on_error: {
    type: 'string',
    enum: ['fail', 'continue', 'branch'],
    description:
      'After the last attempt: fails the run, continues with `default_output`, or follows the handle `error`',
  },
  default_output: JSON_VALUE,
  join: {
    type: 'string',
    enum: ['all', 'any'],
    default: 'all',
    description: 'Waits for all incoming edges, or for the first that is taken',
  },
  for_each: createRef('NodeForEach'),
  state_updates: describeFreeForm('Templates by state field, rendered when the node completes'),
  disabled: {
    type: 'boolean',
    default: false,
    description: 'Does not run the node and follows its `default` edges',
  },
  mock: createRef('NodeMock'),
};

const nodeSchema = (type: string): JsonObject => ({
  type: 'object',
  required: ['id', 'type', 'config'],
  properties: {
    ...ENVELOPE,
    type: { type: 'string', const: type },
    config: createRef(`${nameNodeSchema(type)}Config`),
  },
  examples: [...(NODE_EXAMPLES[type] ?? [])],
});

const RULE: Json = { anyOf: [createRef('RuleGroup'), createRef('Rule')] };

/** The parts of a definition that no kind owns. */
const COMMON: Readonly<Record<string, JsonObject>> = {
  CanvasPosition: {
    type: 'object',
    required: ['x', 'y'],
    properties: { x: { type: 'number' }, y: { type: 'number' } },
    description: 'Position on the canvas',
  },
  NodeRetry: {
    type: 'object',
    properties: {
      max_attempts: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_ATTEMPTS,
        description: 'The default depends on the type',
      },
      initial_interval_ms: { ...milliseconds('Delay before the second attempt'), default: 1_000 },
      backoff_coefficient: { type: 'number', minimum: 1, maximum: 10, default: 2 },
      max_interval_ms: { ...milliseconds('Maximum delay between attempts'), default: 30_000 },
    },
    description: 'Retry policy for transient failures',
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
        description: 'Name of the item in templates',
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
    description: 'A fixed output, used instead of running the node',
  },
  Rule: {
    type: 'object',
    ...OPEN_TO_OTHER_PARTS,
    required: ['left', 'op'],
    properties: { left: JSON_VALUE, op: { type: 'string', enum: [...RULE_OPS] }, right: JSON_VALUE },
    description: 'A comparison; operators of one operand have no `right`',
  },
  RuleGroup: {
    type: 'object',
    ...OPEN_TO_OTHER_PARTS,
    required: ['rules'],
    properties: {
      match: { type: 'string', enum: ['all', 'any'], default: 'all' },
      rules: { type: 'array', items: RULE },
    },
    description: 'Rules of which all or any must match',
  },
  Rules: { anyOf: [createRef('RuleGroup'), createRef('Rule'), { type: 'array', items: RULE }] },
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
      when: createRef('Rules'),
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
        description: 'Replaces the value, appends to an array, or merges objects',
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
      mcp: JSON_VALUE,
    },
    description:
      'Source of the fields of the same names of the workflow; `mcp` has `enabled`, `name` and `description` of the workflow as a tool of the MCP server',
  },
  WorkflowSettings: {
    type: 'object',
    properties: {
      output: JSON_VALUE,
      strict_templates: {
        type: 'boolean',
        default: false,
        description: 'A template path that does not exist fails the node',
      },
      recursion_limit: { type: 'integer', minimum: 1, maximum: 1_000 },
      batch_interval_ms: { type: 'integer', minimum: 0, maximum: 60_000 },
    },
    description: "Settings of every run; `output` is the template of the run's output",
  },
  WorkflowDefinition: {
    type: 'object',
    required: ['nodes', 'edges'],
    properties: {
      metadata: createRef('WorkflowMetadata'),
      config: createRef('WorkflowSettings'),
      state_schema: {
        type: 'object',
        properties: { fields: { type: 'object', additionalProperties: createRef('StateField') } },
        description: 'State fields, in addition to one for each node',
      },
      nodes: { type: 'array', items: createRef('Node') },
      edges: { type: 'array', items: createRef('Edge') },
      entry_point: { type: 'string', default: '__start__' },
      input_parameters: {
        type: 'array',
        items: describeFreeForm('name, type, required, default, description'),
      },
      end_points: JSON_VALUE,
      start_position: createRef('CanvasPosition'),
    },
    description: 'A valid workflow. A draft may be saved with errors; they are listed in `problems`.',
  },
  WorkflowDraft: {
    type: 'object',
    required: ['nodes', 'edges'],
    properties: {
      metadata: createRef('WorkflowMetadata'),
      config: describeFreeForm(),
      nodes: { type: 'array', items: {} },
      edges: { type: 'array', items: {} },
    },
    description: 'A graph as it was saved, with mistakes or in other spellings',
  },
};

/** The definition and its parts, as components of the OpenAPI document. */
export function describeDefinition(): Readonly<Record<string, JsonObject>> {
  const types = nodeKinds.map(({ type }) => type);
  return {
    ...describeConfigs(),
    ...COMMON,
    ...Object.fromEntries(types.map((type) => [nameNodeSchema(type), nodeSchema(type)])),
    Node: describeOneOf('type', new Map(types.map((type) => [type, nameNodeSchema(type)]))),
  };
}
