/** Which calls may be sent again after which failure, and how long to wait before. */
import type { WorkflowApiError } from './error.ts';

/** Their work is done once however often they are sent; other POSTs make another object each time. */
const REPEATABLE_POSTS: ReadonlySet<string> = new Set([
  // Carries an Idempotency-Key.
  '/workflows/run',
  '/workflows/cancel/{run_id}',
  '/schedules/{schedule_id}/pause',
  '/schedules/{schedule_id}/resume',
  // A document with the same content is not stored twice.
  '/knowledge-bases/{knowledge_id}/documents',
]);

/** A proxy's word that nobody answered behind it, and the service's that it cannot now. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);
/** Longer than a minute, the default of the service, is for the caller to decide. */
const MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;

export interface Sent {
  readonly method: string;
  /** The path as the document has it: `/workflows/{workflow_id}`. */
  readonly path: string;
}

const isRepeatable = ({ method, path }: Sent): boolean => method !== 'POST' || REPEATABLE_POSTS.has(path);

/** Whether a call may be sent again after this failure. */
export function mayRepeat(sent: Sent, error: WorkflowApiError): boolean {
  if (error.retryAfterMs !== null && error.retryAfterMs > MAX_WAIT_MS) return false;
  // Refused by a guard, before anything was done.
  if (error.status === 429) return true;
  if (!isRepeatable(sent)) return error.status === 503 && error.retryAfterMs !== null;
  // The first request with this key is still being executed.
  if (error.status === 409) return sent.path === '/workflows/run';
  // With a time to wait the database is away; without one the failure would come again.
  if (error.status === 500) return error.retryAfterMs !== null;
  return error.status === 0 || AWAY.has(error.status);
}

/** Full jitter (uniform up to a bound that doubles), and never earlier than the service asks. */
export function backoffMs(attempt: number, retryAfterMs: number | null): number {
  const bound = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt);
  return (retryAfterMs ?? 0) + Math.random() * bound;
}

/** @throws the reason of the signal */
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
