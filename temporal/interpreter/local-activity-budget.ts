/**
 * Limits the local activities of one workflow task. The task lasts as long as local activities follow each other, and Temporal
 * buffers all other events of the run meanwhile, at most a hundred, before it fails the task. So local activities pause in time:
 * when the last of them has ended, a timer starts the next workflow task.
 */
import { sleep } from '@temporalio/workflow';

/**
 * Local activities that one workflow task starts: alone, and while activities of the run are under way, whose results wait for
 * the next task. A hundred take half a second, and less than WORKFLOW_TASK_TIMEOUT on a machine with ten times its load. They are
 * counted, not timed: a replay has another clock.
 */
const MAX_STARTED = { alone: 100, awaited: 10 };
/**
 * How long a local activity waits for its attempt before an activity continues it, which operators can see: alone, and while
 * activities of the run are under way.
 */
const PATIENCE_MS = { alone: 1_000, awaited: 150 };
/** Above this many activities under way, short nodes are activities, too: each activity is up to three of the hundred events. */
const MAX_ACTIVITIES = 30;

export class LocalActivityBudget {
  #localCount = 0;
  #activityCount = 0;
  /** Local activities started since the last known start of a workflow task. */
  #startedCount = 0;
  #pause: Promise<void> | null = null;
  #onLastEnded: () => void = () => undefined;

  /** True when short nodes may run as local activities. */
  get allowsLocal(): boolean {
    return this.#activityCount <= MAX_ACTIVITIES;
  }

  /**
   * Pauses local activities when this workflow task has started enough of them.
   * @returns null when one may start; else a promise of the next workflow task, after which the caller tries again
   */
  pauseIfDue(): Promise<void> | null {
    if (this.#startedCount >= this.#choose(MAX_STARTED)) this.#pause ??= this.#awaitNextTask();
    return this.#pause;
  }

  /** Runs a local activity. @throws what `run` throws */
  runLocal<Result>(run: (patienceMs: number) => Promise<Result>): Promise<Result> {
    this.#startedCount += 1;
    this.#localCount += 1;
    const running = run(this.#choose(PATIENCE_MS));
    const ended = (): void => {
      this.#localCount -= 1;
      if (this.#localCount === 0) this.#onLastEnded();
    };
    running.then(ended, ended);
    return running;
  }

  /** Runs an activity or a child, which ends in a later workflow task. @throws what `run` throws */
  runActivity<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#activityCount += 1;
    return run().finally(() => {
      this.#activityCount -= 1;
      // Its result came with a new workflow task.
      this.#startedCount = 0;
    });
  }

  /** Waits for the running local activities, then for the next workflow task. */
  async #awaitNextTask(): Promise<void> {
    if (this.#localCount > 0) await new Promise<void>((resolve) => (this.#onLastEnded = resolve));
    await sleep(1, { summary: 'next workflow task' });
    this.#startedCount = 0;
    this.#pause = null;
  }

  #choose({ alone, awaited }: typeof MAX_STARTED): number {
    return this.#activityCount > 0 ? awaited : alone;
  }
}
