/** Cancels a run for a client (SPEC RUN-4.2): the row first, then Temporal and the nodes. */
import type { Scope } from '../../../platform/access/caller.ts';
import type { Db } from '../../../base/db/client.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { cancelRun } from '../ledger/write/cancel.ts';
import { requireRun } from '../ledger/read/require-objects.ts';
import type { Dispatcher } from '../../../platform/outbox/dispatcher.ts';

export interface CancelDeps {
  readonly db: Db;
  readonly dispatcher: Pick<Dispatcher, 'kick'>;
}

/**
 * Cancels a run; repeating the call has no effect.
 * @returns the cancel response, with the status before and after
 * @throws ApiError 404 for a run that the caller may not see
 */
export async function cancelByRunId(
  deps: CancelDeps,
  scope: Scope,
  { runId, reason }: { readonly runId: string; readonly reason: string | null },
): Promise<JsonObject> {
  const run = await requireRun(deps.db, scope, runId);
  const outcome = await cancelRun(deps.db, run, reason);
  if (!outcome.alreadyTerminal) deps.dispatcher.kick();
  return {
    success: true,
    run_id: runId,
    status: outcome.status,
    previous_status: outcome.previousStatus,
    already_terminal: outcome.alreadyTerminal,
    message: outcome.alreadyTerminal ? `Run is already ${outcome.status}` : 'Run cancelled',
  };
}
