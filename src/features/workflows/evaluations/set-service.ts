/** Creates, lists, changes and deletes saved sets, and adds and removes their cases. */
import type { Config } from '../../../base/config/config.ts';
import type { Db } from '../../../base/db/client.ts';
import { isUniqueViolation } from '../../../base/db/transient-error.ts';
import { conflict, invalid, limitReached, notFound } from '../../../base/errors.ts';
import { requireWorkflow } from '../../../engine/runs/ledger/read/require-objects.ts';
import type { Scope } from '../../../platform/access/caller.ts';
import {
  readCreation,
  readCursorPage,
  type CursorPage,
  type PageQuery,
} from '../../../platform/http/cursor-page.ts';
import type { NewCase } from './set-schema.ts';
import {
  countSets,
  deleteCaseRow,
  deleteSetRow,
  findRecordedRuns,
  insertCases,
  insertSet,
  listCaseRows,
  listSets,
  lockSet,
  readSet,
  updateSet,
  type CaseRow,
  type NewCaseRow,
  type SetRow,
} from './set-store.ts';

export interface SetDeps {
  readonly db: Db;
  readonly config: Pick<Config, 'auth'>;
}

type Of = Pick<Scope, 'organizationId'>;

/** Sets of an organization; a guess, as the two below. */
const MAX_SETS = 200;
/** Cases of a set: an evaluation walks each of them. */
export const MAX_CASES = 500;
/** Inputs and expected outputs of a set as JSON. */
const MAX_SET_BYTES = 16 * 1024 * 1024;
/** Input and expected output of one case as JSON. */
export const MAX_CASE_BYTES = 256 * 1024;

const nameTaken = () =>
  conflict('evaluation_set_name_taken', 'Another set of the organization has this name');

/** @throws ApiError 404 */
export async function requireSet({ db }: SetDeps, { organizationId }: Of, setId: string): Promise<SetRow> {
  const row = await readSet(db, organizationId, setId);
  if (row === null) throw notFound('Evaluation set');
  return row;
}

