/** Tells which server an error is an outage of. */
import { isDatabaseAway } from '../base/db/transient-error.ts';
import { TemporalUnavailable } from '../base/errors.ts';

/** Statuses of gRPC, which only Temporal is called by: a deadline that has passed, and a server that cannot be reached. */
const AWAY_STATUSES: readonly unknown[] = [4, 14];

/** By its shape: the SDK would be loaded for it in processes that do not call Temporal. */
const isGrpcAway = (error: Error): boolean =>
  'code' in error && 'details' in error && 'metadata' in error && AWAY_STATUSES.includes(error.code);

/** Deeper chains of causes are circles. */
const MAX_DEPTH = 5;

/** @returns `database` or `temporal` when the error, or one that caused it, is that of a server that is away; else null */
export function findOutage(error: unknown): 'database' | 'temporal' | null {
  let current = error;
  for (let depth = 0; depth < MAX_DEPTH && current instanceof Error; depth += 1) {
    if (current instanceof TemporalUnavailable || isGrpcAway(current)) return 'temporal';
    if (isDatabaseAway(current)) return 'database';
    current = current.cause;
  }
  return null;
}
