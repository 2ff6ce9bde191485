/** The fields of each kind's config: label, control, and the condition for showing them. Keys that are not listed are edited as JSON. */
import type { fieldWords } from '../words-fields.ts';
import { ownValue, type Json, type JsonObject } from '../../graph/value.ts';

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
  | 'lines'
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
  /** The words for options that do not speak for themselves. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The words of a builder of keys and values. */
  readonly pairs?: keyof typeof fieldWords.pairs;
  /** The source of the suggestions of a text. */
  readonly suggestions?: 'providers' | 'models';
  /** The value that runs use when the config has none. */
  readonly fallback?: Json;
  readonly when?: { readonly key: string; readonly is: readonly Json[] };
}

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

const MODEL: readonly Field[] = [
  PROVIDER,
  MODEL_NAME,
  { ptr: '/credential_id', label: 'Credential', widget: 'credential', hint: 'Managed model' },
  { ptr: '/messages', label: 'Messages', widget: 'messages' },
  { ptr: '/parameters/temperature', label: 'Temperature', widget: 'number' },
  { ptr: '/parameters/max_output_tokens', label: 'Max. output tokens', widget: 'number' },
  { ptr: '/response_format', label: 'Response format', widget: 'json' },
  {
    ptr: '/memory/mode',
    label: 'Memory',
    widget: 'select',
    options: ['none', 'thread', 'window'],
    fallback: 'none',
  },
  { ptr: '/stream', label: 'Stream output', widget: 'switch', fallback: true },
];

/** Shows a field only while another has one of these values; null stands for a missing one. */
export const when = (key: string, ...is: Json[]) => ({ when: { key, is } });

const TOOL: readonly Field[] = [
  {
    ptr: '/kind',
    label: 'Type',
    widget: 'select',
    options: ['http', 'integration', 'mcp', 'workflow'],
  },
  {
    ptr: '/method',
    label: 'Method',
    widget: 'select',
    options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
    ...when('kind', 'http'),
  },
  { ptr: '/url', label: 'URL', widget: 'template', ...when('kind', 'http') },
  { ptr: '/headers', label: 'Headers', widget: 'pairs', pairs: 'headers', ...when('kind', 'http') },
  { ptr: '/query', label: 'Query', widget: 'pairs', pairs: 'query', ...when('kind', 'http') },
  { ptr: '/body', label: 'Body', widget: 'json', ...when('kind', 'http') },
  {
    ptr: '/integration',
    label: 'Integration',
    widget: 'integration',
    ...when('kind', 'integration'),
  },
  { ptr: '/action', label: 'Action', widget: 'action', ...when('kind', 'integration') },
  { ptr: '/parameters', label: 'Parameters', widget: 'json', ...when('kind', 'integration') },
  { ptr: '/server_url', label: 'Server URL', widget: 'text', ...when('kind', 'mcp') },
  { ptr: '/tool', label: 'Tool', widget: 'mcp_tool', ...when('kind', 'mcp') },
  { ptr: '/arguments', label: 'Arguments', widget: 'json', ...when('kind', 'mcp') },
  { ptr: '/workflow_id', label: 'Workflow', widget: 'workflow', ...when('kind', 'workflow') },
  { ptr: '/deployment', label: 'Deployment', widget: 'text', hint: 'live', ...when('kind', 'workflow') },
  { ptr: '/input', label: 'Input', widget: 'json', ...when('kind', 'workflow') },
  {
    ptr: '/wait',
    label: 'Wait for completion',
    widget: 'switch',
    fallback: true,
    ...when('kind', 'workflow'),
  },
  {
    ptr: '/credential_id',
    label: 'Credential',
    widget: 'credential',
    hint: 'None',
    ...when('kind', 'http', 'integration', 'mcp'),
  },
  {
    ptr: '/idempotent',
    label: 'Safe to retry',
    widget: 'switch',
    fallback: false,
    ...when('kind', 'http'),
  },
];

/** The own fields of an agent's tool, and those that it shares with a tool node. */
export const AGENT_TOOL: readonly Field[] = [
  {
    ptr: '/kind',
    label: 'Type',
    widget: 'select',
    options: ['integration', 'http', 'mcp', 'workflow', 'knowledge'],
  },
  { ptr: '/name', label: 'Name', widget: 'text' },
  { ptr: '/description', label: 'Description', widget: 'text' },
  // The agent waits for what it calls, and its other switches are those of the agent.
  ...TOOL.filter(({ ptr }) => !['/kind', '/wait', '/idempotent'].includes(ptr)),
  { ptr: '/knowledge_base_ids', label: 'Knowledge bases', widget: 'bases', ...when('kind', 'knowledge') },
  { ptr: '/top_k', label: 'Max. results', widget: 'number', hint: '5', ...when('kind', 'knowledge') },
  {
    ptr: '/approval',
    label: 'Requires approval',
    widget: 'select',
    options: ['never', 'always'],
    fallback: 'never',
  },
];

