/** Examples of nodes of the type `transformer`. */
import type { JsonObject } from '../../graph/values/value.ts';

export const TRANSFORMER_EXAMPLES: readonly JsonObject[] = [
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
    id: 'report',
    type: 'transformer',
    config: {
      mode: 'format',
      format: 'csv',
      source: '{{per_customer.items}}',
      columns: ['customer', 'orders', 'total'],
      delimiter: ';',
      decimal: ',',
    },
  },
  {
    id: 'bookings',
    type: 'transformer',
    config: {
      mode: 'parse',
      format: 'csv',
      source: '{{statement.data}}',
      charset: 'windows-1252',
      skip_rows: 4,
      numbers: 'de',
    },
  },
  {
    id: 'offers',
    type: 'transformer',
    config: {
      mode: 'parse',
      format: 'html',
      source: '{{page.data}}',
      selector: '.offer',
      fields: { title: 'h2', link: 'a@href' },
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
];
