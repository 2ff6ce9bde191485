/** The operator's secret of the health report: compared in constant time, guessed at most five times a minute. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ApiError, rateLimited, rateLimitHeaders, refuseWith, unauthenticated } from '../errors.ts';

/** SPEC SEC-O02: wrong keys of one address in a window, before nobody there is heard. */
const MAX_WRONG = 5;
const WINDOW_MS = 60_000;
/** Addresses remembered; beyond, the one that was quiet longest is forgotten. */
const MAX_ADDRESSES = 10_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export class OperatorKey {
  readonly #wrong = new LRUCache<string, number[]>({ max: MAX_ADDRESSES });

  /**
   * @param given the header's value
   * @param address who asks; after five wrong tries within a minute it is not listened to
   * @throws ApiError 503 when no key is configured, 429, or 401
   */
  check(expected: string | undefined, given: string, address: string): void {
    if (expected === undefined) {
      throw refuseWith(503, 'health_key_not_configured', 'Health check API key is not configured');
    }
    const now = Date.now();
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
    if (timingSafeEqual(digest(given), digest(expected))) return;
    this.#wrong.set(address, [...tries, now]);
    throw unauthenticated('health_key_invalid', 'Invalid health check API key');
  }

  /** As `check`, for what is to look as if it were not there. Asking without a key is not guessing. */
  opens(expected: string | undefined, given: string, address: string): boolean {
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
