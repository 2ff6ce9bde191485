/**
 * Throttles ephemeral events (cursors, drags, selections): beyond the rate only the latest value of each kind is kept, and
 * delivered when there is a token. The client gets no error.
 */
import { systemClock } from '../../../base/clock.ts';
import { peekWorkflowId } from '../room/envelope.ts';
import { TokenBucket } from '../room/token-bucket.ts';

export const EPHEMERAL_LIMITS = { perSecond: 60, burst: 120 } as const;
/** Latest values kept, one for each event and workflow; further ones are dropped. */
const MAX_WAITING = 64;

export class EphemeralThrottle {
  readonly #bucket = new TokenBucket(EPHEMERAL_LIMITS.perSecond, EPHEMERAL_LIMITS.burst, () =>
    systemClock.monotonic(),
  );
  readonly #waiting = new Map<string, { readonly event: string; readonly payload: unknown }>();
  readonly #deliver: (event: string, payload: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(deliver: (event: string, payload: unknown) => void) {
    this.#deliver = deliver;
  }

  push(event: string, payload: unknown): void {
    const key = `${event} ${peekWorkflowId(payload)}`;
    // A value must not overtake a waiting one of its kind.
    if (!this.#waiting.has(key) && this.#bucket.take()) {
      this.#deliver(event, payload);
      return;
    }
    if (!this.#waiting.has(key) && this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.set(key, { event, payload });
    this.#timer ??= setTimeout(() => this.#drain(), this.#bucket.waitMs()).unref();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #drain(): void {
    this.#timer = undefined;
    for (const [key, { event, payload }] of this.#waiting) {
      if (!this.#bucket.take()) break;
      this.#waiting.delete(key);
      this.#deliver(event, payload);
    }
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#drain(), this.#bucket.waitMs()).unref();
  }
}
