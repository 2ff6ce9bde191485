/**
 * Advances of a run, requested by the interpreter: each takes answers and fired timers, runs the ready pure nodes, and ends or
 * pauses the run when nothing is left. Its answer is stored under its number, so that a repetition after a lost reply returns
 * the same answer and does nothing twice.
 */
import type { DeferredTx, Tx } from '../../../../base/db/client.ts';
import { isTransientDatabaseError } from '../../../../base/db/transient-error.ts';
import { decodeProgress, encodeProgress } from '../../../../language/graph/schedule/progress.ts';
import { createProgress } from '../../../../language/graph/schedule/schedule.ts';
import type { Skeleton } from '../../../../language/graph/definition/skeleton.ts';
import type { RunRef } from '../../engine.ts';
import { Overtaken, readStoredAnswer } from '../../ledger/write/advances.ts';
import { keepTransaction } from '../../ledger/write/keep-transaction.ts';
import { lockToAdvance, readToAdvance, type RunToAdvance } from '../../ledger/write/segments.ts';
import { withValueShare, type ValueShare } from '../../ledger/read/value-share.ts';
import { RunValues } from '../../ledger/read/values.ts';
import { createContext, readRun } from '../context.ts';
import { seedValues } from '../../walk/context.ts';
import type { ExecuteDeps } from '../deps.ts';
import type { AdvanceInput, AdvanceResult, RunEnd, RunFailure } from '../protocol.ts';
import { closePoisoned, readRunEnd } from './closing.ts';
import { AdvanceRunner } from './advance-runner.ts';

/** The dependencies of one advance, whose values are counted. */
type CountedDeps = ExecuteDeps & { readonly share: ValueShare };

/** Size of a skeleton, or of a part of it: far below the 128 kB limit of a payload. */
const SKELETON_PART = 64 * 1024;

const RUN_MISSING: RunEnd = {
  status: 'failed',
  error: { code: 'run_missing', message: 'The run no longer exists', nodeId: null },
};

/**
 * Makes the requested advance, or returns its stored answer when it was committed before.
 * @throws on database errors, which are retried, and on bugs
 */
export async function advance(deps: ExecuteDeps, input: AdvanceInput): Promise<AdvanceResult> {
  const result = await withValueShare(deps, input.organizationId, async (share) => {
    const counted = { ...deps, share };
    return (await advanceUnlocked(counted, input)) ?? (await advanceLocked(counted, input));
  });
  deps.onAdvanced?.(input);
  return result;
}

/**
 * Makes an advance without locking the run, usually in one statement: nothing else works on the run, and the statement compares
 * the number of the advance and the status of the run.
 * @returns null when the run must be locked; the advance may have been committed then
 */
async function advanceUnlocked(deps: CountedDeps, input: AdvanceInput): Promise<AdvanceResult | null> {
  if (input.inFlight > 0) return null;
  const run = await readToAdvance(deps.db, input);
  if (run?.advance !== input.advance - 1 || run.segment?.status !== 'running') return null;
  // Compiles first: a read inside would open the transaction.
  await deps.plans.get(deps.db, run.segment);
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

function advanceLocked(deps: CountedDeps, input: AdvanceInput): Promise<AdvanceResult> {
  return deps.db.transaction(async (tx) => {
    const run = await lockToAdvance(tx, input);
    if (run === null) return buildClosedAnswer(input, '', RUN_MISSING);
    if (run.advance < input.advance) return advanceRun(deps, tx, { run, input });
    const stored = await readStoredAnswer<AdvanceResult>(tx, input);
    if (stored !== null) return { ...stored, repeated: true };
    // An operator has reset the execution to a time of which nothing is kept: an ended run has its row, and another cannot go on.
    const end = run.segment === null ? RUN_MISSING : await readRunEnd(tx, run.segment);
    if (end === null) throw new Error(`The answer to advance ${input.advance} is no longer kept`);
    return buildClosedAnswer(input, run.segment?.runPk ?? '', end);
  });
}

interface Advancing {
  readonly run: RunToAdvance;
  readonly input: AdvanceInput;
}

async function advanceRun(
  deps: CountedDeps,
  tx: Tx | DeferredTx,
  { run, input }: Advancing,
): Promise<AdvanceResult> {
  const { segment, inputs, progress: initialProgress } = run;
  if (segment === null) return buildClosedAnswer(input, '', RUN_MISSING);
  const ended = await readRunEnd(tx, segment);
  if (ended !== null) return buildClosedAnswer(input, segment.runPk, ended);
  const locked = await createContext(tx, deps, segment);
  // An advance that has not locked the run is alone, so reading its values begins no transaction.
  const context =
    'queryWithoutBegin' in tx
      ? {
          ...locked,
          values: new RunValues({ query: tx.queryWithoutBegin }, segment.rootRunPk, { ...deps, ...locked }),
        }
      : locked;
  const graph = context.ready.skeleton(segment.recursionLimit);
  // A rerun starts at the progress of its cursor.
  const text = input.progress === '' ? initialProgress : input.progress;
  const progress = text === null ? createProgress(graph) : decodeProgress(text);
  // The state fields of a rerun are written already.
  if (inputs !== null && initialProgress === null) seedValues(context, inputs);
  const runner = new AdvanceRunner(deps, { context, graph, progress, input });
  const stopKeeping = keepTransaction(tx, context.clock);
  const end = await runner.run().finally(stopKeeping);
  const { maps, resumed, runPk } = runner;
  const answer: AdvanceResult = {
    ...end,
    repeated: false,
    progress: encodeProgress(progress),
    runPk,
    maps,
    resumed,
  };
  await runner.write(JSON.stringify(answer));
  return { ...answer, ...includeSkeleton(input, end, graph) };
}

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

/** Fails a run that no advance can continue, unless it has ended. @returns the answer that ends its execution */
export async function failRun(
  deps: ExecuteDeps,
  input: AdvanceInput,
  error: RunFailure,
): Promise<AdvanceResult> {
  const closed = await closePoisoned(deps.db, input, error);
  return buildClosedAnswer(input, closed?.segment.runPk ?? '', closed?.end ?? { status: 'failed', error });
}

/** Reads a part of a run's skeleton as JSON text, from 0. @returns null when the run does not exist */
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
