/** Airtable, Google Sheets and Notion. */
import { ok, type Published } from './published.ts';

const record = {
  id: 'rec560UJdUtocSouk',
  createdTime: '2026-09-12T21:03:48.000Z',
  fields: { Address: '333 Post St' },
};
const BASE = '/v0/appLkNDICXNqxSDhG/Apartments';
const place = { base_id: 'appLkNDICXNqxSDhG', table: 'Apartments' };

/** https://airtable.com/developers/web/api/errors, /rate-limits, /list-records */
export const airtable: Published = {
  integration: 'airtable',
  authType: 'bearer',
  data: { access_token: 'patABC.123' },
  host: 'api.airtable.com',
  demands: { authorization: 'Bearer patABC.123' },
  unauthorized: {
    status: 401,
    body: { error: { type: 'AUTHENTICATION_REQUIRED', message: 'Authentication required' } },
  },
  describeError: (status) =>
    status === 404
      ? { error: 'NOT_FOUND' }
      : {
          error: {
            type: 'INVALID_REQUEST_UNKNOWN',
            message: 'Invalid request: parameter validation failed.',
          },
        },
  actions: {
    list_records: {
      parameters: { ...place, pageSize: 1, filterByFormula: '{Floors} > 2' },
      effect: 'pure',
      request: `GET ${BASE}?filterByFormula=%7BFloors%7D+%3E+2&pageSize=1`,
      answer: ok({ records: [record] }),
    },
    get_record: {
      parameters: { ...place, record_id: record.id },
      effect: 'pure',
      request: `GET ${BASE}/${record.id}`,
      answer: ok(record),
    },
    create_record: {
      parameters: { ...place, fields: record.fields, typecast: true },
      effect: 'at_most_once',
      request: `POST ${BASE}`,
      body: { fields: record.fields, typecast: true },
      answer: ok(record),
    },
    update_record: {
      parameters: { ...place, record_id: record.id, fields: record.fields },
      effect: 'idempotent',
      request: `PATCH ${BASE}/${record.id}`,
      body: { fields: record.fields },
      answer: ok(record),
    },
    delete_record: {
      parameters: { ...place, record_id: record.id },
      effect: 'at_most_once',
      request: `DELETE ${BASE}/${record.id}`,
      answer: ok({ id: record.id, deleted: true }),
    },
  },
  refusals: [
    {
      title: 'more than five requests a second, without a wait',
      action: 'create_record',
      answer: {
        status: 429,
        body: {
          errors: [{ error: 'RATE_LIMIT_REACHED', message: 'Rate limit exceeded. Please try again later' }],
        },
      },
      code: 'http_error',
      retryable: true,
      waitMs: 30_000,
    },
  ],
  pages: {
    action: 'list_records',
    parameters: place,
    next: { offset: '{{page.data.offset}}' },
    pages: [
      [`GET ${BASE}`, null, { records: [record], offset: 'itr5u/rec560' }],
      [`GET ${BASE}?offset=itr5u%2Frec560`, null, { records: [{ ...record, id: 'rec2' }] }],
    ],
  },
};

const SHEET = '/v4/spreadsheets/1qpyC0XzvTcKT6EISywvqESX3A0MwQoFDE8p-Bll4hps/values/Orders!A1%3AB2';
const cells = { spreadsheet_id: '1qpyC0XzvTcKT6EISywvqESX3A0MwQoFDE8p-Bll4hps', range: 'Orders!A1:B2' };
const values = [['Item', 'Cost']];

