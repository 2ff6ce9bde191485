/** The fields of a tool, as a node and of an agent. */
import type { Field } from './fields.ts';

/** Shown once there are rules. */
const FAILS: Pick<Field, 'when'> = { when: [{ ptr: '/fail_when/match', is: ['all', 'any'] }] };

/** The fields of a tool node. */
export const TOOL: readonly Field[] = [
  {
    ptr: '/kind',
    label: 'Type',
    widget: 'select',
  },
  {
    ptr: '/method',
    label: 'Method',
    widget: 'select',
  },
  { ptr: '/url', label: 'URL', widget: 'template' },
  { ptr: '/headers', label: 'Headers', widget: 'pairs', pairs: 'headers' },
  { ptr: '/query', label: 'Query', widget: 'pairs', pairs: 'query' },
  { ptr: '/body', label: 'Body', widget: 'pairs', pairs: 'body' },
  {
    ptr: '/integration',
    label: 'Integration',
    widget: 'integration',
  },
  { ptr: '/action', label: 'Action', widget: 'action' },
  { ptr: '/parameters', label: 'Parameters', widget: 'inputs' },
  { ptr: '/server_url', label: 'Server URL', widget: 'text' },
  { ptr: '/tool', label: 'Tool', widget: 'mcp_tool' },
  { ptr: '/arguments', label: 'Arguments', widget: 'inputs' },
  { ptr: '/workflow_id', label: 'Workflow', widget: 'workflow' },
  { ptr: '/deployment', label: 'Deployment', widget: 'text' },
  { ptr: '/input', label: 'Input', widget: 'inputs' },
  {
    ptr: '/wait',
    label: 'Wait for completion',
    widget: 'switch',
  },
  {
    ptr: '/credential_id',
    label: 'Credential',
    widget: 'credential',
    hint: 'None',
  },
  {
    ptr: '/idempotent',
    label: 'Safe to retry',
    widget: 'switch',
  },
  { ptr: '/fail_when', label: 'Fail when', widget: 'rules', hint: 'Failures are told by their status' },
  { ptr: '/fail_when/code', label: 'Error code', widget: 'text', hint: 'service_error', ...FAILS },
  {
    ptr: '/fail_when/message',
    label: 'Error message',
    widget: 'template',
    hint: '{{response.data.error}}',
    ...FAILS,
  },
  { ptr: '/retry_when', label: 'Retry when', widget: 'rules', hint: 'Retries are told by the status' },
  {
    ptr: '/retry_after',
    label: 'Wait before a retry (seconds)',
    widget: 'template',
    hint: '{{response.data.retry_after}}',
  },
];

/** The fields of a tool node that an agent's tool has too: the agent waits for what it calls, and has switches of its own. */
const SHARED: readonly Field[] = TOOL.filter(
  ({ ptr }) => !['/kind', '/parameters', '/wait', '/idempotent'].includes(ptr),
);

/** Conditions on the metadata of documents. */
export const FILTERS: Field = { ptr: '/filters', label: 'Filters', widget: 'filters' };

/** The fields of an agent's tool. */
export const AGENT_TOOL: readonly Field[] = [
  { ptr: '/kind', label: 'Type', widget: 'select' },
  { ptr: '/name', label: 'Name', widget: 'text' },
  { ptr: '/description', label: 'Description', widget: 'text' },
  ...SHARED,
  {
    ptr: '/parameters',
    label: 'Parameters',
    widget: 'inputs',
    description: 'The model fills in what you leave empty.',
    when: [{ ptr: '/kind', is: ['integration'] }],
  },
  { ptr: '/knowledge_base_ids', label: 'Knowledge bases', widget: 'bases' },
  { ptr: '/top_k', label: 'Max. results', widget: 'number' },
  FILTERS,
  { ptr: '/approval', label: 'Requires approval', widget: 'select', fallback: 'never' },
];
