/** Holds all requests of a client back after one was refused by the rate of its key, its user or its organization. */
import type { WorkflowApiError } from './error.ts';
import { backoffMs, type RetryClock, type Wait } from './retry.ts';

/** Limits of starts or streams alone; every other 429 holds for all requests, also one that a later service adds. */
const OTHER_LIMITS: ReadonlySet<string> = new Set(['rate_limit_exceeded', 'too_many_streams']);

/** A longer `Retry-After` is left to the callers, as in their retries. */
const MAX_HELD_MS = 60_000;

export class RateGate {
  readonly #onClose: (wait: Wait) => void;
  readonly #clock: RetryClock;
  #untilMs = 0;

  constructor(onClose: (wait: Wait) => void, clock: RetryClock) {
    this.#onClose = onClose;
    this.#clock = clock;
  }

  /** Closes the gate until the `Retry-After` of a refusal is over: whatever is sent before would be refused as well. */
  note(error: WorkflowApiError): void {
    const { status, code, retryAfterMs } = error;
    if (status !== 429 || code === null || OTHER_LIMITS.has(code) || retryAfterMs === null) return;
    if (retryAfterMs > MAX_HELD_MS) return;
    this.#untilMs = Math.max(this.#untilMs, this.#clock.now() + retryAfterMs);
    this.#onClose({ error, waitMs: retryAfterMs });
  }

  /** Waits while the gate is closed. @throws the signal's reason */
  async wait(signal: AbortSignal | undefined): Promise<void> {
    for (let leftMs = this.#untilMs - this.#clock.now(); leftMs > 0;) {
      await this.#clock.pause(backoffMs(0, leftMs), signal);
      leftMs = this.#untilMs - this.#clock.now();
    }
  }
}
