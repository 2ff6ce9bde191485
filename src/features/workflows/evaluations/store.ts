/** The rows of evaluations: creation, claims, progress, and their figures. */
import { toMoment, type PageRead } from '../../../base/db/keyset.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { Grader } from './graders.ts';

/** A definition as it was when the evaluation was requested. */
export interface EvaluatedDefinition {
  /** `draft`, `live`, or the id of a deployment. */
  readonly source: string;
  readonly hash: string;
  readonly definition: JsonObject;
  /** Default input of the deployment. */
  readonly input: JsonObject;
}

export interface EvaluationRow {
  readonly id: string;
  readonly organization_id: string;
  readonly workflow_id: string;
  readonly set_id: string;
  readonly definitions: readonly Pick<EvaluatedDefinition, 'source' | 'hash'>[];
  readonly graders: readonly Grader[];
  readonly trials: number;
  readonly max_credits_mc: number;
  readonly status: 'pending' | 'running' | 'completed' | 'cancelled';
  readonly total: number;
  readonly done: number;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly expires_at: Date;
}

const COLUMNS = `id, organization_id, workflow_id, set_id,
  (SELECT json_agg(json_build_object('source', d.value->'source', 'hash', d.value->'hash') ORDER BY d.ordinality)
   FROM json_array_elements(definitions) WITH ORDINALITY AS d) AS definitions,
  graders, trials, max_credits_mc, status, total, done, created_by, created_at, started_at, completed_at, expires_at`;
const IS_OPEN = `status IN ('pending', 'running')`;

/** A slice of work belongs to one worker for so long: longer than a slice, the walk of its last case included. */
const CLAIM_SECONDS = 20;

/** An evaluation before it is stored. */
interface NewEvaluation {
  readonly organizationId: string;
  readonly workflowId: string;
  readonly setId: string;
  readonly definitions: readonly EvaluatedDefinition[];
  readonly graders: readonly Grader[];
  readonly trials: number;
  readonly maxCreditsMc: number;
  readonly createdBy: string | null;
}

/**
 * Stores an evaluation with a trial for each case of its set, definition and repetition. Call it in a transaction.
 * @returns its id; null when the set has no case
 * @throws the error of PostgreSQL for a second open evaluation of the workflow
 */
export async function insertEvaluation(sql: Sql, row: NewEvaluation): Promise<string | null> {
  const [made] = await sql.query<{ id: string }>(
    `INSERT INTO evaluations (organization_id, workflow_id, set_id, definitions, graders, trials, max_credits_mc, total, created_by)
     SELECT $1, $2, $3, $4, $5, $6, $7, n.cases * json_array_length($4::json) * $6, $8
     FROM (SELECT count(*)::int AS cases FROM evaluation_cases WHERE set_id = $3 AND organization_id = $1) AS n
     WHERE n.cases > 0 RETURNING id`,
    [
      row.organizationId,
      row.workflowId,
      row.setId,
      JSON.stringify(row.definitions),
      JSON.stringify(row.graders),
      row.trials,
      row.maxCreditsMc,
      row.createdBy,
    ],
  );
  if (made === undefined) return null;
  // Trials of one case are neighbours: pages show its definitions beside each other.
  await sql.query(
    `INSERT INTO evaluation_trials (evaluation_id, organization_id, place, case_id, root_run_pk, definition, trial)
     SELECT $1, $2, row_number() OVER (ORDER BY c.place, d.definition, t.trial) - 1, c.id, c.root_run_pk, d.definition, t.trial
     FROM evaluation_cases c CROSS JOIN generate_series(0, $4::int - 1) AS d (definition)
     CROSS JOIN generate_series(1, $5::int) AS t (trial)
     WHERE c.set_id = $3 AND c.organization_id = $2`,
    [made.id, row.organizationId, row.setId, row.definitions.length, row.trials],
  );
  return made.id;
}

/** Reads an evaluation; null when the organization has no such one. */
export async function readEvaluation(
  sql: Sql,
  organizationId: string,
  evaluationId: string,
): Promise<EvaluationRow | null> {
  const [row] = await sql.query<EvaluationRow>(
    `SELECT ${COLUMNS} FROM evaluations WHERE id = $1 AND organization_id = $2`,
    [evaluationId, organizationId],
  );
  return row ?? null;
}

/** Lists evaluations of an organization, newest first. */
export const listEvaluationRows = (
  sql: Sql,
  organizationId: string,
  {
    page: { from, limit },
    workflowId,
    setId,
  }: { readonly page: PageRead; readonly workflowId: string | null; readonly setId: string | null },
): Promise<EvaluationRow[]> =>
  sql.query<EvaluationRow>(
    `SELECT ${COLUMNS} FROM evaluations
     WHERE organization_id = $1 AND ($2::uuid IS NULL OR workflow_id = $2) AND ($3::uuid IS NULL OR set_id = $3)
       AND (created_at, id) < (coalesce($4::timestamptz, 'infinity'), coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
     ORDER BY created_at DESC, id DESC LIMIT $6`,
    [organizationId, workflowId, setId, from === null ? null : toMoment(from), from?.rowId ?? null, limit],
  );

