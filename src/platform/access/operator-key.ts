/** Checks the operator's key for the health report: in constant time, with at most five wrong keys per minute and address. */
import { LRUCache } from 'lru-cache';
import { systemClock } from '../../base/clock.ts';
import { ApiError, rateLimited, rateLimitHeaders, refuseWith, unauthenticated } from '../../base/errors.ts';
import { isSameSecret } from './same-secret.ts';

/** Wrong keys of one address per window, after which it gets 429 (SPEC SEC-O02). */
const MAX_WRONG = 5;
const WINDOW_MS = 60_000;
/** Maximum number of addresses; the least recently used one is dropped. */
const MAX_ADDRESSES = 10_000;

export class OperatorKey {
  readonly #wrong = new LRUCache<string, number[]>({ max: MAX_ADDRESSES });

  /**
   * Checks a key.
   * @param expected the configured keys, of which any opens
   * @param given the key of the header
   * @param address of the client, for the limit of wrong keys
   * @throws ApiError 503 without a configured key, 429 after too many wrong keys, 401 for a wrong key
   */
  check(expected: readonly string[], given: string, address: string): void {
    if (expected.length === 0) {
      throw refuseWith(503, 'health_key_not_configured', 'Health check API key is not configured');
    }
    const now = systemClock.now();
    const tries = (this.#wrong.get(address) ?? []).filter((time) => now - time < WINDOW_MS);
    const [oldest] = tries;
    if (tries.length >= MAX_WRONG && oldest !== undefined) {
      const wait = Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000));
      throw rateLimited(
        'health_key_rate_limited',
        'Too many wrong health check API keys',
        rateLimitHeaders(MAX_WRONG, wait),
      );
    }
    // All are compared, so that the time does not tell which one was close.
    if (expected.filter((key) => isSameSecret(given, key)).length > 0) return;
    this.#wrong.set(address, [...tries, now]);
    throw unauthenticated('health_key_invalid', 'Invalid health check API key');
  }

  /** Returns whether `check` passes, for routes that answer 404 otherwise. An empty key does not count as a wrong one. */
  opens(expected: readonly string[], given: string, address: string): boolean {
    if (given === '') return false;
    try {
      this.check(expected, given, address);
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }
}
