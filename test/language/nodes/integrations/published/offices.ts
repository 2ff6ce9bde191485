/** Microsoft Graph and QuickBooks. */
import { createHash } from 'node:crypto';
import { ok, type Published } from './published.ts';

const repetitionKey = createHash('sha256').update('pk1:n:0').digest('hex').slice(0, 32);
const INBOX = '/v1.0/me/mailFolders/inbox/messages';
const start = { dateTime: '2030-03-01T09:00:00', timeZone: 'Europe/Berlin' };
const ada = [{ emailAddress: { address: 'ada@company.example' } }];

/** https://learn.microsoft.com/graph/errors, /graph/throttling, /graph/paging */
export const microsoftGraph: Published = {
  integration: 'microsoft_graph',
  authType: 'oauth2',
  data: { access_token: 'eyJ0eXAi' },
  host: 'graph.microsoft.com',
  demands: { authorization: 'Bearer eyJ0eXAi' },
  unauthorized: {
    status: 401,
    body: {
      error: { code: 'InvalidAuthenticationToken', message: 'Access token is empty.', innerError: {} },
    },
  },
  describeError: () => ({ error: { code: 'ErrorInvalidRecipients', message: 'A recipient is invalid.' } }),
  actions: {
    list_messages: {
      parameters: { folder: 'inbox', top: 1, filter: 'isRead eq false' },
      effect: 'pure',
      request: `GET ${INBOX}?%24top=1&%24filter=isRead+eq+false`,
      answer: ok({ value: [{ id: 'AAMk', subject: 'Hi' }] }),
    },
    get_message: {
      parameters: { message_id: 'AAMk=' },
      effect: 'pure',
      request: 'GET /v1.0/me/messages/AAMk%3D',
      answer: ok({ id: 'AAMk=', subject: 'Hi', body: { contentType: 'html', content: '<p>' } }),
    },
    send_mail: {
      parameters: { to: ['ada@company.example'], subject: 'Hi', text: '<p>Hi</p>', content_type: 'html' },
      effect: 'at_most_once',
      request: 'POST /v1.0/me/sendMail',
      body: {
        message: { body: { contentType: 'html', content: '<p>Hi</p>' }, toRecipients: ada, subject: 'Hi' },
        saveToSentItems: true,
      },
      answer: { status: 202, body: null },
    },
    list_events: {
      parameters: { startDateTime: '2030-03-01T00:00:00', endDateTime: '2030-03-02T00:00:00' },
      effect: 'pure',
      request:
        'GET /v1.0/me/calendarView?startDateTime=2030-03-01T00%3A00%3A00&endDateTime=2030-03-02T00%3A00%3A00',
      answer: ok({ value: [] }),
    },
    create_event: {
      parameters: {
        subject: 'Demo',
        start: start.dateTime,
        end: '2030-03-01T10:00:00',
        time_zone: start.timeZone,
        attendees: ['ada@company.example'],
      },
      effect: 'idempotent',
      request: 'POST /v1.0/me/events',
      body: {
        subject: 'Demo',
        start,
        end: { dateTime: '2030-03-01T10:00:00', timeZone: start.timeZone },
        attendees: ada,
        transactionId: repetitionKey,
      },
      answer: ok({ id: 'AAMkE', webLink: 'https://company.example/e' }, 201),
    },
    list_drive_items: {
      parameters: { folder_id: 'root', top: 1 },
      effect: 'pure',
      request: 'GET /v1.0/me/drive/items/root/children?%24top=1',
      answer: ok({ value: [{ id: '01A', name: 'Offer.pdf' }] }),
    },
    send_channel_message: {
      parameters: { team_id: 'fbe2', channel_id: '19:4a@thread.tacv2', text: 'hi' },
      effect: 'at_most_once',
      request: 'POST /v1.0/teams/fbe2/channels/19%3A4a%40thread.tacv2/messages',
      body: { body: { content: 'hi' } },
      answer: ok({ id: '1616990032035', webUrl: null }, 201),
    },
  },
  refusals: [
    {
      title: 'throttled',
      action: 'send_mail',
      answer: {
        status: 429,
        headers: { 'retry-after': '10' },
        body: {
          error: {
            code: 'TooManyRequests',
            innerError: { code: '429' },
            message: 'Please retry again later.',
          },
        },
      },
      code: 'http_error',
      retryable: true,
      waitMs: 10_000,
    },
    {
      title: 'throttled, without a wait',
      action: 'send_mail',
      answer: {
        status: 429,
        body: { error: { code: 'ApplicationThrottled', message: 'Please retry again later.' } },
      },
      code: 'http_error',
      retryable: true,
      waitMs: null,
    },
  ],
  pages: {
    action: 'list_messages',
    parameters: { folder: 'inbox', top: 1 },
    next: { skip: 1 },
    pages: [
      [
        `GET ${INBOX}?%24top=1`,
        null,
        { value: [{ id: 'AAMk' }], '@odata.nextLink': 'https://company.example/messages?$skip=1' },
      ],
      [`GET ${INBOX}?%24top=1&%24skip=1`, null, { value: [] }],
    ],
  },
};

