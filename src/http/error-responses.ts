/**
 * How the API describes its refusals: the four body shapes (SPEC API-errors) as components, and which of them
 * a row may answer by what it needs. respond-errors.ts writes what is described here.
 */
import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { LAYER_OF_CODE } from '../errors.ts';
import type { Route } from './route.ts';

const shapeA = z
  .looseObject({ detail: z.string() })
  .meta({ id: 'DetailError', description: 'Shape A: what is wrong, in words' });
const shapeB = z
  .looseObject({ detail: z.looseObject({}) })
  .meta({ id: 'StructuredError', description: 'Shape B: what is wrong, as an object' });
const shapeC = z
  .looseObject({
    detail: z.array(
      z.looseObject({ loc: z.array(z.union([z.string(), z.int()])), msg: z.string(), type: z.string() }),
    ),
  })
  .meta({ id: 'ValidationError', description: 'Shape C: each finding, and where it was found' });
const shapeD = z
  .looseObject({
    code: z.enum(Object.keys(LAYER_OF_CODE)),
    layer: z.enum(['rate', 'quota', 'credit', 'wallet']),
    key: z.string().nullable(),
    current: z.number().nullable(),
    limit: z.number().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'Denial', description: 'Shape D: the billing gate denies, before anything is written' });

export const errorSchemas = {
  DetailError: shapeA,
  StructuredError: shapeB,
  ValidationError: shapeC,
  Denial: shapeD,
};

/** Headers of answers, as components. */
export const headerComponents = {
  RequestId: {
    description: "The client's own X-Request-ID if it has 8 to 64 of A-Z a-z 0-9 . _ -, else a new one",
    schema: { type: 'string' },
  },
  WwwAuthenticate: { description: 'Always `Bearer`', schema: { type: 'string', const: 'Bearer' } },
  RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
  RateLimitLimit: { description: 'Requests in 60 seconds', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in the window', schema: { type: 'integer' } },
  RateLimitReset: { description: 'When there is room again, in Unix seconds', schema: { type: 'integer' } },
} as const;

const header = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });
export const commonHeaders = { 'X-Request-ID': header('RequestId') };
const LIMIT_HEADERS = {
  'Retry-After': header('RetryAfter'),
  'X-RateLimit-Limit': header('RateLimitLimit'),
  'X-RateLimit-Remaining': header('RateLimitRemaining'),
  'X-RateLimit-Reset': header('RateLimitReset'),
};

type Headers = Readonly<Record<string, { readonly $ref: string }>>;

/** A refusal as a component, with a body of each kind that it may have. */
function refusalOf(
  id: string,
  description: string,
  schema: z.ZodType,
  examples: Readonly<Record<string, unknown>>,
  headers: Headers = {},
): ZodOpenApiResponseObject {
  return {
    id,
    description,
    headers: { ...commonHeaders, ...headers },
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      },
    },
  };
}

const said = (detail: string) => ({ detail });
const denial = (
  code: keyof typeof LAYER_OF_CODE,
  key: string | null,
  current: number | null,
  limit: number | null,
) => ({
  code,
  layer: LAYER_OF_CODE[code],
  key,
  current,
  limit,
  reason: code,
});

const KEY_LIMIT = { key: said('API key rate limit exceeded') };
const USER_LIMIT = { user: said('User rate limit exceeded (across all API keys)') };
const ORGANIZATION_LIMIT = {
  organization: {
    detail: {
      code: 'rate_limited',
      layer: 'rate',
      key: 'api',
      current: 60,
      limit: 60,
      reason: 'rate_limit_exceeded',
    },
  },
};
const ROLE = { role: said('Owner or admin role required') };
const QUOTA = { quota: denial('quota_exceeded', 'knowledge_bases', 3, 3) };

