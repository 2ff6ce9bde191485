/**
 * Keeps the order of one connection's operations where one of them is refused for now: those that are on their way
 * behind it would be taken before its repetition, and overtake it.
 */
import { opIdOf, sequenceOf, workflowIdOf, type OpSequence } from '../room/envelope.ts';
import type { Refusal } from '../room/rejection.ts';
import { PAUSE_MS } from '../room/room-rate.ts';

/** What a client has not repeated by now it has given up. */
export const GIVEN_UP_MS = 10_000;

interface Held extends OpSequence {
  /** Monotonic. */
  readonly until: number;
}

const wait = (retryAfterMs: number, because?: string): Refusal => ({
  code: 'RATE_LIMITED',
  details: { retryAfterMs },
  ...(because === undefined ? {} : { because }),
});

/** Where an operation stands among those of its client; null when its opId does not say. */
function placeOf(payload: unknown): OpSequence | null {
  const opId = opIdOf(payload);
  return opId === undefined ? null : sequenceOf(opId);
}

export class OrderFence {
  readonly #now: () => number;
  #pausedUntil = 0;
  /** By workflowId: the first operation that was refused. */
  readonly #held = new Map<string, Held>();

  /** @param now monotonic milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Why an operation has to wait; null when it has not. After `pause` all have to, and what its opId puts behind a
   * refused one until that is repeated, however long both are on their way.
   */
  bars(payload: unknown): Refusal | null {
    const now = this.#now();
    if (now < this.#pausedUntil) return wait(Math.ceil(this.#pausedUntil - now));
    const held = this.#held.get(workflowIdOf(payload));
    if (held === undefined || now >= held.until) return null;
    const place = placeOf(payload);
    return place !== null && place.clientId === held.clientId && place.seq > held.seq
      ? wait(PAUSE_MS, 'an earlier one has to be repeated first')
      : null;
  }

  /** The rate is used up: nothing is taken for `PAUSE_MS`. @returns why */
  pause(): Refusal {
    this.#pausedUntil = this.#now() + PAUSE_MS;
    return wait(PAUSE_MS);
  }

  /** An operation was refused for now. Of several it is the first that has to be repeated. */
  refused(payload: unknown): void {
    const place = placeOf(payload);
    if (place === null) return;
    const now = this.#now();
    for (const [workflowId, { until }] of this.#held) if (now >= until) this.#held.delete(workflowId);
    const workflowId = workflowIdOf(payload);
    const held = this.#held.get(workflowId);
    if (held !== undefined && (place.clientId !== held.clientId || place.seq > held.seq)) return;
    this.#held.set(workflowId, { ...place, until: now + GIVEN_UP_MS });
  }

  /** An operation got its answer for good. */
  answered(payload: unknown): void {
    const workflowId = workflowIdOf(payload);
    const held = this.#held.get(workflowId);
    if (held === undefined) return;
    const place = placeOf(payload);
    if (place?.clientId === held.clientId && place.seq === held.seq) this.#held.delete(workflowId);
  }

  /** The client leaves a workflow, and gives up what it has not sent. */
  left(payload: unknown): void {
    this.#held.delete(workflowIdOf(payload));
  }
}
