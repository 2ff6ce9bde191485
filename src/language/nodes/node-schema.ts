/** The envelope of a node as a schema of the OpenAPI document: the fields that every type has. */
import { NODE_ID } from '../graph/definition/definition.ts';
import { MAX_DURATION_MS, MAX_REASON } from '../graph/definition/read-node.ts';
import type { JsonObject } from '../graph/values/value.ts';
import { createRef, describeFreeForm, describeJson, nameNodeSchema } from './config-schemas.ts';
import type { NodeKind } from './kind.ts';

/** Describes a duration in milliseconds. */
export const milliseconds = (description: string): JsonObject => ({
  type: 'integer',
  minimum: 1,
  maximum: MAX_DURATION_MS,
  description,
});

/** One of `trusted_values`. */
export const TRUSTED_VALUE: JsonObject = {
  type: 'object',
  required: ['value', 'reason'],
  properties: {
    value: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_REASON,
      description: 'A reference without braces, such as `input.url`; it holds for all below it',
    },
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_REASON,
      description: 'Why the text may decide what the node does; the sheet of the version shows it',
    },
  },
  description: 'A text of others that the author of the workflow vouches for',
};

/** The fields of every node beside its config (SPEC DEF-2.0). */
const ENVELOPE: Readonly<Record<string, JsonObject>> = {
  id: {
    type: 'string',
    pattern: NODE_ID.source,
    description: 'Name of the output in templates',
  },
  name: { type: 'string', description: 'Display name; the id by default' },
  position: createRef('CanvasPosition', 'Position of the node on the canvas'),
  retry: createRef('NodeRetry', 'Retry policy for transient failures'),
  timeout_ms: milliseconds('Timeout of one attempt; the default depends on the type'),
  on_error: {
    type: 'string',
    enum: ['fail', 'continue', 'branch'],
    description:
      'After the last attempt: fails the run, continues with `default_output`, or follows the handle `error`',
  },
  on_unknown: {
    type: 'string',
    enum: ['fail', 'ask'],
    default: 'fail',
    description:
      'When a request that must not be repeated was sent and its outcome is unknown: fails the node as `outcome_unknown`, or asks people whether it happened. Items of `for_each`, tools of an agent and ephemeral runs always fail',
  },
  default_output: describeJson(
    'The output after a failure when `on_error` is `continue`; `error` is added to it',
  ),
  join: {
    type: 'string',
    enum: ['all', 'any'],
    default: 'all',
    description: 'Waits for all incoming edges, or for the first that is taken',
  },
  for_each: createRef('NodeForEach', 'Runs the node once for each item of an array'),
  state_updates: describeFreeForm('Templates by state field, rendered when the node completes'),
  disabled: {
    type: 'boolean',
    default: false,
    description: 'Does not run the node and follows its `default` edges',
  },
  confirm: createRef(
    'NodeConfirmation',
    'Approval by people before the request of the node leaves; null: none',
  ),
  trusted_values: {
    type: ['array', 'null'],
    maxItems: 50,
    items: createRef('TrustedValue'),
    description:
      'Texts of others that may decide what the node does; none is warned of as `untrusted_to_sensitive`',
  },
  mock: createRef('NodeMock', 'A fixed output, used instead of running the node'),
};

/** Describes the nodes of a kind. */
export const describeNode = ({ type, examples }: NodeKind): JsonObject => ({
  type: 'object',
  required: ['id', 'type', 'config'],
  properties: {
    ...ENVELOPE,
    type: { type: 'string', const: type, description: 'Discriminator of the alternatives' },
    config: createRef(`${nameNodeSchema(type)}Config`, 'Config of the node; it may contain templates'),
  },
  examples: [...examples],
});
