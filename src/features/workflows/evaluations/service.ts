/** Requests evaluations of saved sets, and reads what they found. */
import type { Config } from '../../../base/config/config.ts';
import type { Db } from '../../../base/db/client.ts';
import { isUniqueViolation } from '../../../base/db/transient-error.ts';
import { conflict, invalid, notFound } from '../../../base/errors.ts';
import { writeDefinition } from '../../../engine/runs/ledger/write/definitions.ts';
import type { Scope } from '../../../platform/access/caller.ts';
import { MILLICREDITS } from '../../../platform/billing/plans.ts';
import { requireCredentials } from '../../../platform/credentials/require-credentials.ts';
import {
  readCreation,
  readCursorPage,
  type CursorPage,
  type PageQuery,
} from '../../../platform/http/cursor-page.ts';
import { requireBases } from '../../../platform/knowledge/require-bases.ts';
import type { Dispatcher } from '../../../platform/outbox/dispatcher.ts';
import { requireTables } from '../../../platform/tables/require-tables.ts';
import { requireValid } from '../deployments/service.ts';
import { chooseDefinition } from '../rehearsals/service.ts';
import { findJudge } from './graders.ts';
import { buildJudge } from './judge.ts';
import { MAX_TRIALS, type NewEvaluationBody } from './schema.ts';
import { requireSet } from './set-service.ts';
import {
  cancelEvaluationRow,
  countRepetitions,
  insertEvaluation,
  listEvaluationRows,
  measureTrials,
  readEvaluation,
  type EvaluatedDefinition,
  type EvaluationRow,
} from './store.ts';
import { summarize, type DefinitionResult } from './summarize.ts';
import { cancelTrialRun } from './trial-runs.ts';
import { listOpenRuns, listTrialRows, markTrial, type TrialRow } from './trial-store.ts';

export interface EvaluationApiDeps {
  readonly db: Db;
  readonly config: Pick<Config, 'auth'>;
  readonly dispatcher: Pick<Dispatcher, 'kick'>;
}

type Of = Pick<Scope, 'organizationId'>;

/** @throws ApiError 404; 400 for a definition that cannot run */
async function prepareDefinitions(
  db: Db,
  of: { readonly organizationId: string; readonly workflowId: string },
  names: readonly string[],
): Promise<EvaluatedDefinition[]> {
  const found: EvaluatedDefinition[] = [];
  for (const name of names) {
    const { source, definition, input } = await chooseDefinition(db, of, name);
    requireValid(definition, 'It cannot be evaluated');
    await requireCredentials(db, of.organizationId, definition);
    await requireBases(db, of.organizationId, definition);
    await requireTables(db, of.organizationId, definition);
    found.push({ source, hash: writeDefinition(definition).definitionHash, definition, input });
  }
  return found;
}

/**
 * Requests an evaluation of the cases of a set.
 * @throws ApiError 404; 400 as prepareDefinitions; 409 for an empty set, and while another evaluation of the workflow is open; 422 for
 *   more trials than one evaluation has
 */
export async function requestEvaluation(
  deps: EvaluationApiDeps,
  scope: Scope,
  body: NewEvaluationBody,
): Promise<EvaluationRow> {
  const { db } = deps;
  const { organizationId, caller } = scope;
  const set = await requireSet(deps, scope, body.set);
  if (set.case_count * body.definitions.length * body.trials > MAX_TRIALS) {
    const msg = `An evaluation has at most ${MAX_TRIALS} trials: cases, times definitions, times trials`;
    throw invalid([{ loc: ['body', 'trials'], msg, type: 'too_many_trials' }]);
  }
  const of = { organizationId, workflowId: set.workflow_id };
  const definitions = await prepareDefinitions(db, of, body.definitions);
  const judge = findJudge(body.graders);
  if (judge !== null) await requireCredentials(db, organizationId, buildJudge(judge.judge));
  let id: string | null;
  try {
    id = await db.transaction((tx) =>
      insertEvaluation(tx, {
        ...of,
        setId: set.id,
        definitions,
        graders: body.graders,
        trials: body.trials,
        maxCreditsMc: body.max_credits * MILLICREDITS,
        createdBy: caller.userId,
      }),
    );
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(
      'evaluation_open',
      'Another evaluation of the workflow is not over. Wait for it, or cancel it',
    );
  }
  if (id === null) throw conflict('evaluation_set_empty', 'The set has no cases');
  return requireEvaluation(deps, scope, id);
}

