/** The fields of each kind's config: label, control, and when they are asked for. What is not listed is edited as JSON. */
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';

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
  | 'tools'
  | 'checks'
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
  /** What the field is when the config does not have it. */
  readonly fallback?: Json;
  readonly when?: { readonly key: string; readonly is: readonly Json[] };
}

const MODEL: readonly Field[] = [
  { ptr: '/provider', label: 'Provider', widget: 'text', hint: 'openai' },
  { ptr: '/model', label: 'Model', widget: 'text', hint: 'gpt-4.1-mini' },
  { ptr: '/credential_id', label: 'Credential', widget: 'credential', hint: 'The managed model' },
  { ptr: '/messages', label: 'Messages', widget: 'messages' },
  { ptr: '/parameters/temperature', label: 'Temperature', widget: 'number' },
  { ptr: '/parameters/max_output_tokens', label: 'Longest answer, in tokens', widget: 'number' },
  { ptr: '/response_format', label: 'Form of the answer', widget: 'json' },
  {
    ptr: '/memory/mode',
    label: 'Memory of the thread',
    widget: 'select',
    options: ['none', 'thread', 'window'],
    fallback: 'none',
  },
  { ptr: '/stream', label: 'Stream the answer', widget: 'switch', fallback: true },
];

/** Asks for a field only while another has one of these values; null: while it is not there. */
export const when = (key: string, ...is: Json[]) => ({ when: { key, is } });

