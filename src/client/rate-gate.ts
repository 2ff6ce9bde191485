/** Holds all requests of a client back after one was refused by the rate of its key, its user or its organization. */
import type { WorkflowApiError } from './error.ts';
import { backoffMs, pause } from './retry.ts';

/** Limits that hold for every request; other 429s concern streams or starts alone. */
const REQUEST_LIMITS: ReadonlySet<string> = new Set([
  'api_key_rate_limited',
  'user_rate_limited',
  'rate_limited',
]);
/** A longer `Retry-After` is left to the callers, as in their retries. */
const MAX_HELD_MS = 60_000;

export class RateGate {
  #untilMs = 0;

  /** Closes the gate until the `Retry-After` of a refusal is over: whatever is sent before would be refused as well. */
  note({ status, code, retryAfterMs }: WorkflowApiError): void {
    if (status !== 429 || code === null || !REQUEST_LIMITS.has(code) || retryAfterMs === null) return;
    if (retryAfterMs <= MAX_HELD_MS)
      this.#untilMs = Math.max(this.#untilMs, performance.now() + retryAfterMs);
  }

  /** Waits while the gate is closed. @throws the signal's reason */
  async wait(signal: AbortSignal | undefined): Promise<void> {
    for (let leftMs = this.#untilMs - performance.now(); leftMs > 0;) {
      await pause(backoffMs(0, leftMs), signal);
      leftMs = this.#untilMs - performance.now();
    }
  }
}
