/** Wire shapes of webhooks. */
import { z } from 'zod';
import { offsetPage, pageOfList } from '../../platform/http/paginate.ts';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
import { json, jsonObject, moment, uuid } from '../../platform/http/wire.ts';
import { findTemplateProblem } from '../../language/graph/template/given-values.ts';
import { REQUEST_ROOTS, RESPONSE_ROOTS } from './templates.ts';
import { signature } from './signature-schema.ts';
import { VERIFICATIONS } from './verification.ts';
import type { Json } from '../../language/graph/values/value.ts';
import { ruleGroup } from '../../language/nodes/read-config.ts';
import { responseHeader, responseHeaderValue } from '../../language/nodes/transformer/respond.ts';
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
const ABOUT_VERIFICATION =
  'How requests prove their sender: in the way of a known service, or by `hmac` as `signature` says';
const ABOUT_SIGNATURE = 'How the sender signs; for `hmac` alone';
const ABOUT_METHODS =
  'Methods whose requests start runs; others are 405. HEAD starts none. Link previews send GET, so it is for senders that can do no other';
const ABOUT_FILTER = 'Rules over `method`, `headers`, `query` and `body`; null: every request starts a run';
const ABOUT_MAPPING =
  'Templates that make the input of the run; null: the body, or the query of a request without one';
const ABOUT_DEDUPLICATE_BY =
  'How requests of 24 hours are recognized as one event: by the id of the sender, where a request without one starts a run; by method, query and body; or not at all. Of a sender that signs, only what is signed counts: the body by content, and the body for both ways of `github`';
const ABOUT_ID_HEADER =
  'Header with the id of an event, for `sender_id`; null: `Idempotency-Key` for `none`, `bearer` and `basic`, `webhook-id` for `standard`, the body for `github`, its `id` for `stripe` and its `event_id` for `slack`, or time and body without one. A header that is named here is not signed';
const ABOUT_RESPONSE =
  'How the sender is answered: by default 202 once the run is accepted, the result of the run, or what `respond` of a node says';

/** Secrets at once: the current one, the next one, and one for another sender. */
const MAX_SECRETS = 3;
/** The methods that a webhook may take. */
const METHODS = ['POST', 'PUT', 'GET'] as const;
/** How long the previous address may stay valid, in seconds: a week. */
const MAX_OVERLAP_SECONDS = 7 * 24 * 60 * 60;

const DAY_SECONDS = 24 * 60 * 60;

/** Refuses malformed templates, and names that no request has. */
const withTemplates = <Schema extends z.ZodType>(schema: Schema, roots: readonly string[]) =>
  schema.superRefine((value, ctx) => {
    const problem = findTemplateProblem(value as Json, roots);
    if (problem !== null)
      ctx.addIssue({ code: 'custom', message: problem, params: { type: 'template_invalid' } });
  });

const filter = withTemplates(
  z.unknown().superRefine((value, ctx) => {
    const problem = ruleGroup.safeParse(value).error?.issues[0];
    if (problem !== undefined)
      ctx.addIssue({ code: 'custom', message: problem.message, params: { type: 'rule_invalid' } });
  }),
  REQUEST_ROOTS,
).meta({
  override: { $ref: '#/components/schemas/Json' },
  description:
    'Rules of the definition language over `method`, `headers`, `query` and `body`; only requests that pass start a run',
}) as unknown as z.ZodType<Json>;

const mapping = withTemplates(jsonObject, REQUEST_ROOTS);

const response = z
  .discriminatedUnion('mode', [
    z
      .object({ mode: z.literal('accepted').meta({ description: 'Discriminator of the alternatives' }) })
      .meta({ id: 'HookAccepted' }),
    z
      .object({
        mode: z.literal('result').meta({
          description:
            '`accepted`: 202 with the `run_id`; `result`: the output of the run, or 202 after 30 s; `respond`: what a node says, at the latest after 30 s',
        }),
        status: z
          .int()
          .min(200)
          .max(299)
          .optional()
          .meta({ description: 'Status of the answer with a result; 200 by default' }),
        headers: z
          .record(responseHeader, responseHeaderValue)
          .meta({ id: 'HookResponseHeaders' })
          .optional()
          .meta({ description: 'Headers of the answer: names that begin with `X-`, and `Retry-After`' }),
        body: withTemplates(json, RESPONSE_ROOTS).optional().meta({
          description: 'Template of the answer over `output` and `run_id`; the output by default',
        }) as unknown as z.ZodOptional<z.ZodType<Json>>,
      })
      .meta({ id: 'HookResult' }),
    z.object({ mode: z.literal('respond').meta({ description: 'Discriminator of the alternatives' }) }).meta({
      id: 'HookRespond',
      description: 'The response of the first node with `respond`; the output when the run ends without one',
    }),
  ])
  .meta({ id: 'HookResponse' });

