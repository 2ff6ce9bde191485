/**
 * The per-key and per-user request limits (specification, "Limits"): a sliding minute, checked together, counted in
 * the database so that it is exact across processes. JWT callers have no key and are not counted.
 */
import type { Sql } from '../db/client.ts';
import { rateLimited } from '../errors.ts';
import type { VerifiedKey } from './api-key.ts';

/** Specification, "Limits": per-user requests across all keys. */
const USER_LIMIT_PER_MINUTE = 300;
/** Specification, "Rate-limit headers": default 60; no wait is longer than the window. */
const WINDOW_SECONDS = 60;

interface Taken {
  /** 0: admitted. Else the position of the subject without capacity. */
  readonly exhausted: number;
  readonly retry_after: number;
}

/**
 * Takes one request from the key's and from its owner's minute, or from neither.
 * @throws ApiError 429 shape A; the exhausted layer selects the words, the key's own before the user's
 */
export async function takeRequest(sql: Sql, apiKeyId: string, key: VerifiedKey): Promise<void> {
  const limits = [key.rateLimitPerMinute, USER_LIMIT_PER_MINUTE];
  const [taken] = await sql.query<Taken>('SELECT exhausted, retry_after FROM rl_take($1, $2)', [
    [`key:${apiKeyId}`, `user:${key.caller.userId}`],
    limits,
  ]);
  if (taken === undefined || taken.exhausted === 0) return;
  const wait = Math.min(WINDOW_SECONDS, Math.max(1, taken.retry_after));
  throw rateLimited(
    taken.exhausted === 1 ? 'API key rate limit exceeded' : 'User rate limit exceeded (across all API keys)',
    {
      'Retry-After': String(wait),
      'X-RateLimit-Limit': String(limits[taken.exhausted - 1]),
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(Math.floor(Date.now() / 1000) + wait),
    },
  );
}
