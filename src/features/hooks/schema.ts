/** Wire shapes of webhooks. */
import { z } from 'zod';
import { offsetPage, pageOfList } from '../../platform/http/paginate.ts';
import { shownTrigger } from '../../platform/http/defined-row.ts';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
import { json, jsonObject, moment, uuid } from '../../platform/http/wire.ts';
import { ABOUT_WEBHOOK, newWebhookFields, webhookParts } from '../../language/nodes/triggers/webhook.ts';
import {
  createdAt,
  createdBy,
  owningOrganizationId,
  stableCode,
  uniqueId,
  updatedAt,
  workflowId,
} from '../../platform/http/fields.ts';

const ABOUT_ENABLED = 'Whether the address starts runs; a disabled one answers 404';
const ABOUT_SECRETS =
  'Secrets of the sender, of which any may have signed; `user:password` for `basic`, base64 of 24 to 64 bytes for `standard`. They are never shown';
/** Secrets at once: the current one, the next one, and one for another sender. */
const MAX_SECRETS = 3;
/** How long the previous address may stay valid, in seconds: a week. */
const MAX_OVERLAP_SECONDS = 7 * 24 * 60 * 60;

const DAY_SECONDS = 24 * 60 * 60;

const secretList = z
  .array(
    z.string().min(8, 'A secret has at least 8 characters').max(500, 'A secret has at most 500 characters'),
  )
  .max(MAX_SECRETS);

export const newHook = z
  .object({
    name: webhookParts.name.meta({ description: ABOUT_WEBHOOK.name }),
    enabled: z.boolean().default(true).meta({ description: ABOUT_ENABLED }),
    secrets: secretList.default([]).meta({ description: ABOUT_SECRETS }),
    ...newWebhookFields,
  })
  .meta({ id: 'CreateHook' });
export type NewHook = z.output<typeof newHook>;

export const hookChange = z
  .object({
    name: webhookParts.name.optional().meta({ description: ABOUT_WEBHOOK.name }),
    enabled: z.boolean().optional().meta({ description: ABOUT_ENABLED }),
    verification: webhookParts.verification.optional().meta({ description: ABOUT_WEBHOOK.verification }),
    signature: webhookParts.signature.nullish().meta({ description: ABOUT_WEBHOOK.signature }),
    secrets: secretList.optional().meta({ description: ABOUT_SECRETS }),
    methods: webhookParts.methods.optional().meta({ description: ABOUT_WEBHOOK.methods }),
    filter: webhookParts.filter.nullish().meta({ description: ABOUT_WEBHOOK.filter }),
    mapping: webhookParts.mapping.nullish().meta({ description: ABOUT_WEBHOOK.mapping }),
    thread_id: webhookParts.thread_id.nullish().meta({ description: ABOUT_WEBHOOK.thread_id }),
    deduplicate_by: webhookParts.deduplicate_by
      .optional()
      .meta({ description: ABOUT_WEBHOOK.deduplicate_by }),
    id_header: webhookParts.id_header.nullish().meta({ description: ABOUT_WEBHOOK.id_header }),
    response: webhookParts.response.optional().meta({ description: ABOUT_WEBHOOK.response }),
  })
  .meta({ id: 'HookChange' });
export type HookChange = z.output<typeof hookChange>;

export const rotation = z
  .object({
    keep_previous_seconds: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(DAY_SECONDS)
      .meta({ description: 'How long the previous address keeps working, in seconds' }),
  })
  .meta({ id: 'HookRotation' });

/** How long somebody may listen for a test event, in seconds. */
const MAX_LISTEN_SECONDS = 600;
export const listening = z
  .object({
    seconds: z
      .int()
      .min(1)
      .max(MAX_LISTEN_SECONDS)
      .default(120)
      .meta({ description: 'How long to listen, in seconds' }),
  })
  .meta({ id: 'HookListening' });

