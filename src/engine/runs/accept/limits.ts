/** The limits of a run: its execution limits, its depth below other runs, and the concurrent runs of its organization. */
import type { Scope } from '../../../platform/access/caller.ts';
import { readSubscription } from '../../../platform/billing/admission.ts';
import { resolveEntitlements } from '../../../platform/billing/plans.ts';
import type { Sql } from '../../../base/db/client.ts';
import { invalid } from '../../../base/errors.ts';
import { isObject, ownValue } from '../../../language/graph/values/value.ts';
import { countUnderWay } from '../ledger/read/run-reads.ts';

/** Range and default of `config.recursion_limit` (SPEC SEC-G10). */
export const RECURSION_LIMIT = { min: 1, max: 1_000, default: 100 } as const;
/** Range and default of `config.batch_interval_ms` (SPEC SEC-G11). */
export const BATCH_INTERVAL_MS = { min: 0, max: 60_000, default: 50 } as const;

interface RunLimits {
  readonly recursionLimit: number;
  readonly batchIntervalMs: number;
}

type Range = typeof RECURSION_LIMIT | typeof BATCH_INTERVAL_MS;

function findWithin(range: Range, key: string, configs: readonly unknown[]): number {
  for (const config of configs) {
    const value = isObject(config) ? ownValue(config, key) : undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= range.min && value <= range.max)
      return value;
  }
  return range.default;
}

/**
 * Chooses the execution limits of a run.
 * @param configs by precedence: the caller's, the deployment's, the definition's; values out of range are ignored
 */
export function chooseLimits(...configs: readonly unknown[]): RunLimits {
  return {
    recursionLimit: findWithin(RECURSION_LIMIT, 'recursion_limit', configs),
    batchIntervalMs: findWithin(BATCH_INTERVAL_MS, 'batch_interval_ms', configs),
  };
}

/** The deepest nesting of runs that runs start over the API. Sub-workflows count as levels, too. */
export const MAX_STARTED_DEPTH = 5;

/**
 * Returns the depth of the run that a request starts: one below the run that makes the request, or 0 without one.
 * @throws ApiError 422 `run_too_deep`
 */
export function requireStartDepth({ callingRunDepth }: Pick<Scope, 'callingRunDepth'>): number {
  if (callingRunDepth === undefined) return 0;
  if (callingRunDepth < MAX_STARTED_DEPTH) return callingRunDepth + 1;
  const msg = `Runs that start runs over the API may be nested at most ${MAX_STARTED_DEPTH} levels deep`;
  throw invalid([{ loc: ['header', 'X-Run-Depth'], msg, type: 'run_too_deep' }]);
}

/**
 * Checks the organization's limit of concurrent runs before a run or a schedule starts one. Without it a workflow that starts
 * itself, or a schedule whose runs do not end, would fill the service; requests of clients are bounded by the run rate.
 * Concurrent starts do not see each other and may exceed the limit by their number.
 * @returns the limit when it is reached, else null
 */
export async function findReachedRunLimit(sql: Sql, organizationId: string): Promise<number | null> {
  const limit = resolveEntitlements(await readSubscription(sql, organizationId)).runs_under_way;
  if (limit === null) return null;
  return (await countUnderWay(sql, organizationId, limit)) >= limit ? limit : null;
}
