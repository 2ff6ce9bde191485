/** Sets budgets of an organization and of its workflows, and reads what is used of them. The engine holds runs to them (src/platform/billing/budgets.ts). */
import type { Clock } from '../../base/clock.ts';
import type { Db, Sql } from '../../base/db/client.ts';
import { isUniqueViolation } from '../../base/db/transient-error.ts';
import { conflict, invalid, limitReached, notFound } from '../../base/errors.ts';
import type { Scope } from '../../platform/access/caller.ts';
import { MILLICREDITS } from '../../platform/billing/plans.ts';

export interface BudgetDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Limits by door; null, and a door that is missing: none. */
type EffectLimits = Readonly<Partial<Record<string, number | null>>>;

interface LimitChange {
  readonly max_credits?: number | null | undefined;
  readonly max_model_calls?: number | null | undefined;
  readonly max_effects?: EffectLimits | null | undefined;
  readonly on_limit?: 'ask' | 'fail' | null | undefined;
}
interface NewBudget extends LimitChange {
  readonly workflow_id?: string | null | undefined;
  readonly period: 'day' | 'month';
}

/** A budget with what is used of it in the current period. Amounts are thousandths of a credit. */
export interface BudgetRow {
  readonly id: string;
  readonly organization_id: string;
  readonly workflow_id: string | null;
  readonly period: string;
  readonly max_credits_mc: number | null;
  readonly max_model_calls: number | null;
  readonly max_effects: EffectLimits;
  readonly on_limit: 'ask' | 'fail';
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly used_mc: number;
  readonly reserved_mc: number;
  readonly model_calls: number;
  readonly effects: Readonly<Record<string, number>>;
}

/** Each binding one is a row that a call of a model locks. A guess. */
const MAX_BUDGETS = 200;

const SELECT = `
  SELECT b.id, b.organization_id, b.workflow_id, b.period, b.max_credits_mc, b.max_model_calls, b.max_effects, b.on_limit, b.created_by,
         b.created_at, b.updated_at, p.starts AT TIME ZONE 'UTC' AS period_start,
         (p.starts + CASE b.period WHEN 'day' THEN interval '1 day' ELSE interval '1 month' END) AT TIME ZONE 'UTC' AS period_end,
         coalesce(c.used_mc, 0)::bigint AS used_mc, coalesce(c.reserved_mc, 0)::bigint AS reserved_mc,
         coalesce(c.model_calls, 0)::bigint AS model_calls, coalesce(c.effects, '{}') AS effects
  FROM budgets b
  CROSS JOIN LATERAL (SELECT date_trunc(b.period, clock_timestamp() AT TIME ZONE 'UTC') AS starts) AS p
  LEFT JOIN budget_counters c
    ON c.subject = CASE WHEN b.workflow_id IS NULL THEN b.organization_id ELSE b.workflow_id END
   AND c.period = b.period AND c.starts = p.starts::date
  WHERE b.organization_id = $1`;

/** Lists the budgets of the organization: its own first, then those of its workflows. */
export const listBudgets = ({ db }: BudgetDeps, { organizationId }: Scope): Promise<BudgetRow[]> =>
  db.query<BudgetRow>(`${SELECT} ORDER BY b.workflow_id IS NOT NULL, b.workflow_id, b.period`, [
    organizationId,
  ]);

async function readBudget(sql: Sql, organizationId: string, budgetId: string): Promise<BudgetRow> {
  const [row] = await sql.query<BudgetRow>(`${SELECT} AND b.id = $2`, [organizationId, budgetId]);
  if (row === undefined) throw notFound('Budget');
  return row;
}

/** @throws ApiError 404 */
export const getBudget = (
  { db }: BudgetDeps,
  { organizationId }: Scope,
  budgetId: string,
): Promise<BudgetRow> => readBudget(db, organizationId, budgetId);

/** Leaves out the doors without a limit. */
const toStored = (effects: EffectLimits | null | undefined): Record<string, number> =>
  Object.fromEntries(
    Object.entries(effects ?? {}).flatMap(([door, most]) =>
      most === null || most === undefined ? [] : [[door, most]],
    ),
  );
const toMillicredits = (credits: number | null): number | null =>
  credits === null ? null : Math.round(credits * MILLICREDITS);

/** @throws ApiError 409 at the limit, and for a second budget of the same period; 422 for a workflow that the organization does not have */
export async function createBudget(
  { db }: BudgetDeps,
  { organizationId, caller }: Scope,
  body: NewBudget,
): Promise<BudgetRow> {
  const workflowId = body.workflow_id ?? null;
  const limits = [
    toMillicredits(body.max_credits ?? null),
    body.max_model_calls ?? null,
    toStored(body.max_effects),
    body.on_limit ?? 'fail',
  ];
  try {
    return await db.transaction(async (tx) => {
      // The lock makes concurrent creations count one another.
      await tx.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
      const [found] = await tx.query<{ count: number; known: boolean }>(
        `SELECT (SELECT count(*)::int FROM budgets WHERE organization_id = $1) AS count,
                $2::uuid IS NULL OR EXISTS (SELECT FROM workflows WHERE id = $2 AND organization_id = $1) AS known`,
        [organizationId, workflowId],
      );
      if (found?.known !== true)
        throw invalid([
          { loc: ['body', 'workflow_id'], msg: 'Workflow not found', type: 'workflow_not_found' },
        ]);
      if (found.count >= MAX_BUDGETS) throw limitReached(MAX_BUDGETS, 'budget');
      const [made] = await tx.query<{ id: string }>(
        `INSERT INTO budgets (organization_id, workflow_id, period, max_credits_mc, max_model_calls, max_effects, on_limit, created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
        [organizationId, workflowId, body.period, ...limits, caller.userId],
      );
      return readBudget(tx, organizationId, made?.id ?? '');
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict('budget_exists', `There is a budget for the ${body.period} already. Change it`);
  }
}

/** Changes the supplied limits. @throws ApiError 404 */
export function changeBudget(
  { db, clock }: BudgetDeps,
  { organizationId }: Scope,
  { budgetId, body }: { readonly budgetId: string; readonly body: LimitChange },
): Promise<BudgetRow> {
  return db.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM budgets WHERE id = $1 AND organization_id = $2 FOR NO KEY UPDATE', [
      budgetId,
      organizationId,
    ]);
    const before = await readBudget(tx, organizationId, budgetId);
    const { max_credits: credits, max_model_calls: calls, max_effects: effects } = body;
    await tx.query(
      `UPDATE budgets SET max_credits_mc = $3, max_model_calls = $4, max_effects = $5, on_limit = $6, updated_at = $7
       WHERE id = $1 AND organization_id = $2`,
      [
        budgetId,
        organizationId,
        credits === undefined ? before.max_credits_mc : toMillicredits(credits),
        calls === undefined ? before.max_model_calls : calls,
        effects === undefined ? before.max_effects : toStored(effects),
        body.on_limit === undefined ? before.on_limit : (body.on_limit ?? 'fail'),
        new Date(clock.now()),
      ],
    );
    return readBudget(tx, organizationId, budgetId);
  });
}

/** @throws ApiError 404 */
export async function deleteBudget(
  { db }: BudgetDeps,
  { organizationId }: Scope,
  budgetId: string,
): Promise<void> {
  const deleted = await db.query('DELETE FROM budgets WHERE id = $1 AND organization_id = $2 RETURNING id', [
    budgetId,
    organizationId,
  ]);
  if (deleted.length === 0) throw notFound('Budget');
}
