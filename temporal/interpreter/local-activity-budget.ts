/**
 * Where the executions of one run are: short ones within the workflow task, as local activities; long ones beyond it. While
 * local activities follow each other, the workflow task goes on, and the run hears of nothing else. Temporal keeps what happens
 * meanwhile, a hundred events at most, then it breaks the task off. So local activities pause in time: when none is under way
 * any more, a timer begins the next workflow task.
 */
import { sleep } from '@temporalio/workflow';

/**
 * Local activities that one workflow task begins: alone, and while others of the run can only be heard of after it. A hundred
 * take half a second, and on a machine with ten times the work that it can do, less than the timeout of a workflow task. They are
 * counted, not timed: the clock of a replay stands elsewhere.
 */
const MAX_STARTED = { alone: 100, awaited: 10 };
/**
 * How long a local activity waits for an attempt before it leaves it to an activity, which operators see then: alone, and while
 * others can only be heard of after it.
 */
const PATIENCE_MS = { alone: 1_000, awaited: 150 };
/** Executions beyond the workflow task that may end beside local activities: each is up to three of the hundred events. */
const MAX_ACTIVITIES = 30;

export class LocalActivityBudget {
  #localCount = 0;
  #activityCount = 0;
  /** Local activities that were begun since a workflow task is known to have begun. */
  #startedCount = 0;
  #pause: Promise<void> | null = null;
  #onLastEnded: () => void = () => undefined;

  /** Whether short work is done within the workflow task, or as activities, too. */
  get allowsLocal(): boolean {
    return this.#activityCount <= MAX_ACTIVITIES;
  }

  /**
   * Pauses local activities where this workflow task has begun enough of them.
   * @returns null: they may begin; else it resolves in the next workflow task, when this is to be asked again
   */
  pauseIfDue(): Promise<void> | null {
    if (this.#startedCount >= this.#choose(MAX_STARTED)) this.#pause ??= this.#awaitNextTask();
    return this.#pause;
  }

  /** Runs a local activity. Throws what `run` throws. */
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

  /** Runs what does not end within a workflow task. Throws what `run` throws. */
  runActivity<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#activityCount += 1;
    return run().finally(() => {
      this.#activityCount -= 1;
      // Only a new workflow task tells of it.
      this.#startedCount = 0;
    });
  }

  /** Waits for the local activities that are under way, and for the workflow task after this one. */
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
