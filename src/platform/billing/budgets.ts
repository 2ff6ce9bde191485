/**
 * Budgets that stop in time: what a call may use at most is reserved before it is made, in a statement of its own (SQL function
 * reserve_budget), and becomes what it has used afterwards.
 */
import type { Sql } from '../../base/db/client.ts';
import { MILLICREDITS } from './plans.ts';

/** The budget of a run, of its definition; null, and a door that is missing: no limit. */
export interface RunBudget {
  readonly root_run_pk: string;
  readonly max_credits_mc: number | null;
  readonly max_model_calls: number | null;
  readonly max_effects: Readonly<Record<string, number>>;
  /** Missing, as in runs of earlier builds: `fail`. */
  readonly on_limit?: 'ask' | 'fail';
  /** The people who may raise it; null: owners and admins of the organization. */
  readonly assignees?: { readonly roles: readonly string[]; readonly user_ids: readonly string[] } | null;
}

/** The attempt that uses a budget. */
export interface BudgetUser {
  readonly runPk: string;
  /** Null: the use is counted once by its id. */
  readonly stepId: string | null;
  readonly attempt: number;
  /** The process that makes the call and settles its reservation; null: there is none to settle. */
  readonly workerId: string | null;
  /** The budgets of the run and of the runs that have called it, from the top. */
  readonly budgets: readonly RunBudget[];
}

/** One use: a call of a model or a search with the most that it may cost, or a change outside. */
export interface BudgetUse {
  readonly reservationId: string;
  readonly door: string;
  readonly creditsMc: number;
}

/** The first budget that has no place for a use. Amounts are millicredits, calls or changes. */
export interface BudgetRefusal {
  readonly scope: 'organization' | 'run' | 'workflow';
  /** The organization, the run or the workflow. */
  readonly subject: string;
  readonly period: 'day' | 'month' | 'run';
  readonly starts: string;
  readonly kind: 'credits' | 'model_calls' | 'effects';
  readonly used: number;
  /** By calls under way. */
  readonly reserved: number;
  /** With what people have raised it by for this run. */
  readonly most: number;
  readonly on_limit: 'ask' | 'fail';
  readonly assignees: { readonly roles: readonly string[]; readonly user_ids: readonly string[] } | null;
}

/**
 * Counts one use on all budgets that bind a run, and reserves its credits; nothing when one of them has no place for it.
 * The same reservation is made once. Its locks are the last of a transaction: counters come after runs.
 * @returns null when it is counted
 */
export async function reserveBudget(
  sql: Sql,
  { runPk, stepId, attempt, workerId, budgets }: BudgetUser,
  { reservationId, door, creditsMc }: BudgetUse,
): Promise<BudgetRefusal | null> {
  const [refusal] = await sql.query<BudgetRefusal>(
    `SELECT scope, subject, period, starts::text AS starts, kind, used, reserved, most, on_limit, assignees
     FROM reserve_budget($1::uuid, $2::uuid, $3::uuid, $4::integer, $5::uuid, $6::jsonb, $7, $8::bigint)`,
    [reservationId, runPk, stepId, attempt, workerId, JSON.stringify(budgets), door, creditsMc],
  );
  return refusal ?? null;
}

/** The limit that people raise, and by how much in millicredits, calls or changes. */
export interface BudgetRaise extends Pick<BudgetRefusal, 'subject' | 'period' | 'starts' | 'kind'> {
  readonly door: string;
  readonly amount: number;
}

/** Raises a budget for a run and all sub-workflows of its topmost caller, once for each question. */
export async function raiseBudget(
  sql: Sql,
  { interruptId, runPk }: { readonly interruptId: string; readonly runPk: string },
  { subject, period, starts, kind, door, amount }: BudgetRaise,
): Promise<void> {
  await sql.query('SELECT raise_budget($1, $2::uuid, $3::uuid, $4, $5::date, $6, $7, $8::bigint)', [
    interruptId,
    runPk,
    subject,
    period,
    starts,
    kind,
    door,
    amount,
  ]);
}

