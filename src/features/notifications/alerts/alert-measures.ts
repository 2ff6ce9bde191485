/**
 * Measures what an alert is about: the runs of saved workflows, without test runs, private runs and sub-workflows; for the cost,
 * all usage. Times are parameters: the database's clock has no part in it.
 */
import type { Sql } from '../../../base/db/client.ts';

export const ALERT_KINDS = ['failures_in_row', 'failure_rate', 'silence', 'duration', 'cost'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Minimum of ended runs in the window: a rate of fewer runs would be noise. */
const MIN_RATED_RUNS = 5;

export interface MeasuredAlert {
  readonly organizationId: string;
  /** Null: all workflows of the organization. */
  readonly workflowId: string | null;
  readonly kind: AlertKind;
  /** Runs, percent, seconds or credits, as the kind says; null for `silence`. */
  readonly threshold: number | null;
  readonly windowMinutes: number | null;
  readonly armedAt: Date;
}

interface Measure {
  /** In the unit of the threshold; minutes for `silence`. Null: there is nothing to measure. */
  readonly value: number | null;
  readonly isBreached: boolean;
}

const OBSERVED = `r.organization_id = $1 AND ($2::uuid IS NULL OR r.workflow_id = $2) AND r.workflow_id IS NOT NULL
       AND r.parent_run_pk IS NULL AND NOT r.is_ad_hoc AND NOT r.is_private`;

// Counts the newest runs that failed with no success between them, up to the threshold. Runs older than a week
// are left out: they are no news.
const FAILURES_IN_ROW = `
  SELECT coalesce(min(place) - 1, count(*))::float8 AS value FROM (
    SELECT CASE WHEN status = 'completed' THEN place END AS place FROM (
      SELECT r.status, row_number() OVER (ORDER BY r.created_at DESC, r.id DESC) AS place FROM runs r
      WHERE ${OBSERVED} AND r.status IN ('completed', 'failed')
        AND r.created_at > $4::timestamptz - interval '7 days' AND r.created_at <= $4::timestamptz
      ORDER BY r.created_at DESC, r.id DESC LIMIT ceil($3::float8)
    ) AS newest
  ) AS ended`;

// A run that took longer than a day before the window is left out, so that the index on created_at bounds the scan.
const FAILURE_RATE = `
  SELECT CASE WHEN count(*) >= ${MIN_RATED_RUNS}
              THEN (100.0 * count(*) FILTER (WHERE r.status = 'failed') / count(*))::float8 END AS value
  FROM runs r
  WHERE ${OBSERVED} AND r.status IN ('completed', 'failed') AND r.completed_at > $3::timestamptz
    AND r.completed_at <= $4::timestamptz AND r.created_at > $3::timestamptz - interval '1 day'`;

const SILENCE = `
  SELECT (extract(epoch FROM $4::timestamptz - greatest($3::timestamptz, max(created_at))) / 60)::float8 AS value FROM (
    SELECT r.created_at FROM runs r WHERE ${OBSERVED} AND r.created_at <= $4::timestamptz
    ORDER BY r.created_at DESC, r.id DESC LIMIT 1
  ) AS newest`;

const DURATION = `
  SELECT max(extract(epoch FROM CASE WHEN r.status = 'running' THEN $4::timestamptz ELSE r.completed_at END
                                - coalesce(r.started_at, r.created_at)))::float8 AS value
  FROM runs r
  WHERE ${OBSERVED} AND r.created_at > $3::timestamptz - interval '7 days' AND r.created_at <= $4::timestamptz
    AND (r.status = 'running' OR (r.status IN ('completed', 'failed', 'cancelled') AND r.completed_at > $3::timestamptz))`;

const COST = `
  SELECT (coalesce(sum(u.credits_mc), 0) / 1000.0)::float8 AS value FROM credit_usage u
  WHERE u.organization_id = $1 AND u.created_at > $3::timestamptz AND u.created_at <= $4::timestamptz
    AND ($2::uuid IS NULL OR EXISTS (SELECT 1 FROM runs r WHERE r.id = u.subject_id AND r.workflow_id = $2))`;

const STATEMENTS: Readonly<Record<AlertKind, string>> = {
  failures_in_row: FAILURES_IN_ROW,
  failure_rate: FAILURE_RATE,
  silence: SILENCE,
  duration: DURATION,
  cost: COST,
};

/** Measures an alert at a time, and compares it with its threshold. */
export async function measureAlert(sql: Sql, alert: MeasuredAlert, nowMs: number): Promise<Measure> {
  const { organizationId, workflowId, kind, threshold, windowMinutes, armedAt } = alert;
  const startOfWindow = new Date(nowMs - (windowMinutes ?? 0) * 60_000);
  const third = kind === 'failures_in_row' ? threshold : kind === 'silence' ? armedAt : startOfWindow;
  const [row] = await sql.query<{ value: number | null }>(STATEMENTS[kind], [
    organizationId,
    workflowId,
    third,
    new Date(nowMs),
  ]);
  const value = row?.value ?? null;
  const limit = kind === 'silence' ? windowMinutes : threshold;
  return { value, isBreached: value !== null && limit !== null && value >= limit };
}
