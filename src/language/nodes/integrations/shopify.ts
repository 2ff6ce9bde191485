/** Shopify: a shop, by the token of its custom app and the GraphQL Admin API. */
import { describeCatalogAction } from './actions.ts';
import { apiKey } from './auth-schemes.ts';
import type { Integration } from './integration.ts';
import { all, isSuccess, tooMany } from './service-rules.ts';

const shop = {
  type: 'string',
  title: 'Shop (the name before .myshopify.com)',
  pattern: '^[A-Za-z0-9-]{1,63}$',
};
const key = apiKey({ kind: 'header', name: 'x-shopify-access-token', field: 'api_key' }, { shop });
const id = { type: 'string', pattern: '^[0-9]{1,20}$' };

export const shopify: Integration = {
  name: 'shopify',
  displayName: 'Shopify',
  description: 'Reads orders and products of a shop, and sends GraphQL.',
  version: '1.0.0',
  category: 'commerce',
  docsUrl: 'https://shopify.dev/docs/api/admin-graphql',
  tags: ['shop', 'orders'],
  baseUrl: 'https://{shop}.myshopify.com/admin/api/2026-10',
  baseUrlField: null,
  auth: [{ ...key, schema: { ...key.schema, required: ['shop', 'api_key'] } }],
  actions: [
    describeCatalogAction({
      name: 'get_order',
      displayName: 'Get order',
      description: 'Reads an order.',
      method: 'GET',
      path: '/orders/{order_id}.json',
      input: { order_id: id },
      required: ['order_id'],
      output: { order: { type: 'object' } },
    }),
    describeCatalogAction({
      name: 'list_orders',
      displayName: 'List orders',
      description: 'Lists orders, those of a higher id than `since_id`.',
      method: 'GET',
      path: '/orders.json',
      input: {
        status: { type: 'string', enum: ['open', 'closed', 'cancelled', 'any'] },
        since_id: id,
        limit: { type: 'integer', minimum: 1, maximum: 250 },
      },
      required: [],
      output: { orders: { type: 'array', items: { type: 'object' } } },
    }),
    describeCatalogAction({
      name: 'graphql',
      displayName: 'GraphQL',
      description: 'Sends a query or a mutation.',
      method: 'POST',
      path: '/graphql.json',
      input: { query: { type: 'string', minLength: 1, maxLength: 50_000 }, variables: { type: 'object' } },
      required: ['query'],
      output: { data: { type: ['object', 'null'] }, extensions: { type: 'object' } },
      answers: {
        // GraphQL has status 200 for errors, too, and a throttled query has done nothing ("Rate limits").
        failures: [
          {
            when: all(isSuccess, { left: '{{response.data.errors}}', op: 'is_not_empty' }),
            code: 'integration_error',
            message: '{{response.data.errors[0].message}}',
          },
        ],
        declines: [
          {
            when: all({
              left: '{{response.data.errors[0].extensions.code}}',
              op: 'eq',
              right: 'THROTTLED',
            }),
          },
        ],
      },
    }),
  ],
  answers: { declines: [tooMany()] },
  test: { path: '/shop.json', headers: {} },
};
