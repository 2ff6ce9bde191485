/** Local activities are tried for as long as the database is away, but not for ever with an error of our own. */
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { isTransientDatabaseError } from '../../src/db/transient-error.ts';
import type { Logger } from '../../src/log.ts';
import { toNodeError } from '../../src/runs/execute/attempt/conclusion.ts';

/** Attempts that an unexpected error gets: enough for a race or a half-finished deploy. */
export const MAX_ATTEMPTS = 5;

/**
 * Gives a local activity up that keeps failing for a reason of its own: what follows decides by the record, or the execution ends
 * and the reconciler ends its row.
 */
export function withRetryLimit({ log }: { readonly log: Logger }) {
  return <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await work(...args);
      } catch (error) {
        // Ends of attempts, and what is to be delivered again.
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
