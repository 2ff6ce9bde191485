/** The timeout of an attempt, which does not count while the attempt waits in a queue of this process. */
import type { Clock, Timer } from '../../../../base/clock.ts';
import { MAX_PAUSED_MS } from '../protocol.ts';

export class AttemptTimeout {
  readonly #clock: Clock;
  readonly #over = new AbortController();
  /** The time left for work, and for waiting. */
  readonly #leftMs: { work: number; pause: number };
  #pauses = 0;
  #isClosed = false;
  #sinceMs: number;
  #timer: Timer;

  constructor(timeoutMs: number, clock: Clock) {
    this.#clock = clock;
    this.#leftMs = { work: timeoutMs, pause: MAX_PAUSED_MS };
    this.#sinceMs = clock.monotonic();
    this.#timer = this.#arm();
  }

  /** Aborts with a TimeoutError, as `AbortSignal.timeout` does. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Pauses the timeout. @returns resumes it, when all pauses have ended; further calls do nothing */
  pause(): () => void {
    this.#count(1);
    let isPaused = true;
    return () => {
      if (isPaused) this.#count(-1);
      isPaused = false;
    };
  }

  /** Stops the timer permanently. */
  close(): void {
    this.#isClosed = true;
    this.#clock.clearTimeout(this.#timer);
  }

  #count(change: 1 | -1): void {
    if (this.#isClosed) return;
    this.#clock.clearTimeout(this.#timer);
    const nowMs = this.#clock.monotonic();
    this.#leftMs[this.#running] -= nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    this.#pauses += change;
    this.#timer = this.#arm();
  }

  get #running(): 'work' | 'pause' {
    return this.#pauses > 0 ? 'pause' : 'work';
  }

  #arm(): Timer {
    const end = (): void => this.#over.abort(new DOMException('The time is over', 'TimeoutError'));
    return this.#clock.setTimeout(end, Math.max(0, this.#leftMs[this.#running]));
  }
}
