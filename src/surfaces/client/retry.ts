/** Decides which calls may be retried after which failure, and how long to wait before. */
import type { WorkflowApiError } from './error.ts';
import { REPEATABLE_POSTS } from './openapi.ts';

/** A proxy got no response, or the service is temporarily unavailable. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);
/** One minute is the service's default `Retry-After`; longer waits are left to the caller. */
const MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;

/** The time of the waits between attempts; a test decides how it passes. */
export interface RetryClock {
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** Waits. @throws the signal's reason */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
}
export const realTime: RetryClock = { now: () => performance.now(), pause };

/** A wait before something is sent. */
export interface Wait {
  /** The refusal, or the failure of what was sent. */
  readonly error: WorkflowApiError;
  readonly waitMs: number;
}

interface SentCall {
  readonly method: string;
  /** As in the document: `/workflows/{workflow_id}`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const hasKey = ({ headers = {} }: SentCall): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
/** Any other POST without an Idempotency-Key creates another object each time. */
const isRepeatable = (sent: SentCall): boolean =>
  sent.method !== 'POST' || REPEATABLE_POSTS.has(sent.path) || hasKey(sent);

/** Too many streams are no rate: they may be the caller's own, who closes none while it waits. */
const isRateLimited = ({ status, code }: WorkflowApiError): boolean =>
  status === 429 && code !== 'too_many_streams';

/** The limits of the retries of one call. */
interface RetryLimits {
  /** Number of retries of a call without a time of its own. */
  readonly retries: number;
  /** The caller's deadline; every wait counts against it. */
  readonly retryForMs: number | undefined;
  /** How long a call without a deadline of its caller outlasts a service that is away; 0 when `retries` limits it. */
  readonly patienceMs: number;
}

/** Limits the retries of one call: by its own time when it has one, by their number otherwise. */
export class RetryBudget {
  readonly #retries: number;
  readonly #forMs: number;
  readonly #isDeadline: boolean;
  readonly #clock: RetryClock;
  #sentMs: number | null = null;

  constructor({ retries, retryForMs, patienceMs }: RetryLimits, clock: RetryClock) {
    this.#clock = clock;
    this.#retries = retries;
    this.#forMs = retryForMs ?? patienceMs;
    this.#isDeadline = retryForMs !== undefined;
  }

  /** Begins the time at the first attempt: a call that queues behind others of its client has not been tried yet. */
  begin(): void {
    this.#sentMs ??= this.#clock.now();
  }

  /** @param attempt 0 for the first one */
  allows(attempt: number, { error, waitMs }: Wait): boolean {
    if ((error.retryAfterMs ?? 0) > Math.max(this.#forMs, MAX_WAIT_MS)) return false;
    if (this.#forMs <= 0) return attempt < this.#retries;
    if (isRateLimited(error) && !this.#isDeadline) {
      // A refusal is an answer: the service is there, so the time begins anew with the next attempt.
      this.#sentMs = null;
      return true;
    }
    const nowMs = this.#clock.now();
    return nowMs + waitMs <= (this.#sentMs ?? nowMs) + this.#forMs;
  }
}

/** Whether a refusal is for good: a plan or a key with a limit of 0 is blocked, and waiting does not help. */
function isBlocked({ body }: WorkflowApiError): boolean {
  const fields = body as { readonly limit?: unknown; readonly detail?: unknown } | null;
  const detail = (fields?.detail ?? null) as { readonly limit?: unknown } | null;
  return fields?.limit === 0 || detail?.limit === 0;
}

/** Whether a call may be retried after this failure. */
export function mayRetry(sent: SentCall, error: WorkflowApiError): boolean {
  // A rate limit rejects a call before any work is done.
  if (error.status === 429) return !isBlocked(error);
  if (!isRepeatable(sent)) return error.status === 503 && error.retryAfterMs !== null;
  // The first request with this idempotency key is still running; its response may be fetched with the key.
  if (error.status === 409) return error.code === 'idempotency_key_in_use';
  // The service sets Retry-After on a 500 when the database is unavailable; without it the failure would repeat.
  if (error.status === 500) return error.retryAfterMs !== null;
  return error.status === 0 || UNAVAILABLE.has(error.status);
}

/** Full jitter: uniform up to a bound that doubles, on top of Retry-After. */
export function backoffMs(attempt: number, retryAfterMs: number | null): number {
  const bound = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt);
  return (retryAfterMs ?? 0) + Math.random() * bound;
}

/** Waits. @throws the signal's reason */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
