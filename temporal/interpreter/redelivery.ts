/** Tells whether a task that starts now may have started before, in a workflow task that was lost with its worker. */
import { workflowInfo } from '@temporalio/workflow';

/** WorkflowExecutionStarted, WorkflowTaskScheduled, WorkflowTaskStarted: no worker had this history before. */
const FIRST_TASK_LENGTH = 3;

export class Redelivery {
  readonly #isRebuilt: boolean;
  /** The length of the history at the first workflow task that is not replayed. */
  #firstLength: number | null = null;

  /** Call at the start of the workflow function. */
  constructor() {
    const { historyLength, unsafe } = workflowInfo();
    this.#isRebuilt = unsafe.isReplaying || historyLength !== FIRST_TASK_LENGTH;
  }

  /**
   * The history has only the ends of local activities. So a task that starts during a replay, or in the first workflow task after
   * it, may repeat one that the lost workflow task had under way.
   */
  get mayRepeat(): boolean {
    if (!this.#isRebuilt) return false;
    const { historyLength, unsafe } = workflowInfo();
    if (unsafe.isReplaying) return true;
    this.#firstLength ??= historyLength;
    return historyLength === this.#firstLength;
  }
}