const COMPANY = '/v3/company/9130357';
const repeated = `?minorversion=75&requestid=${repetitionKey}`;
const Line = [
  { Amount: 100, DetailType: 'SalesItemLineDetail', SalesItemLineDetail: { ItemRef: { value: '1' } } },
];
const fault = (code: string, Message: string, type: string) => ({
  Fault: { Error: [{ Message, Detail: `${Message}: more`, code, element: '' }], type },
  time: '2030-01-01T00:00:00.000-08:00',
});

/** https://developer.intuit.com/app/developer/qbo/docs/develop/troubleshooting/error-codes, /learn/rest-api-features */
export const quickbooks: Published = {
  integration: 'quickbooks',
  authType: 'oauth2',
  data: { access_token: 'eyJlbmMi', realm_id: '9130357' },
  host: 'quickbooks.api.intuit.com',
  demands: { authorization: 'Bearer eyJlbmMi', accept: 'application/json' },
  unauthorized: { status: 401, body: fault('3200', 'message=AuthenticationFailed', 'AUTHENTICATION') },
  describeError: () => fault('6240', 'Duplicate Name Exists Error', 'ValidationFault'),
  actions: {
    query: {
      parameters: { query: 'select * from Invoice maxresults 1' },
      effect: 'pure',
      request: `GET ${COMPANY}/query?minorversion=75&query=select+*+from+Invoice+maxresults+1`,
      answer: ok({ QueryResponse: { Invoice: [{ Id: '130' }], startPosition: 1, maxResults: 1 }, time: 'x' }),
    },
    get_invoice: {
      parameters: { invoice_id: '130' },
      effect: 'pure',
      request: `GET ${COMPANY}/invoice/130?minorversion=75`,
      answer: ok({ Invoice: { Id: '130', TotalAmt: 100 } }),
    },
    create_customer: {
      parameters: { DisplayName: 'Ada', email: 'ada@company.example' },
      effect: 'idempotent',
      request: `POST ${COMPANY}/customer${repeated}`,
      body: { DisplayName: 'Ada', PrimaryEmailAddr: { Address: 'ada@company.example' } },
      answer: ok({ Customer: { Id: '67' } }),
    },
    create_invoice: {
      parameters: { customer_id: '67', Line, DueDate: '2030-01-31' },
      effect: 'idempotent',
      request: `POST ${COMPANY}/invoice${repeated}`,
      body: { CustomerRef: { value: '67' }, Line, DueDate: '2030-01-31' },
      answer: ok({ Invoice: { Id: '130' } }),
    },
    create_payment: {
      parameters: { customer_id: '67', TotalAmt: 100 },
      effect: 'idempotent',
      request: `POST ${COMPANY}/payment${repeated}`,
      body: { CustomerRef: { value: '67' }, TotalAmt: 100 },
      answer: ok({ Payment: { Id: '9' } }),
    },
  },
  refusals: [
    {
      title: 'a fault with status 200',
      action: 'create_invoice',
      answer: ok(fault('610', 'Object Not Found', 'ValidationFault')),
      code: 'integration_error',
      message: 'Object Not Found: Object Not Found: more',
      retryable: false,
      waitMs: null,
    },
    {
      title: 'more than 500 requests a minute, without a wait',
      action: 'create_invoice',
      answer: {
        status: 429,
        body: fault('3001', 'message=ThrottleExceeded; errorCode=003001; statusCode=429', 'THROTTLE'),
      },
      code: 'http_error',
      retryable: true,
      waitMs: 60_000,
    },
  ],
  pages: {
    action: 'query',
    parameters: { query: 'select * from Invoice startposition 1 maxresults 1' },
    next: { query: 'select * from Invoice startposition 2 maxresults 1' },
    pages: [
      [
        `GET ${COMPANY}/query?minorversion=75&query=select+*+from+Invoice+startposition+1+maxresults+1`,
        null,
        { QueryResponse: { Invoice: [{ Id: '130' }] } },
      ],
      [
        `GET ${COMPANY}/query?minorversion=75&query=select+*+from+Invoice+startposition+2+maxresults+1`,
        null,
        { QueryResponse: {} },
      ],
    ],
  },
};
