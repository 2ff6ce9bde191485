/**
 * How the API describes its refusals: the four body shapes (SPEC API-errors) as components, and which of them
 * a row may answer by what it needs. respond-errors.ts writes what is described here.
 */
import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { LAYER_BY_CODE } from '../errors.ts';
import type { Route } from './route.ts';
import { jsonObject, refusal as shapeA } from './wire.ts';

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

const shapeB = z.looseObject({ detail: jsonObject }).meta({
  id: 'StructuredError',
  description: 'Shape B: what is wrong, as an object',
  examples: [RATE_LIMITED],
});
const shapeC = z
  .looseObject({
    detail: z.array(
      z.looseObject({ loc: z.array(z.union([z.string(), z.int()])), msg: z.string(), type: z.string() }),
    ),
  })
  .meta({
    id: 'ValidationError',
    description: 'Shape C: each finding, and where it was found',
    examples: [MISSING_NAME],
  });
const shapeD = z
  .looseObject({
    code: z.enum(Object.keys(LAYER_BY_CODE)),
    layer: z.enum(['rate', 'quota', 'credit', 'wallet']),
    key: z.string().nullable(),
    current: z.number().nullable(),
    limit: z.number().nullable(),
    reason: z.string().nullable(),
  })
  .meta({
    id: 'Denial',
    description: 'Shape D: the billing gate denies, before anything is written',
    examples: [NO_CREDITS],
  });

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
  ErrorCode: {
    description: 'The stable word of the refusal, whatever the shape of its body; new ones may come',
    schema: { type: 'string', pattern: '^[A-Za-z_]+$' },
    example: 'workflow_not_found',
  },
  WwwAuthenticate: { description: 'Always `Bearer`', schema: { type: 'string', const: 'Bearer' } },
  RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
  RateLimitLimit: { description: 'Requests in 60 seconds', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in the window', schema: { type: 'integer' } },
  RateLimitReset: { description: 'When there is room again, in Unix seconds', schema: { type: 'integer' } },
} as const;

const refHeader = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });
const commonHeaders = { 'X-Request-ID': refHeader('RequestId') };
/** The headers of an answer that a row describes itself. */
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

/** A refusal as a component, with a body of each kind that it may have. */
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
const ROLE = { role: toDetail('Owner or admin role required') };
const QUOTA = { quota: buildDenial('quota_exceeded', { key: 'knowledge_bases', current: 3, limit: 3 }) };

/** Every refusal that the guards and the gate make, by the name of its component. */
export const REFUSALS = {
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
  forbiddenOrDenied: describeRefusal('ForbiddenOrDenied', 'Not allowed, or a quota is used up', {
    schema: z.union([shapeA, shapeD]),
    examples: {
      ...ROLE,
      ...QUOTA,
    },
  }),
  denied: describeRefusal('Denied', 'Credits or wallet do not cover it', {
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
  notFound: describeRefusal('NotFound', "Not there, or not the organization's: nobody can tell", {
    schema: shapeA,
    examples: {
      missing: toDetail('Workflow not found'),
    },
  }),
  tooLarge: describeRefusal('TooLarge', 'Request body too large', {
    schema: shapeA,
    examples: { size: toDetail('Request body too large') },
  }),
  unsupported: describeRefusal(
    'UnsupportedEncoding',
    'A body that is compressed, or of a type that is not taken',
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
  limitedCaller: describeRefusal('CallerLimited', 'The key or the user has no requests left', {
    schema: shapeA,
    examples: { ...KEY_LIMIT, ...USER_LIMIT },
    headers: LIMIT_HEADERS,
  }),
  limitedOrganization: describeRefusal(
    'OrganizationLimited',
    'The key, the user or the organization has no requests left',
    {
      schema: z.union([shapeA, shapeB]),
      examples: { ...KEY_LIMIT, ...USER_LIMIT, ...ORGANIZATION_LIMIT },
      headers: LIMIT_HEADERS,
    },
  ),
  limitedRun: describeRefusal(
    'RunLimited',
    'The key, the user or the organization has no requests or runs left',
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
  unavailable: describeRefusal('Unavailable', 'Nobody can tell who calls: the identity provider is away', {
    schema: shapeA,
    examples: { provider: toDetail('The identity provider cannot be reached; try again') },
    headers: { 'Retry-After': refHeader('RetryAfter') },
  }),
  unexpected: describeRefusal('Unexpected', 'Unexpected error; with Retry-After when the database is away', {
    schema: shapeA,
    examples: { unexpected: toDetail('An unexpected internal server error occurred.') },
    headers: { 'Retry-After': refHeader('RetryAfter') },
  }),
} as const;

/** What the guards in front of a row, and the gate behind them, may answer. */
export function listGuardRefusals(row: Route): Record<number, ZodOpenApiResponseObject> {
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
          503: REFUSALS.unavailable,
        }),
    ...(isGated ? { 402: REFUSALS.denied } : {}),
    ...(row.params === undefined ? {} : { 404: REFUSALS.notFound }),
    ...(row.body === undefined && row.upload === undefined
      ? {}
      : { 413: REFUSALS.tooLarge, 415: REFUSALS.unsupported }),
    // The query string is read strictly by every row.
    422: REFUSALS.invalid,
    500: REFUSALS.unexpected,
  };
}
