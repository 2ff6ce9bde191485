/** Limits the retries of local activities, except during an outage of the database. */
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { isTransientDatabaseError } from '../../src/base/db/transient-error.ts';
import type { Logger } from '../../src/base/log.ts';
import { toNodeError } from '../../src/engine/runs/walk/conclusion.ts';

/** Attempts with an unexpected error: enough for a race or a half-finished deploy. */
export const MAX_ATTEMPTS = 5;

/**
 * Wraps a local activity: after MAX_ATTEMPTS unexpected errors it throws a non-retryable failure. Then the caller decides by the
 * record, or the execution fails and the reconciler ends its row.
 */
export function withRetryLimit({ log }: { readonly log: Logger }) {
  return <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await work(...args);
      } catch (error) {
        // The end of an attempt, or a request to deliver the task again.
        if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
        const { attempt, activityType, workflowExecution } = Context.current().info;
        const fields = {
          thrown: error,
          activity: activityType,
          attempt,
          temporal: workflowExecution?.workflowId,
        };
        log.error(fields, 'a local activity failed');
        if (isTransientDatabaseError(error) || attempt < MAX_ATTEMPTS) throw error;
        const { code, message } = toNodeError(error);
        throw ApplicationFailure.nonRetryable(message, code);
      }
    };
}
