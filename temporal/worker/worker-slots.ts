/** The slots of one worker process, which organizations share. */
import type { AttemptSlots } from '../../src/engine/runs/execute/deps.ts';
import { FairSemaphore, type ShareLimits } from '../../src/base/shares/fair-semaphore.ts';

export interface WorkerSlots {
  /** Attempts that run. */
  readonly executions: ShareLimits;
  /** Attempts that load what their work reads. */
  readonly loads: ShareLimits;
  /** Node activities that Temporal has given this process, from the queue of all nodes, and again from its own. */
  readonly nodeTasks: number;
  /** Workflow tasks. */
  readonly workflowTasks: number;
}

export const WORKER_SLOTS: WorkerSlots = {
  /**
   * Executions wait for other servers most of the time. One organization gets at most three quarters, so that the nodes of others
   * start immediately while its servers hang.
   */
  executions: { capacity: 100, perOrganization: 75 },
  /**
   * A load of 7 MB takes the database and the process 100 ms each. Others wait for a connection of the pool and behind the answers that
   * are ready, so few of one organization are under way; more would not end earlier.
   */
  loads: { capacity: 12, perOrganization: 3 },
  /** Far more than run concurrently, so that a freed execution slot is taken without a round trip to Temporal. */
  nodeTasks: 1_000,
  /**
   * The default of the SDK. A task lasts as long as its local activities follow each other, and mostly waits; with many more, a busy
   * process would take longer than WORKFLOW_TASK_TIMEOUT for each.
   */
  workflowTasks: 40,
};

/** Creates the slots of a process for attempts, and for their loads. */
export const createAttemptSlots = ({
  executions,
  loads,
}: WorkerSlots): { readonly slots: AttemptSlots; readonly loads: AttemptSlots } => ({
  slots: new FairSemaphore(executions),
  loads: new FairSemaphore(loads),
});
