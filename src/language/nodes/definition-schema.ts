/**
 * The workflow definition as schemas of the OpenAPI document: nodes by type, edges, rules. They say how to write a definition;
 * src/language/graph accepts more.
 */
import { NODE_ID, RULE_OPS } from '../graph/definition/definition.ts';
import { MAX_ATTEMPTS } from '../graph/definition/read-node.ts';
import type { Json, JsonObject } from '../graph/values/value.ts';
import {
  JSON_VALUE,
  describeJson,
  OPEN_TO_OTHER_PARTS,
  describeConfigs,
  describeFreeForm,
  nameNodeSchema,
  describeOneOf,
  createRef,
} from './config-schemas.ts';
import { LIMITS_SCHEMA } from './limits-schema.ts';
import { describeNode, milliseconds, TRUSTED_VALUE } from './node-schema.ts';
import { nodeKinds } from './registry.ts';
import { MAX_TRIGGERS } from './triggers/triggers.ts';

const RULE: Json = { anyOf: [createRef('RuleGroup'), createRef('Rule')] };

/** The parts of a definition that no kind owns. */
const COMMON: Readonly<Record<string, JsonObject>> = {
  CanvasPosition: {
    type: 'object',
    required: ['x', 'y'],
    properties: {
      x: { type: 'number', description: 'Horizontal position in pixels, increasing to the right' },
      y: { type: 'number', description: 'Vertical position in pixels, increasing downward' },
    },
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
      backoff_coefficient: {
        type: 'number',
        minimum: 1,
        maximum: 10,
        default: 2,
        description: 'Factor by which the delay grows with each attempt',
      },
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
      max_concurrency: {
        type: 'integer',
        minimum: 1,
        maximum: 100,
        default: 5,
        description: 'Maximum number of concurrent items',
      },
      max_items: {
        type: 'integer',
        minimum: 1,
        maximum: 10_000,
        default: 1_000,
        description: 'Maximum number of items; more fail the node',
      },
      on_item_error: {
        type: 'string',
        enum: ['fail', 'continue', 'drop'],
        default: 'fail',
        description:
          'When an item fails: fails the node, sets null in `results` and adds the error to `errors`, or drops the item',
      },
    },
    description: 'Runs the node once for each item',
  },
  NodeMock: {
    type: 'object',
    properties: {
      enabled: { type: 'boolean', default: false, description: 'Whether the fixed output is used' },
      output: describeJson('The fixed output'),
    },
    description: 'A fixed output, used instead of running the node',
  },
  TrustedValue: TRUSTED_VALUE,
  Rule: {
    type: 'object',
    ...OPEN_TO_OTHER_PARTS,
    required: ['left', 'op'],
    properties: {
      left: describeJson('The left operand, or a template of it'),
      op: {
        type: 'string',
        enum: [...RULE_OPS],
        description:
          'The operator. Numeric strings are compared as numbers only by size operators; `matches` uses RE2',
      },
      right: describeJson('The right operand, or a template of it'),
    },
    description: 'A comparison; operators of one operand have no `right`',
  },
  RuleGroup: {
    type: 'object',
    ...OPEN_TO_OTHER_PARTS,
    required: ['rules'],
    properties: {
      match: {
        type: 'string',
        enum: ['all', 'any'],
        default: 'all',
        description: 'Whether all rules must match, or any',
      },
      rules: { type: 'array', items: RULE, description: 'The rules and groups of rules' },
    },
    description: 'Rules of which all or any must match',
  },
  Rules: { anyOf: [createRef('RuleGroup'), createRef('Rule'), { type: 'array', items: RULE }] },
  Edge: {
    type: 'object',
    required: ['source', 'target'],
    properties: {
      id: {
        type: 'string',
        description: 'Id of the edge, and of the loop that it closes, in templates: `{{loop.id.iteration}}`',
      },
      source: { type: 'string', description: 'Id of a node, or `__start__`' },
      target: { type: 'string', description: 'Id of a node, or `__end__`' },
      source_handle: {
        type: 'string',
        default: 'default',
        description: '`default`, `error`, `timeout`, `else`, `pass`, `fail`, a case or an action',
      },
      when: createRef('Rules', 'Condition: the edge is taken only when it holds'),
    },
  },
  StateField: {
    type: 'object',
    properties: {
      type: { type: 'string', description: 'Type of the value, informational' },
      reducer: {
        type: 'string',
        enum: ['none', 'add', 'update'],
        default: 'none',
        description: 'Replaces the value, appends to an array, or merges objects',
      },
      default: describeJson('Initial value of the field'),
    },
  },
  WorkflowMetadata: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Name of the workflow, 1 to 255 characters',
      },
      description: {
        type: ['string', 'null'],
        maxLength: 20_000,
        description: 'Short description; null or empty: none',
      },
      version: {
        type: ['string', 'null'],
        minLength: 1,
        maxLength: 64,
        description: 'Version label, such as 1.0.0',
      },
      tags: {
        type: ['array', 'null'],
        maxItems: 100,
        items: { type: 'string', minLength: 1, maxLength: 100 },
        description: 'Tags to filter by',
      },
      mcp: describeJson('The workflow as a tool of the MCP server'),
    },
    description:
      'Source of the fields of the same names of the workflow; `mcp` has `enabled`, `name` and `description` of the workflow as a tool of the MCP server',
  },
  WorkflowLimits: LIMITS_SCHEMA,
  Trigger: describeOneOf(
    'type',
    new Map([
      ['webhook', 'WebhookTrigger'],
      ['schedule', 'ScheduleTrigger'],
    ]),
  ),
  WorkflowSettings: {
    type: 'object',
    properties: {
      output: describeJson(
        "Template of the run's output; by default the output of the nodes before `__end__`",
      ),
      strict_templates: {
        type: 'boolean',
        default: false,
        description: 'A template path that does not exist fails the node',
      },
      limits: createRef('WorkflowLimits', 'Budget of each run'),
      triggers: {
        type: 'object',
        maxProperties: MAX_TRIGGERS,
        additionalProperties: createRef('Trigger'),
        description:
          'What starts runs of the workflow, by id. Webhooks and schedules go live and down with a version; their addresses, secrets and switches stay',
      },
      recursion_limit: {
        type: 'integer',
        minimum: 1,
        maximum: 1_000,
        description: 'Maximum number of nodes on one path of a run, including loops; 100 by default',
      },
      batch_interval_ms: {
        type: 'integer',
        minimum: 0,
        maximum: 60_000,
        description:
          'Interval at which model tokens are batched into one frame, in milliseconds; 50 by default',
      },
    },
    description: "Settings of every run; `output` is the template of the run's output",
  },
  WorkflowDefinition: {
    type: 'object',
    required: ['nodes', 'edges'],
    properties: {
      metadata: createRef('WorkflowMetadata', 'Name, description, version and tags of the workflow'),
      config: createRef('WorkflowSettings', 'Settings of every run of the workflow'),
      state_schema: {
        type: 'object',
        properties: {
          fields: {
            type: 'object',
            additionalProperties: createRef('StateField'),
            description: 'The declared state fields by name',
          },
        },
        description: 'State fields, in addition to one for each node',
      },
      nodes: {
        type: 'array',
        items: createRef('Node'),
        description: 'The nodes, without `__start__` and `__end__`',
      },
      edges: { type: 'array', items: createRef('Edge'), description: 'The edges between nodes' },
      entry_point: { type: 'string', default: '__start__', description: 'The node where a run starts' },
      input_parameters: {
        type: 'array',
        items: describeFreeForm('name, type, required, default, description'),
        description: 'Parameters of the run input, for forms',
      },
      end_points: describeJson('Stored as sent; not used by the service'),
      start_position: createRef('CanvasPosition', 'Position of `__start__` on the canvas'),
    },
    description: 'A valid workflow. A draft may be saved with errors; they are listed in `problems`.',
  },
  WorkflowDraft: {
    type: 'object',
    required: ['nodes', 'edges'],
    properties: {
      metadata: createRef('WorkflowMetadata', 'Name, description, version and tags of the workflow'),
      config: describeFreeForm('Settings of every run of the workflow, as saved'),
      nodes: { type: 'array', items: {}, description: 'The nodes, without `__start__` and `__end__`' },
      edges: { type: 'array', items: {}, description: 'The edges between nodes' },
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
    ...Object.fromEntries(nodeKinds.map((kind) => [nameNodeSchema(kind.type), describeNode(kind)])),
    Node: describeOneOf('type', new Map(types.map((type) => [type, nameNodeSchema(type)]))),
  };
}