const TOOL: readonly Field[] = [
  {
    ptr: '/kind',
    label: 'What it calls',
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
  { ptr: '/url', label: 'Address', widget: 'template', ...when('kind', 'http') },
  { ptr: '/headers', label: 'Headers', widget: 'json', ...when('kind', 'http') },
  { ptr: '/query', label: 'Query', widget: 'json', ...when('kind', 'http') },
  { ptr: '/body', label: 'Body', widget: 'json', ...when('kind', 'http') },
  {
    ptr: '/integration',
    label: 'Integration',
    widget: 'integration',
    ...when('kind', 'integration'),
  },
  { ptr: '/action', label: 'Action', widget: 'action', ...when('kind', 'integration') },
  { ptr: '/parameters', label: 'Parameters', widget: 'json', ...when('kind', 'integration') },
  { ptr: '/server_url', label: 'Address of the server', widget: 'text', ...when('kind', 'mcp') },
  { ptr: '/tool', label: 'Tool', widget: 'mcp_tool', ...when('kind', 'mcp') },
  { ptr: '/arguments', label: 'Arguments', widget: 'json', ...when('kind', 'mcp') },
  { ptr: '/workflow_id', label: 'Workflow', widget: 'workflow', ...when('kind', 'workflow') },
  { ptr: '/deployment', label: 'Deployment', widget: 'text', hint: 'live', ...when('kind', 'workflow') },
  { ptr: '/input', label: 'Input', widget: 'json', ...when('kind', 'workflow') },
  {
    ptr: '/wait',
    label: 'Wait for its end',
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
    label: 'May be repeated',
    widget: 'switch',
    fallback: false,
    ...when('kind', 'http'),
  },
];

/** What an entry of an agent's tools has of its own, and what it has of a tool node's config. */
export const AGENT_TOOL: readonly Field[] = [
  {
    ptr: '/kind',
    label: 'What it calls',
    widget: 'select',
    options: ['integration', 'http', 'mcp', 'workflow', 'knowledge'],
  },
  { ptr: '/name', label: 'Name', widget: 'text' },
  { ptr: '/description', label: 'What it is for', widget: 'text' },
  // The agent waits for what it calls, and its other switches are those of the agent.
  ...TOOL.filter(({ ptr }) => !['/kind', '/wait', '/idempotent'].includes(ptr)),
  { ptr: '/knowledge_base_ids', label: 'Knowledge bases', widget: 'bases', ...when('kind', 'knowledge') },
  { ptr: '/top_k', label: 'Most results', widget: 'number', hint: '5', ...when('kind', 'knowledge') },
  {
    ptr: '/approval',
    label: 'A person is asked first',
    widget: 'select',
    options: ['never', 'always'],
    fallback: 'never',
  },
];

export const FIELDS: Readonly<Record<string, readonly Field[]>> = {
  llm: MODEL,
  agent: [
    ...MODEL.slice(0, 4),
    { ptr: '/tools', label: 'Tools', widget: 'tools' },
    { ptr: '/max_iterations', label: 'Most turns', widget: 'number', hint: '10' },
    { ptr: '/max_tool_calls', label: 'Most tool calls', widget: 'number', hint: '30' },
    { ptr: '/parallel_tool_calls', label: 'Call tools in parallel', widget: 'switch', fallback: true },
    ...MODEL.slice(4),
  ],
  tool: TOOL,
  function: [
    { ptr: '/code', label: 'Code', widget: 'code' },
    { ptr: '/arguments', label: 'Arguments', widget: 'json' },
    { ptr: '/output_schema', label: 'Schema of the result', widget: 'json' },
    { ptr: '/limits/timeout_ms', label: 'Time limit, in ms', widget: 'number' },
    { ptr: '/limits/memory_mb', label: 'Memory limit, in MB', widget: 'number' },
  ],
  conditional: [
    { ptr: '/mode', label: 'Chosen by', widget: 'select', options: ['rules', 'llm'], fallback: 'rules' },
    { ptr: '/cases', label: 'Cases', widget: 'cases', ...when('mode', 'rules', null) },
    { ptr: '/cases', label: 'Cases', widget: 'json', ...when('mode', 'llm') },
    { ptr: '/provider', label: 'Provider', widget: 'text', ...when('mode', 'llm') },
    { ptr: '/model', label: 'Model', widget: 'text', ...when('mode', 'llm') },
    { ptr: '/input', label: 'What is judged', widget: 'template', ...when('mode', 'llm') },
    { ptr: '/default', label: 'Otherwise', widget: 'text', hint: 'else', ...when('mode', 'rules', null) },
  ],
  interrupt: [
    { ptr: '/kind', label: 'What it does', widget: 'select', options: ['approval', 'input', 'wait'] },
    { ptr: '/title', label: 'Title', widget: 'template', ...when('kind', 'approval', 'input') },
    { ptr: '/message', label: 'Message', widget: 'template', ...when('kind', 'approval', 'input') },
    { ptr: '/actions', label: 'Answers', widget: 'json', ...when('kind', 'approval') },
    { ptr: '/form', label: 'Form (JSON Schema)', widget: 'json', ...when('kind', 'approval', 'input') },
    { ptr: '/assignees', label: 'Who may answer', widget: 'json', ...when('kind', 'approval', 'input') },
    {
      ptr: '/timeout_seconds',
      label: 'Time limit, in seconds',
      widget: 'number',
      ...when('kind', 'approval', 'input'),
    },
    {
      ptr: '/on_timeout',
      label: 'After that',
      widget: 'select',
      options: ['fail', 'branch', 'default'],
      fallback: 'fail',
      ...when('kind', 'approval', 'input'),
    },
    { ptr: '/duration_seconds', label: 'Seconds to wait', widget: 'number', ...when('kind', 'wait') },
    { ptr: '/until', label: 'Wait until', widget: 'template', ...when('kind', 'wait') },
  ],
  transformer: [
    { ptr: '/mode', label: 'What it does', widget: 'select', options: ['map', 'list', 'template', 'merge'] },
    { ptr: '/fields', label: 'Fields', widget: 'json', ...when('mode', 'map') },
    { ptr: '/source', label: 'List', widget: 'template', ...when('mode', 'list') },
    { ptr: '/filter', label: 'Filter', widget: 'json', ...when('mode', 'list') },
    { ptr: '/sort', label: 'Order', widget: 'json', ...when('mode', 'list') },
    { ptr: '/limit', label: 'At most', widget: 'number', ...when('mode', 'list') },
    { ptr: '/select', label: 'Of each entry', widget: 'json', ...when('mode', 'list') },
    { ptr: '/template', label: 'Template', widget: 'template', ...when('mode', 'template') },
    {
      ptr: '/parse_as',
      label: 'Read as',
      widget: 'select',
      options: ['text', 'json'],
      fallback: 'text',
      ...when('mode', 'template'),
    },
    { ptr: '/sources', label: 'Sources', widget: 'json', ...when('mode', 'merge') },
    {
      ptr: '/strategy',
      label: 'How',
      widget: 'select',
      options: ['first_non_null', 'concat', 'deep_merge'],
      fallback: 'first_non_null',
      ...when('mode', 'merge'),
    },
  ],
  guardrails: [
    { ptr: '/input', label: 'What is checked', widget: 'template' },
    { ptr: '/checks', label: 'Checks', widget: 'checks' },
    { ptr: '/context', label: 'What it has to be grounded in', widget: 'template' },
    { ptr: '/provider', label: 'Provider of the judging model', widget: 'text' },
    { ptr: '/model', label: 'Judging model', widget: 'text' },
    { ptr: '/credential_id', label: 'Credential', widget: 'credential', hint: 'The managed model' },
  ],
  knowledge: [
    { ptr: '/knowledge_base_ids', label: 'Knowledge bases', widget: 'bases' },
    { ptr: '/query', label: 'Query', widget: 'template' },
    { ptr: '/top_k', label: 'Most results', widget: 'number', hint: '5' },
    { ptr: '/min_score', label: 'Lowest score', widget: 'number', hint: '0' },
    { ptr: '/filters', label: 'Filters', widget: 'json' },
    { ptr: '/include_content', label: 'With the text', widget: 'switch', fallback: true },
    { ptr: '/include_metadata', label: 'With the metadata', widget: 'switch', fallback: true },
  ],
};

/** Of these fields, those that a config asks for as it is now. */
export const asked = (fields: readonly Field[], config: JsonObject): readonly Field[] =>
  fields.filter(
    ({ when: only }) => only === undefined || only.is.includes(ownValue(config, only.key) ?? null),
  );

/** The fields that a config of a kind asks for as it is now. */
export const fieldsOf = (type: string, config: JsonObject): readonly Field[] =>
  asked(Object.hasOwn(FIELDS, type) ? (FIELDS[type] ?? []) : [], config);

/** The keys of a config that none of its kind's fields edits. */
export function otherKeys(type: string, config: JsonObject): string[] {
  const known = new Set((FIELDS[type] ?? []).map(({ ptr }) => ptr.split('/')[1]));
  return isObject(config) ? Object.keys(config).filter((key) => !known.has(key)) : [];
}
