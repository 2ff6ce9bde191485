/**
 * Keeps the order of one connection's operations after a retryable rejection: later ones that are already in flight would
 * otherwise overtake its retry.
 */
import { peekOpId, parseOpId, peekWorkflowId, type OpSequence } from '../room/envelope.ts';
import type { Rejection } from '../room/rejection.ts';
import { RATE_LIMIT_PAUSE_MS } from '../room/room-rate.ts';

/** How long later operations wait for the retry; after that the client has given it up. */
const HOLD_MS = 10_000;

interface RejectedOp extends OpSequence {
  /** Monotonic. */
  readonly until: number;
}

const rejectForNow = (retryAfterMs: number, because?: string): Rejection => ({
  code: 'RATE_LIMITED',
  details: { retryAfterMs },
  ...(because === undefined ? {} : { because }),
});

/** Reads an operation's client and sequence number; null when its opId has none. */
function peekSequence(payload: unknown): OpSequence | null {
  const opId = peekOpId(payload);
  return opId === undefined ? null : parseOpId(opId);
}

export class OrderFence {
  readonly #now: () => number;
  #pausedUntil = 0;
  /** The first rejected operation, by workflowId. */
  readonly #rejected = new Map<string, RejectedOp>();

  /** @param now monotonic milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Rejects an operation that has to wait; null lets it pass. After `pause` all wait; after a rejected operation, those with
   * higher sequence numbers wait for its retry.
   */
  check(payload: unknown): Rejection | null {
    const now = this.#now();
    if (now < this.#pausedUntil) return rejectForNow(Math.ceil(this.#pausedUntil - now));
    const first = this.#rejected.get(peekWorkflowId(payload));
    if (first === undefined || now >= first.until) return null;
    const place = peekSequence(payload);
    return place !== null && place.clientId === first.clientId && place.seq > first.seq
      ? rejectForNow(RATE_LIMIT_PAUSE_MS, 'retry the earlier operation first')
      : null;
  }

  /** Rejects all operations for `RATE_LIMIT_PAUSE_MS`. @returns the rejection */
  pause(): Rejection {
    this.#pausedUntil = this.#now() + RATE_LIMIT_PAUSE_MS;
    return rejectForNow(RATE_LIMIT_PAUSE_MS);
  }

  /** Notes a retryable rejection. Of several, the lowest sequence number has to be retried first. */
  noteRejected(payload: unknown): void {
    const place = peekSequence(payload);
    if (place === null) return;
    const now = this.#now();
    for (const [workflowId, { until }] of this.#rejected) if (now >= until) this.#rejected.delete(workflowId);
    const workflowId = peekWorkflowId(payload);
    const first = this.#rejected.get(workflowId);
    if (first !== undefined && (place.clientId !== first.clientId || place.seq > first.seq)) return;
    this.#rejected.set(workflowId, { ...place, until: now + HOLD_MS });
  }

  /** Notes a final answer: later operations may pass. */
  noteAnswered(payload: unknown): void {
    const workflowId = peekWorkflowId(payload);
    const first = this.#rejected.get(workflowId);
    if (first === undefined) return;
    const place = peekSequence(payload);
    if (place?.clientId === first.clientId && place.seq === first.seq) this.#rejected.delete(workflowId);
  }

  /** Forgets the workflow that a client leaves. */
  forget(payload: unknown): void {
    this.#rejected.delete(peekWorkflowId(payload));
  }
}
