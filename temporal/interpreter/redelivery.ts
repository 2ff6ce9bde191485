/** Tells whether work that is launched now may have begun before: in a workflow task that was lost with its worker. */
import { workflowInfo } from '@temporalio/workflow';

/** Started, and the first workflow task scheduled and started: nobody has had this history before. */
const FIRST_TASK_LENGTH = 3;

export class Redelivery {
  readonly #isRebuilt: boolean;
  /** The length of the history at the first workflow task that is not replayed. */
  #firstLength: number | null = null;

  /** For an execution that begins here, or that is rebuilt here from its history. */
  constructor() {
    const { historyLength, unsafe } = workflowInfo();
    this.#isRebuilt = unsafe.isReplaying || historyLength !== FIRST_TASK_LENGTH;
  }

  /**
   * Local activities are in the history with their end only. So what is launched while the history is replayed, or in the
   * first workflow task after it, may repeat what the lost task had under way.
   */
  get mayRepeat(): boolean {
    if (!this.#isRebuilt) return false;
    const { historyLength, unsafe } = workflowInfo();
    if (unsafe.isReplaying) return true;
    this.#firstLength ??= historyLength;
    return historyLength === this.#firstLength;
  }
}
