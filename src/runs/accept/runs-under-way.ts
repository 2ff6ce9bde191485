/**
 * The bound on what runs and schedules start by themselves: without it a workflow that starts itself several times, or a
 * schedule beside runs that do not end, fills the service. Runs that somebody requests have the run rate.
 */
import { entitlementsOf } from '../../billing/plans.ts';
import { subscriptionOf } from '../../billing/terms.ts';
import type { Sql } from '../../db/client.ts';
import { countUnderWay } from '../ledger/run-reads.ts';

/**
 * Checks the bound. Starts at the same moment do not see each other: they may pass it by as many as there are.
 * @returns the bound where an organization has so many runs under way that none may be started; else null
 */
export async function runsBoundReached(sql: Sql, organizationId: string): Promise<number | null> {
  const bound = entitlementsOf(await subscriptionOf(sql, organizationId)).runs_under_way;
  if (bound === null) return null;
  return (await countUnderWay(sql, organizationId, bound)) >= bound ? bound : null;
}