/** https://developers.google.com/workspace/sheets/api/limits, https://cloud.google.com/apis/design/errors */
export const googleSheets: Published = {
  integration: 'google_sheets',
  authType: 'oauth2',
  data: { access_token: 'ya29.token' },
  host: 'sheets.googleapis.com',
  demands: { authorization: 'Bearer ya29.token' },
  unauthorized: {
    status: 401,
    body: { error: { code: 401, message: 'Request had invalid credentials.', status: 'UNAUTHENTICATED' } },
  },
  describeError: (code) => ({
    error: { code, message: 'Unable to parse range', status: 'INVALID_ARGUMENT' },
  }),
  actions: {
    get_values: {
      parameters: { ...cells, majorDimension: 'ROWS' },
      effect: 'pure',
      request: `GET ${SHEET}?majorDimension=ROWS`,
      answer: ok({ range: 'Orders!A1:B2', majorDimension: 'ROWS', values }),
    },
    append_rows: {
      parameters: { ...cells, values },
      effect: 'at_most_once',
      request: `POST ${SHEET}:append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS`,
      body: { values },
      answer: ok({ spreadsheetId: 'x', tableRange: 'Orders!A1:B1', updates: { updatedRows: 1 } }),
    },
    update_values: {
      parameters: { ...cells, values },
      effect: 'idempotent',
      request: `PUT ${SHEET}?valueInputOption=USER_ENTERED`,
      body: { values },
      answer: ok({ updatedRange: 'Orders!A1:B2', updatedRows: 1, updatedCells: 2 }),
    },
    clear_values: {
      parameters: cells,
      effect: 'idempotent',
      request: `POST ${SHEET}:clear`,
      body: {},
      answer: ok({ spreadsheetId: 'x', clearedRange: 'Orders!A1:B2' }),
    },
  },
  refusals: [
    {
      title: 'a quota, without a wait',
      action: 'append_rows',
      answer: {
        status: 429,
        body: {
          error: {
            code: 429,
            message: "Quota exceeded for quota metric 'Write requests'",
            status: 'RESOURCE_EXHAUSTED',
            details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'RATE_LIMIT_EXCEEDED' }],
          },
        },
      },
      code: 'http_error',
      retryable: true,
      waitMs: null,
    },
    {
      title: 'no permission, which is no quota',
      action: 'append_rows',
      answer: {
        status: 403,
        body: {
          error: { code: 403, message: 'The caller does not have permission', status: 'PERMISSION_DENIED' },
        },
      },
      code: 'http_error',
      retryable: false,
      waitMs: null,
    },
  ],
};

const page = { object: 'page', id: '59833787-2cf9-4fdf-8782-e53db20768a5', url: 'https://company.example/p' };
const found = { object: 'list', results: [page], has_more: true, next_cursor: 'fe2cc560' };

/** https://developers.notion.com/reference/status-codes, /request-limits, /intro#pagination */
export const notion: Published = {
  integration: 'notion',
  authType: 'bearer',
  data: { access_token: 'ntn_123' },
  host: 'api.notion.com',
  demands: { authorization: 'Bearer ntn_123', 'notion-version': '2022-06-28' },
  unauthorized: {
    status: 401,
    body: { object: 'error', status: 401, code: 'unauthorized', message: 'API token is invalid.' },
  },
  describeError: (status) => ({
    object: 'error',
    status,
    code: 'validation_error',
    message: 'body failed validation',
  }),
  actions: {
    search: {
      parameters: { query: 'Plan', page_size: 1 },
      effect: 'idempotent',
      request: 'POST /v1/search',
      body: { query: 'Plan', page_size: 1 },
      answer: ok(found),
    },
    create_page: {
      parameters: { parent: { page_id: page.id }, properties: { title: [{ text: { content: 'New' } }] } },
      effect: 'at_most_once',
      request: 'POST /v1/pages',
      body: { parent: { page_id: page.id }, properties: { title: [{ text: { content: 'New' } }] } },
      answer: ok(page),
    },
  },
  refusals: [
    {
      title: 'too many requests',
      action: 'create_page',
      answer: {
        status: 429,
        headers: { 'retry-after': '5' },
        body: { object: 'error', status: 429, code: 'rate_limited', message: 'You have been rate limited.' },
      },
      code: 'http_error',
      retryable: true,
      waitMs: 5_000,
    },
    {
      title: 'a transaction that collided with another one',
      action: 'create_page',
      answer: {
        status: 409,
        body: {
          object: 'error',
          status: 409,
          code: 'conflict_error',
          message: 'Conflict occurred while saving.',
        },
      },
      code: 'http_error',
      retryable: true,
      waitMs: null,
    },
  ],
  pages: {
    action: 'search',
    parameters: { query: 'Plan' },
    next: { start_cursor: '{{page.data.next_cursor}}' },
    pages: [
      ['POST /v1/search', { query: 'Plan' }, found],
      [
        'POST /v1/search',
        { query: 'Plan', start_cursor: 'fe2cc560' },
        { object: 'list', results: [], has_more: false, next_cursor: null },
      ],
    ],
  },
};