const FIELDS: Readonly<Record<string, readonly Field[]>> = {
  llm: MODEL,
  agent: [
    ...MODEL.slice(0, 4),
    { ptr: '/tools', label: 'Tools', widget: 'tools' },
    { ptr: '/max_iterations', label: 'Max. turns', widget: 'number', hint: '10' },
    { ptr: '/max_tool_calls', label: 'Max. tool calls', widget: 'number', hint: '30' },
    { ptr: '/parallel_tool_calls', label: 'Call tools in parallel', widget: 'switch', fallback: true },
    ...MODEL.slice(4),
  ],
  tool: TOOL,
  function: [
    { ptr: '/code', label: 'Code', widget: 'code' },
    { ptr: '/arguments', label: 'Arguments', widget: 'pairs', pairs: 'arguments' },
    { ptr: '/output_schema', label: 'Output schema', widget: 'json' },
    { ptr: '/limits/timeout_ms', label: 'Timeout (ms)', widget: 'number' },
    { ptr: '/limits/memory_mb', label: 'Memory limit (MB)', widget: 'number' },
  ],
  conditional: [
    { ptr: '/mode', label: 'Decided by', widget: 'select', options: ['rules', 'llm'], fallback: 'rules' },
    { ptr: '/cases', label: 'Cases', widget: 'cases', ...when('mode', 'rules', null) },
    { ptr: '/cases', label: 'Cases', widget: 'json', ...when('mode', 'llm') },
    { ...PROVIDER, ...when('mode', 'llm') },
    { ...MODEL_NAME, ...when('mode', 'llm') },
    { ptr: '/input', label: 'Input', widget: 'template', ...when('mode', 'llm') },
    { ptr: '/default', label: 'Default', widget: 'text', hint: 'else', ...when('mode', 'rules', null) },
  ],
  interrupt: [
    { ptr: '/kind', label: 'Type', widget: 'select', options: ['approval', 'input', 'wait'] },
    { ptr: '/title', label: 'Title', widget: 'template', ...when('kind', 'approval', 'input') },
    { ptr: '/message', label: 'Message', widget: 'template', ...when('kind', 'approval', 'input') },
    { ptr: '/actions', label: 'Actions', widget: 'json', ...when('kind', 'approval') },
    { ptr: '/form', label: 'Form (JSON Schema)', widget: 'json', ...when('kind', 'approval', 'input') },
    { ptr: '/assignees', label: 'Who may answer', widget: 'json', ...when('kind', 'approval', 'input') },
    {
      ptr: '/timeout_seconds',
      label: 'Timeout (seconds)',
      widget: 'number',
      ...when('kind', 'approval', 'input'),
    },
    {
      ptr: '/on_timeout',
      label: 'On timeout',
      widget: 'select',
      options: ['fail', 'branch', 'default'],
      fallback: 'fail',
      ...when('kind', 'approval', 'input'),
    },
    { ptr: '/duration_seconds', label: 'Duration (seconds)', widget: 'number', ...when('kind', 'wait') },
    { ptr: '/until', label: 'Wait until', widget: 'template', ...when('kind', 'wait') },
  ],
  transformer: [
    { ptr: '/mode', label: 'Type', widget: 'select', options: ['map', 'list', 'template', 'merge'] },
    { ptr: '/fields', label: 'Fields', widget: 'pairs', pairs: 'fields', ...when('mode', 'map') },
    { ptr: '/source', label: 'List', widget: 'template', ...when('mode', 'list') },
    { ptr: '/filter', label: 'Filter', widget: 'json', ...when('mode', 'list') },
    { ptr: '/sort', label: 'Sort by', widget: 'json', ...when('mode', 'list') },
    { ptr: '/limit', label: 'Limit', widget: 'number', ...when('mode', 'list') },
    { ptr: '/select', label: 'Fields per item', widget: 'json', ...when('mode', 'list') },
    { ptr: '/template', label: 'Template', widget: 'template', ...when('mode', 'template') },
    {
      ptr: '/parse_as',
      label: 'Parse as',
      widget: 'select',
      options: ['text', 'json'],
      fallback: 'text',
      ...when('mode', 'template'),
    },
    { ptr: '/sources', label: 'Sources', widget: 'json', ...when('mode', 'merge') },
    {
      ptr: '/strategy',
      label: 'Strategy',
      widget: 'select',
      options: ['first_non_null', 'concat', 'deep_merge'],
      fallback: 'first_non_null',
      ...when('mode', 'merge'),
    },
  ],
  guardrails: [
    { ptr: '/input', label: 'Input', widget: 'template' },
    { ptr: '/checks', label: 'Checks', widget: 'checks' },
    { ptr: '/context', label: 'Context', widget: 'template' },
    { ...PROVIDER, label: 'Judge provider' },
    { ...MODEL_NAME, label: 'Judge model' },
    { ptr: '/credential_id', label: 'Credential', widget: 'credential', hint: 'Managed model' },
  ],
  knowledge: [
    { ptr: '/knowledge_base_ids', label: 'Knowledge bases', widget: 'bases' },
    { ptr: '/query', label: 'Query', widget: 'template' },
    { ptr: '/top_k', label: 'Max. results', widget: 'number', hint: '5' },
    { ptr: '/min_score', label: 'Min. score', widget: 'number', hint: '0' },
    { ptr: '/filters', label: 'Filters', widget: 'json' },
    { ptr: '/include_content', label: 'Include content', widget: 'switch', fallback: true },
    { ptr: '/include_metadata', label: 'Include metadata', widget: 'switch', fallback: true },
  ],
};

/** Returns the fields whose condition the config meets. */
export const filterFields = (fields: readonly Field[], config: JsonObject): readonly Field[] =>
  fields.filter(
    ({ when: only }) => only === undefined || only.is.includes(ownValue(config, only.key) ?? null),
  );

/** Lists the fields that the form of a kind shows for a config. */
export const listFields = (type: string, config: JsonObject): readonly Field[] =>
  filterFields(Object.hasOwn(FIELDS, type) ? (FIELDS[type] ?? []) : [], config);
