/** Shopify, ElevenLabs and GitHub. */
import { ok, type Published } from './published.ts';

const order = { id: 450_789_469, name: '#1001', total_price: '409.94' };
const ADMIN = '/admin/api/2026-10';

/** https://shopify.dev/docs/api/usage/limits, /usage/response-codes, https://shopify.dev/docs/api/admin-graphql */
export const shopify: Published = {
  integration: 'shopify',
  authType: 'api_key',
  data: { shop: 'mine', api_key: 'shpat_123' },
  host: 'mine.myshopify.com',
  demands: { 'x-shopify-access-token': 'shpat_123' },
  unauthorized: {
    status: 401,
    body: { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' },
  },
  describeError: (status) => ({
    errors: status === 404 ? 'Not Found' : { order: ['Required parameter missing'] },
  }),
  actions: {
    get_order: {
      parameters: { order_id: '450789469' },
      effect: 'pure',
      request: `GET ${ADMIN}/orders/450789469.json`,
      answer: ok({ order }),
    },
    list_orders: {
      parameters: { status: 'any', limit: 1 },
      effect: 'pure',
      request: `GET ${ADMIN}/orders.json?status=any&limit=1`,
      answer: ok({ orders: [order] }),
    },
    graphql: {
      parameters: { query: 'query ($n: Int) { orders(first: $n) { nodes { id } } }', variables: { n: 1 } },
      effect: 'at_most_once',
      request: `POST ${ADMIN}/graphql.json`,
      body: { query: 'query ($n: Int) { orders(first: $n) { nodes { id } } }', variables: { n: 1 } },
      answer: ok({ data: { orders: { nodes: [] } }, extensions: { cost: { requestedQueryCost: 3 } } }),
    },
  },
  refusals: [
    {
      title: 'a query that it does not understand, with status 200',
      action: 'graphql',
      answer: ok({
        errors: [{ message: "Field 'id' doesn't exist on type 'Shop'", path: ['query', 'shop', 'id'] }],
      }),
      code: 'integration_error',
      message: "Field 'id' doesn't exist on type 'Shop'",
      retryable: false,
      waitMs: null,
    },
    {
      title: 'a throttled query, with status 200',
      action: 'graphql',
      answer: ok({ errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] }),
      code: 'integration_error',
      message: 'Throttled',
      retryable: true,
      waitMs: null,
    },
    {
      title: 'a full bucket',
      action: 'graphql',
      answer: {
        status: 429,
        headers: { 'retry-after': '2.0', 'x-shopify-shop-api-call-limit': '40/40' },
        body: {
          errors:
            'Exceeded 2 calls per second for api client. Reduce request rates to resume uninterrupted service.',
        },
      },
      code: 'http_error',
      retryable: true,
      waitMs: 2_000,
    },
  ],
  pages: {
    action: 'list_orders',
    parameters: { limit: 1 },
    next: { since_id: '{{page.data.orders[0].id | json}}' },
    pages: [
      [`GET ${ADMIN}/orders.json?limit=1`, null, { orders: [order] }],
      [`GET ${ADMIN}/orders.json?since_id=450789469&limit=1`, null, { orders: [] }],
    ],
  },
};

/** https://elevenlabs.io/docs/developers/resources/error-messages */
export const elevenlabs: Published = {
  integration: 'elevenlabs',
  authType: 'api_key',
  data: { api_key: 'sk_123' },
  host: 'api.elevenlabs.io',
  demands: { 'xi-api-key': 'sk_123' },
  unauthorized: { status: 401, body: { detail: { status: 'invalid_api_key', message: 'Invalid API key' } } },
  describeError: () => ({ detail: { status: 'voice_not_found', message: 'A voice was not found.' } }),
  actions: {
    text_to_speech: {
      parameters: { voice_id: '21m00Tcm4TlvDq8ikWAM', text: 'hi', output_format: 'mp3_44100_128' },
      effect: 'at_most_once',
      request: 'POST /v1/text-to-speech/21m00Tcm4TlvDq8ikWAM?output_format=mp3_44100_128',
      body: { text: 'hi' },
      answer: { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: '\u00ff\u00fb\u0090\u0000' },
      output: { base64: '//uQAA==', media_type: 'audio/mpeg', size: 4 },
    },
    list_voices: {
      parameters: {},
      effect: 'pure',
      request: 'GET /v1/voices',
      answer: ok({ voices: [{ voice_id: '21m00Tcm4TlvDq8ikWAM', name: 'Rachel' }] }),
    },
    list_models: {
      parameters: {},
      effect: 'pure',
      request: 'GET /v1/models',
      answer: ok([{ model_id: 'eleven_multilingual_v2' }]),
    },
  },
  refusals: [
    {
      title: 'more requests at once than the plan has',
      action: 'text_to_speech',
      answer: {
        status: 429,
        body: {
          detail: { status: 'too_many_concurrent_requests', message: 'Too many concurrent requests.' },
        },
      },
      code: 'http_error',
      retryable: true,
      waitMs: null,
    },
    {
      title: 'an exceeded quota, which no retry helps',
      action: 'text_to_speech',
      answer: {
        status: 401,
        body: { detail: { status: 'quota_exceeded', message: 'This request exceeds your quota.' } },
      },
      code: 'http_error',
      retryable: false,
      waitMs: null,
    },
  ],
};

