/**
 * The bound on what runs and schedules start by themselves: without it a workflow that starts itself several times, or a
 * schedule beside runs that do not end, fills the service. Runs that somebody requests have the run rate.
 */
import { entitlementsOf } from '../../billing/plans.ts';
import { subscriptionOf } from '../../billing/terms.ts';
import type { Sql } from '../../db/client.ts';

// Runs of starts at the same moment do not see each other: the bound may be passed by as many as are started at once.
const COUNT_UNDER_WAY = `
  SELECT count(*)::integer AS count FROM (
    SELECT 1 FROM runs WHERE organization_id = $1 AND status = 'running' LIMIT $2) AS under_way`;

/** @returns the bound where an organization has so many runs under way that none may be started; else null */
export async function runsBoundReached(sql: Sql, organizationId: string): Promise<number | null> {
  const bound = entitlementsOf(await subscriptionOf(sql, organizationId)).runs_under_way;
  if (bound === null) return null;
  const [row] = await sql.query<{ count: number }>(COUNT_UNDER_WAY, [organizationId, bound]);
  return (row?.count ?? 0) >= bound ? bound : null;
}
