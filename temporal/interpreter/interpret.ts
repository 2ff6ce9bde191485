/**
 * The one workflow: walks any graph. It knows outcomes, not kinds of nodes; values never pass through it. Pure nodes
 * run in the `advance` local activity, effectful ones as activities named after their type (short ones as local activities),
 * sub-workflows as children. An interrupted run waits here for the `resume` signal, which only wakes it: the answer is in PostgreSQL.
 */
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import type { Skeleton } from '../../src/graph/skeleton.ts';
import { RESUME_SIGNAL } from '../contract.ts';
import type { AdvanceResult, RunEnd } from '../../src/runs/execute/protocol.ts';
import type { InterpretInput } from '../contract.ts';
import { advanceRun, ledgerActivities } from './activities.ts';
import { Wakeup } from './wakeup.ts';
import { OperatorView } from './operator-view.ts';
import { Redelivery } from './redelivery.ts';
import { Timers } from './timers.ts';
import { Walk } from './walk.ts';
import { Tasks } from './tasks.ts';

/**
 * Where history is cut when nothing is in flight, and where new work stops until nothing is.
 * Temporal's limits are 51,200 events and 50 MB.
 */
const CONTINUE_AT = { events: 4_000, bytes: 4_000_000 };
const DRAIN_AT = { events: 7_500, bytes: 8_000_000 };
/** The outbox brings Temporal's own cancellation after the row's. What has not come by then is asked for again. */
const CANCELLATION_COMES_WITHIN = '10s';
// Every export is registered as a workflow type.
export { scheduledRun } from './scheduled.ts';
export { ingestDocument } from '../ingest/ingest-document.ts';

const resumeSignal = defineSignal(RESUME_SIGNAL);

/** An unforeseen error of ours fails the run instead of blocking it; replays still fail only the task. */
setWorkflowOptions({ failureExceptionTypes: [Error] }, interpretWorkflow);

/** @param input the run's facts, and where an earlier history has left its walk */
export async function interpretWorkflow(input: InterpretInput): Promise<{ status: string }> {
  const news = new Wakeup();
  const walk = new Walk(input, news, new Redelivery());
  const timers = new Timers((node, visit) => walk.noteTimerFired(node, visit));
  setHandler(resumeSignal, () => walk.wake());
  const view = new OperatorView(input.searchable);
  const work = new Tasks(input, walk, { news, mayStart: () => !isHistoryAbove(DRAIN_AT) });
  CancellationScope.current().cancelRequested.catch((error: unknown) => work.fail(error));
  try {
    return await interpret(input, { walk, timers, view, work, news });
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const end = await CancellationScope.nonCancellable(async () => {
      await work.awaitAll();
      return ledgerActivities.closeCancelled(input, 'Cancelled');
    });
    if (end.status !== 'cancelled') return close(view, end);
    view.showStatus('cancelled');
    throw error;
  }
}

/** The parts of an execution that work together. */
interface Interpretation {
  readonly walk: Walk;
  readonly timers: Timers;
  readonly view: OperatorView;
  readonly work: Tasks;
  readonly news: Wakeup;
}

async function interpret(
  input: InterpretInput,
  { walk, timers, view, work, news }: Interpretation,
): Promise<{ status: string }> {
  let due = true;
  for (;;) {
    while (due) {
      const begins = walk.pureReady;
      const result = await advanceRun(walk.nextAdvance(), begins);
      if (result.state === 'closed') {
        if (result.status === 'cancelled') await awaitCancellation(input);
        return close(view, result);
      }
      const skeleton = walk.skeleton ?? parseSkeleton(result) ?? (await loadSkeleton(input));
      const isFirst = walk.skeleton === null;
      walk.apply(result, skeleton).forEach((launch) => work.start(launch));
      if (isFirst) walk.takeSuspended().forEach((launch) => work.start(launch));
      view.showState(result);
      due = walk.hasWork && walk.settleReturned();
    }
    if (isHistoryAbove(CONTINUE_AT) && walk.canContinueAsNew) {
      await continueAsNew<typeof interpretWorkflow>(walk.continueAsNewInput);
    }
    if (!isHistoryAbove(DRAIN_AT)) walk.takeLaunches().forEach((launch) => work.start(launch));
    view.showProgress(walk);
    timers.follow(walk.progress?.timers ?? []);
    if (!walk.hasWork && work.error === null) await news.wait();
    if (work.error !== null) throw work.error;
    due = walk.settleReturned();
  }
}

function isHistoryAbove({ events, bytes }: { events: number; bytes: number }): boolean {
  const { historyLength, historySize } = workflowInfo();
  return historyLength >= events || historySize >= bytes;
}

/**
 * Waits for the cancellation that a cancelled row announces, however long Temporal is not told of it: an execution can be
 * cancelled only from outside. @throws CancelledFailure when it has come
 */
async function awaitCancellation(input: InterpretInput): Promise<never> {
  for (;;) {
    await condition(() => false, CANCELLATION_COMES_WITHIN);
    await ledgerActivities.askCancellation(input);
  }
}

/** The run's end is Temporal's end: a failed run is a failed execution. */
function close(view: OperatorView, end: RunEnd): { status: string } {
  view.showStatus(end.status);
  if (end.status === 'failed') {
    const { code, message, nodeLabel } = end.error ?? { code: 'failed', message: 'The run failed' };
    throw ApplicationFailure.nonRetryable(
      nodeLabel === undefined ? message : `${nodeLabel}: ${message}`,
      code,
    );
  }
  return { status: end.status };
}

/** A small skeleton comes with the first answer: a run of few nodes is not held up by a second question. */
function parseSkeleton({ skeleton }: AdvanceResult): Skeleton | null {
  return skeleton === undefined ? null : (JSON.parse(skeleton) as Skeleton);
}

async function loadSkeleton(input: InterpretInput): Promise<Skeleton> {
  const ref = { organizationId: input.organizationId, rootRunPk: input.rootRunPk };
  const first = await ledgerActivities.loadSkeleton(ref, 0);
  let text = first.text;
  for (let part = 1; part < first.parts; part += 1)
    text += (await ledgerActivities.loadSkeleton(ref, part)).text;
  return JSON.parse(text) as Skeleton;
}
