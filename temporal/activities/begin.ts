/**
 * The first advance of a run, done by whoever starts it: its answer goes along with the start, and an execution that has
 * it begins with what is not pure, or is over at once. Delivering a start twice finds the stored answer.
 */
import type { AdvanceResult, RunRef } from '../contract.ts';
import { advance } from './advance.ts';
import type { EngineDeps } from './engine-deps.ts';

/** @throws as `advance` does; the execution asks for itself then */
export async function beginRun(deps: EngineDeps, run: RunRef): Promise<AdvanceResult> {
  const { organizationId, rootRunPk } = run;
  const result = await advance(deps, {
    organizationId,
    rootRunPk,
    advance: 1,
    progress: '',
    elapsed: [],
    skipped: [],
    inFlight: 0,
    wantsSkeleton: true,
  });
  deps.onAdvanced?.(run);
  return result;
}
