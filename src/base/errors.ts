/**
 * Errors of the HTTP API as values: four body shapes (SPEC API-errors), each with the code that programs read. Only
 * http/respond-errors.ts turns them into a status, headers and a body.
 */
import { systemClock } from './clock.ts';
import type { ErrorCode, RefusalStatus } from './error-codes.ts';

/** One entry of a validation array (shape C). */
export interface Issue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Denials of the billing gate, and the layer of each (SPEC API-errors). */
export const LAYER_BY_CODE = {
  rate_limit_exceeded: 'rate',
  quota_exceeded: 'quota',
  credit_plan_exhausted: 'credit',
  wallet_overage_disabled: 'wallet',
  wallet_insufficient: 'wallet',
  upgrade_payment_failed: 'credit',
} as const;
export type DenialCode = keyof typeof LAYER_BY_CODE;

/** The HTTP status of each layer (SPEC API-errors). */
export const STATUS_BY_LAYER = { rate: 429, quota: 403, credit: 402, wallet: 402 } as const;

export interface Denial {
  readonly code: DenialCode;
  readonly key: string | null;
  readonly current: number | null;
  readonly limit: number | null;
}

export type Failure =
  | {
      readonly shape: 'A';
      readonly status: RefusalStatus;
      readonly code: ErrorCode;
      readonly detail: string;
    }
  | {
      readonly shape: 'B';
      readonly status: 400 | 402 | 429;
      readonly code: ErrorCode<400 | 402 | 429>;
      readonly detail: Readonly<Record<string, unknown>>;
    }
  | { readonly shape: 'C'; readonly issues: readonly Issue[] }
  | { readonly shape: 'D'; readonly denial: Denial };

/** An error answer to the client. Carries its headers: Koa drops those set on `ctx` when it handles an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly failure: Failure;
  readonly headers: Readonly<Record<string, string>>;

  constructor(failure: Failure, headers: Readonly<Record<string, string>> = {}) {
    super(failure.shape === 'A' ? failure.detail : `shape ${failure.shape}`);
    this.failure = failure;
    this.headers = headers;
  }
}

/** Creates an error of shape A: a status, a code of that status, and a text for people. */
export const refuseWith = <Status extends RefusalStatus>(
  status: Status,
  code: ErrorCode<Status>,
  detail: string,
): ApiError => new ApiError({ shape: 'A', status, code, detail });

/** The name of a resource in codes. */
const toStem = (what: string): string => what.toLowerCase().replaceAll(' ', '_');

export const badRequest = (code: ErrorCode<400>, detail: string): ApiError => refuseWith(400, code, detail);
export const unauthenticated = (code: ErrorCode<401>, detail: string): ApiError =>
  new ApiError({ shape: 'A', status: 401, code, detail }, { 'WWW-Authenticate': 'Bearer' });
export const forbidden = (code: ErrorCode<403>, detail: string): ApiError => refuseWith(403, code, detail);
/**
 * A 404; a resource of another organization gets the same text as a missing one. The documentation finds the calls in the source,
 * so both arguments are literals.
 * @param what the resource in the text
 * @param stem the resource in the code, where it has another name: `run` of `run_not_found`
 */
export const notFound = (what: string, stem = toStem(what)): ApiError =>
  refuseWith(404, `${stem}_not_found`, `${what} not found`);
/** The 404 of a path that the API does not have. */
export const unrouted = (): ApiError => refuseWith(404, 'route_not_found', 'Not Found');
export const conflict = (code: ErrorCode<409>, detail: string): ApiError => refuseWith(409, code, detail);
/** The 409 of an organization that has as many of a resource as it may. @param what the resource in the singular, a literal as in `notFound` */
export const limitReached = (most: number, what: string): ApiError =>
  conflict(
    `${toStem(what)}_limit_reached`,
    `An organization can have at most ${most} ${what}s. Delete one first`,
  );
export const gone = (code: ErrorCode<410>, detail: string): ApiError => refuseWith(410, code, detail);
export const tooLarge = (code: ErrorCode<413>, detail: string): ApiError => refuseWith(413, code, detail);
/** A 405. @param allowed the methods that the address takes */
export const methodNotAllowed = (allowed: readonly string[]): ApiError =>
  new ApiError(
    { shape: 'A', status: 405, code: 'method_not_allowed', detail: 'Method Not Allowed' },
    { Allow: allowed.join(', ') },
  );
/** A 503 with Retry-After. */
export const unavailable = (code: ErrorCode<503>, detail: string, retryAfterSeconds: number): ApiError =>
  new ApiError({ shape: 'A', status: 503, code, detail }, { 'Retry-After': String(retryAfterSeconds) });
/** A 429 of shape A. @param headers from rateLimitHeaders */
export const rateLimited = (
  code: ErrorCode<429>,
  detail: string,
  headers: Record<string, string>,
): ApiError => new ApiError({ shape: 'A', status: 429, code, detail }, headers);
/** A 422: validation failed. */
export const invalid = (issues: readonly Issue[]): ApiError => new ApiError({ shape: 'C', issues });
/** Builds the headers of a 429 (SPEC API-rate-limit-headers); the wait is 1 to 60 s, the length of the window. */
export function rateLimitHeaders(limit: number, retryAfterSeconds: number): Record<string, string> {
  const wait = Math.min(60, Math.max(1, retryAfterSeconds));
  return {
    'Retry-After': String(wait),
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(Math.floor(systemClock.now() / 1000) + wait),
  };
}
export const denied = (denial: Denial, headers?: Record<string, string>): ApiError =>
  new ApiError({ shape: 'D', denial }, headers);

/** Temporal rejected a call, and a retry cannot help. After any other error of a call its outcome is unknown. */
export class TemporalRejected extends Error {
  override readonly name = 'TemporalRejected';
}

/** Temporal cannot be reached or does not serve; the call itself may be valid. */
export class TemporalUnavailable extends Error {
  override readonly name = 'TemporalUnavailable';
}

/** Temporal answers and has no namespace of the configured name. */
export class NamespaceMissing extends TemporalUnavailable {
  constructor(namespace: string, options: ErrorOptions) {
    super(`Temporal has no namespace "${namespace}"`, options);
  }
}
