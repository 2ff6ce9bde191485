/** The rows of trials: each is one case in one definition, once. */
import type { PageRead } from '../../../base/db/keyset.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import type { Grade } from './graders.ts';
import type { ClaimedEvaluation } from './store.ts';

/** A trial with its case, as its worker reads it. */
export interface OpenTrial {
  readonly place: number;
  readonly status: 'pending' | 'running' | 'judging';
  readonly definition: number;
  readonly runPk: string | null;
  readonly judgeRunPk: string | null;
  readonly usedMc: number;
  readonly output: Json;
  readonly grades: readonly Grade[];
  /** False: the case was removed since. */
  readonly hasCase: boolean;
  readonly rootRunPk: string | null;
  /** Null: that of the recorded run. */
  readonly input: JsonObject | null;
  readonly expected: Json;
}

type Of = Pick<ClaimedEvaluation, 'id' | 'organizationId'>;

const OPEN = `t.place, t.status, t.definition, t.run_pk AS "runPk", t.judge_run_pk AS "judgeRunPk", t.used_mc AS "usedMc", t.output,
  t.grades, c.id IS NOT NULL AS "hasCase", c.root_run_pk AS "rootRunPk", c.input, c.expected`;
const WITH_CASE = `evaluation_trials t LEFT JOIN evaluation_cases c ON c.id = t.case_id AND c.organization_id = t.organization_id`;

/** Lists the trials with open runs. */
export const listRunningTrials = (sql: Sql, { id, organizationId }: Of): Promise<OpenTrial[]> =>
  sql.query<OpenTrial>(
    `SELECT ${OPEN} FROM ${WITH_CASE}
     WHERE t.evaluation_id = $1 AND t.organization_id = $2 AND t.status IN ('running', 'judging') ORDER BY t.place`,
    [id, organizationId],
  );

/** Finds the next trial that has not begun; null: none. */
export async function findPendingTrial(sql: Sql, { id, organizationId }: Of): Promise<OpenTrial | null> {
  const [trial] = await sql.query<OpenTrial>(
    `SELECT ${OPEN} FROM ${WITH_CASE}
     WHERE t.evaluation_id = $1 AND t.organization_id = $2 AND t.status = 'pending' ORDER BY t.place LIMIT 1`,
    [id, organizationId],
  );
  return trial ?? null;
}

/** Sums what all other trials have used and what their open runs may use, in millicredits. */
export async function sumOtherCredits(sql: Sql, { id, organizationId }: Of, place: number): Promise<number> {
  const [row] = await sql.query<{ mc: number }>(
    `SELECT coalesce(sum(used_mc + reserved_mc), 0)::bigint AS mc FROM evaluation_trials
     WHERE evaluation_id = $1 AND organization_id = $2 AND place <> $3`,
    [id, organizationId, place],
  );
  return row?.mc ?? 0;
}

/** Locks an open evaluation until the transaction ends, so that a cancellation sees what it starts. @returns false: it is not open */
export async function lockOpenEvaluation(sql: Sql, { id, organizationId }: Of): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM evaluations WHERE id = $1 AND organization_id = $2 AND status = 'running' FOR NO KEY UPDATE`,
    [id, organizationId],
  );
  return rows.length > 0;
}

/** A run that works for a trial. */
interface StartedRun {
  readonly place: number;
  readonly runPk: string;
  readonly reservedMc: number;
}

/** Notes the run of a trial. @returns false when another worker has begun it */
export async function noteRun(
  sql: Sql,
  { id, organizationId }: Of,
  { place, runPk, reservedMc }: StartedRun,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE evaluation_trials SET status = 'running', run_pk = $4, reserved_mc = $5
     WHERE evaluation_id = $1 AND organization_id = $2 AND place = $3 AND status = 'pending' RETURNING place`,
    [id, organizationId, place, runPk, reservedMc],
  );
  return rows.length > 0;
}

/** The output of a trial before a model judges it. */
interface Unjudged {
  readonly usedMc: number;
  readonly durationMs: number | null;
  readonly output: Json;
  readonly grades: readonly Grade[];
}

