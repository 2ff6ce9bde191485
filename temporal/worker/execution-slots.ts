/** Executions at once in one worker process, shared between organizations. */
import pLimit from 'p-limit';
import type { AttemptSlots } from '../../src/runs/execute/deps.ts';

/** They wait for others' servers most of the time. */
const EXECUTION_SLOTS = 100;

export function executionSlots(): AttemptSlots {
  const limit = pLimit(EXECUTION_SLOTS);
  return {
    acquire: (_organizationId, { signal }) =>
      new Promise((resolve, reject) => {
        void limit(
          () =>
            new Promise<void>((release) => {
              if (signal.aborted) {
                release();
                reject(signal.reason as Error);
              } else resolve(release);
            }),
        );
      }),
  };
}
