/**
 * The first advance of a run, done by whoever starts it: its answer goes along with the start, and an execution that has
 * it begins with what is not pure, or is over at once. Delivering a start twice finds the stored answer.
 */
import type { ToBegin } from '../outbox/first-advance.ts';
import type { RunRef } from '../engine.ts';
import type { AdvanceInput, AdvanceResult } from './protocol.ts';
import { advance } from './advance.ts';
import { advanceAlone } from './advance-alone.ts';
import type { EngineDeps } from './engine-deps.ts';

/** What a run's first advance is asked. */
export const firstAdvance = ({ organizationId, rootRunPk }: RunRef): AdvanceInput => ({
  organizationId,
  rootRunPk,
  advance: 1,
  progress: '',
  elapsed: [],
  skipped: [],
  inFlight: 0,
  wantsSkeleton: true,
});

/** @throws as `advance` does; the execution asks for itself then */
export async function beginRun(deps: EngineDeps, run: RunRef, read: ToBegin | null): Promise<AdvanceResult> {
  const input = firstAdvance(run);
  const result =
    (read === null ? null : await advanceAlone(deps, input, read)) ?? (await advance(deps, input));
  deps.onAdvanced?.(run);
  return result;
}
