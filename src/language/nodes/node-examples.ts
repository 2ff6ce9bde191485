/** Examples of nodes for the OpenAPI document: one of each type and alternative, with the ids of the other examples. */
import type { JsonObject } from '../graph/values/value.ts';

const CREDENTIAL = '718293a4-b5c6-4d87-a9ea-ebfc0d1e0010';
const KNOWLEDGE_BASE = '718293a4-b5c6-47d8-89ea-ebfc0d1e0010';
const WORKFLOW = 'a3e2d1c0-4b5a-4c6d-8e7f-9a0b1c2d6606';

const MODEL = { provider: 'openai', model: 'gpt-4.1', credential_id: CREDENTIAL };
const ask = (content: string): JsonObject => ({ messages: [{ role: 'user', content }] });

/** Nodes by type, the most usual one first. */
export const NODE_EXAMPLES: Readonly<Record<string, readonly JsonObject[]>> = {
  llm: [
    {
      id: 'classify',
      type: 'llm',
      name: 'Classify',
      position: { x: 240, y: 80 },
      retry: { max_attempts: 3 },
      config: {
        ...MODEL,
        ...ask('What is this about? {{input.text}}'),
        response_format: {
          type: 'json_schema',
          schema: { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } },
        },
      },
    },
  ],
  tool: [
    {
      id: 'customer',
      type: 'tool',
      timeout_ms: 10_000,
      config: {
        kind: 'http',
        method: 'GET',
        url: 'https://company.example/crm/customers/{{input.customer}}',
      },
    },
    {
      id: 'notify',
      type: 'tool',
      config: {
        kind: 'integration',
        integration: 'slack',
        action: 'send_message',
        credential_id: CREDENTIAL,
        parameters: { channel: '#support', text: 'New ticket about {{classify.data.topic}}' },
      },
    },
    {
      id: 'weather',
      type: 'tool',
      config: {
        kind: 'mcp',
        server_url: 'https://company.example/mcp',
        tool: 'forecast',
        arguments: { city: '{{input.city}}' },
      },
    },
    {
      id: 'refund',
      type: 'tool',
      config: { kind: 'workflow', workflow_id: WORKFLOW, input: { amount: '{{input.amount}}' } },
    },
  ],
  agent: [
    {
      id: 'support',
      type: 'agent',
      config: {
        ...MODEL,
        ...ask('{{input.question}}'),
        tools: [
          { kind: 'knowledge', name: 'search_handbook', knowledge_base_ids: [KNOWLEDGE_BASE] },
          { kind: 'workflow', name: 'refund', workflow_id: WORKFLOW, approval: 'always' },
        ],
      },
    },
  ],
  function: [
    {
      id: 'words',
      type: 'function',
      config: {
        code: "export default ({text}) => ({count: text.split(' ').length})",
        arguments: { text: '{{input.text}}' },
        limits: { timeout_ms: 2_000, memory_mb: 32 },
      },
    },
  ],
  conditional: [
    {
      id: 'route',
      type: 'conditional',
      config: {
        mode: 'rules',
        cases: [{ id: 'urgent', rules: [{ left: '{{classify.data.score}}', op: 'gte', right: 0.8 }] }],
        default: 'else',
      },
    },
    {
      id: 'choose',
      type: 'conditional',
      config: {
        mode: 'llm',
        ...MODEL,
        input: '{{input.text}}',
        cases: [{ id: 'refund', description: 'Wants money back' }],
      },
    },
  ],
  interrupt: [
    {
      id: 'approve',
      type: 'interrupt',
      config: {
        kind: 'approval',
        title: 'Refund {{input.amount}}?',
        actions: [
          { id: 'approve', label: 'Approve' },
          { id: 'reject', label: 'Reject' },
        ],
        timeout_seconds: 259_200,
        on_timeout: 'branch',
      },
    },
    {
      id: 'address',
      type: 'interrupt',
      config: {
        kind: 'input',
        title: 'Where to?',
        form: { type: 'object', required: ['street'], properties: { street: { type: 'string' } } },
      },
    },
    { id: 'paid', type: 'interrupt', config: { kind: 'callback', title: 'Payment', timeout_seconds: 3_600 } },
    { id: 'later', type: 'interrupt', config: { kind: 'wait', duration_seconds: 3_600 } },
  ],
  transformer: [
    { id: 'hello', type: 'transformer', config: { mode: 'template', template: 'Hello {{input.name}}' } },
    {
      id: 'shape',
      type: 'transformer',
      config: { mode: 'map', fields: { topic: '{{classify.data.topic}}' } },
    },
    {
      id: 'best',
      type: 'transformer',
      config: {
        mode: 'list',
        source: '{{search.matches}}',
        filter: { left: '{{item.score}}', op: 'gte', right: 0.5 },
        limit: 10,
        select: '{{item.content}}',
      },
    },
    {
      id: 'either',
      type: 'transformer',
      config: { mode: 'merge', sources: ['{{shape}}', '{{customer.data}}'], strategy: 'deep_merge' },
    },
    {
      id: 'per_customer',
      type: 'transformer',
      config: {
        mode: 'group',
        source: '{{orders.data}}',
        keys: { customer: '{{item.customer_id}}' },
        values: [
          { name: 'orders', op: 'count' },
          { name: 'total', op: 'sum', of: '{{item.amount}}' },
        ],
      },
    },
    {
      id: 'with_names',
      type: 'transformer',
      config: {
        mode: 'join',
        left: '{{orders.data}}',
        right: '{{customers.data}}',
        left_key: '{{item.customer_id}}',
        right_key: '{{item.id}}',
        join_type: 'left',
        select: { order: '{{item.left.id}}', customer: '{{item.right.name}}' },
      },
    },
    {
      id: 'reply',
      type: 'transformer',
      config: {
        mode: 'map',
        fields: { order_id: '{{order.data.id}}' },
        respond: {
          status: 201,
          headers: { 'X-Order': '{{order.data.id}}' },
          body: { id: '{{order.data.id}}' },
        },
      },
    },
  ],
  guardrails: [
    {
      id: 'screen',
      type: 'guardrails',
      config: {
        input: '{{input.text}}',
        checks: [
          { type: 'pii', entities: ['EMAIL'], action: 'mask' },
          { type: 'max_length', max: 10_000, action: 'block' },
        ],
      },
    },
  ],
  knowledge: [
    {
      id: 'search',
      type: 'knowledge',
      config: { knowledge_base_ids: [KNOWLEDGE_BASE], query: '{{input.question}}', top_k: 5 },
    },
  ],
};