/** @throws ApiError 404 for the workflow; 409 at the limit, and for a name that is taken */
export async function createSet(
  deps: SetDeps,
  { organizationId, caller }: Scope,
  given: { readonly name: string; readonly description: string; readonly workflow_id: string },
): Promise<SetRow> {
  const { name, description, workflow_id: workflowId } = given;
  await requireWorkflow(deps.db, { organizationId }, workflowId);
  try {
    const id = await deps.db.transaction(async (tx) => {
      // The lock makes concurrent creations count one another.
      await tx.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
      if ((await countSets(tx, organizationId)) >= MAX_SETS) throw limitReached(MAX_SETS, 'evaluation set');
      return insertSet(tx, { organizationId, workflowId, name, description, createdBy: caller.userId });
    });
    return await requireSet(deps, { organizationId }, id);
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}

/** Lists sets, newest first. @throws ApiError 400 for a cursor of another list */
export const listEvaluationSets = (
  { db, config }: SetDeps,
  { organizationId }: Of,
  query: PageQuery & { readonly workflow_id?: string | undefined; readonly name?: string | undefined },
): Promise<CursorPage<SetRow>> =>
  readCursorPage<SetRow>(config.auth, query, {
    name: `evaluation-sets/${organizationId}`,
    read: (page) =>
      listSets(db, organizationId, {
        page,
        workflowId: query.workflow_id ?? null,
        name: query.name ?? null,
      }),
    readPosition: readCreation,
  });

/** Changes the supplied fields. @throws ApiError 404; 409 for a name that is taken */
export async function changeSet(
  deps: SetDeps,
  { organizationId }: Of,
  {
    setId,
    name,
    description,
  }: {
    readonly setId: string;
    readonly name?: string | undefined;
    readonly description?: string | undefined;
  },
): Promise<SetRow> {
  try {
    await updateSet(
      deps.db,
      { organizationId, setId },
      { name: name ?? null, description: description ?? null },
    );
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
  return requireSet(deps, { organizationId }, setId);
}

/** Deletes a set with its cases and its evaluations. @throws ApiError 404 */
export async function deleteSet({ db }: SetDeps, { organizationId }: Of, setId: string): Promise<void> {
  if (!(await deleteSetRow(db, organizationId, setId))) throw notFound('Evaluation set');
}

const measure = (value: unknown): number => (value === null ? 0 : Buffer.byteLength(JSON.stringify(value)));

/** @throws ApiError 422 for a case that is too large, and for a run that cannot be a case */
function toRows(cases: readonly NewCase[], roots: ReadonlyMap<string, string>): NewCaseRow[] {
  return cases.map(({ name, run_pk: runPk = null, input = null, expected = null }, index) => {
    const bytes = measure(input) + measure(expected);
    const loc = ['body', 'cases', index];
    if (bytes > MAX_CASE_BYTES) {
      const msg = `A case has at most ${MAX_CASE_BYTES} bytes of input and expected output as JSON`;
      throw invalid([{ loc, msg, type: 'case_too_large' }]);
    }
    if (runPk === null) return { name, rootRunPk: null, input, expected, bytes };
    const rootRunPk = roots.get(runPk);
    if (rootRunPk === undefined) {
      const msg = 'No ended run of the workflow has this id, or it is private or ephemeral';
      throw invalid([{ loc: [...loc, 'run_pk'], msg, type: 'run_not_usable' }]);
    }
    return { name, rootRunPk, input: null, expected, bytes };
  });
}

/** Runs that a request names twice are one case. */
function dropRepeated(rows: readonly NewCaseRow[]): NewCaseRow[] {
  const seen = new Set<string>();
  return rows.filter(({ rootRunPk }) => {
    if (rootRunPk === null) return true;
    const isNew = !seen.has(rootRunPk);
    seen.add(rootRunPk);
    return isNew;
  });
}

/** The result of adding cases. */
interface AddedCases {
  readonly added: number;
  /** Runs that the set had, or that the request names again. */
  readonly known: number;
  readonly caseCount: number;
}

/**
 * Adds cases behind the others, all or none.
 * @throws ApiError 404; 409 when the set would have too many cases or bytes; 422 as toRows
 */
export async function addCases(
  deps: SetDeps,
  scope: Scope,
  { setId, cases }: { readonly setId: string; readonly cases: readonly NewCase[] },
): Promise<AddedCases> {
  const { organizationId, caller } = scope;
  return deps.db.transaction(async (tx) => {
    await lockSet(tx, organizationId, setId);
    const set = await readSet(tx, organizationId, setId);
    if (set === null) throw notFound('Evaluation set');
    const runPks = cases.flatMap(({ run_pk: runPk = null }) => (runPk === null ? [] : [runPk]));
    const of = { organizationId, workflowId: set.workflow_id };
    const rows = dropRepeated(toRows(cases, await findRecordedRuns(tx, of, runPks)));
    const added = await insertCases(tx, { organizationId, setId, createdBy: caller.userId }, rows);
    const after = await readSet(tx, organizationId, setId);
    if (after === null || after.case_count > MAX_CASES) throw limitReached(MAX_CASES, 'evaluation case');
    if (after.bytes > MAX_SET_BYTES)
      throw conflict(
        'evaluation_set_too_large',
        `The cases of a set have at most ${MAX_SET_BYTES} bytes as JSON`,
      );
    return { added, known: cases.length - added, caseCount: after.case_count };
  });
}

/** Lists cases in their order. @throws ApiError 404; 400 for a cursor of another list */
export async function listCases(
  deps: SetDeps,
  scope: Of,
  { setId, ...query }: PageQuery & { readonly setId: string },
): Promise<CursorPage<CaseRow>> {
  const set = await requireSet(deps, scope, setId);
  return readCursorPage<CaseRow>(deps.config.auth, query, {
    name: `evaluation-cases/${scope.organizationId}/${setId}`,
    read: (page) => listCaseRows(deps.db, set, page),
    readPosition: ({ place, id: rowId }) => ({ place, rowId }),
  });
}

/** @throws ApiError 404 for the set and the case */
export async function deleteCase(
  deps: SetDeps,
  scope: Of,
  { setId, caseId }: { readonly setId: string; readonly caseId: string },
): Promise<void> {
  const set = await requireSet(deps, scope, setId);
  if (!(await deleteCaseRow(deps.db, set, caseId))) throw notFound('Evaluation case');
}
