/**
 * The rate of what is shown and not stored (cursors, drags, selections): beyond it, values are replaced by later ones
 * and the latest is delivered when its turn comes. Nobody is told.
 */
import { workflowIdOf } from '../room/envelope.ts';
import { TokenBucket } from '../room/token-bucket.ts';

export const EPHEMERAL_LIMITS = { perSecond: 60, burst: 120 } as const;
/** One latest value for each event and workflow; more kinds of them than anybody needs are dropped. */
const MAX_WAITING = 64;

export class EphemeralGate {
  readonly #bucket = new TokenBucket(EPHEMERAL_LIMITS.perSecond, EPHEMERAL_LIMITS.burst, () =>
    performance.now(),
  );
  readonly #waiting = new Map<string, { readonly event: string; readonly payload: unknown }>();
  readonly #deliver: (event: string, payload: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(deliver: (event: string, payload: unknown) => void) {
    this.#deliver = deliver;
  }

  pass(event: string, payload: unknown): void {
    const key = `${event} ${workflowIdOf(payload)}`;
    // Behind an earlier value of its kind there is no overtaking.
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