/** @throws ApiError 404 */
export async function requireEvaluation(
  { db }: EvaluationApiDeps,
  { organizationId }: Of,
  evaluationId: string,
): Promise<EvaluationRow> {
  const row = await readEvaluation(db, organizationId, evaluationId);
  if (row === null) throw notFound('Evaluation');
  return row;
}

/** Reads an evaluation with its results so far. @throws ApiError 404 */
export async function readResults(
  deps: EvaluationApiDeps,
  scope: Of,
  evaluationId: string,
): Promise<{ readonly row: EvaluationRow; readonly results: readonly DefinitionResult[] }> {
  const row = await requireEvaluation(deps, scope, evaluationId);
  const judge = findJudge(row.graders)?.index ?? -1;
  const [repetitions, measures] = await Promise.all([
    countRepetitions(deps.db, row),
    measureTrials(deps.db, row, judge),
  ]);
  return { row, results: summarize(row, repetitions, measures) };
}

/** Lists evaluations, newest first. @throws ApiError 400 for a cursor of another list */
export const listEvaluations = (
  { db, config }: EvaluationApiDeps,
  { organizationId }: Of,
  query: PageQuery & { readonly workflow_id?: string | undefined; readonly set_id?: string | undefined },
): Promise<CursorPage<EvaluationRow>> =>
  readCursorPage<EvaluationRow>(config.auth, query, {
    name: `evaluations/${organizationId}`,
    read: (page) =>
      listEvaluationRows(db, organizationId, {
        page,
        workflowId: query.workflow_id ?? null,
        setId: query.set_id ?? null,
      }),
    readPosition: readCreation,
  });

/** Lists trials, those of a case beside each other. @throws ApiError 404; 400 for a cursor of another list */
export async function listTrials(
  deps: EvaluationApiDeps,
  scope: Of,
  {
    evaluationId,
    ...query
  }: PageQuery & { readonly evaluationId: string; readonly verdict?: string | undefined },
): Promise<CursorPage<TrialRow>> {
  const { organizationId } = scope;
  await requireEvaluation(deps, scope, evaluationId);
  return readCursorPage<TrialRow>(deps.config.auth, query, {
    name: `evaluation-trials/${organizationId}/${evaluationId}`,
    read: (page) =>
      listTrialRows(deps.db, { evaluationId, organizationId }, { page, verdict: query.verdict }),
    readPosition: ({ place, case_id: rowId }) => ({ place, rowId }),
  });
}

/** Marks the output of a trial as good or not. @throws ApiError 404 */
export async function mark(
  deps: EvaluationApiDeps,
  { organizationId }: Of,
  given: { readonly evaluationId: string; readonly place: number; readonly mark: boolean | null },
): Promise<TrialRow> {
  const row = await markTrial(deps.db, { ...given, organizationId }, given);
  if (row === null) throw notFound('Evaluation trial');
  return row;
}

/** Cancels an open evaluation and its open runs; what was found stays. @throws ApiError 404 */
export async function cancelEvaluation(
  deps: EvaluationApiDeps,
  { organizationId }: Of,
  evaluationId: string,
): Promise<EvaluationRow> {
  const { db, dispatcher } = deps;
  if (await cancelEvaluationRow(db, { organizationId, evaluationId })) {
    for (const runPk of await listOpenRuns(db, { id: evaluationId, organizationId }))
      await cancelTrialRun(db, { organizationId, runPk });
    dispatcher.kick();
  }
  return requireEvaluation(deps, { organizationId }, evaluationId);
}
