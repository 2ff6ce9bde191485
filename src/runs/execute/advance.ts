/**
 * One advance of a run, in one transaction: take what has come in (answers, timers), run what is pure, and close or
 * pause the run when nothing else is left. The answer is stored under the advance's number, so that a repetition
 * after a lost reply gives the same answer and does nothing twice.
 */
import type { Sql } from '../../db/client.ts';
import { decodeProgress, encodeProgress } from '../../graph/progress.ts';
import { begin } from '../../graph/schedule.ts';
import type { Progress } from '../../graph/schedule.ts';
import { seedState } from '../../graph/state.ts';
import type { Skeleton } from '../../graph/skeleton.ts';
import { lockToAdvance } from '../ledger/segments.ts';
import type { RunInputs } from '../ledger/segments.ts';
import type { AdvanceInput, AdvanceResult } from './protocol.ts';
import { AdvanceStep } from './advance-step.ts';
import type { AdvanceEnd } from './advance-step.ts';
import { LockedWrites } from './advance-writes.ts';
import type { EngineDeps } from './engine-deps.ts';
import { contextOf } from './run-context.ts';
import type { RunContext } from './run-context.ts';

/**
 * Answers kept per run. Temporal records local activities when the workflow task ends or extends itself (every 8 s):
 * until then a lost worker makes the next one ask again, for each of them.
 */
const KEPT_ADVANCES = 1_000;

/** Size of a skeleton, or of a part of it: far below the 128 kB that any payload may have. */
export const SKELETON_PART = 64 * 1024;

/** @throws on database errors (to be tried again) and on bugs of ours */
export async function advance(deps: EngineDeps, input: AdvanceInput): Promise<AdvanceResult> {
  return deps.db.transaction(async (tx) => {
    const locked = await lockToAdvance(tx, input);
    if (locked === null) return closed(input, '', 'failed', 'run_missing', 'The run is gone');
    if (locked.advance >= input.advance) return storedAnswer(tx, input);
    const { segment } = locked;
    if (segment === null) return closed(input, '', 'failed', 'run_missing', 'The run is gone');
    const context = await contextOf(tx, deps.plans, segment);
    const { status } = context.segment;
    if (status === 'completed' || status === 'failed' || status === 'cancelled') {
      return { ...closed(input, context.segment.runPk, status, status, `The run is ${status}`) };
    }
    const graph = context.ready.skeleton(context.segment.recursionLimit);
    const isFirst = input.progress === '';
    const progress = isFirst ? begin(graph) : decodeProgress(input.progress);
    if (locked.inputs !== null) seed(context, locked.inputs);
    const step = new AdvanceStep(deps, context, graph, progress, input, new LockedWrites(isFirst));
    const result = answerOf(step, await step.run(), progress);
    await store(tx, input, { ...result, lastSeq: step.lastSeq });
    return { ...result, ...skeletonFor(input, result, graph) };
  });
}

/** The answer to an advance that has come to its end. */
export function answerOf(step: AdvanceStep, end: AdvanceEnd, progress: Progress): AdvanceResult {
  const { runPk, maps, resumed } = step;
  return { ...end, repeated: false, progress: encodeProgress(progress), runPk, maps, resumed };
}

/** The skeleton with an answer that the run goes on from, if it was asked for and is small enough to travel along. */
export function skeletonFor(
  input: AdvanceInput,
  result: AdvanceResult,
  graph: Skeleton,
): Pick<AdvanceResult, 'skeleton'> {
  if (input.wantsSkeleton !== true || result.state === 'closed') return {};
  const skeleton = JSON.stringify(graph);
  return skeleton.length <= SKELETON_PART ? { skeleton } : {};
}

/** The answer of an advance that was committed already. @throws when it is no longer kept */
async function storedAnswer(tx: Sql, input: AdvanceInput): Promise<AdvanceResult> {
  const [stored] = await tx.query<{ result: AdvanceResult }>(
    `SELECT result::jsonb - 'lastSeq' AS result FROM run_advances WHERE root_run_pk = $1 AND advance = $2`,
    [input.rootRunPk, input.advance],
  );
  if (stored === undefined) throw new Error(`The answer to advance ${input.advance} is no longer kept`);
  return { ...stored.result, repeated: true };
}

/** Keeps the answer, and how far events had come (journal/outbox.ts asks for it); old ones go, in steps. */
async function store(
  tx: Sql,
  input: AdvanceInput,
  result: AdvanceResult & { readonly lastSeq: number },
): Promise<void> {
  await tx.query(
    `WITH moved AS (UPDATE run_cursors SET advance = $2 WHERE root_run_pk = $1)
     INSERT INTO run_advances (root_run_pk, advance, result) VALUES ($1, $2, $3::json)`,
    [input.rootRunPk, input.advance, JSON.stringify(result)],
  );
  if (input.advance % KEPT_ADVANCES !== 0) return;
  await tx.query('DELETE FROM run_advances WHERE root_run_pk = $1 AND advance < $2', [
    input.rootRunPk,
    input.advance - KEPT_ADVANCES,
  ]);
}

function closed(
  input: AdvanceInput,
  runPk: string,
  status: 'completed' | 'failed' | 'cancelled',
  code: string,
  message: string,
): AdvanceResult {
  return {
    repeated: false,
    progress: input.progress,
    runPk,
    maps: [],
    state: 'closed',
    status,
    error: status === 'failed' ? { code, message, nodeId: null } : null,
  };
}

/** Gives the declared fields their first values (SPEC DEF-2.12). */
export function seed({ ready, values }: RunContext, { workflowInput, runInput, merged }: RunInputs): void {
  const seeded = seedState(ready.plan.fields, workflowInput ?? {}, runInput ?? {});
  values.begin(merged, { ...seeded.free, ...seeded.fields });
}
