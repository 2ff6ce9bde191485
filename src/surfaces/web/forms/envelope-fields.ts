/** The fields that every kind of node has beside its config, and those of an edge and of the workflow. */
import type { Json } from '../../../language/graph/values/value.ts';
import type { Field } from '../../../language/nodes/form-field.ts';

const TEXTS = {
  all: 'All incoming branches',
  any: 'Any incoming branch',
  fail: 'Stop the run',
  continue: 'Use a default output',
  branch: 'Go to the error branch',
} as const;

/** Runs once per item of a list; shown once the list is switched on. */
export const FOR_EACH: readonly Field[] = [
  { ptr: '/for_each/items', label: 'Items', widget: 'template', hint: '{{node.items}}' },
  { ptr: '/for_each/as', label: 'Name of the item in templates', widget: 'text' },
  { ptr: '/for_each/max_concurrency', label: 'Concurrency', widget: 'number' },
  { ptr: '/for_each/max_items', label: 'Max. items', widget: 'number' },
  {
    ptr: '/for_each/on_item_error',
    label: 'If an item fails',
    widget: 'select',
    labels: { fail: 'Fail the node', continue: 'Keep null for the item', drop: 'Leave the item out' },
  },
];

export const ERRORS: readonly Field[] = [
  {
    ptr: '/on_error',
    label: 'On error',
    widget: 'select',
    fallback: 'fail',
    labels: TEXTS,
  },
  {
    ptr: '/default_output',
    label: 'Default output (JSON)',
    widget: 'json',
    hint: 'null',
    when: [{ ptr: '/on_error', is: ['continue'] }],
  },
  {
    ptr: '/on_unknown',
    label: 'If nobody knows whether it happened',
    widget: 'select',
    labels: { fail: 'Fail', ask: 'Ask people' },
  },
  {
    ptr: '/timeout_ms',
    label: 'Timeout of one attempt (ms)',
    widget: 'number',
    hint: 'Default of the node type',
  },
];

export const RETRY: readonly Field[] = [
  { ptr: '/retry/max_attempts', label: 'Max. attempts', widget: 'number', hint: 'Default of the node type' },
  { ptr: '/retry/initial_interval_ms', label: 'First wait (ms)', widget: 'number' },
  { ptr: '/retry/backoff_coefficient', label: 'Backoff factor', widget: 'number' },
  { ptr: '/retry/max_interval_ms', label: 'Longest wait (ms)', widget: 'number' },
];

export const FLOW: readonly Field[] = [
  {
    ptr: '/join',
    label: 'Start after',
    widget: 'select',
    labels: TEXTS,
  },
  { ptr: '/state_updates', label: 'State updates', widget: 'pairs', pairs: 'state' },
  { ptr: '/disabled', label: 'Disabled (runs skip it)', widget: 'switch' },
];

/** The type of a value: of a parameter, of a field of a schema, of the items of a list. */
export const TYPE: Field = {
  ptr: '/type',
  label: 'Type',
  widget: 'select',
  options: ['string', 'number', 'integer', 'boolean', 'array', 'object'],
  labels: {
    string: 'Text',
    integer: 'Whole number',
    boolean: 'Yes or no',
    array: 'List',
    object: 'Object',
  },
  fallback: 'string',
};

const ofType = (...is: Json[]) => ({ when: [{ ptr: '/type', is }] });

/** The default of a value in the control of its type. */
const DEFAULT: readonly Field[] = [
  { ptr: '/default', label: 'Default', widget: 'text', ...ofType('string', null) },
  { ptr: '/default', label: 'Default', widget: 'number', ...ofType('number', 'integer') },
  { ptr: '/default', label: 'On by default', widget: 'switch', ...ofType('boolean') },
  { ptr: '/default', label: 'Default (JSON)', widget: 'json', ...ofType('array', 'object') },
];

const DESCRIPTION: Field = { ptr: '/description', label: 'Description', widget: 'text' };

