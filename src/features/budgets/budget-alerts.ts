/**
 * Tells endpoints that 80 % or all of a budget is used, in every API process, without a leader. A column of the counter says what was
 * told, and is written with the event in one transaction: each is told once in a period, and a crash before loses none.
 */
import type { Db } from '../../base/db/client.ts';
import { PollLoop } from '../../base/db/poll-loop.ts';
import type { Logger } from '../../base/log.ts';
import { noteBudgetReached } from '../../base/observe/run-metrics.ts';
import { MILLICREDITS } from '../../platform/billing/plans.ts';

const POLL_MS = 30_000;
const BATCH = 100;

interface Reached {
  readonly counterId: number;
  readonly organizationId: string;
  readonly budgetId: string;
  readonly workflowId: string | null;
  readonly workflowName: string | null;
  readonly period: string;
  readonly periodStart: Date;
  readonly percent: number;
  readonly limit: string;
  readonly used: number;
  readonly most: number;
}

// A period that has ended within the hour is still told of: its last use may have come behind the last check.
const FIND = `
  SELECT c.id AS "counterId", b.organization_id AS "organizationId", b.id AS "budgetId", b.workflow_id AS "workflowId",
         (SELECT w.name FROM workflows w WHERE w.id = b.workflow_id) AS "workflowName", b.period,
         c.starts::timestamp AT TIME ZONE 'UTC' AS "periodStart", u.percent, u."limit", u.used::bigint AS used, u.most::bigint AS most
  FROM budgets b
  JOIN organizations o ON o.id = b.organization_id AND o.is_active
  CROSS JOIN LATERAL (
    SELECT DISTINCT date_trunc(b.period, (clock_timestamp() - late) AT TIME ZONE 'UTC')::date AS starts
    FROM unnest(ARRAY[interval '0', interval '1 hour']) AS late
  ) AS p
  JOIN budget_counters c ON c.subject = coalesce(b.workflow_id, b.organization_id) AND c.period = b.period AND c.starts = p.starts
  CROSS JOIN LATERAL (
    SELECT l.name AS "limit", l.used, l.most,
           CASE WHEN c.reached_at IS NOT NULL OR l.used >= l.most THEN 100 WHEN l.used * 5 >= l.most * 4 THEN 80 ELSE 0 END AS percent
    FROM (
      SELECT 'credits' AS name, c.used_mc AS used, b.max_credits_mc AS most
      UNION ALL SELECT 'model_calls', c.model_calls, b.max_model_calls
      UNION ALL SELECT m.key, coalesce((c.effects->>m.key)::bigint, 0), m.value::bigint FROM jsonb_each_text(b.max_effects) AS m
    ) AS l
    WHERE l.most IS NOT NULL
    -- A limit of zero is used up when it was reached, and not before.
    ORDER BY CASE WHEN l.most = 0 THEN 0 ELSE l.used::numeric / l.most END DESC, l.name LIMIT 1
  ) AS u
  WHERE c.told_percent < 100 AND u.percent > c.told_percent AND (u.most > 0 OR c.reached_at IS NOT NULL)
  ORDER BY c.id LIMIT ${BATCH}`;

interface AlertDeps {
  readonly db: Db;
  readonly log: Logger;
}

export class BudgetAlerts {
  readonly #deps: AlertDeps;
  readonly #loop: PollLoop;

  constructor(deps: AlertDeps) {
    this.#deps = deps;
    this.#loop = new PollLoop({
      everyMs: POLL_MS,
      round: async () => void (await this.tell()),
      onError: (error) => deps.log.warn({ err: error }, 'budgets could not be checked'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Tells of the budgets that are due. @returns the number of events of this process */
  async tell(): Promise<number> {
    const due = await this.#deps.db.query<Reached>(FIND);
    let told = 0;
    for (const reached of due) if (await this.#tellOne(reached)) told += 1;
    return told;
  }

  async #tellOne(reached: Reached): Promise<boolean> {
    const { counterId, organizationId, percent, limit } = reached;
    const unit = limit === 'credits' ? MILLICREDITS : 1;
    const isOurs = await this.#deps.db.transaction(async (tx) => {
      // Another process may have told of it since it was found.
      const claimed = await tx.query(
        `UPDATE budget_counters SET told_percent = $3
         WHERE id = $1 AND organization_id = $2 AND told_percent < $3 RETURNING 1`,
        [counterId, organizationId, percent],
      );
      if (claimed.length === 0) return false;
      const data = {
        budget_id: reached.budgetId,
        workflow_id: reached.workflowId,
        workflow_name: reached.workflowName,
        period: reached.period,
        period_start: reached.periodStart.toISOString(),
        percent,
        limit,
        used: reached.used / unit,
        most: reached.most / unit,
      };
      await tx.query('SELECT notify_endpoints($1, $2, $3::json, 0)', [
        organizationId,
        'budget.reached',
        JSON.stringify(data),
      ]);
      return true;
    });
    if (isOurs) noteBudgetReached(percent);
    return isOurs;
  }
}
