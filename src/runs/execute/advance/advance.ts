/**
 * Advances of a run, as the interpreter asks for them: each takes the answers and timers that have come, runs the pure nodes
 * that are ready, and closes or pauses the run when nothing else is left. Its answer is stored under its number, so that a
 * repetition after a lost reply gives the same answer and does nothing twice.
 */
import type { Tx } from '../../../db/client.ts';
import { isTransientDatabaseError } from '../../../db/transient-error.ts';
import { decodeProgress, encodeProgress } from '../../../graph/progress.ts';
import { createProgress } from '../../../graph/schedule.ts';
import type { Skeleton } from '../../../graph/skeleton.ts';
import { noteRunEnded } from '../../../observe/worker-metrics.ts';
import type { RunRef } from '../../engine.ts';
import { Overtaken, readStoredAnswer } from '../../ledger/advances.ts';
import { lockToAdvance, readToAdvance, type RunToAdvance } from '../../ledger/segments.ts';
import { RunValues } from '../../ledger/values.ts';
import { createContext, readRun, seedValues } from '../context.ts';
import type { ExecuteDeps } from '../deps.ts';
import type { AdvanceInput, AdvanceResult, RunEnd, RunFailure } from '../protocol.ts';
import { closePoisoned } from './closing.ts';
import { AdvanceRunner } from './advance-runner.ts';

/** Size of a skeleton, or of a part of it: far below the 128 kB that any payload may have. */
const SKELETON_PART = 64 * 1024;

const RUN_MISSING: RunEnd = {
  status: 'failed',
  error: { code: 'run_missing', message: 'The run no longer exists', nodeId: null },
};

/**
 * Makes the requested advance, or returns its stored answer when it was committed before.
 * @throws on database errors (to be tried again) and on bugs of ours
 */
export async function advance(deps: ExecuteDeps, input: AdvanceInput): Promise<AdvanceResult> {
  const result = (await advanceUnlocked(deps, input)) ?? (await advanceLocked(deps, input));
  // A cancelled run was ended elsewhere, and is counted where its execution hears of it.
  if (result.state === 'closed' && !result.repeated && result.status !== 'cancelled')
    noteRunEnded(result.status);
  deps.onAdvanced?.(input);
  return result;
}

/**
 * An advance of a run that does nothing else relies on a read without a lock, so that it usually is one statement: its number
 * and the run's status, which that statement compares, tell of whoever has changed the run since.
 * @returns null when the run must be locked; whether the advance was committed may be unknown then
 */
async function advanceUnlocked(deps: ExecuteDeps, input: AdvanceInput): Promise<AdvanceResult | null> {
  if (input.inFlight > 0) return null;
  const run = await readToAdvance(deps.db, input);
  if (run?.advance !== input.advance - 1 || run.segment?.status !== 'running') return null;
  const lock = async (tx: Tx): Promise<void> => {
    const locked = await lockToAdvance(tx, input);
    if (locked?.advance !== run.advance || locked.segment?.runPk !== run.segment?.runPk)
      throw new Overtaken();
    if (locked?.segment?.status !== 'running') throw new Overtaken();
  };
  try {
    return await deps.db.deferred(lock, (tx) => advanceRun(deps, tx, { run, input }));
  } catch (error) {
    if (!(error instanceof Overtaken) && !isTransientDatabaseError(error)) throw error;
    return null;
  }
}

function advanceLocked(deps: ExecuteDeps, input: AdvanceInput): Promise<AdvanceResult> {
  return deps.db.transaction(async (tx) => {
    const run = await lockToAdvance(tx, input);
    if (run === null) return buildClosedAnswer(input, '', RUN_MISSING);
    if (run.advance < input.advance) return advanceRun(deps, tx, { run, input });
    const stored = await readStoredAnswer<AdvanceResult>(tx, input);
    return { ...stored, repeated: true };
  });
}

interface Advancing {
  readonly run: RunToAdvance;
  readonly input: AdvanceInput;
}

async function advanceRun(deps: ExecuteDeps, tx: Tx, { run, input }: Advancing): Promise<AdvanceResult> {
  const { segment, inputs, progress: begunAt } = run;
  if (segment === null) return buildClosedAnswer(input, '', RUN_MISSING);
  const { status } = segment;
  if (status === 'completed' || status === 'failed' || status === 'cancelled')
    return buildClosedAnswer(input, segment.runPk, toRunEnd(status));
  const locked = await createContext(tx, deps, segment);
  // Nobody else changes the values of a run that does nothing else: reading them needs no transaction.
  const isAlone = input.inFlight === 0;
  const context = isAlone ? { ...locked, values: new RunValues(deps.db, segment.rootRunPk) } : locked;
  const graph = context.ready.skeleton(segment.recursionLimit);
  // A rerun begins at the progress that its cursor holds.
  const text = input.progress === '' ? begunAt : input.progress;
  const progress = text === null ? createProgress(graph) : decodeProgress(text);
  // Where a rerun begins, its fields are written already.
  if (inputs !== null && begunAt === null) seedValues(context, inputs);
  const step = new AdvanceRunner(deps, { context, graph, progress, input });
  const end = await step.run();
  const { maps, resumed, runPk } = step;
  const answer: AdvanceResult = {
    ...end,
    repeated: false,
    progress: encodeProgress(progress),
    runPk,
    maps,
    resumed,
  };
  await step.write(JSON.stringify(answer));
  return { ...answer, ...includeSkeleton(input, end, graph) };
}

const toRunEnd = (status: RunEnd['status']): RunEnd => ({
  status,
  error: status === 'failed' ? { code: status, message: `The run is ${status}`, nodeId: null } : null,
});

/** Builds the answer to an advance of a run that has ended. */
function buildClosedAnswer({ progress }: AdvanceInput, runPk: string, end: RunEnd): AdvanceResult {
  return { repeated: false, progress, runPk, maps: [], resumed: [], state: 'closed', ...end };
}

/** Includes the skeleton when the caller wants it and it is small enough for the answer. */
function includeSkeleton(
  { wantsSkeleton }: AdvanceInput,
  { state }: Pick<AdvanceResult, 'state'>,
  graph: Skeleton,
): Pick<AdvanceResult, 'skeleton'> {
  if (wantsSkeleton !== true || state === 'closed') return {};
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
  return buildClosedAnswer(input, segment?.runPk ?? '', { status: 'failed', error });
}

/** A part of a run's skeleton as JSON text, from 0. @returns null when the run is gone */
export async function readSkeletonPart(
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
