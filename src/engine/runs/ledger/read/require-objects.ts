/** Finds the runs and workflows that requests name; others than those that the caller may see are 404. */
import type { Scope } from '../../../../platform/access/caller.ts';
import type { Sql } from '../../../../base/db/client.ts';
import { notFound } from '../../../../base/errors.ts';
import { findPastRun, type PastRun } from './past-run.ts';
import { findRun, toReader, type FoundRun } from './run-reads.ts';
import { hasWorkflow } from './workflows.ts';

/** Finds a run by its run_id, including ephemeral ones. @throws ApiError 404 */
export async function requireRun(sql: Sql, scope: Scope, runId: string): Promise<FoundRun> {
  const run = await findRun(sql, toReader(scope), runId);
  if (run === null) throw notFound('Workflow run', 'run');
  return run;
}

/** Finds a run by its history id, with its definition. @throws ApiError 404 */
export async function requirePastRun(sql: Sql, scope: Scope, runPk: string): Promise<PastRun> {
  const run = await findPastRun(sql, toReader(scope), runPk);
  if (run === null) throw notFound('Workflow run', 'run');
  return run;
}

/** @throws ApiError 404 when the organization has no such workflow */
export async function requireWorkflow(
  sql: Sql,
  { organizationId }: Pick<Scope, 'organizationId'>,
  workflowId: string,
): Promise<void> {
  if (!(await hasWorkflow(sql, { organizationId, workflowId }))) throw notFound('Workflow');
}
