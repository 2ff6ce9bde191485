/** The face of the type `tool`. */
import { readText, type NodeFace } from '../face.ts';
import { when, type Field } from '../form-field.ts';

/** The fields of an output, by kind; of the others nothing is known. */
const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  http: ['data', 'status', 'headers'],
  integration: ['data'],
};

/** The fields of an output of a table, by operation; of writes they are those of `put`. */
const TABLE_OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  get: ['found', 'key', 'value', 'version'],
  query: ['items', 'count', 'next'],
  increment: ['key', 'written', 'version', 'value'],
  unseen: ['items', 'count', 'seen', 'busy', 'left'],
};

const HTTP = { kind: 'http', method: 'GET', url: 'https://example.com' };

/** The config keys with rules over the answer of the service. */
export const RESPONSE_KEYS = ['fail_when', 'retry_when', 'retry_after'] as const;

/** Shown once there are rules. */
const FAILS: Pick<Field, 'when'> = { when: [{ ptr: '/fail_when/match', is: ['all', 'any'] }] };

export const toolFace: NodeFace = {
  group: 'actions',
  label: 'Tool',
  hint: 'HTTP, an integration, MCP, a workflow or a table',
  color: 'blue',
  icon: 'wrench',
  keywords: 'integration action app api call',
  config: HTTP,
  canConfirm: true,
  responseKeys: RESPONSE_KEYS,
  presets: [
    {
      key: 'http',
      label: 'HTTP request',
      hint: 'Call any API',
      icon: 'globe',
      keywords: 'rest api webhook url fetch curl get post send email mail sms',
      config: HTTP,
    },
    {
      key: 'slack',
      label: 'Slack message',
      hint: 'Post a message to a channel',
      icon: 'message',
      keywords: 'chat notify notification alert integration send',
      config: {
        kind: 'integration',
        integration: 'slack',
        action: 'send_message',
        parameters: { channel: '#general', text: '{{input.text}}' },
      },
    },
    {
      key: 'github',
      label: 'GitHub issue',
      hint: 'Open an issue in a repository',
      icon: 'git',
      keywords: 'git ticket bug repository integration create',
      config: {
        kind: 'integration',
        integration: 'github',
        action: 'create_issue',
        parameters: { owner: 'owner', repo: 'repository', title: '{{input.text}}' },
      },
    },
    {
      key: 'mcp',
      label: 'MCP tool',
      hint: 'A tool of an MCP server',
      icon: 'plug',
      keywords: 'model context protocol server plugin',
      config: { kind: 'mcp' },
    },
    {
      key: 'sub_workflow',
      label: 'Sub-workflow',
      hint: 'Run another workflow',
      icon: 'workflow',
      keywords: 'subworkflow call child nested execute reuse',
      config: { kind: 'workflow' },
    },
    {
      key: 'table',
      label: 'Table row',
      hint: 'Read or write what outlives runs',
      icon: 'database',
      keywords: 'state storage store remember data counter deduplicate key value database',
      config: { kind: 'table', operation: 'get', key: '{{input.key}}' },
    },
    {
      key: 'unseen',
      label: 'New items',
      hint: 'The items of a list that no run has acted on',
      icon: 'database',
      keywords: 'poll unseen seen deduplicate feed rss new once state table',
      config: {
        kind: 'table',
        operation: 'unseen',
        items: '{{input.items}}',
        item_key: '{{item.id}}',
      },
    },
  ],
  fields: [
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
    { ptr: '/table_id', label: 'Table', widget: 'table' },
    {
      ptr: '/operation',
      label: 'Operation',
      widget: 'select',
      labels: {
        get: 'Get a row',
        query: 'List rows',
        put: 'Put a row',
        put_if_absent: 'Put a row if it is absent',
        compare_and_set: 'Put a row if its version is as expected',
        increment: 'Increment a number',
        delete: 'Delete a row',
        unseen: 'Choose new items',
      },
    },
    {
      ptr: '/key',
      label: 'Key',
      widget: 'template',
      ...when('/operation', 'get', 'put', 'put_if_absent', 'compare_and_set', 'increment', 'delete'),
    },
    {
      ptr: '/value',
      label: 'Value',
      widget: 'json',
      ...when('/operation', 'put', 'put_if_absent', 'compare_and_set'),
    },
    {
      ptr: '/expected_version',
      label: 'Expected version',
      widget: 'template',
      ...when('/operation', 'compare_and_set'),
    },
    { ptr: '/by', label: 'Increment by', widget: 'template', ...when('/operation', 'increment') },
    { ptr: '/prefix', label: 'Keys that begin with', widget: 'template', ...when('/operation', 'query') },
    { ptr: '/field', label: 'Field', widget: 'text', ...when('/operation', 'increment', 'query') },
    { ptr: '/equals', label: 'Equals', widget: 'template', ...when('/operation', 'query') },
    { ptr: '/items', label: 'Items', widget: 'template', ...when('/operation', 'unseen') },
    { ptr: '/item_key', label: 'Key of an item', widget: 'template', ...when('/operation', 'unseen') },
    {
      ptr: '/mark_after',
      label: 'Mark as seen after the node',
      widget: 'text',
      ...when('/operation', 'unseen'),
    },
    {
      ptr: '/first',
      label: 'Items of the first poll',
      widget: 'number',
      hint: 'All of them',
      ...when('/operation', 'unseen'),
    },
    { ptr: '/limit', label: 'Limit', widget: 'number', ...when('/operation', 'query', 'unseen') },
    { ptr: '/after', label: 'After the key', widget: 'template', ...when('/operation', 'query') },
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
    {
      ptr: '/as',
      label: 'Keep the answer as',
      widget: 'select',
      hint: 'By its media type',
      labels: { json: 'JSON', text: 'Text', file: 'A file' },
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
  ],
  listOutputs(config) {
    const kind = readText(config, 'kind');
    if (kind !== 'table') return OUTPUTS[kind] ?? [];
    return TABLE_OUTPUTS[readText(config, 'operation')] ?? ['key', 'written', 'version'];
  },
};
