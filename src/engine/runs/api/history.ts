/** The history of runs: the list of runs, the open questions, and the definition of a run. */
import { presentPage, readCreation, readCursorPage } from '../../../platform/http/cursor-page.ts';
import type { Config } from '../../../base/config/config.ts';
import type { Scope } from '../../../platform/access/caller.ts';
import type { Db } from '../../../base/db/client.ts';
import { notFound } from '../../../base/errors.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { bindShares, writeList } from '../ledger/questions/answer-pages.ts';
import { readOpenSizes } from '../ledger/read/open-questions.ts';
import { readOpenInterrupts } from '../ledger/read/run-record.ts';
import { requirePastRun } from '../ledger/read/require-objects.ts';
import { listRuns } from '../ledger/read/run-list.ts';
import { toReader } from '../ledger/read/run-reads.ts';
import { presentHistoryRow, presentQuestion } from './present.ts';
import { bindCallbackUrl, type RecordDeps } from './record.ts';
import type { HistoryQuery } from './history-schema.ts';
import type { InterruptQuery } from './question-schema.ts';

export interface HistoryDeps {
  readonly db: Db;
  readonly config: Pick<Config, 'auth'>;
}

/** Lists a page of runs, newest first. `status` may be `succeeded` (history) or `completed` (stream). */
export async function listHistory(
  { db, config }: HistoryDeps,
  scope: Scope,
  query: HistoryQuery,
): Promise<object> {
  const reader = toReader(scope);
  const filter = {
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
  };
  const page = await readCursorPage(config.auth, query, {
    name: `runs/${reader.organizationId}/${reader.userId}`,
    read: (read) => listRuns(db, reader, { ...filter, page: read }),
    readPosition: readCreation,
  });
  return { runs: page.rows.map(presentHistoryRow), ...presentPage(page, query) };
}

/** Writes the open questions as JSON, newest first; with `assignee=me` only those that the caller may answer. */
export async function* writeInterrupts(
  deps: RecordDeps,
  scope: Scope,
  { query, signal }: { readonly query: InterruptQuery; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const { db, answers, config } = deps;
  const role = query.assignee === 'me' ? scope.role : null;
  const reader = toReader(scope);
  const open = await readCursorPage(config.auth, query, {
    name: `interrupts/${reader.organizationId}/${reader.userId}`,
    read: (page) => readOpenSizes(db, reader, { role, kind: query.kind ?? null, page }),
    readPosition: readCreation,
  });
  yield '{"interrupts":[';
  const take = bindShares(answers, scope.organizationId, signal);
  yield* writeList(open.rows, take, async (page) => {
    const ids = page.map(({ id }) => id);
    const rows = await readOpenInterrupts(db, reader, ids);
    return rows.map((row) => JSON.stringify(presentQuestion(row, bindCallbackUrl(deps, scope))));
  });
  yield `],${JSON.stringify(presentPage(open, query)).slice(1)}`;
}

/**
 * Reads the definition of a run.
 * @throws ApiError 404 when the caller may not see the run, or the definition is no longer stored
 */
export async function getDefinition(
  { db }: Pick<HistoryDeps, 'db'>,
  scope: Scope,
  runPk: string,
): Promise<JsonObject> {
  const run = await requirePastRun(db, scope, runPk);
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
