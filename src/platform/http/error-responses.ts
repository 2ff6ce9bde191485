/**
 * Describes error responses in OpenAPI: the four body shapes (SPEC API-errors) as components, and the errors that each route
 * may answer. respond-errors.ts writes them.
 */
import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { LAYER_BY_CODE } from '../../base/errors.ts';
import type { ErrorDialect } from './error-dialect.ts';
import type { Route } from './route.ts';
import { jsonObject, refusal as shapeA } from './wire.ts';
import { ABOUT_LOC } from './fields.ts';

const RATE_LIMITED = {
  detail: {
    code: 'rate_limited',
    layer: 'rate',
    key: 'api',
    current: 60,
    limit: 60,
    reason: 'rate_limit_exceeded',
  },
};
const MISSING_NAME = { detail: [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }] };

const buildDenial = (
  code: keyof typeof LAYER_BY_CODE,
  subject: { readonly key: string; readonly current: number; readonly limit: number },
) => ({ code, layer: LAYER_BY_CODE[code], ...subject, reason: code });
const NO_CREDITS = buildDenial('credit_plan_exhausted', { key: 'monthly_credits', current: 500, limit: 500 });

const shapeB = z
  .looseObject({
    detail: jsonObject.meta({
      description: 'The error as an object with `code`, `reason`, or fields of the endpoint',
    }),
  })
  .meta({
    id: 'StructuredError',
    description: 'Shape B: the error as an object',
    examples: [RATE_LIMITED],
  });
const shapeC = z
  .looseObject({
    detail: z
      .array(
        z.looseObject({
          loc: z.array(z.union([z.string(), z.int()])).meta({ description: ABOUT_LOC }),
          msg: z.string().meta({ description: 'Description of the error, human-readable' }),
          type: z.string().meta({ description: 'Stable code of the error, such as `missing`' }),
        }),
      )
      .meta({ description: 'One entry for each validation error' }),
  })
  .meta({
    id: 'ValidationError',
    description: 'Shape C: each validation error and its location',
    examples: [MISSING_NAME],
  });
const shapeD = z
  .looseObject({
    code: z
      .enum(Object.keys(LAYER_BY_CODE))
      .meta({ description: 'The limit that was reached; it determines the meaning of the other fields' }),
    layer: z.enum(['rate', 'quota', 'credit', 'wallet']).meta({
      description:
        'The layer that denies; it determines the status: rate 429, quota 403, credit and wallet 402',
    }),
    key: z
      .string()
      .nullable()
      .meta({ description: 'Name of the limit, such as `sync_exec`; null when there is none' }),
    current: z.number().nullable().meta({ description: 'Current usage of the limit; null: unknown' }),
    limit: z.number().nullable().meta({ description: 'The limit; null: unknown' }),
    reason: z.string().nullable().meta({ description: 'Reason, often the same as `code`; null: none' }),
  })
  .meta({
    id: 'Denial',
    description: 'Shape D: a denial of the billing gate, before anything is written',
    examples: [NO_CREDITS],
  });

export const errorSchemas = {
  DetailError: shapeA,
  StructuredError: shapeB,
  ValidationError: shapeC,
  Denial: shapeD,
};

/** Response headers, as components. */
export const headerComponents = {
  RequestId: {
    description:
      "The client's X-Request-ID if it has 8 to 64 characters of A-Z a-z 0-9 . _ -, else a new one",
    schema: { type: 'string' },
  },
  ErrorCode: {
    description: 'Stable code of the error, for every shape of the body; codes may be added',
    schema: { type: 'string', pattern: '^[A-Za-z_]+$' },
    example: 'workflow_not_found',
  },
  WwwAuthenticate: {
    description: '`Bearer`, for the MCP server with `resource_metadata`',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
  RateLimitLimit: { description: 'Requests in 60 seconds', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in the window', schema: { type: 'integer' } },
  RateLimitReset: {
    description: 'Time at which requests are allowed again, in Unix seconds',
    schema: { type: 'integer' },
  },
} as const;

const refHeader = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });
const commonHeaders = { 'X-Request-ID': refHeader('RequestId') };
/** Describes the headers of a response by its status. */
export const describeHeaders = (status: number): Headers =>
  status < 400 ? commonHeaders : { ...commonHeaders, 'X-Error-Code': refHeader('ErrorCode') };