const issue = { number: 1347, title: 'Found a bug', state: 'open' };
const LIMIT = { 'x-ratelimit-limit': '5000', 'x-ratelimit-resource': 'core' };
/** Far ahead, so that the longest wait that is heeded is the expected one. */
const RESET = String(Math.floor(Date.parse('2090-01-01T00:00:00Z') / 1_000));

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api, /troubleshooting-the-rest-api */
export const github: Published = {
  integration: 'github',
  authType: 'bearer',
  data: { access_token: 'ghp_123' },
  host: 'api.github.com',
  demands: { authorization: 'Bearer ghp_123', 'x-github-api-version': '2022-11-28' },
  unauthorized: {
    status: 401,
    body: { message: 'Bad credentials', documentation_url: 'https://company.example' },
  },
  describeError: (status) => ({
    message: 'Validation Failed',
    status: String(status),
    errors: [{ code: 'missing_field' }],
  }),
  actions: {
    create_issue: {
      parameters: { owner: 'octo', repo: 'hello', title: 'Found a bug', labels: ['bug'] },
      effect: 'at_most_once',
      request: 'POST /repos/octo/hello/issues',
      body: { title: 'Found a bug', labels: ['bug'] },
      answer: ok(issue, 201),
    },
    list_issues: {
      parameters: { owner: 'octo', repo: 'hello', state: 'all' },
      effect: 'pure',
      request: 'GET /repos/octo/hello/issues?state=all',
      answer: ok([issue]),
    },
    get_issue: {
      parameters: { owner: 'octo', repo: 'hello', number: 1347 },
      effect: 'pure',
      request: 'GET /repos/octo/hello/issues/1347',
      answer: ok(issue),
    },
  },
  refusals: [
    {
      title: 'the primary limit, which is a 403 until its reset',
      action: 'create_issue',
      answer: {
        status: 403,
        headers: { ...LIMIT, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': RESET },
        body: { message: 'API rate limit exceeded for user ID 1.' },
      },
      code: 'http_error',
      retryable: true,
      waitMs: 3_600_000,
    },
    {
      title: 'the secondary limit with a wait',
      action: 'create_issue',
      answer: {
        status: 403,
        headers: {
          ...LIMIT,
          'x-ratelimit-remaining': '4000',
          'x-ratelimit-reset': RESET,
          'retry-after': '47',
        },
        body: { message: 'You have exceeded a secondary rate limit.' },
      },
      code: 'http_error',
      retryable: true,
      waitMs: 47_000,
    },
    {
      title: 'the secondary limit without a wait',
      action: 'create_issue',
      answer: {
        status: 403,
        headers: { ...LIMIT, 'x-ratelimit-remaining': '4000', 'x-ratelimit-reset': RESET },
        body: { message: 'You have exceeded a secondary rate limit.' },
      },
      code: 'http_error',
      retryable: true,
      waitMs: 60_000,
    },
    {
      title: 'a missing permission, which is a 403, too',
      action: 'create_issue',
      answer: {
        status: 403,
        headers: { ...LIMIT, 'x-ratelimit-remaining': '4000', 'x-ratelimit-reset': RESET },
        body: { message: 'Resource not accessible by personal access token' },
      },
      code: 'http_error',
      retryable: false,
      waitMs: null,
    },
  ],
  pages: {
    action: 'list_issues',
    parameters: { owner: 'octo', repo: 'hello', per_page: 1 },
    next: { page: 2 },
    pages: [
      ['GET /repos/octo/hello/issues?per_page=1', null, [issue]],
      ['GET /repos/octo/hello/issues?per_page=1&page=2', null, []],
    ],
  },
};