export const hook = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    workflow_id: workflowId,
    name: z.string().meta({ description: 'Name of the webhook, for people' }),
    trigger: shownTrigger,
    enabled: z.boolean().meta({ description: ABOUT_ENABLED }),
    url: z.string().meta({ description: 'Address of the webhook; whoever has it can call it' }),
    previous_url_until: moment
      .nullable()
      .meta({ description: 'Until when the address before the last rotation works; null: it does not' }),
    verification: webhookParts.verification.meta({ description: ABOUT_WEBHOOK.verification }),
    signature: webhookParts.signature.nullable().meta({ description: ABOUT_WEBHOOK.signature }),
    secret_count: z.int().meta({ description: 'Number of secrets that are stored' }),
    methods: webhookParts.methods.meta({ description: ABOUT_WEBHOOK.methods }),
    filter: json.meta({ description: ABOUT_WEBHOOK.filter }),
    mapping: jsonObject.nullable().meta({ description: ABOUT_WEBHOOK.mapping }),
    thread_id: z.string().nullable().meta({ description: ABOUT_WEBHOOK.thread_id }),
    deduplicate_by: webhookParts.deduplicate_by.meta({ description: ABOUT_WEBHOOK.deduplicate_by }),
    id_header: z.string().nullable().meta({ description: ABOUT_WEBHOOK.id_header }),
    response: jsonObject.meta({ description: ABOUT_WEBHOOK.response }),
    rejected_count: z.int().meta({
      description:
        'Number of requests that were not verified, had another method, were too large, or could not be read; bursts count once a second',
    }),
    last_rejected_at: moment
      .nullable()
      .meta({ description: 'When a request was last rejected; null: never' }),
    last_rejected_reason: z.string().nullable().meta({
      description:
        'Why: `signature_missing`, `signature_wrong`, `signature_too_old`, `secret_invalid` for a stored secret that is no key, `method_not_allowed`, `body_too_large`, or the `error.code` of the delivery that was `rejected`',
    }),
    last_delivery_at: moment
      .nullable()
      .meta({ description: 'When a verified request last came; null: never' }),
    recent_deliveries: z
      .looseObject({
        started: z.int().meta({ description: 'Number that started a run' }),
        filtered: z.int().meta({ description: 'Number that the filter left out' }),
        failed: z.int().meta({
          description: 'Number that could start no run, because of the mapping, the workflow or the plan',
        }),
        captured: z.int().meta({ description: 'Number of test events' }),
        rejected: z.int().meta({ description: 'Number that could not be read' }),
      })
      .meta({ id: 'HookRecentDeliveries' })
      .meta({
        description:
          'Outcomes of its last 100 deliveries within 7 days. When all are `filtered`, the filter may be wrong',
      }),
    listening_until: moment
      .nullable()
      .meta({ description: 'Until when somebody listens for a test event; null: nobody does' }),
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'Hook' });
export const hookList = z
  .looseObject({ hooks: z.array(hook).meta({ description: 'The webhooks of the workflow, newest first' }) })
  .meta({ id: 'HookList' });

const delivery = z
  .looseObject({
    id: uniqueId,
    hook_id: uuid.meta({ description: 'Id of the webhook' }),
    received_at: moment.meta({ description: 'When the request came' }),
    outcome: z.enum(['started', 'filtered', 'failed', 'captured', 'rejected']).meta({
      description:
        '`started` a run, was `filtered`, `failed`, was `captured` as a test event without a run, or was verified and `rejected`, because it could not be read',
    }),
    error: z
      .looseObject({ code: stableCode, message: z.string().meta({ description: 'Why, for people' }) })
      .nullable()
      .meta({ id: 'HookError' })
      .meta({ description: 'Why no run was started; null when one was' }),
    run_pk: uuid.nullable().meta({ description: 'Id of the run in the history: `run_pk` in paths' }),
    run_id: uuid.nullable().meta({
      description:
        'Id of the run for its stream and for cancelling; answering a question continues the run under a new one',
    }),
    redelivery_of: uuid
      .nullable()
      .meta({ description: 'The delivery that this one repeats by hand; null: it came from the sender' }),
    request: z
      .looseObject({
        method: z.string().meta({ description: 'Method of the request' }),
        headers: jsonObject.meta({ description: 'Headers of the request, their names in lower case' }),
        query: jsonObject.meta({
          description: 'Query of the request; a name that is given several times has a list',
        }),
        body: json.meta({
          description:
            'JSON value, fields of a form, text, or `{base64, media_type, size}` of bytes that are no text; the event in `payload` of a form of GitHub or Slack; the bytes as text when the request was rejected',
        }),
      })
      .meta({ id: 'HookRequest' })
      .meta({
        description:
          'The request without the headers that carry secrets; empty once its run, or the values of its run, were deleted',
      }),
    input: jsonObject.nullable().meta({
      description:
        'Input that the mapping of today makes of the request; null when it cannot, and when the request was deleted',
    }),
    response: z
      .looseObject({
        status: z.int().meta({ description: 'Status of the response' }),
        content_type: z.string().meta({ description: 'Content-Type of the response' }),
        headers: z
          .record(z.string(), z.string())
          .meta({ id: 'SentHeaders' })
          .meta({ description: 'Headers of the response' }),
        body: json.meta({ description: 'Body of the response' }),
      })
      .nullable()
      .meta({ id: 'HookSentResponse' })
      .meta({ description: 'What a node responded to the sender; null: nothing' }),
  })
  .meta({ id: 'HookDelivery' });
export const hookDeliveryQuery = z.object(offsetPage(20));
export const hookDeliveryList = z
  .looseObject({
    deliveries: z.array(delivery).meta({ description: 'The requests, newest first' }),
    ...pageOfList,
  })
  .meta({ id: 'HookDeliveryList' });

/** The answer to a sender, unless the hook answers with the result of the run. */
export const received = z
  .looseObject({
    status: z.enum(['accepted', 'duplicate', 'filtered', 'captured']).meta({
      description:
        'The run was accepted, is that of an earlier duplicate, the filter left the request out, or it is a test event without a run',
    }),
    delivery_id: uuid.meta({ description: 'Id of the delivery in the log of the webhook' }),
    run_id: uuid.nullable().meta({ description: 'The run; null when none was started' }),
  })
  .meta({ id: 'HookReceived' });
