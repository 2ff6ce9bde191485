/** Failures that say nothing of the work itself: whatever it was, it is for another attempt. */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { isTransientDatabaseError } from '../../src/db/transient-error.ts';
import { NodeError } from '../../src/nodes/kind.ts';

/** The failure that asks Temporal for another attempt, which decides by the record; null: the work itself has failed. */
export function anotherAttempt(thrown: unknown): ApplicationFailure | null {
  if (Context.current().cancellationSignal.aborted)
    return ApplicationFailure.retryable('Temporal has given the attempt up', 'attempt_abandoned');
  // The code of a NodeError may be a user's own: it names no state of the database.
  if (!(thrown instanceof NodeError) && isTransientDatabaseError(thrown))
    return ApplicationFailure.retryable('The database cannot be reached', 'database_unavailable');
  return null;
}
