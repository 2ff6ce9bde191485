/**
 * The workflow definition as schemas of the OpenAPI document: nodes by type, edges, rules. A definition is read by
 * src/graph, more leniently than this: here stands how to write one.
 */
import { NODE_ID, RULE_OPS } from '../graph/definition.ts';
import { MAX_ATTEMPTS, MAX_DURATION_MS } from '../graph/read-node.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import {
  JSON_VALUE,
  PART_OF_A_WHOLE,
  describeConfigs,
  describeFreeForm,
  formatNodeName,
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
    description: 'The root under which templates find the result',
  },
  name: { type: 'string', description: 'Shown to people; the id when left out' },
  position: createRef('CanvasPosition'),
  retry: createRef('NodeRetry'),
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
  for_each: createRef('NodeForEach'),
  state_updates: describeFreeForm('Templates by state field, rendered when the node completes'),
  disabled: { type: 'boolean', default: false, description: 'The node is skipped' },
  mock: createRef('NodeMock'),
};

const nodeSchema = (type: string): JsonObject => ({
  type: 'object',
  required: ['id', 'type', 'config'],
  properties: {
    ...ENVELOPE,
    type: { type: 'string', const: type },
    config: createRef(`${formatNodeName(type)}Config`),
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
    ...PART_OF_A_WHOLE,
    required: ['left', 'op'],
    properties: { left: JSON_VALUE, op: { type: 'string', enum: [...RULE_OPS] }, right: JSON_VALUE },
    description: 'A comparison; what tells of one side alone has no `right`',
  },
  RuleGroup: {
    type: 'object',
    ...PART_OF_A_WHOLE,
    required: ['rules'],
    properties: {
      match: { type: 'string', enum: ['all', 'any'], default: 'all' },
      rules: { type: 'array', items: RULE },
    },
    description: 'Rules of which all or any must hold',
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
      metadata: createRef('WorkflowMetadata'),
      config: createRef('WorkflowSettings'),
      state_schema: {
        type: 'object',
        properties: { fields: { type: 'object', additionalProperties: createRef('StateField') } },
        description: 'Fields of the state beside one for each node',
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
    description:
      'A graph that deploys and runs. Saving takes less: a draft may have mistakes, and is told so in `problems`.',
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
    ...Object.fromEntries(types.map((type) => [formatNodeName(type), nodeSchema(type)])),
    Node: describeOneOf('type', new Map(types.map((type) => [type, formatNodeName(type)]))),
  };
}
