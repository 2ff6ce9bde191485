/** The request limit of an organization (SPEC API-limits: organization api-class rate, shape B). */
import type { Scope } from '../access/caller.ts';
import type { Db } from '../../base/db/client.ts';
import { takeFromWindows, type TakenWindow } from '../../base/db/rate-windows.ts';
import { ApiError, rateLimitHeaders } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { resolveEntitlements } from './plans.ts';

/**
 * Counts one request against the organization's limit. The request passes when the limiter itself fails (it fails open).
 * @throws ApiError 429 shape B
 */
export async function takeApiRequest(
  deps: { readonly db: Db; readonly log: Logger },
  scope: Pick<Scope, 'organizationId' | 'subscription'>,
): Promise<void> {
  const { api: limit } = resolveEntitlements(scope.subscription);
  if (limit === null) return;
  let taken: TakenWindow;
  try {
    taken = await takeFromWindows(deps.db, [`api:${scope.organizationId}`], [limit]);
  } catch (error) {
    deps.log.warn({ err: error }, 'the organization request limiter failed; the request was not counted');
    return;
  }
  if (taken.exhausted === 0) return;
  const detail = {
    code: 'rate_limited' as const,
    layer: 'rate',
    key: 'api',
    current: taken.used,
    limit,
    reason: 'rate_limit_exceeded',
  };
  throw new ApiError(
    { shape: 'B', status: 429, code: detail.code, detail },
    rateLimitHeaders(limit, taken.retryAfterSeconds),
  );
}
