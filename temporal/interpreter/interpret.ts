/**
 * The one workflow: walks any graph. It knows outcomes, not kinds of nodes; values never pass through it. Pure nodes
 * run in the `advance` local activity, effectful ones as activities named after their type, sub-workflows as
 * children. An interrupted run waits here for the `resume` signal, which only wakes it: the answer is in PostgreSQL.
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
import { MAX_AGENTS, MAX_IN_FLIGHT, RESUME_SIGNAL } from '../contract.ts';
import type { AdvanceResult, InterpretInput, NodeOutcome, NodeTask, RunEnd } from '../contract.ts';
import { runAgent } from './agent.ts';
import { bookkeeping } from './options.ts';
import { OperatorView } from './operator-view.ts';
import { Slots } from './slots.ts';
import { runMap, runTask } from './tasks.ts';
import { Timers } from './timers.ts';
import { Walk } from './walk.ts';
import type { Launch } from './walk.ts';

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

export async function interpretWorkflow(input: InterpretInput): Promise<{ status: string }> {
  // Over before it began: nothing is walked, and nobody will be heard.
  if (input.first?.state === 'closed' && input.first.status !== 'cancelled') {
    return close(new OperatorView(input.searchable, input.runStatus), input.first);
  }
  const walk = new Walk(input);
  const timers = new Timers((node, visit) => walk.timerFired(node, visit));
  setHandler(resumeSignal, () => walk.wake());
  const view = new OperatorView(input.searchable, input.runStatus);
  const tasks = new Set<Promise<void>>();
  try {
    return await interpret(input, walk, timers, view, tasks);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const end = await CancellationScope.nonCancellable(async () => {
      await Promise.allSettled(tasks);
      return bookkeeping.closeCancelled(input, 'Cancelled');
    });
    if (end !== undefined && end.status !== 'cancelled') return close(view, end);
    view.showStatus('cancelled');
    throw error;
  }
}

async function interpret(
  input: InterpretInput,
  walk: Walk,
  timers: Timers,
  view: OperatorView,
  tasks: Set<Promise<void>>,
): Promise<{ status: string }> {
  let broken: unknown = null;
  const slots = new Slots(MAX_IN_FLIGHT);
  const agents = new Slots(MAX_AGENTS);
  const launch = ({ node, shape, task, map, turn }: Launch): void => {
    const runOne = (one: NodeTask): Promise<NodeOutcome> =>
      shape.placement === 'agent'
        ? agents.run(() => runAgent(shape, one, input, turn))
        : runTask(shape, one, input);
    const run = (one: NodeTask): Promise<NodeOutcome> => slots.run(() => runOne(one));
    const items = map === null ? null : { first: map.next, count: map.count };
    const work = items === null ? run(task) : runMap(shape, task, items, run, () => !isFull(DRAIN_AT));
    const done: Promise<void> = work.then(
      (outcome) => {
        tasks.delete(done);
        if (!('next' in outcome)) walk.taskReturned(node, task.visit, outcome);
        else if (map !== null) walk.mapStopped({ ...map, next: outcome.next });
      },
      (error: unknown) => {
        tasks.delete(done);
        broken = error ?? new Error('A node task broke');
      },
    );
    tasks.add(done);
  };
  let due = true;
  for (;;) {
    while (due) {
      const asked = walk.nextAdvance();
      const given = asked.advance === 1 ? input.first : undefined;
      const result = given ?? (await bookkeeping.advance(asked));
      if (result.state === 'closed') {
        if (result.status === 'cancelled') await cancellation(input);
        return close(view, result);
      }
      const skeleton = walk.skeleton ?? skeletonIn(result) ?? (await loadSkeleton(input));
      const isFirst = walk.skeleton === null;
      walk.apply(result, skeleton).forEach(launch);
      if (isFirst) walk.takeSuspended().forEach(launch);
      view.showStatus(result.state);
      due = walk.hasWork && walk.settleReturned();
    }
    if (isFull(CONTINUE_AT) && walk.isAtRest) {
      await continueAsNew<typeof interpretWorkflow>(walk.continued);
    }
    if (!isFull(DRAIN_AT)) walk.takeLaunches().forEach(launch);
    view.showProgress(walk);
    timers.follow(walk.progress?.timers ?? []);
    await condition(() => walk.hasWork || broken !== null);
    if (broken !== null) throw broken;
    due = walk.settleReturned();
  }
}

function isFull({ events, bytes }: { events: number; bytes: number }): boolean {
  const { historyLength, historySize } = workflowInfo();
  return historyLength >= events || historySize >= bytes;
}

/**
 * Waits for the cancellation that a cancelled row announces, however long Temporal is not told of it: an execution can be
 * cancelled only from outside. @throws CancelledFailure when it has come
 */
async function cancellation(input: InterpretInput): Promise<never> {
  for (;;) {
    await condition(() => false, CANCELLATION_COMES_WITHIN);
    await bookkeeping.askCancellation(input);
  }
}

/** The run's end is Temporal's end: a failed run is a failed execution. */
function close(view: OperatorView, end: RunEnd): { status: string } {
  view.showStatus(end.status);
  if (end.status === 'failed') {
    const { code, message } = end.error ?? { code: 'failed', message: 'The run failed' };
    throw ApplicationFailure.nonRetryable(message, code);
  }
  return { status: end.status };
}

/** A small skeleton comes with the first answer: a run of few nodes is not held up by a second question. */
function skeletonIn({ skeleton }: AdvanceResult): Skeleton | null {
  return skeleton === undefined ? null : (JSON.parse(skeleton) as Skeleton);
}

async function loadSkeleton(input: InterpretInput): Promise<Skeleton> {
  const ref = { organizationId: input.organizationId, rootRunPk: input.rootRunPk };
  const first = await bookkeeping.loadSkeleton(ref, 0);
  let text = first.text;
  for (let part = 1; part < first.parts; part += 1) text += (await bookkeeping.loadSkeleton(ref, part)).text;
  return JSON.parse(text) as Skeleton;
}
