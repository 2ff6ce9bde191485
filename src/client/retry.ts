/** Decides which calls may be retried after which failure, and how long to wait before. */
import type { WorkflowApiError } from './error.ts';

/** Idempotent POSTs; any other POST creates another object each time. */
const REPEATABLE_POSTS: ReadonlySet<string> = new Set([
  // Carries an Idempotency-Key.
  '/workflows/run',
  '/workflows/cancel/{run_id}',
  '/schedules/{schedule_id}/pause',
  '/schedules/{schedule_id}/resume',
  // A document with the same content is not stored twice.
  '/knowledge-bases/{knowledge_id}/documents',
]);

/** A proxy got no response, or the service is temporarily unavailable. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);
/** One minute is the service's default `Retry-After`; longer waits are left to the caller. */
const MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;

interface SentCall {
  readonly method: string;
  /** As in the document: `/workflows/{workflow_id}`. */
  readonly path: string;
}

const isRepeatable = ({ method, path }: SentCall): boolean => method !== 'POST' || REPEATABLE_POSTS.has(path);

/** Limits the retries of one call: by its own time when it has one, by their number otherwise. */
export class RetryBudget {
  readonly #retries: number;
  readonly #retryForMs: number;
  #sentMs: number | null = null;
  /** A longer `Retry-After` is left to the caller. */
  readonly maxWaitMs: number;

  constructor(retryForMs: number, retries: number) {
    this.#retries = retries;
    this.#retryForMs = retryForMs;
    this.maxWaitMs = Math.max(retryForMs, MAX_WAIT_MS);
  }

  /** Begins the time at the first attempt: a call that queues behind others of its client has not been tried yet. */
  begin(): void {
    this.#sentMs ??= performance.now();
  }

  /** @param attempt 0 for the first one */
  allows(attempt: number, waitMs: number): boolean {
    if (this.#retryForMs <= 0) return attempt < this.#retries;
    const nowMs = performance.now();
    return nowMs + waitMs <= (this.#sentMs ?? nowMs) + this.#retryForMs;
  }
}

/** Whether a call may be retried after this failure. */
export function mayRetry(sent: SentCall, error: WorkflowApiError, maxWaitMs: number): boolean {
  if (error.retryAfterMs !== null && error.retryAfterMs > maxWaitMs) return false;
  // A rate limit rejects a call before any work is done.
  if (error.status === 429) return true;
  if (!isRepeatable(sent)) return error.status === 503 && error.retryAfterMs !== null;
  // The first request with this idempotency key is still running.
  if (error.status === 409) return sent.path === '/workflows/run';
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