const LIMIT_HEADERS = {
  'Retry-After': refHeader('RetryAfter'),
  'X-RateLimit-Limit': refHeader('RateLimitLimit'),
  'X-RateLimit-Remaining': refHeader('RateLimitRemaining'),
  'X-RateLimit-Reset': refHeader('RateLimitReset'),
};

type Headers = Readonly<Record<string, { readonly $ref: string }>>;

interface RefusalBody {
  readonly schema: z.ZodType;
  readonly examples: Readonly<Record<string, unknown>>;
  readonly headers?: Headers;
}

/** Describes an error response as a component, with an example of each body. */
function describeRefusal(
  id: string,
  description: string,
  { schema, examples, headers = {} }: RefusalBody,
): ZodOpenApiResponseObject {
  return {
    id,
    description,
    headers: { ...describeHeaders(400), ...headers },
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      },
    },
  };
}

const toDetail = (detail: string) => ({ detail });

const KEY_LIMIT = { key: toDetail('API key rate limit exceeded') };
const USER_LIMIT = { user: toDetail('User rate limit exceeded (across all API keys)') };
const ORGANIZATION_LIMIT = { organization: RATE_LIMITED };
const ROLE = { role: toDetail('The owner or admin role is required') };
const QUOTA = { quota: buildDenial('quota_exceeded', { key: 'knowledge_bases', current: 3, limit: 3 }) };

/** The error responses of the route checks and of the billing gate. */
const REFUSALS = {
  badRequest: describeRefusal('BadRequest', 'Malformed request', {
    schema: shapeA,
    examples: {
      header: toDetail('X-Organization-ID header is required'),
      path: toDetail('Invalid workflow_id format'),
    },
  }),
  unauthenticated: describeRefusal('Unauthenticated', 'Missing or invalid credential', {
    schema: shapeA,
    examples: {
      missing: toDetail('Authentication required. Provide Authorization: Bearer token or X-API-KEY header.'),
      unknown: toDetail('Invalid API key'),
    },
    headers: { 'WWW-Authenticate': refHeader('WwwAuthenticate') },
  }),
  forbidden: describeRefusal('Forbidden', 'Not allowed', {
    schema: shapeA,
    examples: { user: toDetail('User is inactive'), ...ROLE },
  }),
  forbiddenOrDenied: describeRefusal('ForbiddenOrDenied', 'Not allowed, or the quota is reached', {
    schema: z.union([shapeA, shapeD]),
    examples: {
      ...ROLE,
      ...QUOTA,
    },
  }),
  denied: describeRefusal('Denied', 'Insufficient credits or wallet balance', {
    schema: shapeD,
    examples: {
      credit: NO_CREDITS,
      wallet: buildDenial('wallet_overage_disabled', {
        key: 'monthly_credits',
        current: 5_000,
        limit: 5_000,
      }),
    },
  }),
  notFound: describeRefusal('NotFound', 'The resource does not exist, or belongs to another organization', {
    schema: shapeA,
    examples: {
      missing: toDetail('Workflow not found'),
    },
  }),
  tooLarge: describeRefusal('TooLarge', 'The request body is too large', {
    schema: shapeA,
    examples: { size: toDetail('The request body is too large') },
  }),
  unsupported: describeRefusal(
    'UnsupportedEncoding',
    'The encoding or charset of the body is not supported',
    {
      schema: shapeA,
      examples: {
        encoding: toDetail('Content-Encoding is not supported'),
      },
    },
  ),
  invalid: describeRefusal('Invalid', 'Validation failed', {
    schema: shapeC,
    examples: {
      missing: MISSING_NAME,
    },
  }),
  limitedCaller: describeRefusal('CallerLimited', 'The request limit of the key or user is exceeded', {
    schema: shapeA,
    examples: { ...KEY_LIMIT, ...USER_LIMIT },
    headers: LIMIT_HEADERS,
  }),
  limitedOrganization: describeRefusal(
    'OrganizationLimited',
    'The request limit of the key, user or organization is exceeded',
    {
      schema: z.union([shapeA, shapeB]),
      examples: { ...KEY_LIMIT, ...USER_LIMIT, ...ORGANIZATION_LIMIT },
      headers: LIMIT_HEADERS,
    },
  ),
  limitedRun: describeRefusal(
    'RunLimited',
    'The request limit of the key or user, or the request or run limit of the organization, is exceeded',
    {
      schema: z.union([shapeA, shapeB, shapeD]),
      examples: {
        ...KEY_LIMIT,
        ...ORGANIZATION_LIMIT,
        run: buildDenial('rate_limit_exceeded', { key: 'sync_exec', current: 10, limit: 10 }),
      },
      headers: LIMIT_HEADERS,
    },
  ),
  unavailable: describeRefusal(
    'Unavailable',
    'The caller cannot be authenticated: the identity provider is unavailable',
    {
      schema: shapeA,
      examples: { provider: toDetail('The identity provider cannot be reached; try again') },
      headers: { 'Retry-After': refHeader('RetryAfter') },
    },
  ),
  unexpected: describeRefusal(
    'Unexpected',
    'Unexpected error; with Retry-After when the database is unavailable',
    {
      schema: shapeA,
      examples: { unexpected: toDetail('An unexpected internal server error occurred.') },
      headers: { 'Retry-After': refHeader('RetryAfter') },
    },
  ),
} as const;

