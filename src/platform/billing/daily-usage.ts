/** The daily usage of an organization, in UTC, from its usage records and the history of runs. */
import type { Sql } from '../../base/db/client.ts';
import { MILLICREDITS } from './plans.ts';

interface DailyUsage {
  /** ISO 8601, such as `2026-11-02`. */
  readonly day: string;
  /** Credits of steps whose first usage was recorded that day. */
  readonly credits: number;
  /** Runs that started that day, without sub-workflows and segments after answers. */
  readonly runs: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

// Both parts are grouped before the join: otherwise the runs and usage rows of a day would multiply each other.
const READ = `
  WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day),
  shown AS (SELECT generate_series(day - ($2::integer - 1), day, interval '1 day')::date AS day FROM today),
  begins AS (SELECT min(day)::timestamp AT TIME ZONE 'UTC' AS at FROM shown),
  used AS (
    SELECT (u.created_at AT TIME ZONE 'UTC')::date AS day, sum(u.credits_mc)::bigint AS credits_mc,
           sum(u.input_tokens)::bigint AS input_tokens, sum(u.output_tokens)::bigint AS output_tokens
    FROM credit_usage u, begins WHERE u.organization_id = $1 AND u.created_at >= begins.at GROUP BY 1
  ),
  begun AS (
    SELECT (r.created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS runs
    FROM runs r, begins WHERE r.organization_id = $1 AND r.created_at >= begins.at
      AND r.id = r.root_run_pk AND r.parent_run_pk IS NULL GROUP BY 1
  )
  SELECT to_char(shown.day, 'YYYY-MM-DD') AS day, coalesce(used.credits_mc, 0)::bigint AS credits_mc,
         coalesce(begun.runs, 0)::bigint AS runs, coalesce(used.input_tokens, 0)::bigint AS input_tokens,
         coalesce(used.output_tokens, 0)::bigint AS output_tokens
  FROM shown LEFT JOIN used USING (day) LEFT JOIN begun USING (day) ORDER BY shown.day`;

/**
 * Reads the usage of the last days, oldest first; a day without usage has zeros.
 * @param days number of days, including today by the database's clock
 */
export async function readDailyUsage(sql: Sql, organizationId: string, days: number): Promise<DailyUsage[]> {
  const rows = await sql.query<Omit<DailyUsage, 'credits'> & { readonly credits_mc: number }>(READ, [
    organizationId,
    days,
  ]);
  return rows.map(({ credits_mc: mc, ...day }) => ({ ...day, credits: mc / MILLICREDITS }));
}
