/** The execution limits of a run: the caller's, else those of the deployment's config, else those of the definition's. */
import { isObject, ownValue } from '../../graph/value.ts';

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
 * Chooses the limits of a run.
 * @param configs the strongest first; values out of range are ignored
 */
export function chooseLimits(...configs: readonly unknown[]): RunLimits {
  return {
    recursionLimit: findWithin(RECURSION_LIMIT, 'recursion_limit', configs),
    batchIntervalMs: findWithin(BATCH_INTERVAL_MS, 'batch_interval_ms', configs),
  };
}
