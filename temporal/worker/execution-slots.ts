/** Limits the concurrent executions in one worker process, shared fairly between organizations. */
import type { AttemptSlots } from '../../src/runs/execute/deps.ts';
import { FairSemaphore } from '../../src/shares/fair-semaphore.ts';

/**
 * Executions wait for other servers most of the time. One organization gets at most three quarters, so that the nodes of others
 * start immediately while its servers hang.
 */
const EXECUTION_SLOTS = { capacity: 100, perOrganization: 75 };

/** Creates the slots of a process. */
export const createExecutionSlots = (): AttemptSlots => new FairSemaphore(EXECUTION_SLOTS);
