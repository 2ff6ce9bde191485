/**
 * The per-key and per-user request limits (SPEC API-limits): a sliding minute, checked together, counted in
 * the database so that it is exact across processes, and in this process while the database cannot. JWT callers have
 * no key and are not counted.
 */
import { takeFromWindows } from '../db/rate-windows.ts';
import type { Db } from '../db/client.ts';
import { rateLimited, rateLimitHeaders } from '../errors.ts';
import type { CallerKey } from './caller.ts';
import { LocalWindows, type WindowResult } from './local-windows.ts';
import type { Logger } from '../log.ts';

export interface LimitDeps {
  readonly db: Db;
  readonly log: Logger;
}

/** SPEC API-limits: per-user requests across all keys. */
const USER_LIMIT_PER_MINUTE = 300;

export class RequestLimits {
  readonly #deps: LimitDeps;
  /** Counts while the database cannot: a limiter that fails must neither refuse everybody nor limit nobody (SPEC SEC-B03). */
  readonly #fallback = new LocalWindows();

  constructor(deps: LimitDeps) {
    this.#deps = deps;
  }

  /**
   * Takes one request from the key's and from its owner's minute, or from neither.
   * @throws ApiError 429 shape A; the exhausted layer selects the words, the key's own before the user's
   */
  async take(userId: string, key: Pick<CallerKey, 'apiKeyId' | 'rateLimitPerMinute'>): Promise<void> {
    const limits = [key.rateLimitPerMinute, USER_LIMIT_PER_MINUTE];
    const taken = await this.#takeFrom([`key:${key.apiKeyId}`, `user:${userId}`], limits);
    if (taken.exhausted === 0) return;
    const headers = rateLimitHeaders(limits[taken.exhausted - 1] ?? 0, taken.retryAfterSeconds);
    throw taken.exhausted === 1
      ? rateLimited('api_key_rate_limited', 'API key rate limit exceeded', headers)
      : rateLimited('user_rate_limited', 'User rate limit exceeded (across all API keys)', headers);
  }

  async #takeFrom(subjects: readonly string[], limits: readonly number[]): Promise<WindowResult> {
    try {
      return await takeFromWindows(this.#deps.db, subjects, limits);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the request limiter failed; this process counts alone');
      return this.#fallback.take(subjects, limits);
    }
  }
}
