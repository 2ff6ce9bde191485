/**
 * The failures of the HTTP surface as values: four body shapes (SPEC API-errors), named by what went wrong.
 * Only http/respond-errors.ts turns them into a status and a body.
 */

/** One entry of a validation array (shape C). */
export interface Issue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Denials of the billing gate, and the layer of each (SPEC API-errors). */
export const LAYER_OF_CODE = {
  rate_limit_exceeded: 'rate',
  quota_exceeded: 'quota',
  credit_plan_exhausted: 'credit',
  wallet_overage_disabled: 'wallet',
  wallet_insufficient: 'wallet',
  upgrade_payment_failed: 'credit',
} as const;
export type DenialCode = keyof typeof LAYER_OF_CODE;

/** "The layer fixes the status." */
export const STATUS_OF_LAYER = { rate: 429, quota: 403, credit: 402, wallet: 402 } as const;

export interface Denial {
  readonly code: DenialCode;
  readonly key: string | null;
  readonly current: number | null;
  readonly limit: number | null;
}

export type Failure =
  | { readonly shape: 'A'; readonly status: number; readonly detail: string }
  | {
      readonly shape: 'B';
      readonly status: 400 | 402 | 429;
      readonly detail: Readonly<Record<string, unknown>>;
    }
  | { readonly shape: 'C'; readonly issues: readonly Issue[] }
  | { readonly shape: 'D'; readonly denial: Denial };

/** A refusal on its way to the client. Carries its headers: Koa drops those set on `ctx` when it handles an error. */
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

const plain = (status: number, detail: string, headers?: Record<string, string>): ApiError =>
  new ApiError({ shape: 'A', status, detail }, headers);

export const badRequest = (detail: string): ApiError => plain(400, detail);
export const unauthenticated = (detail: string): ApiError =>
  plain(401, detail, { 'WWW-Authenticate': 'Bearer' });
export const forbidden = (detail: string): ApiError => plain(403, detail);
/** `what` is the resource's name; a foreign object and a missing one get the same words. */
export const notFound = (what: string): ApiError => plain(404, `${what} not found`);
export const conflict = (detail: string): ApiError => plain(409, detail);
export const gone = (detail: string): ApiError => plain(410, detail);
export const tooLarge = (detail: string): ApiError => plain(413, detail);
export const unavailable = (detail: string, retryAfterSeconds: number): ApiError =>
  plain(503, detail, { 'Retry-After': String(retryAfterSeconds) });
/** Shape A 429 of the per-key and per-user limiter. */
export const rateLimited = (detail: string, headers: Record<string, string>): ApiError =>
  plain(429, detail, headers);
export const invalid = (issues: readonly Issue[]): ApiError => new ApiError({ shape: 'C', issues });
/**
 * The headers of a 429 whose window is known (SPEC API-rate-limit-headers); no wait is longer than the window.
 */
export function rateLimitHeaders(limit: number, retryAfterSeconds: number): Record<string, string> {
  const wait = Math.min(60, Math.max(1, retryAfterSeconds));
  return {
    'Retry-After': String(wait),
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(Math.floor(Date.now() / 1000) + wait),
  };
}
export const denied = (denial: Denial, headers?: Record<string, string>): ApiError =>
  new ApiError({ shape: 'D', denial }, headers);

/** Temporal has refused a call: trying again cannot help. Any other error of a call means that its outcome is not known. */
export class TemporalRejected extends Error {
  override readonly name = 'TemporalRejected';
}

/** Temporal cannot be reached, or serves nobody: the call itself may be well. */
export class TemporalUnavailable extends Error {
  override readonly name = 'TemporalUnavailable';
}