/** Notes the run that judges a trial. @param from the status before @returns false when another worker was faster */
export async function noteJudge(
  sql: Sql,
  { id, organizationId }: Of,
  {
    place,
    runPk,
    reservedMc,
    from,
    usedMc,
    durationMs,
    output,
    grades,
  }: StartedRun & Unjudged & { readonly from: OpenTrial['status'] },
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE evaluation_trials SET status = 'judging', judge_run_pk = $4, reserved_mc = $5, used_mc = $7, duration_ms = $8,
            output = $9, grades = $10
     WHERE evaluation_id = $1 AND organization_id = $2 AND place = $3 AND status = $6 RETURNING place`,
    [
      id,
      organizationId,
      place,
      runPk,
      reservedMc,
      from,
      usedMc,
      durationMs,
      JSON.stringify(output),
      JSON.stringify(grades),
    ],
  );
  return rows.length > 0;
}

/** The end of a trial. */
export interface TrialEnd {
  readonly verdict: 'passed' | 'failed' | 'cannot_tell';
  readonly doubt: string | null;
  readonly grades: readonly Grade[];
  readonly output: Json;
  readonly error: JsonObject | null;
  /** Null: as it was noted before. */
  readonly durationMs: number | null;
  readonly usedMc: number;
}

/** Ends a trial, once. @param from the status before */
export async function endTrial(
  sql: Sql,
  { id, organizationId }: Of,
  {
    place,
    from,
    end,
  }: { readonly place: number; readonly from: OpenTrial['status']; readonly end: TrialEnd },
): Promise<void> {
  await sql.query(
    `UPDATE evaluation_trials SET status = 'done', reserved_mc = 0, verdict = $5, doubt = $6, grades = $7, output = $8, error = $9,
            duration_ms = coalesce($10, duration_ms), used_mc = $11
     WHERE evaluation_id = $1 AND organization_id = $2 AND place = $3 AND status = $4`,
    [
      id,
      organizationId,
      place,
      from,
      end.verdict,
      end.doubt,
      JSON.stringify(end.grades),
      JSON.stringify(end.output),
      end.error === null ? null : JSON.stringify(end.error),
      end.durationMs,
      end.usedMc,
    ],
  );
}

/** Lists the open runs of an evaluation, of workflows and of the judge. */
export async function listOpenRuns(sql: Sql, { id, organizationId }: Of): Promise<string[]> {
  const rows = await sql.query<{ runPk: string }>(
    `SELECT CASE status WHEN 'running' THEN run_pk ELSE judge_run_pk END AS "runPk" FROM evaluation_trials
     WHERE evaluation_id = $1 AND organization_id = $2 AND status IN ('running', 'judging')`,
    [id, organizationId],
  );
  return rows.map(({ runPk }) => runPk);
}

export interface TrialRow {
  readonly place: number;
  readonly case_id: string;
  readonly name: string | null;
  readonly run_pk: string | null;
  readonly input: JsonObject | null;
  readonly expected: Json;
  readonly definition: number;
  readonly trial: number;
  readonly status: 'pending' | 'running' | 'judging' | 'done';
  readonly verdict: TrialEnd['verdict'] | null;
  readonly doubt: string | null;
  readonly grades: readonly Grade[];
  readonly output: Json;
  readonly error: JsonObject | null;
  readonly used_mc: number;
  readonly duration_ms: number | null;
  readonly mark: boolean | null;
}

const SHOWN = `t.place, t.case_id, c.name, t.root_run_pk AS run_pk, c.input, c.expected, t.definition, t.trial, t.status, t.verdict, t.doubt,
  t.grades, t.output, t.error, t.used_mc, t.duration_ms, t.mark`;

/** Lists trials of an evaluation, those of a case beside each other. */
export const listTrialRows = (
  sql: Sql,
  { evaluationId, organizationId }: { readonly evaluationId: string; readonly organizationId: string },
  {
    page: { from, isBackward, limit },
    verdict,
  }: { readonly page: PageRead; readonly verdict?: string | undefined },
): Promise<TrialRow[]> => {
  const [beyond, order] = isBackward ? ['<', 'DESC'] : ['>', 'ASC'];
  return sql.query<TrialRow>(
    `SELECT ${SHOWN} FROM ${WITH_CASE}
     WHERE t.evaluation_id = $1 AND t.organization_id = $2 AND t.place ${beyond} $3 AND ($4::text IS NULL OR t.verdict = $4)
     ORDER BY t.place ${order} LIMIT $5`,
    [evaluationId, organizationId, from?.place ?? (isBackward ? 2_147_483_647 : -1), verdict ?? null, limit],
  );
};

/** Marks the output of a trial. @returns null when the evaluation has no such trial */
export async function markTrial(
  sql: Sql,
  { evaluationId, organizationId }: { readonly evaluationId: string; readonly organizationId: string },
  { place, mark }: { readonly place: number; readonly mark: boolean | null },
): Promise<TrialRow | null> {
  const marked = await sql.query(
    `UPDATE evaluation_trials SET mark = $4
     WHERE evaluation_id = $1 AND organization_id = $2 AND place = $3 RETURNING place`,
    [evaluationId, organizationId, place, mark],
  );
  if (marked.length === 0) return null;
  const [row] = await sql.query<TrialRow>(
    `SELECT ${SHOWN} FROM ${WITH_CASE} WHERE t.evaluation_id = $1 AND t.organization_id = $2 AND t.place = $3`,
    [evaluationId, organizationId, place],
  );
  return row ?? null;
}
