/**
 * The request limits per key and per user (SPEC API-limits): sliding minutes, counted in the database, which is exact across
 * processes, or in this process while the database cannot count. Callers with a JWT are not counted.
 */
import { takeFromWindows } from '../../base/db/rate-windows.ts';
import type { Db } from '../../base/db/client.ts';
import { rateLimited, rateLimitHeaders } from '../../base/errors.ts';
import type { CallerKey, Subscription } from './caller.ts';
import { LocalWindows, type WindowResult } from './local-windows.ts';
import type { Logger } from '../../base/log.ts';

interface LimitDeps {
  readonly db: Db;
  readonly log: Logger;
  /** The most that a service account of an organization may have per minute; null without a limit. */
  readonly findAccountLimit: (subscription: Subscription) => number | null;
}

/** Requests of a user per minute, across all keys (SPEC API-limits). */
const USER_LIMIT_PER_MINUTE = 300;

export class RequestLimits {
  readonly #deps: LimitDeps;
  /** Counts while the database cannot, because a failing limiter must neither refuse nor admit everything (SPEC SEC-B03). */
  readonly #fallback = new LocalWindows();

  constructor(deps: LimitDeps) {
    this.#deps = deps;
  }

  /**
   * Counts one request against the limits of the key and of its owner, or against neither.
   * @throws ApiError 429 shape A; the text names the exhausted limit, the key's before the owner's
   */
  async take(
    userId: string,
    key: Pick<CallerKey, 'apiKeyId' | 'rateLimitPerMinute' | 'account'>,
  ): Promise<void> {
    const limits = [key.rateLimitPerMinute, this.#findOwnerLimit(key)];
    const taken = await this.#takeFrom([`key:${key.apiKeyId}`, `user:${userId}`], limits);
    if (taken.exhausted === 0) return;
    const headers = rateLimitHeaders(limits[taken.exhausted - 1] ?? 0, taken.retryAfterSeconds);
    if (taken.exhausted === 1)
      throw rateLimited('api_key_rate_limited', 'API key rate limit exceeded', headers);
    if (key.account !== null) {
      const message = 'Service account rate limit exceeded (across all its API keys)';
      throw rateLimited('service_account_rate_limited', message, headers);
    }
    throw rateLimited('user_rate_limited', 'User rate limit exceeded (across all API keys)', headers);
  }

  /** The 300 of the specification hold for people; a service account has a limit of its own, within that of its plan. */
  #findOwnerLimit({ account }: Pick<CallerKey, 'account'>): number {
    if (account === null) return USER_LIMIT_PER_MINUTE;
    const most = this.#deps.findAccountLimit(account.subscription) ?? account.rateLimitPerMinute;
    return Math.min(account.rateLimitPerMinute, most);
  }

  async #takeFrom(subjects: readonly string[], limits: readonly number[]): Promise<WindowResult> {
    try {
      return await takeFromWindows(this.#deps.db, subjects, limits);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the request limiter failed; this process counts locally');
      return this.#fallback.take(subjects, limits);
    }
  }
}