/** Cancels an open evaluation; what was found until then stays. @returns false when it was not open */
export async function cancelEvaluationRow(
  sql: Sql,
  { organizationId, evaluationId }: { readonly organizationId: string; readonly evaluationId: string },
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE evaluations SET status = 'cancelled', completed_at = now() WHERE id = $1 AND organization_id = $2 AND ${IS_OPEN} RETURNING id`,
    [evaluationId, organizationId],
  );
  return rows.length > 0;
}

/** The parts of an evaluation that its worker needs. */
export interface ClaimedEvaluation {
  readonly id: string;
  readonly organizationId: string;
  readonly workflowId: string;
  readonly definitions: readonly EvaluatedDefinition[];
  readonly graders: readonly Grader[];
  readonly maxCreditsMc: number;
  readonly createdBy: string | null;
}

/** Claims the open evaluation that has waited longest; null: there is none that is due. */
export async function claimEvaluation(sql: Sql): Promise<ClaimedEvaluation | null> {
  const [claimed] = await sql.query<ClaimedEvaluation>(
    `UPDATE evaluations SET status = 'running', started_at = coalesce(started_at, now()),
            claimed_until = clock_timestamp() + interval '${CLAIM_SECONDS} seconds'
     WHERE id = (SELECT id FROM evaluations WHERE ${IS_OPEN} AND claimed_until <= clock_timestamp()
                 ORDER BY claimed_until LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, organization_id AS "organizationId", workflow_id AS "workflowId", definitions, graders,
               max_credits_mc AS "maxCreditsMc", created_by AS "createdBy"`,
  );
  return claimed ?? null;
}

/** Writes the progress, ends an evaluation whose trials are done, and gives the claim back. @param restMs until it is due again */
export async function releaseEvaluation(
  sql: Sql,
  { id, organizationId }: Pick<ClaimedEvaluation, 'id' | 'organizationId'>,
  restMs: number,
): Promise<void> {
  await sql.query(
    `UPDATE evaluations e SET done = n.done, claimed_until = clock_timestamp() + make_interval(secs => $3::float8 / 1000),
            status = CASE WHEN n.done = e.total THEN 'completed' ELSE e.status END,
            completed_at = CASE WHEN n.done = e.total THEN now() END
     FROM (SELECT count(*) FILTER (WHERE status = 'done')::int AS done FROM evaluation_trials
           WHERE evaluation_id = $1 AND organization_id = $2) AS n
     WHERE e.id = $1 AND e.organization_id = $2 AND e.${IS_OPEN}`,
    [id, organizationId, restMs],
  );
}

/** Deletes evaluations after 30 days. @returns how many */
export async function deleteExpiredEvaluations(sql: Sql): Promise<number> {
  const rows = await sql.query('DELETE FROM evaluations WHERE expires_at < now() RETURNING id');
  return rows.length;
}

/** Counts of one repetition of all cases in one definition. */
export interface RepetitionRow {
  readonly definition: number;
  readonly trial: number;
  readonly done: number;
  readonly passed: number;
  readonly failed: number;
  readonly cannot_tell: number;
  readonly used_mc: number;
}

/** Counts trials by definition and repetition. */
export const countRepetitions = (
  sql: Sql,
  { id, organization_id: organizationId }: Pick<EvaluationRow, 'id' | 'organization_id'>,
): Promise<RepetitionRow[]> =>
  sql.query<RepetitionRow>(
    `SELECT definition, trial, count(*) FILTER (WHERE status = 'done')::int AS done,
            count(*) FILTER (WHERE verdict = 'passed')::int AS passed, count(*) FILTER (WHERE verdict = 'failed')::int AS failed,
            count(*) FILTER (WHERE verdict = 'cannot_tell')::int AS cannot_tell, coalesce(sum(used_mc), 0)::bigint AS used_mc
     FROM evaluation_trials WHERE evaluation_id = $1 AND organization_id = $2
     GROUP BY definition, trial ORDER BY definition, trial`,
    [id, organizationId],
  );

/** Durations of runs in one definition, and how often its judge agrees with people. */
export interface MeasureRow {
  readonly definition: number;
  /** Of trials that ran, in milliseconds; null: none has. */
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  /** Trials that a person has marked and the judge has graded. */
  readonly marked: number;
  /** Those of them on which both agree. */
  readonly agreed: number;
}

/** Measures trials by definition. @param judge the index of the judging model; -1: none */
export const measureTrials = (
  sql: Sql,
  { id, organization_id: organizationId }: Pick<EvaluationRow, 'id' | 'organization_id'>,
  judge: number,
): Promise<MeasureRow[]> =>
  sql.query<MeasureRow>(
    `SELECT t.definition, percentile_cont(0.5) WITHIN GROUP (ORDER BY t.duration_ms) AS p50_ms,
            percentile_cont(0.95) WITHIN GROUP (ORDER BY t.duration_ms) AS p95_ms,
            count(*) FILTER (WHERE t.mark IS NOT NULL AND g.passed IS NOT NULL)::int AS marked,
            count(*) FILTER (WHERE t.mark = g.passed)::int AS agreed
     FROM evaluation_trials t
     LEFT JOIN LATERAL (SELECT (x->>'passed')::boolean AS passed FROM json_array_elements(t.grades) AS x
                        WHERE (x->>'grader')::int = $3) AS g ON true
     WHERE t.evaluation_id = $1 AND t.organization_id = $2 GROUP BY t.definition ORDER BY t.definition`,
    [id, organizationId, judge],
  );
