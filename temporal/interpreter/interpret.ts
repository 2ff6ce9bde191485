/**
 * The one workflow, which walks any graph. It sees outcomes of nodes and no values. Pure nodes run in the `advance` local
 * activity, effectful ones as activities named after their type (short ones as local activities), sub-workflows as children. An
 * interrupted run waits for the `resume` signal, which only wakes it: the answer is in PostgreSQL.
 */
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  patched,
  setHandler,
  setWorkflowOptions,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Skeleton } from '../../src/language/graph/definition/skeleton.ts';
import { RESUME_SIGNAL } from '../contract.ts';
import type { AdvanceResult, RunEnd } from '../../src/engine/runs/execute/protocol.ts';
import type { InterpretInput } from '../contract.ts';
import { declareVersioning } from '../ingest/versioning.ts';
import { advanceRun, ledgerActivities } from './activities.ts';
import { Wakeup } from './wakeup.ts';
import { OperatorView, summarizeTimer } from './operator-view.ts';
import { Redelivery } from './redelivery.ts';
import { Timers } from './timers.ts';
import { Walk } from './walk.ts';
import { Tasks } from './tasks.ts';

/**
 * Sizes of the history at which the run continues as new when nothing is in flight, and at which no new work starts before that.
 * Temporal's limits are 51,200 events and 50 MB.
 */
const CONTINUE_AT = { events: 4_000, bytes: 4_000_000 };
const DRAIN_AT = { events: 7_500, bytes: 8_000_000 };
/** The outbox delivers the cancellation after the commit of the row; after this time it is requested again. */
const CANCELLATION_TIMEOUT = '10s';
/** In histories before, a cancelled run was closed when all its tasks had ended. */
const CLOSE_FIRST = 'close-first';
/** In histories before, advances followed each other in one workflow task until nothing pure was ready. */
const REST_BETWEEN_FOLDS = 'rest-between-folds';
// Every export is registered as a workflow type.
export { scheduledRun } from './scheduled.ts';
export { ingestDocument } from '../ingest/ingest-document.ts';

const resumeSignal = defineSignal(RESUME_SIGNAL);

/** An unexpected error fails the run. Nondeterminism still fails the workflow task alone. */
setWorkflowOptions(declareVersioning('AUTO_UPGRADE'), interpretWorkflow);

/** Interprets a run. @param input its facts, and the progress of the history before @returns the status of the run */
export async function interpretWorkflow(input: InterpretInput): Promise<{ status: string }> {
  const wakeup = new Wakeup();
  const walk = new Walk(input, wakeup, new Redelivery());
  const timers = new Timers(
    (timer) => walk.noteTimerFired(timer),
    (timer) => summarizeTimer(walk, timer),
  );
  setHandler(resumeSignal, () => walk.wake());
  const view = new OperatorView(input.searchable);
  const tasks = new Tasks(input, walk, { wakeup, canStart: () => !isHistoryAbove(DRAIN_AT) });
  CancellationScope.current().cancelRequested.catch((error: unknown) => tasks.fail(error));
  try {
    return await interpret(input, { walk, timers, view, tasks, wakeup });
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const end = await CancellationScope.nonCancellable(async () => {
      // The row first: its notice stops the work within milliseconds, and Temporal's own cancellation with the next heartbeat.
      const closed = patched(CLOSE_FIRST) ? await ledgerActivities.closeCancelled(input, 'Cancelled') : null;
      await tasks.awaitAll();
      return closed ?? ledgerActivities.closeCancelled(input, 'Cancelled');
    });
    if (end.status !== 'cancelled') return close(view, end);
    view.showStatus('cancelled');
    throw error;
  }
}

/** The parts of one interpretation. */
interface Interpretation {
  readonly walk: Walk;
  readonly timers: Timers;
  readonly view: OperatorView;
  readonly tasks: Tasks;
  readonly wakeup: Wakeup;
}

async function interpret(
  input: InterpretInput,
  { walk, timers, view, tasks, wakeup }: Interpretation,
): Promise<{ status: string }> {
  let due = true;
  for (;;) {
    while (due) {
      const pureNodes = walk.pureReady;
      const result = await advanceRun(walk.nextAdvance(), pureNodes);
      if (result.state === 'closed') {
        if (result.status === 'cancelled') await awaitCancellation(input);
        return close(view, result);
      }
      const skeleton = walk.skeleton ?? parseSkeleton(result) ?? (await loadSkeleton(input));
      const isFirst = walk.skeleton === null;
      walk.apply(result, skeleton).forEach((launch) => tasks.start(launch));
      if (isFirst) walk.takeSuspended().forEach((launch) => tasks.start(launch));
      view.showState(result);
      // A timer ends the workflow task, so that a run with much to fold does not hold its slot until all is folded.
      if (result.state === 'running' && result.more && patched(REST_BETWEEN_FOLDS))
        await sleep(1, { summary: 'next workflow task' });
      due = walk.hasWork && walk.settleReturned();
    }
    if (isHistoryAbove(CONTINUE_AT) && walk.canContinueAsNew) {
      await continueAsNew<typeof interpretWorkflow>(walk.continueAsNewInput);
    }
    if (!isHistoryAbove(DRAIN_AT)) walk.takeLaunches().forEach((launch) => tasks.start(launch));
    view.showProgress(walk);
    timers.follow(walk.progress?.timers ?? []);
    if (!walk.hasWork && tasks.error === null) await wakeup.wait();
    if (tasks.error !== null) throw tasks.error;
    due = walk.settleReturned();
  }
}

function isHistoryAbove({ events, bytes }: { events: number; bytes: number }): boolean {
  const { historyLength, historySize } = workflowInfo();
  return historyLength >= events || historySize >= bytes;
}

/**
 * Waits for Temporal's cancellation of a run whose row is cancelled: an execution cannot cancel itself.
 * @throws CancelledFailure when it arrives
 */
async function awaitCancellation(input: InterpretInput): Promise<never> {
  for (;;) {
    await condition(() => false, CANCELLATION_TIMEOUT);
    await ledgerActivities.askCancellation(input);
  }
}

/** Ends the execution as the run ended. @throws ApplicationFailure for a failed run */
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

/** Parses the skeleton that a small graph sends with the first answer, which saves a round trip. */
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
