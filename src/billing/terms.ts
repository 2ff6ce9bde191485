/** The terms of the gate for work that no request stands behind: those of the organization as it is now. */
import type { Subscription } from '../access/caller.ts';
import type { Sql } from '../db/client.ts';
import { buildAdmission, type Admission } from './admission.ts';

/** @throws Error when there is no such organization */
export async function readSubscription(sql: Sql, organizationId: string): Promise<Subscription> {
  const [subscription] = await sql.query<Subscription>(
    `SELECT plan, entitlements AS overrides, is_suspended AS "isSuspended" FROM organizations WHERE id = $1`,
    [organizationId],
  );
  if (subscription === undefined) throw new Error(`organization ${organizationId} does not exist`);
  return subscription;
}

/**
 * The terms for a part of a run, which has passed the run rate as a whole.
 * @throws ApiError 402 for a suspended subscription; Error when there is no such organization
 */
export async function readAdmissionWithinRun(sql: Sql, organizationId: string): Promise<Admission> {
  const subscription = await readSubscription(sql, organizationId);
  return { ...buildAdmission({ organizationId, subscription }), runRate: null };
}
