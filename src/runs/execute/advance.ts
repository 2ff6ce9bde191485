/**
 * One advance of a run, in one transaction: take what has come in (answers, timers), run what is pure, and close or
 * pause the run when nothing else is left. The answer is stored under the advance's number, so that a repetition
 * after a lost reply gives the same answer and does nothing twice.
 */
import { decodeProgress, encodeProgress } from '../../graph/progress.ts';
import { begin } from '../../graph/schedule.ts';
import { seedState } from '../../graph/state.ts';
import type { Skeleton } from '../../graph/skeleton.ts';
import { storedAnswer } from '../ledger/advances.ts';
import { lockToAdvance } from '../ledger/segments.ts';
import type { RunInputs } from '../ledger/segments.ts';
import type { RunRef } from '../engine.ts';
import type { AdvanceInput, AdvanceResult, RunEnd, RunFailure } from './protocol.ts';
import { closePoisoned } from './closing.ts';
import { AdvanceStep } from './advance-step.ts';
import type { ExecuteDeps } from './deps.ts';
import { contextOf, readRun } from './run-context.ts';
import type { RunContext } from './run-context.ts';

/** Size of a skeleton, or of a part of it: far below the 128 kB that any payload may have. */
const SKELETON_PART = 64 * 1024;

/** @throws on database errors (to be tried again) and on bugs of ours */
export async function advance(deps: ExecuteDeps, input: AdvanceInput): Promise<AdvanceResult> {
  return deps.db.transaction(async (tx) => {
    const locked = await lockToAdvance(tx, input);
    if (locked === null) return closed(input, '', GONE);
    if (locked.advance >= input.advance) {
      return { ...(await storedAnswer<AdvanceResult>(tx, input)), repeated: true };
    }
    const { segment } = locked;
    if (segment === null) return closed(input, '', GONE);
    const context = await contextOf(tx, deps.plans, segment);
    const { status } = context.segment;
    if (status === 'completed' || status === 'failed' || status === 'cancelled') {
      return closed(input, segment.runPk, endOf(status));
    }
    const graph = context.ready.skeleton(context.segment.recursionLimit);
    const progress = input.progress === '' ? begin(graph) : decodeProgress(input.progress);
    if (locked.inputs !== null) seed(context, locked.inputs);
    const step = new AdvanceStep(deps, { context, graph, progress, input });
    const end = await step.run();
    const { runPk, maps, resumed } = step;
    const result = { ...end, repeated: false, progress: encodeProgress(progress), runPk, maps, resumed };
    await step.write(JSON.stringify({ ...result, lastSeq: step.lastSeq }));
    return { ...result, ...skeletonFor(input, result, graph) };
  });
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

/**
 * The first advance of a run, done before its start is delivered: its answer goes along, and an execution that has it begins
 * with what is not pure, or is over at once. Delivering a start twice finds the stored answer.
 * @throws as `advance` does; the execution does it itself then
 */
export async function beginRun(deps: ExecuteDeps, run: RunRef): Promise<AdvanceResult> {
  const result = await advance(deps, firstAdvance(run));
  deps.onAdvanced?.(run);
  return result;
}

/** The skeleton with an answer that the run goes on from, if it was asked for and is small enough to travel along. */
function skeletonFor(
  input: AdvanceInput,
  result: AdvanceResult,
  graph: Skeleton,
): Pick<AdvanceResult, 'skeleton'> {
  if (input.wantsSkeleton !== true || result.state === 'closed') return {};
  const skeleton = JSON.stringify(graph);
  return skeleton.length <= SKELETON_PART ? { skeleton } : {};
}

const GONE: RunEnd = {
  status: 'failed',
  error: { code: 'run_missing', message: 'The run is gone', nodeId: null },
};

const endOf = (status: RunEnd['status']): RunEnd => ({
  status,
  error: status === 'failed' ? { code: status, message: `The run is ${status}`, nodeId: null } : null,
});

/** The answer to an advance of a run that has ended. */
function closed({ progress }: AdvanceInput, runPk: string, end: RunEnd): AdvanceResult {
  return { repeated: false, progress, runPk, maps: [], state: 'closed', ...end };
}

/** Ends a run as failed that no advance can carry. @returns the answer that its execution ends with */
export async function failRun(
  deps: ExecuteDeps,
  input: AdvanceInput,
  error: RunFailure,
): Promise<AdvanceResult> {
  const segment = await closePoisoned(deps.db, input, error);
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

/** Gives the declared fields their first values (SPEC DEF-2.12). */
function seed({ ready, values }: RunContext, { workflowInput, runInput, merged }: RunInputs): void {
  const seeded = seedState(ready.plan.fields, workflowInput ?? {}, runInput ?? {});
  values.begin(merged, { ...seeded.free, ...seeded.fields });
}
