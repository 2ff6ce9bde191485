/** The response of a run to the request that started it, kept with the delivery: a sender that repeats the request gets it again. */
import type { Sql } from '../../../../base/db/client.ts';
import type { WebhookResponse } from '../../../../language/nodes/kind.ts';
import type { Segment } from './segments.ts';

/** Records the response when a webhook waits for one. The first of a run is the one that is sent. */
export async function recordWebhookResponse(
  tx: Sql,
  { organizationId, rootRunPk, triggerType }: Pick<Segment, 'organizationId' | 'rootRunPk' | 'triggerType'>,
  response: WebhookResponse,
): Promise<void> {
  if (triggerType !== 'webhook') return;
  await tx.query(
    `UPDATE hook_deliveries d SET response = $3::json FROM hooks h
     WHERE d.run_pk = $1 AND d.organization_id = $2 AND d.response IS NULL
       AND h.id = d.hook_id AND h.response->>'mode' = 'respond'`,
    [rootRunPk, organizationId, JSON.stringify(response)],
  );
}

interface DeliveryState {
  /** Null before there is one. */
  readonly response: WebhookResponse | null;
  readonly hasRunEnded: boolean;
}

/**
 * Reads what a delivery has come to, in one snapshot: a response is committed before the end of its run, or with it.
 * @returns null for a delivery that was deleted
 */
export async function readDeliveryState(
  sql: Sql,
  { organizationId, deliveryId }: { readonly organizationId: string; readonly deliveryId: string },
): Promise<DeliveryState | null> {
  const [delivery] = await sql.query<DeliveryState>(
    `SELECT d.response, coalesce(r.status <> 'running', false) AS "hasRunEnded"
     FROM hook_deliveries d LEFT JOIN runs r ON r.id = d.run_pk AND r.organization_id = d.organization_id
     WHERE d.id = $1 AND d.organization_id = $2`,
    [deliveryId, organizationId],
  );
  return delivery ?? null;
}
