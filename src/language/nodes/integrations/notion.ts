/** Notion: search and pages, with an integration's token. */
import { describeAddress, bearer } from './auth-schemes.ts';
import type { Integration } from './integration.ts';
import { all, hasStatus, tooMany } from './service-rules.ts';

const HEADERS = { 'notion-version': '2022-06-28' };

export const notion: Integration = {
  name: 'notion',
  displayName: 'Notion',
  description: 'Finds and creates pages of a Notion workspace.',
  version: '1.0.0',
  category: 'productivity',
  docsUrl: 'https://developers.notion.com/reference',
  tags: ['documents'],
  baseUrl: 'https://api.notion.com/v1',
  baseUrlField: 'base_url',
  auth: [bearer([], { base_url: describeAddress('Base URL (proxies)') })],
  actions: [
    {
      name: 'search',
      displayName: 'Search',
      description: 'Finds pages and databases by their title.',
      idempotent: true,
      requiresAuth: true,
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string' },
          page_size: { type: 'integer', minimum: 1, maximum: 100 },
          start_cursor: { type: 'string' },
        },
        required: ['query'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          results: { type: 'array', items: { type: 'object' } },
          has_more: { type: 'boolean' },
          next_cursor: { type: ['string', 'null'] },
        },
      },
      request: {
        method: 'POST',
        path: '/search',
        query: [],
        body: ['query', 'page_size', 'start_cursor'],
        headers: HEADERS,
      },
    },
    {
      name: 'create_page',
      displayName: 'Create page',
      description: 'Creates a page below a page or in a database.',
      idempotent: false,
      requiresAuth: true,
      inputSchema: {
        type: 'object',
        properties: {
          parent: { type: 'object', description: '{"page_id": …} or {"database_id": …}' },
          properties: { type: 'object' },
          children: { type: 'array', items: { type: 'object' }, maxItems: 100 },
        },
        required: ['parent', 'properties'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: { id: { type: 'string' }, url: { type: 'string' } },
      },
      request: {
        method: 'POST',
        path: '/pages',
        query: [],
        body: ['parent', 'properties', 'children'],
        headers: HEADERS,
      },
    },
  ],
  answers: {
    declines: [
      tooMany(),
      // "The transaction could not be completed, potentially due to a data collision" (Notion, "Status codes").
      {
        when: all(hasStatus(409), { left: '{{response.data.code}}', op: 'eq', right: 'conflict_error' }),
      },
    ],
  },
  test: { path: '/users/me', headers: HEADERS },
};
