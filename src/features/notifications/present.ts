/** Notification endpoints and their deliveries as the API returns them. */
import type {
  NotificationDelivery,
  NotificationEndpoint,
  NotificationEvent,
} from '../../base/db/generated/client.ts';

const moment = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Presents an endpoint. @param nowMs decides whether its previous secret is still valid */
export function presentEndpoint(row: NotificationEndpoint, nowMs: number): object {
  const isPreviousValid = (row.previousSecretUntil?.getTime() ?? 0) > nowMs;
  return {
    id: row.id,
    organization_id: row.organizationId,
    name: row.name,
    url: row.url,
    event_types: row.eventTypes,
    workflow_ids: row.workflowIds.length === 0 ? null : row.workflowIds,
    enabled: row.enabled,
    previous_secret_until: isPreviousValid ? moment(row.previousSecretUntil) : null,
    failing_since: moment(row.failingSince),
    disabled_reason: row.disabledReason,
    last_delivery_at: moment(row.lastDeliveryAt),
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

export type DeliveryWithEvent = NotificationDelivery & { readonly event: NotificationEvent };

export function presentDelivery(row: DeliveryWithEvent): object {
  return {
    id: row.id,
    endpoint_id: row.endpointId,
    event_id: row.eventId,
    event_type: row.event.type,
    status: row.status,
    error_code: row.errorCode,
    attempt_count: row.attemptCount,
    attempts: row.attempts,
    next_attempt_at: row.status === 'pending' ? row.dueAt.toISOString() : null,
    replay_of: row.replayOf,
    payload: row.event.payload,
    created_at: row.createdAt.toISOString(),
    completed_at: moment(row.completedAt),
  };
}
