/**
 * Keeps slots of the worker free for other organizations: a node task beyond the share of its organization goes back to Temporal, and
 * a local activity beyond it does not hold its workflow task.
 */
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Clock } from '../../src/base/clock.ts';
import type { FailureDetails, NodeTask, ShortTask } from '../../src/engine/runs/execute/protocol.ts';
import type { Release } from '../../src/base/shares/fair-semaphore.ts';
import { TaskSlots } from '../../src/base/shares/task-slots.ts';

/** Initial requeue delay, doubled up to LONGEST_REQUEUE_MS, so that a task at most waits twice as long as it must. */
const REQUEUE_AFTER_MS = 1_000;
const LONGEST_REQUEUE_MS = 60_000;
/**
 * Spaces requeued tasks: each delivery costs Temporal milliseconds of CPU and fails while slots are taken. A guess: a hundred a second
 * keep the slots of the organization busy, if they are free by then.
 */
const REQUEUE_GAP_MS = 10;
/** Fewer than the deliveries of an activity (MAX_DELIVERIES), of which some are for errors. Then the run waits, with another activity. */
const MAX_REQUEUES = 12;

/** When the tasks that one worker has requeued are delivered again. */
class RequeueSchedule {
  readonly #clock: Clock;
  /** By organization: when the last of its tasks is delivered again, if each waits for the one before. */
  readonly #last = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the delay of a task, in ms. @param attempt its delivery, from 1 */
  next(organizationId: string, attempt: number): number {
    const now = this.#clock.monotonic();
    for (const [id, at] of this.#last) if (at < now) this.#last.delete(id);
    const last = Math.max(now, this.#last.get(organizationId) ?? 0) + REQUEUE_GAP_MS;
    this.#last.set(organizationId, last);
    return Math.max(last - now, Math.min(LONGEST_REQUEUE_MS, REQUEUE_AFTER_MS * 2 ** (attempt - 1)));
  }
}

/** The failure that requeues a task. Temporal's own retries are in no history; the waits of the interpreter are. */
function requeue(delayMs: number, attempt: number): ApplicationFailure {
  const details: FailureDetails = { retryInMs: delayMs };
  const isLast = attempt >= MAX_REQUEUES;
  return ApplicationFailure.create({
    message: "This worker is at the organization's limit",
    type: 'worker_busy',
    nonRetryable: isLast,
    details: isLast ? [details] : [],
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
}

type Activity<Task> = (task: Task) => Promise<unknown>;

function wrapEach<Task, Activities extends object>(
  activities: Activities,
  wrap: (activity: Activity<Task>) => Activity<Task>,
): Activities {
  const entries = Object.entries(activities) as [string, Activity<Task>][];
  return Object.fromEntries(entries.map(([type, activity]) => [type, wrap(activity)])) as Activities;
}

/**
 * Shares the task slots of a worker between organizations.
 * @param count the tasks that it takes
 * @returns the activities, which throw a retryable ApplicationFailure while their organization holds its share
 */
export function shareTasks<Activities extends object>(
  activities: Activities,
  { count, clock }: { readonly count: number; readonly clock: Clock },
): Activities {
  const slots = new TaskSlots(count);
  const schedule = new RequeueSchedule(clock);
  return wrapEach<NodeTask, Activities>(activities, (activity) => async (task) => {
    const release = slots.take(task.organizationId);
    if (release === null) {
      const { attempt } = Context.current().info;
      throw requeue(schedule.next(task.organizationId, attempt), attempt);
    }
    try {
      return await activity(task);
    } finally {
      release();
    }
  });
}

/** Runs whose local activities are waited for: each holds a workflow task. */
class WorkflowTaskHolders {
  readonly #slots: TaskSlots;
  readonly #runs = new Map<string, { count: number; readonly release: Release }>();

  constructor(count: number) {
    this.#slots = new TaskSlots(count);
  }

  /** @returns the function that ends the wait; null when the organization holds its share of the workflow tasks */
  enter({ organizationId, rootRunPk }: NodeTask): Release | null {
    const release = this.#runs.get(rootRunPk)?.release ?? this.#slots.take(organizationId);
    if (release === null) return null;
    const run = this.#runs.get(rootRunPk) ?? { count: 0, release };
    this.#runs.set(rootRunPk, run);
    run.count += 1;
    return () => {
      run.count -= 1;
      if (run.count > 0) return;
      this.#runs.delete(rootRunPk);
      release();
    };
  }
}

/**
 * Shares the workflow tasks of a worker between organizations: they last as long as local activities follow each other.
 * @param count the workflow tasks
 * @returns the local activities, which leave their attempt running at once while their organization holds its share
 */
export function limitLocalWaits<Activities extends object>(
  activities: Activities,
  count: number,
): Activities {
  const holders = new WorkflowTaskHolders(count);
  return wrapEach<ShortTask<NodeTask>, Activities>(activities, (activity) => async (short) => {
    const leave = holders.enter(short.task);
    try {
      return await activity(leave === null ? { ...short, patienceMs: 0 } : short);
    } finally {
      leave?.();
    }
  });
}
