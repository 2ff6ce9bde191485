/** The history of runs: the list of runs, the open questions, and the definition of a run. */
import type { Scope } from '../../../platform/access/caller.ts';
import type { Sql } from '../../../base/db/client.ts';
import { notFound } from '../../../base/errors.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { bindShares, writeList } from '../ledger/questions/answer-pages.ts';
import { readOpenInterrupts, readOpenSizes } from '../ledger/read/run-record.ts';
import { findPastRun } from '../ledger/read/past-run.ts';
import { listRuns, toReader } from '../ledger/read/run-reads.ts';
import { presentHistoryRow, presentQuestion } from './present.ts';
import { bindCallbackUrl, type RecordDeps } from './record.ts';
import type { HistoryQuery } from './history-schema.ts';
import type { InterruptQuery } from './question-schema.ts';

export interface HistoryDeps {
  readonly db: Sql;
}

/** Lists a page of runs, newest first. `status` may be `succeeded` (history) or `completed` (stream). */
export async function listHistory(
  { db }: HistoryDeps,
  scope: Scope,
  query: HistoryQuery,
): Promise<JsonObject> {
  const rows = await listRuns(db, toReader(scope), {
    runId: query.run_id ?? null,
    workflowId: query.workflow_id ?? null,
    status: query.status === 'succeeded' ? 'completed' : (query.status ?? null),
    triggerType: query.trigger_type ?? null,
    createdBy: query.created_by ?? null,
    metadata: query.metadata ?? null,
    from: query.from === undefined ? null : new Date(query.from),
    to: query.to === undefined ? null : new Date(query.to),
    text: query.q ?? null,
    newestSegmentsOnly: query.segments === 'newest',
    limit: query.limit,
    offset: query.offset,
  });
  return {
    runs: rows.slice(0, query.limit).map(presentHistoryRow),
    has_more: rows.length > query.limit,
    limit: query.limit,
    offset: query.offset,
  };
}

/** Writes the open questions as JSON, newest first; with `assignee=me` only those that the caller may answer. */
export async function* writeInterrupts(
  deps: RecordDeps,
  scope: Scope,
  { query, signal }: { readonly query: InterruptQuery; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const { db, answers } = deps;
  const { assignee, limit, offset } = query;
  const role = assignee === 'me' ? scope.role : null;
  const reader = toReader(scope);
  const open = await readOpenSizes(db, reader, { role, limit, offset });
  yield '{"interrupts":[';
  const take = bindShares(answers, scope.organizationId, signal);
  yield* writeList(open.slice(0, limit), take, async (page) => {
    const ids = page.map(({ id }) => id);
    const rows = await readOpenInterrupts(db, reader, ids);
    return rows.map((row) => JSON.stringify(presentQuestion(row, bindCallbackUrl(deps, scope))));
  });
  yield `],${JSON.stringify({ has_more: open.length > limit, limit, offset }).slice(1)}`;
}

/**
 * Reads the definition of a run.
 * @throws ApiError 404 when the caller may not see the run, or the definition is no longer stored
 */
export async function getDefinition({ db }: HistoryDeps, scope: Scope, runPk: string): Promise<JsonObject> {
  const run = await findPastRun(db, toReader(scope), runPk);
  if (run === null) throw notFound('Workflow run');
  if (run.definition === null) throw notFound('Definition');
  return {
    run_id: run.runId,
    definition_hash: run.subject.definitionHash,
    workflow_name: run.subject.workflowName,
    workflow_version: run.subject.workflowVersion,
    workflow_source: run.subject.workflowSource,
    definition: run.definition,
  };
}
