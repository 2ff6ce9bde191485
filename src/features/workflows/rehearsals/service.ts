/** Requests rehearsals of a workflow, and reads what they found. */
import type { Config } from '../../../base/config/config.ts';
import type { Db } from '../../../base/db/client.ts';
import { isUniqueViolation } from '../../../base/db/transient-error.ts';
import { badRequest, conflict, notFound } from '../../../base/errors.ts';
import { readDefinition, writeDefinition } from '../../../engine/runs/ledger/write/definitions.ts';
import { findRunnable, readDraft } from '../../../engine/runs/ledger/read/workflows.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { Scope } from '../../../platform/access/caller.ts';
import { readCursorPage, type CursorPage, type PageQuery } from '../../../platform/http/cursor-page.ts';
import { MAX_CASES } from '../evaluations/set-service.ts';
import { listRunsOfSet, readSet } from '../evaluations/set-store.ts';
import { requireValid } from '../deployments/service.ts';
import {
  cancelRehearsal,
  insertRehearsal,
  listGroups,
  listRehearsals,
  listRehearsedRuns,
  listWalkable,
  readRehearsal,
  type RehearsalGroup,
  type RehearsalRow,
  type RehearsalSource,
  type RehearsedRow,
  type WalkableRuns,
} from './store.ts';

export interface RehearsalDeps {
  readonly db: Db;
  readonly config: Pick<Config, 'auth'>;
}

/** Groups of one rehearsal that are listed; the runs of the others are found by their verdict. */
const MAX_GROUPS = 100;
/** Rehearsals of a workflow that are listed. */
const LISTED = 50;

/**
 * Asks for a rehearsal of recorded runs of a workflow.
 * @param wanted `definition`: `draft`, `live`, or the id or version of a deployment
 * @throws ApiError 404; 400 naming the first error of the definition, or without a live deployment; 409 without runs, and while
 *   another rehearsal of the workflow is open
 */
export async function requestRehearsal(
  { db }: RehearsalDeps,
  { organizationId, caller }: Scope,
  wanted: {
    readonly workflowId: string;
    readonly definition: string;
    readonly runs: WalkableRuns;
    /** A saved set, whose recorded runs are meant; null: any runs. */
    readonly setId: string | null;
  },
): Promise<RehearsalRow> {
  const of = { organizationId, workflowId: wanted.workflowId };
  const { source, definition } = await chooseDefinition(db, of, wanted.definition);
  requireValid(definition, 'It cannot be rehearsed');
  const rootRunPks = await listWalkable(db, of, await chooseRuns(db, of, wanted));
  if (rootRunPks.length === 0)
    throw conflict(
      'nothing_to_rehearse',
      'There is no run to rehearse: it must have ended, and not be private',
    );
  const { definitionHash } = writeDefinition(definition);
  try {
    return await insertRehearsal(db, {
      ...of,
      source,
      definitionHash,
      definition,
      rootRunPks,
      createdBy: caller.userId,
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(
      'rehearsal_open',
      'Another rehearsal of the workflow is not over. Wait for it, or cancel it',
    );
  }
}

/** @throws ApiError 404 for a set that is not of the workflow */
async function chooseRuns(
  db: Db,
  of: { readonly organizationId: string; readonly workflowId: string },
  { runs, setId }: { readonly runs: WalkableRuns; readonly setId: string | null },
): Promise<WalkableRuns> {
  if (setId === null) return runs;
  const set = await readSet(db, of.organizationId, setId);
  if (set?.workflow_id !== of.workflowId) throw notFound('Evaluation set');
  return { ...runs, limit: MAX_CASES, runPks: await listRunsOfSet(db, set, MAX_CASES) };
}

interface ChosenDefinition {
  readonly source: RehearsalSource;
  readonly definition: JsonObject;
  /** Default input of the deployment. */
  readonly input: JsonObject;
}

/** Chooses a definition of a workflow by its name. @param which `draft`, `live`, or the id or version of a deployment @throws ApiError 404; 400 without a live deployment */
export async function chooseDefinition(
  db: Db,
  of: { readonly organizationId: string; readonly workflowId: string },
  which: string,
): Promise<ChosenDefinition> {
  if (which === 'draft') {
    const draft = await readDraft(db, of);
    if (draft === null) throw notFound('Workflow');
    return { source: 'draft', definition: draft, input: {} };
  }
  const found = await findRunnable(db, of, which);
  if (found === null) throw notFound('Workflow');
  if (found === 'none') {
    if (which === 'live') throw badRequest('workflow_not_deployed', 'The workflow has no live deployment');
    throw notFound('Deployment');
  }
  const source = which === 'live' ? 'live' : (found.deploymentId ?? which);
  const definition = (await readDefinition(db, of.organizationId, found.definitionHash)) ?? {};
  return { source, definition, input: found.input };
}

/** @throws ApiError 404 */
async function getRehearsal(
  { db }: RehearsalDeps,
  { organizationId }: Scope,
  rehearsalId: string,
): Promise<RehearsalRow> {
  const row = await readRehearsal(db, organizationId, rehearsalId);
  if (row === null) throw notFound('Rehearsal');
  return row;
}

/** @throws ApiError 404 */
export async function readGroups(
  deps: RehearsalDeps,
  scope: Scope,
  rehearsalId: string,
): Promise<{ readonly rehearsal: RehearsalRow; readonly groups: readonly RehearsalGroup[] }> {
  const rehearsal = await getRehearsal(deps, scope, rehearsalId);
  return { rehearsal, groups: await listGroups(deps.db, rehearsal, MAX_GROUPS) };
}

/** @throws ApiError 404 */
export async function listOfWorkflow(
  { db }: RehearsalDeps,
  { organizationId }: Scope,
  workflowId: string,
): Promise<RehearsalRow[]> {
  const of = { organizationId, workflowId };
  if ((await readDraft(db, of)) === null) throw notFound('Workflow');
  return listRehearsals(db, of, LISTED);
}

/** @throws ApiError 404, and 400 for a cursor of another list */
export async function listRuns(
  deps: RehearsalDeps,
  scope: Scope,
  {
    rehearsalId,
    ...query
  }: PageQuery & {
    readonly rehearsalId: string;
    readonly verdict?: string | undefined;
    readonly group?: string | undefined;
  },
): Promise<CursorPage<RehearsedRow>> {
  const rehearsal = await getRehearsal(deps, scope, rehearsalId);
  const { verdict, group } = query;
  return readCursorPage(deps.config.auth, query, {
    name: `rehearsed-runs/${scope.organizationId}/${rehearsalId}`,
    read: (page) => listRehearsedRuns(deps.db, rehearsal, { page, verdict, group }),
    readPosition: ({ place, run_pk: rowId }) => ({ place, rowId }),
  });
}

/** @throws ApiError 404 */
export async function cancel(
  { db }: RehearsalDeps,
  { organizationId }: Scope,
  rehearsalId: string,
): Promise<RehearsalRow> {
  const row = await cancelRehearsal(db, organizationId, rehearsalId);
  if (row === null) throw notFound('Rehearsal');
  return row;
}
