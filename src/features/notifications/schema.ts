/** Wire shapes of notification endpoints and their deliveries. */
import { z } from 'zod';
import { offsetPage, pageOfList } from '../../platform/http/paginate.ts';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
import { jsonObject, moment, uuid } from '../../platform/http/wire.ts';
import { EVENT_TYPES } from './event-types.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** How long the previous secret may sign as well, in seconds: a week. */
const MAX_OVERLAP_SECONDS = 7 * DAY_SECONDS;

const eventType = z.enum(EVENT_TYPES);
const fields = {
  name: z.string().min(1).max(255),
  url: z.string().max(2_000),
  event_types: z.array(eventType).min(1).max(EVENT_TYPES.length),
};
/** A guess: an endpoint of more workflows is one of all. */
const MAX_WORKFLOWS = 100;
const workflowIds = z.array(uuid).min(1).max(MAX_WORKFLOWS);

export const newEndpoint = z
  .object({
    ...fields,
    event_types: fields.event_types.default([...EVENT_TYPES]),
    workflow_ids: workflowIds.nullish(),
    enabled: z.boolean().default(true),
  })
  .meta({ id: 'CreateNotificationEndpoint' });
export type NewEndpoint = z.output<typeof newEndpoint>;

export const endpointChange = z
  .object({
    name: fields.name.optional(),
    url: fields.url.optional(),
    event_types: fields.event_types.optional(),
    workflow_ids: workflowIds.nullish(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'NotificationEndpointChange' });
export type EndpointChange = z.output<typeof endpointChange>;

export const secretRotation = z
  .object({ keep_previous_seconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(DAY_SECONDS) })
  .meta({ id: 'NotificationSecretRotation' });

const presented = {
  id: uuid,
  organization_id: uuid,
  ...fields,
  event_types: z.array(z.string()),
  workflow_ids: z.array(uuid).nullable(),
  enabled: z.boolean(),
  previous_secret_until: moment.nullable(),
  failing_since: moment.nullable(),
  disabled_reason: z.string().nullable(),
  last_delivery_at: moment.nullable(),
  created_by: uuid.nullable(),
  created_at: moment,
  updated_at: moment,
  warnings: bodyWarnings,
};
export const endpoint = z.looseObject(presented).meta({ id: 'NotificationEndpoint' });
/** The answer of a creation and of a rotation, the only ones with the secret. */
export const endpointWithSecret = z
  .looseObject({ ...presented, secret: z.string() })
  .meta({ id: 'NotificationEndpointWithSecret' });
export const endpointList = z
  .looseObject({ endpoints: z.array(endpoint) })
  .meta({ id: 'NotificationEndpointList' });

const attempt = z
  .looseObject({
    at: moment,
    duration_ms: z.int(),
    status: z.int().nullable(),
    error_code: z.string().nullable(),
    response: z.string().nullable(),
  })
  .meta({ id: 'NotificationAttempt' });
export const delivery = z
  .looseObject({
    id: uuid,
    endpoint_id: uuid,
    event_id: uuid,
    event_type: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']),
    error_code: z.string().nullable(),
    attempt_count: z.int(),
    attempts: z.array(attempt),
    next_attempt_at: moment.nullable(),
    replay_of: uuid.nullable(),
    payload: jsonObject,
    created_at: moment,
    completed_at: moment.nullable(),
  })
  .meta({ id: 'NotificationDelivery' });
export const deliveryQuery = z.object(offsetPage(20));
export const deliveryList = z
  .looseObject({ deliveries: z.array(delivery), ...pageOfList })
  .meta({ id: 'NotificationDeliveryList' });
