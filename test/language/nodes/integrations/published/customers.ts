/** HubSpot and Jira. */
import { ok, type Published } from './published.ts';

const contact = {
  id: '512',
  properties: { email: 'ada@company.example' },
  createdAt: '2030-01-01T00:00:00Z',
};
const CONTACTS = '/crm/v3/objects/contacts';

/** https://developers.hubspot.com/docs/api/error-handling, /docs/api/usage-details */
export const hubspot: Published = {
  integration: 'hubspot',
  authType: 'bearer',
  data: { access_token: 'pat-na1-123' },
  host: 'api.hubapi.com',
  demands: { authorization: 'Bearer pat-na1-123' },
  unauthorized: {
    status: 401,
    body: {
      status: 'error',
      message: 'Authentication credentials not found.',
      category: 'INVALID_AUTHENTICATION',
      correlationId: 'c033cdaa',
    },
  },
  describeError: (status) => ({
    status: 'error',
    message: status === 409 ? 'Contact already exists. Existing ID: 512' : 'Invalid input JSON',
    category: status === 409 ? 'CONFLICT' : 'VALIDATION_ERROR',
    correlationId: 'c033cdaa',
  }),
  actions: {
    list_records: {
      parameters: { object_type: 'contacts', limit: 1, properties: 'email' },
      effect: 'pure',
      request: `GET ${CONTACTS}?limit=1&properties=email`,
      answer: ok({ results: [contact] }),
    },
    search_records: {
      parameters: {
        object_type: 'contacts',
        filterGroups: [
          { filters: [{ propertyName: 'email', operator: 'EQ', value: 'ada@company.example' }] },
        ],
      },
      effect: 'idempotent',
      request: `POST ${CONTACTS}/search`,
      body: {
        filterGroups: [
          { filters: [{ propertyName: 'email', operator: 'EQ', value: 'ada@company.example' }] },
        ],
      },
      answer: ok({ total: 1, results: [contact] }),
    },
    get_record: {
      parameters: { object_type: 'contacts', key: 'ada@company.example', idProperty: 'email' },
      effect: 'pure',
      request: `GET ${CONTACTS}/ada%40company.example?idProperty=email`,
      answer: ok(contact),
    },
    create_record: {
      parameters: { object_type: 'contacts', properties: { email: 'ada@company.example' } },
      effect: 'at_most_once',
      request: `POST ${CONTACTS}`,
      body: { properties: { email: 'ada@company.example' } },
      answer: ok(contact, 201),
    },
    update_record: {
      parameters: { object_type: 'contacts', object_id: '512', properties: { firstname: 'Ada' } },
      effect: 'idempotent',
      request: `PATCH ${CONTACTS}/512`,
      body: { properties: { firstname: 'Ada' } },
      answer: ok(contact),
    },
    archive_record: {
      parameters: { object_type: 'contacts', object_id: '512' },
      effect: 'idempotent',
      request: `DELETE ${CONTACTS}/512`,
      answer: { status: 204, body: null },
    },
  },
  refusals: [
    {
      title: 'the limit of ten seconds, without a wait',
      action: 'create_record',
      answer: {
        status: 429,
        headers: { 'x-hubspot-ratelimit-max': '100', 'x-hubspot-ratelimit-remaining': '0' },
        body: {
          status: 'error',
          message: 'You have reached your ten_secondly_rolling limit.',
          errorType: 'RATE_LIMIT',
          policyName: 'TEN_SECONDLY_ROLLING',
        },
      },
      code: 'http_error',
      retryable: true,
      waitMs: 10_000,
    },
    {
      title: 'the limit of a day, which no retry helps',
      action: 'create_record',
      answer: {
        status: 429,
        body: {
          status: 'error',
          message: 'You have reached your daily limit.',
          errorType: 'RATE_LIMIT',
          policyName: 'DAILY',
        },
      },
      code: 'http_error',
      retryable: false,
      waitMs: null,
    },
  ],
  pages: {
    action: 'list_records',
    parameters: { object_type: 'contacts' },
    next: { after: '{{page.data.paging.next.after}}' },
    pages: [
      [`GET ${CONTACTS}`, null, { results: [contact], paging: { next: { after: 'NTI1Cg' } } }],
      [`GET ${CONTACTS}?after=NTI1Cg`, null, { results: [] }],
    ],
  },
};

