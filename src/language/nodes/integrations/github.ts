/** GitHub: issues, with a personal or an installation token. */
import { describeAddress, bearer, oauth2 } from './auth-schemes.ts';
import type { Integration, OAuthProvider } from './integration.ts';
import { all, any, hasStatus } from './service-rules.ts';

const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

const owner = { type: 'string', minLength: 1, maxLength: 100 };
const repo = { type: 'string', minLength: 1, maxLength: 100 };
const issue = {
  type: 'object',
  properties: {
    number: { type: 'integer' },
    title: { type: 'string' },
    state: { type: 'string' },
    body: { type: ['string', 'null'] },
    html_url: { type: 'string' },
  },
};

const REFUSED = any(hasStatus(403), hasStatus(429));

const enterprise = { base_url: describeAddress('Base URL (GitHub Enterprise)') };
const provider: OAuthProvider = {
  authorizationUrl: 'https://github.com/login/oauth/authorize',
  tokenUrl: 'https://github.com/login/oauth/access_token',
  scopeSeparator: ' ',
};

export const github: Integration = {
  name: 'github',
  displayName: 'GitHub',
  description: 'Reads and creates issues of GitHub repositories.',
  version: '1.1.0',
  category: 'developer-tools',
  docsUrl: 'https://docs.github.com/rest',
  tags: ['issues'],
  baseUrl: 'https://api.github.com',
  baseUrlField: 'base_url',
  auth: [bearer(['repo'], enterprise), oauth2(provider, ['repo'], enterprise)],
  actions: [
    {
      name: 'create_issue',
      displayName: 'Create issue',
      description: 'Opens an issue in a repository.',
      idempotent: false,
      requiresAuth: true,
      inputSchema: {
        type: 'object',
        properties: {
          owner,
          repo,
          title: { type: 'string', minLength: 1 },
          body: { type: 'string' },
          labels: { type: 'array', items: { type: 'string' } },
          assignees: { type: 'array', items: { type: 'string' } },
        },
        required: ['owner', 'repo', 'title'],
        additionalProperties: false,
      },
      outputSchema: issue,
      request: {
        method: 'POST',
        path: '/repos/{owner}/{repo}/issues',
        query: [],
        body: ['title', 'body', 'labels', 'assignees'],
        headers: HEADERS,
      },
      // Pull requests are issues of this list, too.
      verify: {
        action: 'list_issues',
        parameters: {
          owner: '{{input.parameters.owner}}',
          repo: '{{input.parameters.repo}}',
          state: 'all',
          sort: 'created',
          direction: 'desc',
          since: '{{input.since}}',
          per_page: 100,
        },
        source: '{{read.data}}',
        found: {
          match: 'all',
          rules: [
            { left: '{{item.title}}', op: 'eq', right: '{{input.parameters.title}}' },
            { left: '{{item.created_at}}', op: 'gte', right: '{{input.since}}' },
            { left: '{{item.pull_request}}', op: 'not_exists' },
          ],
        },
        about:
          'Issues with this title among the newest 100 that were opened since the request was sent. Somebody else may have opened one of them.',
      },
    },
    {
      name: 'list_issues',
      displayName: 'List issues',
      description: 'Lists issues and pull requests of a repository.',
      idempotent: true,
      requiresAuth: false,
      inputSchema: {
        type: 'object',
        properties: {
          owner,
          repo,
          state: { enum: ['open', 'closed', 'all'] },
          labels: { type: 'string', description: 'Names, separated by commas' },
          sort: { enum: ['created', 'updated', 'comments'] },
          direction: { enum: ['asc', 'desc'] },
          since: { type: 'string', description: 'Only those updated at this ISO 8601 time or later' },
          per_page: { type: 'integer', minimum: 1, maximum: 100 },
          page: { type: 'integer', minimum: 1 },
        },
        required: ['owner', 'repo'],
        additionalProperties: false,
      },
      outputSchema: { type: 'array', items: issue },
      request: {
        method: 'GET',
        path: '/repos/{owner}/{repo}/issues',
        query: ['state', 'labels', 'sort', 'direction', 'since', 'per_page', 'page'],
        body: null,
        headers: HEADERS,
      },
    },
    {
      name: 'get_issue',
      displayName: 'Get issue',
      description: 'Reads an issue of a repository.',
      idempotent: true,
      requiresAuth: false,
      inputSchema: {
        type: 'object',
        properties: { owner, repo, number: { type: 'integer', minimum: 1 } },
        required: ['owner', 'repo', 'number'],
        additionalProperties: false,
      },
      outputSchema: issue,
      request: {
        method: 'GET',
        path: '/repos/{owner}/{repo}/issues/{number}',
        query: [],
        body: null,
        headers: HEADERS,
      },
    },
  ],
  // "Rate limits for the REST API": with 403 or 429, until x-ratelimit-reset when nothing remains, else for a minute.
  answers: {
    declines: [
      {
        when: all(
          REFUSED,
          {
            left: '{{response.headers["x-ratelimit-remaining"]}}',
            op: 'eq',
            right: '0',
          },
          {
            left: '{{response.headers["x-ratelimit-reset"]}}',
            op: 'matches',
            right: '^[0-9]{10}$',
          },
        ),
        after: `{{response.headers["x-ratelimit-reset"] | parse_number: "en" | parse_date | date: "EEE, dd MMM yyyy HH:mm:ss 'GMT'"}}`,
      },
      {
        when: all(
          REFUSED,
          any(
            { left: '{{response.headers["retry-after"]}}', op: 'exists' },
            { left: '{{response.data.message}}', op: 'contains', right: 'rate limit' },
          ),
        ),
        after: 60,
      },
    ],
  },
  test: { path: '/user', headers: HEADERS },
};
