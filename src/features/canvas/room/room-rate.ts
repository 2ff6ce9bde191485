/** Rate limit of a room: each operation is delivered to every member, so the limits of single connections do not suffice. */
import type { Clock } from './ports.ts';
import type { Rejection } from './rejection.ts';
import { TokenBucket } from './token-bucket.ts';

/** Fifty people at the full rate of a connection, with a burst of three seconds, as for a connection. */
export const ROOM_LIMITS = { perSecond: 2_000, burst: 6_000 } as const;
/** `retryAfterMs` of a rate-limited operation; until then the connection's other operations are rejected, too. */
export const RATE_LIMIT_PAUSE_MS = 500;

export class RoomRate {
  readonly #bucket: TokenBucket;

  constructor(clock: Clock) {
    this.#bucket = new TokenBucket(ROOM_LIMITS.perSecond, ROOM_LIMITS.burst, () => clock.monotonic());
  }

  /** Takes a token for one operation. @returns a rejection when there is none */
  take(): Rejection | null {
    return this.#bucket.take()
      ? null
      : { code: 'RATE_LIMITED', details: { retryAfterMs: RATE_LIMIT_PAUSE_MS } };
  }
}
