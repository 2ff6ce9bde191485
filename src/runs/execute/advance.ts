/** Advances of a run, as its driver asks for them, and the skeleton that goes along. */
import { noteRunEnded } from '../../observe/worker-metrics.ts';
import type { Skeleton } from '../../graph/skeleton.ts';
import type { RunRef } from '../engine.ts';
import type { AdvanceInput, AdvanceResult, RunFailure } from './protocol.ts';
import { closePoisoned } from './closing.ts';
import { closed } from './advance-answers.ts';
import type { ExecuteDeps } from './deps.ts';
import { readRun } from './run-context.ts';
import { Stretch } from './stretch.ts';

/** Size of a skeleton, or of a part of it: far below the 128 kB that any payload may have. */
const SKELETON_PART = 64 * 1024;

/**
 * Advances a run. Where the interpreter asks for it, short effectful nodes run along, in as many advances as they take.
 * @param signal aborts when the caller is given up
 * @throws on database errors (to be tried again) and on bugs of ours
 */
export async function advance(
  deps: ExecuteDeps,
  input: AdvanceInput,
  signal: AbortSignal | null = null,
): Promise<AdvanceResult> {
  const stretch = new Stretch(deps, input);
  const result = await stretch.run(signal);
  // A cancelled run was ended elsewhere, and is counted where its execution hears of it.
  if (result.state === 'closed' && !result.repeated && result.status !== 'cancelled')
    noteRunEnded(result.status);
  const isCalling = [result, ...result.maps].some(({ calls = [] }) => calls.length > 0);
  const home = isCalling ? { home: deps.home } : {};
  return { ...result, ...home, ...skeletonFor(input, result, stretch.graph) };
}

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

/** The skeleton with an answer that the run goes on from, if it was asked for and is small enough to travel along. */
function skeletonFor(
  input: AdvanceInput,
  result: AdvanceResult,
  graph: Skeleton | null,
): Pick<AdvanceResult, 'skeleton'> {
  if (input.wantsSkeleton !== true || result.state === 'closed' || graph === null) return {};
  const skeleton = JSON.stringify(graph);
  return skeleton.length <= SKELETON_PART ? { skeleton } : {};
}

/** Ends a run as failed that no advance can carry. @returns the answer that its execution ends with */
export async function failRun(
  deps: ExecuteDeps,
  input: AdvanceInput,
  error: RunFailure,
): Promise<AdvanceResult> {
  const segment = await closePoisoned(deps.db, input, error);
  if (segment !== null) noteRunEnded('failed');
  return closed(input, segment?.runPk ?? '', { status: 'failed', error });
}

/** A part of a run's skeleton as JSON text, from 0. @returns null when the run is gone */
export async function skeletonPart(
  deps: ExecuteDeps,
  run: RunRef,
  part: number,
): Promise<{ readonly text: string; readonly parts: number } | null> {
  const context = await readRun(deps, run);
  if (context === null) return null;
  const text = JSON.stringify(context.ready.skeleton(context.segment.recursionLimit));
  const at = part * SKELETON_PART;
  return {
    text: text.slice(at, at + SKELETON_PART),
    parts: Math.max(1, Math.ceil(text.length / SKELETON_PART)),
  };
}