const fields = {
  name: z.string().min(1).max(255),
  verification: z.enum(VERIFICATIONS),
  secrets: z
    .array(
      z.string().min(8, 'A secret has at least 8 characters').max(500, 'A secret has at most 500 characters'),
    )
    .max(MAX_SECRETS),
  methods: z.array(z.enum(METHODS)).min(1).max(METHODS.length),
  deduplicate_by: z.enum(['sender_id', 'content', 'none']),
  id_header: z.string().regex(/^[A-Za-z0-9-]{1,100}$/),
};

export const newHook = z
  .object({
    name: fields.name.meta({ description: 'Name of the webhook, for people' }),
    enabled: z.boolean().default(true).meta({ description: ABOUT_ENABLED }),
    verification: fields.verification.default('none').meta({ description: ABOUT_VERIFICATION }),
    signature: signature.nullish().meta({ description: ABOUT_SIGNATURE }),
    secrets: fields.secrets.default([]).meta({ description: ABOUT_SECRETS }),
    methods: fields.methods.default(['POST', 'PUT']).meta({ description: ABOUT_METHODS }),
    filter: filter.nullish().meta({ description: ABOUT_FILTER }),
    mapping: mapping.nullish().meta({ description: ABOUT_MAPPING }),
    deduplicate_by: fields.deduplicate_by.default('sender_id').meta({ description: ABOUT_DEDUPLICATE_BY }),
    id_header: fields.id_header.nullish().meta({ description: ABOUT_ID_HEADER }),
    response: response.default({ mode: 'accepted' }).meta({ description: ABOUT_RESPONSE }),
  })
  .meta({ id: 'CreateHook' });
export type NewHook = z.output<typeof newHook>;

export const hookChange = z
  .object({
    name: fields.name.optional().meta({ description: 'Name of the webhook, for people' }),
    enabled: z.boolean().optional().meta({ description: ABOUT_ENABLED }),
    verification: fields.verification.optional().meta({ description: ABOUT_VERIFICATION }),
    signature: signature.nullish().meta({ description: ABOUT_SIGNATURE }),
    secrets: fields.secrets.optional().meta({ description: ABOUT_SECRETS }),
    methods: fields.methods.optional().meta({ description: ABOUT_METHODS }),
    filter: filter.nullish().meta({ description: ABOUT_FILTER }),
    mapping: mapping.nullish().meta({ description: ABOUT_MAPPING }),
    deduplicate_by: fields.deduplicate_by.optional().meta({ description: ABOUT_DEDUPLICATE_BY }),
    id_header: fields.id_header.nullish().meta({ description: ABOUT_ID_HEADER }),
    response: response.optional().meta({ description: ABOUT_RESPONSE }),
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
    enabled: z.boolean().meta({ description: ABOUT_ENABLED }),
    url: z.string().meta({ description: 'Address of the webhook; whoever has it can call it' }),
    previous_url_until: moment
      .nullable()
      .meta({ description: 'Until when the address before the last rotation works; null: it does not' }),
    verification: fields.verification.meta({ description: ABOUT_VERIFICATION }),
    signature: signature.nullable().meta({ description: ABOUT_SIGNATURE }),
    secret_count: z.int().meta({ description: 'Number of secrets that are stored' }),
    methods: fields.methods.meta({ description: ABOUT_METHODS }),
    filter: json.meta({ description: ABOUT_FILTER }),
    mapping: jsonObject.nullable().meta({ description: ABOUT_MAPPING }),
    deduplicate_by: fields.deduplicate_by.meta({ description: ABOUT_DEDUPLICATE_BY }),
    id_header: z.string().nullable().meta({ description: ABOUT_ID_HEADER }),
    response: jsonObject.meta({ description: ABOUT_RESPONSE }),
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
