/** Wire shapes of notification endpoints and their deliveries. */
import { z } from 'zod';
import { offsetPage, pageOfList } from '../../platform/http/paginate.ts';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
import { jsonObject, moment, uuid } from '../../platform/http/wire.ts';
import { EVENT_TYPES } from './event-types.ts';
import {
  completedAt,
  createdAt,
  createdBy,
  owningOrganizationId,
  uniqueId,
  updatedAt,
} from '../../platform/http/fields.ts';

const ABOUT_URL = 'URL that events are posted to: http or https, of a public host';
const ABOUT_EVENT_TYPES = 'Types of the events that are sent; all of them by default';
const ABOUT_WORKFLOW_IDS = 'The workflows whose events are sent; null: those of all';
const ABOUT_ENABLED = 'Whether events are sent; disabling the endpoint fails its pending deliveries';

const DAY_SECONDS = 24 * 60 * 60;
/** How long the previous secret may sign as well, in seconds: a week. */
const MAX_OVERLAP_SECONDS = 7 * DAY_SECONDS;

const eventType = z.enum(EVENT_TYPES);
const fields = {
  name: z.string().min(1).max(255).meta({ description: 'Name of the endpoint, for people' }),
  url: z.string().max(2_000).meta({ description: ABOUT_URL }),
  event_types: z.array(eventType).min(1).max(EVENT_TYPES.length),
};
/** A guess: an endpoint of more workflows is one of all. */
const MAX_WORKFLOWS = 100;
const workflowIds = z.array(uuid).min(1).max(MAX_WORKFLOWS);

export const newEndpoint = z
  .object({
    ...fields,
    event_types: fields.event_types.default([...EVENT_TYPES]).meta({ description: ABOUT_EVENT_TYPES }),
    workflow_ids: workflowIds.nullish().meta({ description: ABOUT_WORKFLOW_IDS }),
    enabled: z.boolean().default(true).meta({ description: ABOUT_ENABLED }),
  })
  .meta({ id: 'CreateNotificationEndpoint' });
export type NewEndpoint = z.output<typeof newEndpoint>;

export const endpointChange = z
  .object({
    name: fields.name.optional().meta({ description: 'Name of the endpoint, for people' }),
    url: fields.url.optional().meta({ description: ABOUT_URL }),
    event_types: fields.event_types.optional().meta({ description: ABOUT_EVENT_TYPES }),
    workflow_ids: workflowIds.nullish().meta({ description: ABOUT_WORKFLOW_IDS }),
    enabled: z.boolean().optional().meta({ description: ABOUT_ENABLED }),
  })
  .meta({ id: 'NotificationEndpointChange' });
export type EndpointChange = z.output<typeof endpointChange>;

export const secretRotation = z
  .object({
    keep_previous_seconds: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(DAY_SECONDS)
      .meta({ description: 'How long the previous secret signs as well, in seconds' }),
  })
  .meta({ id: 'NotificationSecretRotation' });

const presented = {
  id: uniqueId,
  organization_id: owningOrganizationId,
  ...fields,
  event_types: z.array(z.string()).meta({ description: ABOUT_EVENT_TYPES }),
  workflow_ids: z.array(uuid).nullable().meta({ description: ABOUT_WORKFLOW_IDS }),
  enabled: z.boolean().meta({ description: ABOUT_ENABLED }),
  previous_secret_until: moment
    .nullable()
    .meta({ description: 'Until when the secret before the last rotation signs as well; null: it does not' }),
  failing_since: moment
    .nullable()
    .meta({ description: 'Since when the endpoint has accepted nothing; null: its last attempt succeeded' }),
  disabled_reason: z
    .string()
    .nullable()
    .meta({ description: 'Why the service disabled the endpoint; null: it did not' }),
  last_delivery_at: moment.nullable().meta({ description: 'When an attempt was last made; null: never' }),
  created_by: createdBy,
  created_at: createdAt,
  updated_at: updatedAt,
  warnings: bodyWarnings,
};
export const endpoint = z.looseObject(presented).meta({ id: 'NotificationEndpoint' });
/** The answer of a creation and of a rotation, the only ones with the secret. */
export const endpointWithSecret = z
  .looseObject({
    ...presented,
    secret: z.string().meta({
      description: 'Secret that signs the requests (Standard Webhooks); only creation and rotation show it',
    }),
  })
  .meta({ id: 'NotificationEndpointWithSecret' });
export const endpointList = z
  .looseObject({
    endpoints: z.array(endpoint).meta({ description: 'The endpoints of the organization, newest first' }),
  })
  .meta({ id: 'NotificationEndpointList' });

const attempt = z
  .looseObject({
    at: moment.meta({ description: 'Time of the attempt, ISO 8601 UTC' }),
    duration_ms: z.int().meta({ description: 'Time until the answer or the failure, in milliseconds' }),
    status: z.int().nullable().meta({ description: 'HTTP status of the answer; null without one' }),
    error_code: z.string().nullable().meta({ description: 'Why the attempt failed; null after a success' }),
    response: z.string().nullable().meta({ description: 'First kilobyte of the answer; null without one' }),
  })
  .meta({ id: 'NotificationAttempt' });
export const delivery = z
  .looseObject({
    id: uniqueId,
    endpoint_id: uuid.meta({ description: 'Id of the notification endpoint' }),
    event_id: uuid.meta({ description: 'Id of the event, the `webhook-id` of every attempt' }),
    event_type: z.string().meta({ description: 'Type of the event' }),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .meta({ description: '`pending` until the endpoint accepts it, `failed` after 24 hours' }),
    error_code: z
      .string()
      .nullable()
      .meta({ description: 'Why the last attempt failed, or `endpoint_disabled`; null after a success' }),
    attempt_count: z.int().meta({ description: 'Number of attempts' }),
    attempts: z.array(attempt).meta({ description: 'The attempts, oldest first' }),
    next_attempt_at: moment
      .nullable()
      .meta({ description: 'When the next attempt is due; null when there is none' }),
    replay_of: uuid
      .nullable()
      .meta({ description: 'The delivery that this one repeats by hand; null: the event caused it' }),
    payload: jsonObject.meta({ description: 'Body of the request' }),
    created_at: createdAt,
    completed_at: completedAt,
  })
  .meta({ id: 'NotificationDelivery' });
export const deliveryQuery = z.object(offsetPage(20));
export const deliveryList = z
  .looseObject({
    deliveries: z.array(delivery).meta({ description: 'The deliveries, newest first' }),
    ...pageOfList,
  })
  .meta({ id: 'NotificationDeliveryList' });
