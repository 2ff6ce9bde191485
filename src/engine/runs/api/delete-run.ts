/** Deletes a run for a client: the whole run with its segments and sub-workflows, once it has ended. */
import type { Scope } from '../../../platform/access/caller.ts';
import type { Db } from '../../../base/db/client.ts';
import { conflict, notFound } from '../../../base/errors.ts';
import { deleteTree } from '../ledger/erase/delete-runs.ts';
import { readRecord } from '../ledger/read/run-record.ts';
import { toReader } from '../ledger/read/run-reads.ts';

/**
 * Deletes a run and all that belongs to it.
 * @throws ApiError 404 for a run that the caller may not see; 409 while it runs or waits, for a sub-workflow's run, and for one that
 *   a rerun reuses
 */
export async function deleteRun({ db }: { readonly db: Db }, scope: Scope, runPk: string): Promise<void> {
  const run = await readRecord(db, toReader(scope), runPk);
  if (run === null) throw notFound('Workflow run', 'run');
  if (run.parent_run_id !== null)
    throw conflict('run_is_sub_workflow', 'The run belongs to another run. Delete that run instead');
  const deletion = await deleteTree(db, run.root_run_pk);
  if (deletion === 'open') throw conflict('run_under_way', 'The run is still active. Cancel it first');
  if (deletion === 'reused')
    throw conflict('run_reused', 'Another run reuses steps of this run. Delete that run first');
}