/** Every refusal that the guards and the gate make, by the name of its component. */
export const REFUSALS = {
  badRequest: refusalOf('BadRequest', 'Malformed request', shapeA, {
    header: said('X-Organization-ID header is required'),
    path: said('Invalid workflow_id format'),
  }),
  unauthenticated: refusalOf(
    'Unauthenticated',
    'Missing or invalid credential',
    shapeA,
    {
      missing: said('Authentication required. Provide Authorization: Bearer token or X-API-KEY header.'),
      unknown: said('Invalid API key'),
    },
    { 'WWW-Authenticate': header('WwwAuthenticate') },
  ),
  forbidden: refusalOf('Forbidden', 'Not allowed', shapeA, { user: said('User is inactive'), ...ROLE }),
  forbiddenOrDenied: refusalOf(
    'ForbiddenOrDenied',
    'Not allowed, or a quota is used up',
    z.union([shapeA, shapeD]),
    {
      ...ROLE,
      ...QUOTA,
    },
  ),
  denied: refusalOf('Denied', 'Credits or wallet do not cover it', shapeD, {
    credit: denial('credit_plan_exhausted', 'monthly_credits', 500, 500),
    wallet: denial('wallet_overage_disabled', 'monthly_credits', 5_000, 5_000),
  }),
  notFound: refusalOf('NotFound', "Not there, or not the organization's: nobody can tell", shapeA, {
    missing: said('Workflow not found'),
  }),
  tooLarge: refusalOf('TooLarge', 'Request body too large', shapeA, { size: said('Request body too large') }),
  unsupported: refusalOf('UnsupportedEncoding', 'Compressed request body', shapeA, {
    encoding: said('Content-Encoding is not supported'),
  }),
  invalid: refusalOf('Invalid', 'Validation failed', shapeC, {
    missing: { detail: [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }] },
  }),
  limitedCaller: refusalOf(
    'CallerLimited',
    'The key or the user has no requests left',
    shapeA,
    { ...KEY_LIMIT, ...USER_LIMIT },
    LIMIT_HEADERS,
  ),
  limitedOrganization: refusalOf(
    'OrganizationLimited',
    'The key, the user or the organization has no requests left',
    z.union([shapeA, shapeB]),
    { ...KEY_LIMIT, ...USER_LIMIT, ...ORGANIZATION_LIMIT },
    LIMIT_HEADERS,
  ),
  limitedRun: refusalOf(
    'RunLimited',
    'The key, the user or the organization has no requests or runs left',
    z.union([shapeA, shapeB, shapeD]),
    { ...KEY_LIMIT, ...ORGANIZATION_LIMIT, run: denial('rate_limit_exceeded', 'sync_exec', 10, 10) },
    LIMIT_HEADERS,
  ),
  unexpected: refusalOf(
    'Unexpected',
    'Unexpected error; with Retry-After when the database is away',
    shapeA,
    { unexpected: said('An unexpected internal server error occurred.') },
    { 'Retry-After': header('RetryAfter') },
  ),
} as const;

/** What the guards in front of a row, and the gate behind them, may answer. */
export function guardRefusals(row: Route): Record<number, ZodOpenApiResponseObject> {
  const isScoped = row.access === 'organization' || row.access === 'owner_or_admin';
  const isGated = row.isGated === true;
  const limited =
    isScoped && row.isAdministrative !== true ? REFUSALS.limitedOrganization : REFUSALS.limitedCaller;
  return {
    ...(isScoped || row.params !== undefined ? { 400: REFUSALS.badRequest } : {}),
    ...(row.access === 'public'
      ? {}
      : {
          401: REFUSALS.unauthenticated,
          403: isGated ? REFUSALS.forbiddenOrDenied : REFUSALS.forbidden,
          429: isGated ? REFUSALS.limitedRun : limited,
        }),
    ...(isGated ? { 402: REFUSALS.denied } : {}),
    ...(row.params === undefined ? {} : { 404: REFUSALS.notFound }),
    ...(row.body === undefined ? {} : { 413: REFUSALS.tooLarge, 415: REFUSALS.unsupported }),
    // The query string is read strictly by every row.
    422: REFUSALS.invalid,
    500: REFUSALS.unexpected,
  };
}