/** Describes errors of a route in its dialect, by the statuses of the dialect. */
function translateRefusals(
  dialect: ErrorDialect,
  statuses: readonly string[],
): Record<number, ZodOpenApiResponseObject> {
  const translated = new Set(statuses.map((status) => dialect.toStatus(Number(status), '')));
  const content = { 'application/json': { schema: dialect.schema, example: dialect.example } };
  const response = { description: 'An error', headers: { ...describeHeaders(400) }, content };
  return Object.fromEntries([...translated].map((status) => [status, response]));
}

/** Lists the error responses of a route's checks and of the billing gate, by status. */
export function listGuardRefusals(row: Route): Record<number, ZodOpenApiResponseObject> {
  const refusals = listOwnRefusals(row);
  return row.errors === undefined ? refusals : translateRefusals(row.errors, Object.keys(refusals));
}

function listOwnRefusals(row: Route): Record<number, ZodOpenApiResponseObject> {
  const isScoped = row.access === 'organization';
  const isGated = row.isGated === true;
  const limited =
    isScoped && row.isAdministrative !== true ? REFUSALS.limitedOrganization : REFUSALS.limitedCaller;
  return {
    ...(isScoped || row.params !== undefined ? { 400: REFUSALS.badRequest } : {}),
    // A public route is gated for the organization that its address belongs to.
    ...(row.access === 'public' && isGated ? { 403: REFUSALS.denied, 429: REFUSALS.limitedRun } : {}),
    ...(row.access === 'public'
      ? {}
      : {
          401: REFUSALS.unauthenticated,
          403: isGated ? REFUSALS.forbiddenOrDenied : REFUSALS.forbidden,
          429: isGated ? REFUSALS.limitedRun : limited,
          503: REFUSALS.unavailable,
        }),
    ...(isGated ? { 402: REFUSALS.denied } : {}),
    ...(row.params === undefined ? {} : { 404: REFUSALS.notFound }),
    ...(row.body === undefined && row.upload === undefined
      ? {}
      : { 413: REFUSALS.tooLarge, 415: REFUSALS.unsupported }),
    // Every route validates the query string.
    422: REFUSALS.invalid,
    500: REFUSALS.unexpected,
  };
}
