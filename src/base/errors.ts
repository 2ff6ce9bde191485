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

/** The 404 code of each resource, by its name in the text. */
const NOT_FOUND = {
  Alert: 'alert_not_found',
  'Service account': 'service_account_not_found',
  'API key': 'api_key_not_found',
  Callback: 'callback_not_found',
  Chat: 'chat_not_found',
  Credential: 'credential_not_found',
  'Data job': 'data_job_not_found',
  Definition: 'definition_not_found',
  Deployment: 'deployment_not_found',
  Document: 'document_not_found',
  Integration: 'integration_not_found',
  Interrupt: 'interrupt_not_found',
  Invitation: 'invitation_not_found',
  'Knowledge base': 'knowledge_base_not_found',
  'MCP server of this credential': 'mcp_server_not_found',
  Member: 'member_not_found',
  Node: 'node_not_found',
  'Notification delivery': 'notification_delivery_not_found',
  'Notification endpoint': 'notification_endpoint_not_found',
  Organization: 'organization_not_found',
  Schedule: 'schedule_not_found',
  Step: 'step_not_found',
  'System workflow': 'system_workflow_not_found',
  Webhook: 'hook_not_found',
  'Webhook delivery': 'hook_delivery_not_found',
  Workflow: 'workflow_not_found',
  'Workflow run': 'run_not_found',
} as const satisfies Readonly<Record<string, ErrorCode<404>>>;

export const badRequest = (code: ErrorCode<400>, detail: string): ApiError => refuseWith(400, code, detail);
export const unauthenticated = (code: ErrorCode<401>, detail: string): ApiError =>
  new ApiError({ shape: 'A', status: 401, code, detail }, { 'WWW-Authenticate': 'Bearer' });
export const forbidden = (code: ErrorCode<403>, detail: string): ApiError => refuseWith(403, code, detail);
/** @param what the resource's name; a resource of another organization gets the same text as a missing one */
export const notFound = (what: keyof typeof NOT_FOUND): ApiError =>
  refuseWith(404, NOT_FOUND[what], `${what} not found`);
/** The 404 of a path that the API does not have. */
export const unrouted = (): ApiError => refuseWith(404, 'route_not_found', 'Not Found');
export const conflict = (code: ErrorCode<409>, detail: string): ApiError => refuseWith(409, code, detail);
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
