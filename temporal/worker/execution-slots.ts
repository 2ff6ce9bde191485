/** Executions at once in one worker process, shared between organizations. */
import type { AttemptSlots } from '../../src/runs/execute/deps.ts';
import { FairSemaphore } from '../../src/shares/fair-semaphore.ts';

/**
 * They wait for others' servers most of the time. One organization has at most three quarters of them, so that another one's first
 * node begins at once, whatever the first one's servers do.
 */
export const EXECUTION_SLOTS = { capacity: 100, perOrganization: 75 };

/** The slots of a process. */
export const createExecutionSlots = (): AttemptSlots => new FairSemaphore(EXECUTION_SLOTS);
