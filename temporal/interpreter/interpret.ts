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
import { RESUME_SIGNAL } from '../contract.ts';
import type { AdvanceResult, InterpretInput } from '../contract.ts';
import { bookkeeping } from './options.ts';
import { OperatorView } from './operator-view.ts';
import { runMap, runTask } from './tasks.ts';
import { Timers } from './timers.ts';
import { Walk } from './walk.ts';
import type { Launch } from './walk.ts';

/** Where history is cut when nothing is in flight, and where new work stops until nothing is (limit 51,200). */
const CONTINUE_AT_EVENTS = 4_000;
const DRAIN_AT_EVENTS = 7_500;

const resumeSignal = defineSignal(RESUME_SIGNAL);

/** An unforeseen error of ours fails the run instead of blocking it; replays still fail only the task. */
setWorkflowOptions({ failureExceptionTypes: [Error] }, interpretWorkflow);

export async function interpretWorkflow(input: InterpretInput): Promise<{ status: string }> {
  const walk = new Walk(input);
  const timers = new Timers((node, visit) => walk.timerFired(node, visit));
  setHandler(resumeSignal, () => walk.wake());
  const view = new OperatorView(input.searchable);
  const tasks = new Set<Promise<void>>();
  try {
    return await interpret(input, walk, timers, view, tasks);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      await Promise.allSettled(tasks);
      await bookkeeping.closeCancelled(input, 'Cancelled');
    });
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
  const launch = ({ node, shape, task, count }: Launch): void => {
    const work = count === null ? runTask(shape, task, input) : runMap(shape, task, count, input);
    const done = work.then(
      (outcome) => walk.taskReturned(node, task.visit, outcome),
      (error: unknown) => {
        broken = error ?? new Error('A node task broke');
      },
    );
    tasks.add(done);
    void done.finally(() => tasks.delete(done));
  };
  let due = true;
  for (;;) {
    while (due) {
      const result = await bookkeeping.advance(walk.nextAdvance());
      if (result.state === 'closed') return close(view, result);
      const skeleton = walk.skeleton ?? (await loadSkeleton(input));
      walk.apply(result, skeleton).forEach(launch);
      view.showStatus(result.state);
      due = walk.hasWork && walk.settleReturned();
    }
    const events = workflowInfo().historyLength;
    if (events < DRAIN_AT_EVENTS) walk.takeLaunches().forEach(launch);
    view.showProgress(walk);
    timers.follow(walk.progress?.timers ?? []);
    if (events >= CONTINUE_AT_EVENTS && walk.isAtRest && !walk.hasWork) {
      await continueAsNew<typeof interpretWorkflow>({ ...input, carried: walk.carried });
    }
    await condition(() => walk.hasWork || broken !== null);
    if (broken !== null) throw broken;
    due = walk.settleReturned();
  }
}

/** The run's end is Temporal's end: a failed run is a failed execution. */
function close(view: OperatorView, result: AdvanceResult & { state: 'closed' }): { status: string } {
  view.showStatus(result.status);
  if (result.status === 'failed') {
    const { code, message } = result.error ?? { code: 'failed', message: 'The run failed' };
    throw ApplicationFailure.nonRetryable(message, code);
  }
  return { status: result.status };
}

async function loadSkeleton(input: InterpretInput): Promise<Skeleton> {
  const ref = { organizationId: input.organizationId, rootRunPk: input.rootRunPk };
  const first = await bookkeeping.loadSkeleton(ref, 0);
  let text = first.text;
  for (let part = 1; part < first.parts; part += 1) text += (await bookkeeping.loadSkeleton(ref, part)).text;
  return JSON.parse(text) as Skeleton;
}
