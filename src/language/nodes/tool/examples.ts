/** Examples of nodes of the type `tool`. */
import type { JsonObject } from '../../graph/values/value.ts';
import { CREDENTIAL_ID, TABLE, WORKFLOW } from '../example-values.ts';

export const TOOL_EXAMPLES: readonly JsonObject[] = [
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
      credential_id: CREDENTIAL_ID,
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
  {
    id: 'remember',
    type: 'tool',
    config: {
      kind: 'table',
      operation: 'put_if_absent',
      table_id: TABLE,
      key: '{{input.order_id}}',
      value: { status: 'seen' },
    },
  },
  {
    id: 'fresh',
    type: 'tool',
    config: {
      kind: 'table',
      operation: 'unseen',
      table_id: TABLE,
      items: '{{input.items}}',
      item_key: '{{item.id}}',
      mark_after: 'remember',
      first: 0,
    },
  },
];