/** Ends a reservation with what was used, in millicredits; one that has ended stays as it is. */
export async function settleBudget(sql: Sql, reservationId: string, usedMc: number): Promise<void> {
  await sql.query('SELECT settle_budget($1::uuid, $2::bigint)', [reservationId, usedMc]);
}

/** Ends what earlier attempts of a step have left behind: their worker was lost, and what it used is not known and not charged. */
export async function releaseEarlierAttempts(
  sql: Sql,
  { stepId, attempt }: Pick<BudgetUser, 'stepId' | 'attempt'>,
): Promise<void> {
  await sql.query(
    'SELECT settle_budget(b.id, 0) FROM budget_reservations b WHERE b.step_id = $1 AND b.attempt < $2',
    [stepId, attempt],
  );
}

const BATCH = 500;

// Living workers settle their calls themselves. A worker that is paused may come back, so a lease counts as lost a minute after its end.
const LOST = `
  SELECT b.id FROM budget_reservations b
  JOIN runs r ON r.id = b.run_pk
  LEFT JOIN worker_leases l ON l.worker_id = b.worker_id
  LEFT JOIN run_steps s ON s.run_pk = b.run_pk AND s.step_id = b.step_id
  WHERE b.created_at < clock_timestamp() - interval '1 minute'
    AND (r.status <> 'running'
      OR (b.step_id IS NOT NULL AND (s.status <> 'running' OR s.attempt <> b.attempt))
      OR (b.step_id IS NOT NULL AND (l.worker_id IS NULL OR l.renewed_at < clock_timestamp() - interval '1 minute')))
  ORDER BY b.created_at LIMIT ${BATCH}`;

/** Ends reservations of lost workers, ended attempts and ended runs. Safe to repeat and to run in several processes. @returns their number */
export async function releaseLostReservations(sql: Sql): Promise<number> {
  const lost = await sql.query<{ id: string }>(LOST);
  for (const { id } of lost) await settleBudget(sql, id, 0);
  return lost.length;
}

/** A month more than anyone compares: a guess. The current period and what is told of it are never older. */
const DAY_COUNTERS_KEPT_DAYS = 62;
const MONTH_COUNTERS_KEPT_MONTHS = 13;

/** Deletes what was used of past days after 62 days, and of past months after 13. @returns their number */
export async function deleteExpiredCounters(sql: Sql): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await sql.query(
      `DELETE FROM budget_counters WHERE id IN (
         SELECT c.id FROM budget_counters c
         CROSS JOIN (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS today) AS t
         WHERE (c.period = 'day' AND c.starts < t.today - ${DAY_COUNTERS_KEPT_DAYS})
            OR (c.period = 'month' AND c.starts < date_trunc('month', t.today) - interval '${MONTH_COUNTERS_KEPT_MONTHS} months')
         LIMIT ${BATCH}) RETURNING 1`,
    );
    total += deleted.length;
    if (deleted.length < BATCH) return total;
  }
}

const AMOUNT = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 3,
  useGrouping: false,
});
const toCredits = (mc: number): string => AMOUNT.format(mc / MILLICREDITS);

function describePeriod({ period, starts }: BudgetRefusal): string {
  if (period === 'run') return '';
  return period === 'day' ? ` for ${starts}` : ` for ${starts.slice(0, 7)}`;
}

/** Writes a refusal for people, with its figures. */
export function describeRefusal(refusal: BudgetRefusal, { door, creditsMc }: BudgetUse): string {
  const { scope, kind, used, reserved, most } = refusal;
  const whose = `Budget of the ${scope}${describePeriod(refusal)}`;
  if (kind === 'model_calls') return `${whose}: ${used} of ${most} model calls are made`;
  if (kind === 'effects') return `${whose}: ${used} of ${most} changes by ${door} are made`;
  const held = reserved > 0 ? ` and ${toCredits(reserved)} reserved by calls under way` : '';
  return `${whose}: ${toCredits(used)} of ${toCredits(most)} credits are used${held}; the next call may take ${toCredits(creditsMc)}`;
}
