/**
 * How fast one room may be written to, by all of its members together: each operation costs a delivery to each of them,
 * so what every connection may do alone is too much where two hundred do it at once.
 */
import type { Clock } from './ports.ts';
import type { Rejection } from './rejection.ts';
import { TokenBucket } from './token-bucket.ts';

/** Fifty people at the full rate of a connection; three seconds of it at once, as a connection has. */
export const ROOM_LIMITS = { perSecond: 2_000, burst: 6_000 } as const;
/** How long a connection whose operation was refused for a rate is told to wait; until then it gets no other taken. */
export const RATE_LIMIT_PAUSE_MS = 500;

export class RoomRate {
  readonly #bucket: TokenBucket;

  constructor(clock: Clock) {
    this.#bucket = new TokenBucket(ROOM_LIMITS.perSecond, ROOM_LIMITS.burst, () => clock.monotonic());
  }

  /** A place for one operation. @returns why there is none */
  take(): Rejection | null {
    return this.#bucket.take()
      ? null
      : { code: 'RATE_LIMITED', details: { retryAfterMs: RATE_LIMIT_PAUSE_MS } };
  }
}
