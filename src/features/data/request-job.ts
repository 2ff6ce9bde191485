/** The part of an erasure that happens with its request, before the job begins. */
import type { Tx } from '../../base/db/client.ts';

/**
 * Closes an organization: its members, keys, webhooks and open streams are refused from the commit on, and schedules fire no more.
 */
export async function closeOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx.query('UPDATE organizations SET is_active = false WHERE id = $1', [organizationId]);
  // Each deletion tells Temporal through the outbox.
  await tx.query('DELETE FROM schedules WHERE organization_id = $1', [organizationId]);
}
