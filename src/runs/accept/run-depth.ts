/** Bounds runs that start runs over the API: the count is that of sub-workflows, so that both kinds of starts add up. */
import type { Scope } from '../../access/caller.ts';
import { invalid } from '../../errors.ts';

/** Runs above a run that a run has started over the API. */
export const MAX_STARTED_DEPTH = 5;

/**
 * The depth of what a request starts: one below the run that makes the request; 0 where no run does.
 * @throws ApiError 422 `run_too_deep`
 */
export function requireStartDepth({ callingRunDepth }: Pick<Scope, 'callingRunDepth'>): number {
  if (callingRunDepth === undefined) return 0;
  if (callingRunDepth < MAX_STARTED_DEPTH) return callingRunDepth + 1;
  const msg = `Runs may start runs over the API ${MAX_STARTED_DEPTH} deep at most; this one would be deeper`;
  throw invalid([{ loc: ['header', 'X-Run-Depth'], msg, type: 'run_too_deep' }]);
}
