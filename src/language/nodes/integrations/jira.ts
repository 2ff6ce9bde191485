/** Jira Cloud: issues, with the API token of a person or for people who sign in. */
import { describeCatalogAction } from './actions.ts';
import { describeFields, oauth2 } from './auth-schemes.ts';
import type { AuthScheme, Integration, OAuthProvider } from './integration.ts';
import { tooMany } from './service-rules.ts';

const issue_key = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'Key or id, such as APP-7',
};
const project_key = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' };
const issue = { id: { type: 'string' }, key: { type: 'string' }, self: { type: 'string' } };
const SCOPES = ['read:jira-work', 'write:jira-work', 'offline_access'];

const token: AuthScheme = {
  type: 'basic',
  required: true,
  scopes: [],
  schema: describeFields(
    {
      site: {
        type: 'string',
        title: 'Site (the name before .atlassian.net)',
        pattern: '^[A-Za-z0-9-]{1,63}$',
      },
      username: { type: 'string', title: 'Email', minLength: 3, maxLength: 254, pattern: '^[^:\\s]+$' },
      password: { type: 'string', title: 'API token', minLength: 4, maxLength: 1024, 'x-secret': true },
    },
    ['site', 'username', 'password'],
  ),
  placements: [{ kind: 'basic', username: 'username', password: 'password' }],
};

const provider: OAuthProvider = {
  authorizationUrl: 'https://auth.atlassian.com/authorize',
  tokenUrl: 'https://auth.atlassian.com/oauth/token',
  scopeSeparator: ' ',
  authorizationParameters: { audience: 'api.atlassian.com', prompt: 'consent' },
};
const cloud = {
  cloud_id: { type: 'string', title: 'Cloud id of the site', pattern: '^[A-Za-z0-9-]{1,64}$' },
};

export const jira: Integration = {
  name: 'jira',
  displayName: 'Jira',
  description: 'Finds, creates and moves issues of Jira Cloud.',
  version: '1.0.0',
  category: 'developer-tools',
  docsUrl: 'https://developer.atlassian.com/cloud/jira/platform/rest/v2',
  tags: ['issues', 'projects'],
  // Version 2 takes texts; version 3 takes documents of Atlassian's own format.
  baseUrl: 'https://{site}.atlassian.net/rest/api/2',
  baseUrlField: null,
  auth: [
    token,
    {
      ...oauth2(provider, SCOPES, {}, cloud),
      baseUrl: 'https://api.atlassian.com/ex/jira/{cloud_id}/rest/api/2',
    },
  ],
  actions: [
    describeCatalogAction({
      name: 'search_issues',
      displayName: 'Search issues',
      description: 'Finds issues by JQL; `nextPageToken` leads to the next page.',
      method: 'GET',
      path: '/search/jql',
      input: {
        jql: { type: 'string', minLength: 1, maxLength: 8_000 },
        fields: { type: 'string', description: 'Names, separated by commas; without it ids alone' },
        maxResults: { type: 'integer', minimum: 1, maximum: 5_000 },
        nextPageToken: { type: 'string' },
      },
      required: ['jql'],
      output: {
        issues: { type: 'array', items: { type: 'object', properties: issue } },
        nextPageToken: { type: 'string' },
        isLast: { type: 'boolean' },
      },
    }),
    describeCatalogAction({
      name: 'get_issue',
      displayName: 'Get issue',
      description: 'Reads an issue.',
      method: 'GET',
      path: '/issue/{issue_key}',
      input: { issue_key, fields: { type: 'string' } },
      required: ['issue_key'],
      output: { ...issue, fields: { type: 'object' } },
    }),
    describeCatalogAction({
      name: 'create_issue',
      displayName: 'Create issue',
      description: 'Creates an issue in a project.',
      method: 'POST',
      path: '/issue',
      input: {
        fields: { type: 'object', description: 'More fields by their ids, such as customfield_10010' },
        project_key,
        issue_type: { type: 'string', minLength: 1, description: 'Name of the type, such as Task' },
        summary: { type: 'string', minLength: 1, maxLength: 255 },
        description: { type: 'string', maxLength: 32_767 },
        labels: { type: 'array', items: { type: 'string' } },
      },
      required: ['project_key', 'issue_type', 'summary'],
      output: issue,
      request: {
        bodyPaths: {
          project_key: ['fields', 'project', 'key'],
          issue_type: ['fields', 'issuetype', 'name'],
          summary: ['fields', 'summary'],
          description: ['fields', 'description'],
          labels: ['fields', 'labels'],
        },
      },
      verify: {
        action: 'search_issues',
        parameters: {
          jql: 'project = "{{input.parameters.project_key}}" AND created >= -1d ORDER BY created DESC',
          fields: 'summary,created',
          maxResults: 100,
        },
        source: '{{read.data.issues}}',
        found: {
          match: 'all',
          rules: [{ left: '{{item.fields.summary}}', op: 'eq', right: '{{input.parameters.summary}}' }],
        },
        about:
          'Issues with this summary among the newest 100 of the project of the last day. Somebody else may have created one of them, and an issue is found some seconds after it was created.',
      },
    }),
    describeCatalogAction({
      name: 'update_issue',
      displayName: 'Update issue',
      description: 'Changes the given fields of an issue.',
      method: 'PUT',
      path: '/issue/{issue_key}',
      input: { issue_key, fields: { type: 'object' } },
      required: ['issue_key', 'fields'],
      output: {},
      idempotent: true,
    }),
    describeCatalogAction({
      name: 'add_comment',
      displayName: 'Add comment',
      description: 'Adds a comment to an issue.',
      method: 'POST',
      path: '/issue/{issue_key}/comment',
      input: { issue_key, body: { type: 'string', minLength: 1, maxLength: 32_767 } },
      required: ['issue_key', 'body'],
      output: { id: { type: 'string' }, body: { type: 'string' } },
    }),
    describeCatalogAction({
      name: 'list_transitions',
      displayName: 'List transitions',
      description: 'Lists the transitions that an issue has now.',
      method: 'GET',
      path: '/issue/{issue_key}/transitions',
      input: { issue_key },
      required: ['issue_key'],
      output: { transitions: { type: 'array', items: { type: 'object' } } },
    }),
    describeCatalogAction({
      name: 'transition_issue',
      displayName: 'Move issue',
      description: 'Moves an issue by a transition.',
      method: 'POST',
      path: '/issue/{issue_key}/transitions',
      input: { issue_key, transition_id: { type: 'string', pattern: '^[0-9]{1,20}$' } },
      required: ['issue_key', 'transition_id'],
      output: {},
      request: { bodyPaths: { transition_id: ['transition', 'id'] } },
    }),
  ],
  answers: { declines: [tooMany()] },
  test: { path: '/myself', headers: {} },
};
