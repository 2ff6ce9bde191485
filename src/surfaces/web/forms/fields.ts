/**
 * The fields of each kind's config: label and control. The schemas of the definition (`schema-facts.json`) say which of them a
 * config has, with their options and defaults. Keys that are not listed are edited as JSON.
 */
import type { fieldWords } from '../words-fields.ts';
import { getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { INTERRUPT } from './question-fields.ts';
import { FILTERS, TOOL } from './tool-fields.ts';
import schemaFacts from './schema-facts.json' with { type: 'json' };

export type Widget =
  | 'text'
  | 'template'
  | 'code'
  | 'json'
  | 'number'
  | 'switch'
  | 'select'
  | 'messages'
  | 'cases'
  | 'rules'
  | 'pairs'
  | 'suggest'
  | 'tools'
  | 'checks'
  | 'parameters'
  | 'sort'
  | 'aggregates'
  | 'chats'
  | 'schema'
  | 'inputs'
  | 'optional'
  | 'answer'
  | 'scalar'
  | 'operand'
  | 'values'
  | 'respond'
  | 'filters'
  | 'lines'
  | 'actions'
  | 'choices'
  | 'credential'
  | 'bases'
  | 'workflow'
  | 'integration'
  | 'action'
  | 'mcp_tool';

export interface Field {
  /** A JSON pointer into the config. */
  readonly ptr: string;
  readonly label: string;
  readonly widget: Widget;
  readonly hint?: string;
  readonly options?: readonly string[];
  /** Stands below the label. */
  readonly description?: string;
  readonly isRequired?: boolean;
  /** The words for options that do not speak for themselves. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The words of a builder of keys and values. */
  readonly pairs?: keyof typeof fieldWords.pairs;
  /** The source of the suggestions of a text. */
  readonly suggestions?: 'providers' | 'models';
  /** The value that runs use when the config has none: a choice shows it, a text has it as its hint. */
  readonly fallback?: Json;
  /** Values that other fields must have for this one to be shown; null stands for a missing one. */
  readonly when?: readonly { readonly ptr: string; readonly is: readonly Json[] }[];
}

/** Shows a field only while another has one of these values. */
const when = (ptr: string, ...is: Json[]) => ({ when: [{ ptr, is }] });

const PROVIDER: Field = {
  ptr: '/provider',
  label: 'Provider',
  widget: 'suggest',
  suggestions: 'providers',
  hint: 'openai',
};
const MODEL_NAME: Field = {
  ptr: '/model',
  label: 'Model',
  widget: 'suggest',
  suggestions: 'models',
  hint: 'gpt-4.1-mini',
};

const CREDENTIAL: Field = {
  ptr: '/credential_id',
  label: 'Credential',
  widget: 'credential',
  hint: 'Managed model',
};

const MODEL: readonly Field[] = [
  PROVIDER,
  MODEL_NAME,
  CREDENTIAL,
  { ptr: '/messages', label: 'Messages', widget: 'messages' },
  { ptr: '/parameters/temperature', label: 'Temperature', widget: 'number' },
  { ptr: '/parameters/max_output_tokens', label: 'Max. output tokens', widget: 'number' },
  {
    ptr: '/parameters/reasoning_effort',
    label: 'Reasoning effort',
    widget: 'text',
    hint: 'Default of the model',
  },
  {
    ptr: '/response_format/type',
    label: 'Response format',
    widget: 'select',
    fallback: 'text',
    labels: { json_object: 'JSON', json_schema: 'JSON with these fields' },
  },
  {
    ptr: '/response_format/schema',
    label: 'Fields of the response',
    widget: 'schema',
    ...when('/response_format/type', 'json_schema'),
  },
  {
    ptr: '/response_format/strict',
    label: 'Enforce the fields',
    widget: 'switch',
    ...when('/response_format/type', 'json_schema'),
  },
  {
    ptr: '/memory/mode',
    label: 'Memory',
    widget: 'select',
    labels: { none: 'None', thread: 'All messages of the thread', window: 'Latest messages of the thread' },
  },
  {
    ptr: '/memory/max_messages',
    label: 'Max. remembered messages',
    widget: 'number',
    ...when('/memory/mode', 'window'),
  },
  { ptr: '/stream', label: 'Stream output', widget: 'switch' },
];

const FIELDS: Readonly<Record<string, readonly Field[]>> = {
  llm: MODEL,
  agent: [
    ...MODEL.slice(0, 4),
    { ptr: '/tools', label: 'Tools', widget: 'tools' },
    { ptr: '/max_iterations', label: 'Max. turns', widget: 'number' },
    { ptr: '/max_tool_calls', label: 'Max. tool calls', widget: 'number' },
    { ptr: '/parallel_tool_calls', label: 'Call tools in parallel', widget: 'switch' },
    ...MODEL.slice(4),
  ],
  tool: TOOL,
  function: [
    { ptr: '/code', label: 'Code', widget: 'code' },
    { ptr: '/arguments', label: 'Arguments', widget: 'pairs', pairs: 'arguments' },
    { ptr: '/output_schema', label: 'Fields of the output', widget: 'schema' },
    { ptr: '/limits/timeout_ms', label: 'Timeout (ms)', widget: 'number' },
    { ptr: '/limits/memory_mb', label: 'Memory limit (MB)', widget: 'number' },
  ],
  conditional: [
    { ptr: '/mode', label: 'Decided by', widget: 'select' },
    { ptr: '/cases', label: 'Cases', widget: 'cases' },
    PROVIDER,
    MODEL_NAME,
    CREDENTIAL,
    { ptr: '/input', label: 'Input', widget: 'template' },
    { ptr: '/default', label: 'Default', widget: 'text' },
  ],
  interrupt: INTERRUPT,
  transformer: [
    {
      ptr: '/mode',
      label: 'Type',
      widget: 'select',
      labels: {
        list: 'Filter and sort a list',
        join: 'Join two lists',
        pick: 'Pick fields',
        rename: 'Rename fields',
      },
    },
    { ptr: '/fields', label: 'Fields', widget: 'pairs', pairs: 'fields' },
    { ptr: '/source', label: 'List', widget: 'template' },
    {
      ptr: '/keys',
      label: 'Group by',
      widget: 'pairs',
      pairs: 'fields',
      description: 'Without a field all items are one group.',
    },
    { ptr: '/values', label: 'Computed fields', widget: 'aggregates' },
    { ptr: '/by', label: 'Key of an item', widget: 'optional', hint: 'Leave empty to compare whole items' },
    { ptr: '/size', label: 'Items per chunk', widget: 'number' },
    { ptr: '/depth', label: 'Levels', widget: 'number' },
    { ptr: '/keep', label: 'Fields to keep', widget: 'lines', hint: 'One per line.' },
    { ptr: '/names', label: 'New names', widget: 'pairs', pairs: 'names' },
    { ptr: '/left', label: 'Left list', widget: 'template' },
    { ptr: '/right', label: 'Right list', widget: 'template' },
    { ptr: '/left_key', label: 'Key of a left item', widget: 'template' },
    { ptr: '/right_key', label: 'Key of a right item', widget: 'template' },
    {
      ptr: '/join_type',
      label: 'Keep',
      widget: 'select',
      labels: { inner: 'Only matches', left: 'All left items', full: 'All items of both' },
    },
    {
      ptr: '/filter',
      label: 'Filter',
      widget: 'rules',
      hint: 'Keeps every item. Add a rule to keep only the items that match it.',
    },
    { ptr: '/sort', label: 'Sort by', widget: 'sort' },
    { ptr: '/limit', label: 'Limit', widget: 'number' },
    {
      ptr: '/select',
      label: 'Fields per item',
      widget: 'pairs',
      pairs: 'fields',
      ...when('/mode', 'list', 'join'),
    },
    {
      ptr: '/select',
      label: 'List in an item',
      widget: 'optional',
      hint: 'Leave empty for the item itself',
      ...when('/mode', 'flatten'),
    },
    { ptr: '/template', label: 'Template', widget: 'template' },
    {
      ptr: '/parse_as',
      label: 'Parse as',
      widget: 'select',
    },
    { ptr: '/sources', label: 'Sources', widget: 'values' },
    {
      ptr: '/strategy',
      label: 'Strategy',
      widget: 'select',
    },
    { ptr: '/respond', label: 'Response to a webhook', widget: 'respond' },
  ],
  guardrails: [
    { ptr: '/input', label: 'Input', widget: 'template' },
    { ptr: '/checks', label: 'Checks', widget: 'checks' },
    { ptr: '/context', label: 'Context', widget: 'template' },
    { ...PROVIDER, label: 'Judge provider' },
    { ...MODEL_NAME, label: 'Judge model' },
    CREDENTIAL,
  ],
  knowledge: [
    { ptr: '/knowledge_base_ids', label: 'Knowledge bases', widget: 'bases' },
    { ptr: '/query', label: 'Query', widget: 'template' },
    { ptr: '/top_k', label: 'Max. results', widget: 'number' },
    { ptr: '/min_score', label: 'Min. score', widget: 'number' },
    FILTERS,
    { ptr: '/include_content', label: 'Include content', widget: 'switch' },
    { ptr: '/include_metadata', label: 'Include metadata', widget: 'switch' },
  ],
};

/** By pointer: a field that the schema has. */
type Facts = Readonly<Record<string, Pick<Field, 'options' | 'fallback'>>>;

/** One schema: its fields; or the key that chooses among alternatives, its default, and the fields of each. */
type SchemaFacts =
  | { readonly fields: Facts }
  | { readonly key: string; readonly fallback?: string; readonly by: Readonly<Record<string, Facts>> };

type SchemaName = keyof typeof schemaFacts;

const SCHEMAS: Readonly<Record<SchemaName, SchemaFacts>> = schemaFacts;

const find = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

function findFacts(schema: SchemaFacts, value: JsonObject): Facts {
  if ('fields' in schema) return schema.fields;
  const { key, fallback, by } = schema;
  const chosen = ownValue(value, key) ?? fallback;
  const facts = typeof chosen === 'string' ? find(by, chosen) : undefined;
  return {
    ...facts,
    [`/${key}`]: { options: Object.keys(by), ...(fallback === undefined ? {} : { fallback }) },
  };
}

/** Whether the other fields of a value let a field be shown. */
export const isShown = ({ when: conditions = [] }: Field, value: JsonObject): boolean =>
  conditions.every(({ ptr, is }) => is.includes(getAt(value, parsePointer(ptr)) ?? null));

/** Returns the fields of a table that a value has by its schema, each with its options and its default. */
export function filterFields(
  name: SchemaName,
  fields: readonly Field[],
  value: JsonObject,
): readonly Field[] {
  const facts = findFacts(SCHEMAS[name], value);
  return fields.flatMap((field) => {
    const found = find(facts, field.ptr);
    return found === undefined || !isShown(field, value) ? [] : [{ ...field, ...found }];
  });
}

const isSchema = (type: string): type is SchemaName => Object.hasOwn(schemaFacts, type);

/** Lists the fields that the form of a kind shows for a config. */
export const listFields = (type: string, config: JsonObject): readonly Field[] =>
  isSchema(type) ? filterFields(type, FIELDS[type] ?? [], config) : [];
