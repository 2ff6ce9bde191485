/**
 * The bound on the runs that runs and schedules start: without it a workflow that starts itself several times, or a schedule
 * whose runs do not end, fills the service. Runs that a client requests are bounded by the run rate.
 */
import { resolveEntitlements } from '../../billing/plans.ts';
import { readSubscription } from '../../billing/terms.ts';
import type { Sql } from '../../db/client.ts';
import { countUnderWay } from '../ledger/run-reads.ts';

/**
 * Checks the bound. Starts at the same moment do not see each other: they may pass it by as many as there are.
 * @returns the bound when the organization has reached it, and no run may be started; else null
 */
export async function findReachedRunLimit(sql: Sql, organizationId: string): Promise<number | null> {
  const bound = resolveEntitlements(await readSubscription(sql, organizationId)).runs_under_way;
  if (bound === null) return null;
  return (await countUnderWay(sql, organizationId, bound)) >= bound ? bound : null;
}
