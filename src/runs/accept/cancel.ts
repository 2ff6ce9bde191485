/** Cancelling a run on request (SPEC RUN-4.2). The row changes now; Temporal and the nodes hear of it right after. */
import type { Scope } from '../../access/caller.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import type { JsonObject } from '../../graph/value.ts';
import { cancelRun } from '../ledger/cancel.ts';
import { findRun } from '../ledger/run-reads.ts';
import { readerOf } from '../api/reader.ts';

/** Idempotent. @throws ApiError 404 for a run that the caller may not see */
export async function cancelByRunId(
  deps: Pick<Deps, 'db' | 'dispatcher'>,
  scope: Scope,
  runId: string,
  reason: string | null,
): Promise<JsonObject> {
  const run = await findRun(deps.db, readerOf(scope), runId);
  if (run === null) throw notFound('Workflow run');
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