const API = '/rest/api/2';
const issue = { id: '10000', key: 'APP-24', self: 'https://company.example/rest/api/2/issue/10000' };

/** https://developer.atlassian.com/cloud/jira/platform/rest/v2/intro, /platform/rate-limiting */
export const jira: Published = {
  integration: 'jira',
  authType: 'basic',
  data: { site: 'company', username: 'ada@company.example', password: 'ATATT3x' },
  host: 'company.atlassian.net',
  demands: { authorization: `Basic ${Buffer.from('ada@company.example:ATATT3x').toString('base64')}` },
  unauthorized: { status: 401, body: 'Client must be authenticated to access this resource.' },
  describeError: () => ({ errorMessages: [], errors: { project: 'Specify a valid project ID or key' } }),
  actions: {
    search_issues: {
      parameters: { jql: 'project = APP', fields: 'summary', maxResults: 1 },
      effect: 'pure',
      request: `GET ${API}/search/jql?jql=project+%3D+APP&fields=summary&maxResults=1`,
      answer: ok({ issues: [issue], isLast: true }),
    },
    get_issue: {
      parameters: { issue_key: 'APP-24' },
      effect: 'pure',
      request: `GET ${API}/issue/APP-24`,
      answer: ok({ ...issue, fields: { summary: 'Fix' } }),
    },
    create_issue: {
      parameters: {
        fields: { customfield_10010: 7 },
        project_key: 'APP',
        issue_type: 'Task',
        summary: 'Fix',
        labels: ['new'],
      },
      effect: 'at_most_once',
      request: `POST ${API}/issue`,
      body: {
        fields: {
          customfield_10010: 7,
          project: { key: 'APP' },
          issuetype: { name: 'Task' },
          summary: 'Fix',
          labels: ['new'],
        },
      },
      answer: ok(issue, 201),
    },
    update_issue: {
      parameters: { issue_key: 'APP-24', fields: { summary: 'Fixed' } },
      effect: 'idempotent',
      request: `PUT ${API}/issue/APP-24`,
      body: { fields: { summary: 'Fixed' } },
      answer: { status: 204, body: null },
    },
    add_comment: {
      parameters: { issue_key: 'APP-24', body: 'Done' },
      effect: 'at_most_once',
      request: `POST ${API}/issue/APP-24/comment`,
      body: { body: 'Done' },
      answer: ok({ id: '1', body: 'Done' }, 201),
    },
    list_transitions: {
      parameters: { issue_key: 'APP-24' },
      effect: 'pure',
      request: `GET ${API}/issue/APP-24/transitions`,
      answer: ok({ transitions: [{ id: '5', name: 'Done' }] }),
    },
    transition_issue: {
      parameters: { issue_key: 'APP-24', transition_id: '5' },
      effect: 'at_most_once',
      request: `POST ${API}/issue/APP-24/transitions`,
      body: { transition: { id: '5' } },
      answer: { status: 204, body: null },
    },
  },
  refusals: [
    {
      title: 'too many requests',
      action: 'create_issue',
      answer: {
        status: 429,
        headers: {
          'retry-after': '20',
          'x-ratelimit-reset': '2030-01-01T00:00Z',
          'ratelimit-reason': 'jira-burst-based',
        },
        body: { errorMessages: ['Rate limit exceeded.'], errors: {} },
      },
      code: 'http_error',
      retryable: true,
      waitMs: 20_000,
    },
  ],
  pages: {
    action: 'search_issues',
    parameters: { jql: 'project = APP' },
    next: { nextPageToken: '{{page.data.nextPageToken}}' },
    pages: [
      [
        `GET ${API}/search/jql?jql=project+%3D+APP`,
        null,
        { issues: [issue], nextPageToken: 'CAEaAggB', isLast: false },
      ],
      [
        `GET ${API}/search/jql?jql=project+%3D+APP&nextPageToken=CAEaAggB`,
        null,
        { issues: [], isLast: true },
      ],
    ],
  },
};