/** One entry of the workflow's input parameters. */
export const PARAMETER: readonly Field[] = [
  { ptr: '/name', label: 'Name', widget: 'text' },
  TYPE,
  { ptr: '/required', label: 'Required', widget: 'switch', fallback: false },
  DESCRIPTION,
  ...DEFAULT,
];

const CHOICES: Field = {
  ptr: '/enum',
  label: 'Choices (one per line)',
  hint: 'Leave empty to accept any text.',
  widget: 'lines',
  ...ofType('string', null),
};

/** One field of a JSON Schema: of data that a model or a function returns. */
export const PROPERTY: readonly Field[] = [TYPE, CHOICES, DESCRIPTION];

/** One field of the form of a question, whose pages have no lists and objects. */
export const QUESTION: readonly Field[] = [
  { ptr: '/title', label: 'Label', widget: 'text' },
  { ...TYPE, options: ['string', 'number', 'integer', 'boolean'] },
  CHOICES,
  ...DEFAULT.slice(0, 3),
];

/** One key by which a list is sorted. */
export const SORT_KEY: readonly Field[] = [
  { ptr: '/by', label: 'Field', widget: 'text', hint: 'Leave empty to compare the items themselves' },
  {
    ptr: '/order',
    label: 'Direction',
    widget: 'select',
    options: ['asc', 'desc'],
    labels: { asc: 'Ascending', desc: 'Descending' },
    fallback: 'asc',
  },
];

/** One computed field of a group. */
export const AGGREGATE: readonly Field[] = [
  { ptr: '/name', label: 'Name', widget: 'text' },
  {
    ptr: '/op',
    label: 'Computed by',
    widget: 'select',
    options: ['count', 'sum', 'average', 'min', 'max', 'first', 'list'],
    labels: { min: 'Smallest', max: 'Largest', list: 'List of all' },
  },
  { ptr: '/of', label: 'Value of an item', widget: 'optional', hint: 'Leave empty for the item itself' },
];

/** One field of the workflow's state. */
export const STATE_FIELD: readonly Field[] = [
  {
    ptr: '/reducer',
    label: 'A new value',
    widget: 'select',
    labels: {
      none: 'Replaces the old one',
      add: 'Is added to the list',
      update: 'Is merged into the object',
    },
  },
  { ptr: '/default', label: 'Default (JSON)', widget: 'json' },
];

/** Settings in the workflow's `config`. */
export const RUN_SETTINGS: readonly Field[] = [
  {
    ptr: '/strict_templates',
    label: 'Fail a node when a template finds no value',
    widget: 'switch',
  },
  { ptr: '/recursion_limit', label: 'Max. steps in a row', widget: 'number', hint: '100' },
  { ptr: '/limits/max_credits', label: 'Max. credits', widget: 'number' },
  { ptr: '/limits/max_model_calls', label: 'Max. model calls', widget: 'number' },
  { ptr: '/limits/max_effects/http', label: 'Max. HTTP changes', widget: 'number' },
  { ptr: '/limits/max_effects/mcp', label: 'Max. MCP calls', widget: 'number' },
  { ptr: '/limits/max_effects/message', label: 'Max. messages', widget: 'number' },
];

/** The tool of the MCP server, in the workflow's `metadata`. */
export const MCP_SETTINGS: readonly Field[] = [
  { ptr: '/mcp/enabled', label: 'Offer as an MCP tool', widget: 'switch', fallback: false },
  { ptr: '/mcp/name', label: 'Tool name', widget: 'text', hint: 'Name of the workflow' },
  {
    ptr: '/mcp/description',
    label: 'Description for the model',
    widget: 'text',
    hint: 'Description of the workflow',
  },
];

/** The condition of an edge. */
export const CONDITION: Field = { ptr: '/when', label: 'Condition', widget: 'rules' };
export const OUTPUT: Field = { ptr: '/output', label: 'Output of the run', widget: 'pairs', pairs: 'output' };
export const INPUT_PARAMETERS: Field = {
  ptr: '/input_parameters',
  label: 'Input parameters',
  widget: 'parameters',
};
