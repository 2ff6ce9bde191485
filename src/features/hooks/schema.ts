/** Wire shapes of webhooks. */
import { z } from 'zod';
import { offsetPage, pageOfList } from '../../platform/http/paginate.ts';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
import { json, jsonObject, moment, uuid } from '../../platform/http/wire.ts';
import { findTemplateProblem, REQUEST_ROOTS, RESPONSE_ROOTS } from './templates.ts';
import { VERIFICATIONS } from './verification.ts';
import type { Json } from '../../language/graph/values/value.ts';
import { ruleGroup } from '../../language/nodes/read-config.ts';
import { responseHeader, responseHeaderValue } from '../../language/nodes/respond.ts';

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
    z.object({ mode: z.literal('accepted') }).meta({ id: 'HookAccepted' }),
    z
      .object({
        mode: z.literal('result'),
        status: z.int().min(200).max(299).optional(),
        headers: z.record(responseHeader, responseHeaderValue).meta({ id: 'HookResponseHeaders' }).optional(),
        body: withTemplates(json, RESPONSE_ROOTS).optional() as unknown as z.ZodOptional<z.ZodType<Json>>,
      })
      .meta({ id: 'HookResult' }),
    z.object({ mode: z.literal('respond') }).meta({
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
    name: fields.name,
    enabled: z.boolean().default(true),
    verification: fields.verification.default('none'),
    secrets: fields.secrets.default([]),
    methods: fields.methods.default(['POST', 'PUT']),
    filter: filter.nullish(),
    mapping: mapping.nullish(),
    deduplicate_by: fields.deduplicate_by.default('sender_id'),
    id_header: fields.id_header.nullish(),
    response: response.default({ mode: 'accepted' }),
  })
  .meta({ id: 'CreateHook' });
export type NewHook = z.output<typeof newHook>;

export const hookChange = z
  .object({
    name: fields.name.optional(),
    enabled: z.boolean().optional(),
    verification: fields.verification.optional(),
    secrets: fields.secrets.optional(),
    methods: fields.methods.optional(),
    filter: filter.nullish(),
    mapping: mapping.nullish(),
    deduplicate_by: fields.deduplicate_by.optional(),
    id_header: fields.id_header.nullish(),
    response: response.optional(),
  })
  .meta({ id: 'HookChange' });
export type HookChange = z.output<typeof hookChange>;

export const rotation = z
  .object({ keep_previous_seconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(DAY_SECONDS) })
  .meta({ id: 'HookRotation' });

/** How long somebody may listen for a test event, in seconds. */
const MAX_LISTEN_SECONDS = 600;
export const listening = z
  .object({ seconds: z.int().min(1).max(MAX_LISTEN_SECONDS).default(120) })
  .meta({ id: 'HookListening' });

export const hook = z
  .looseObject({
    id: uuid,
    organization_id: uuid,
    workflow_id: uuid,
    name: z.string(),
    enabled: z.boolean(),
    url: z.string(),
    previous_url_until: moment.nullable(),
    verification: fields.verification,
    secret_count: z.int(),
    methods: fields.methods,
    filter: json,
    mapping: jsonObject.nullable(),
    deduplicate_by: fields.deduplicate_by,
    id_header: z.string().nullable(),
    response: jsonObject,
    rejected_count: z.int(),
    last_rejected_at: moment.nullable(),
    last_rejected_reason: z.string().nullable(),
    last_delivery_at: moment.nullable(),
    recent_deliveries: z
      .looseObject({
        started: z.int(),
        filtered: z.int(),
        failed: z.int(),
        captured: z.int(),
        rejected: z.int(),
      })
      .meta({ id: 'HookRecentDeliveries' }),
    listening_until: moment.nullable(),
    created_by: uuid.nullable(),
    created_at: moment,
    updated_at: moment,
    warnings: bodyWarnings,
  })
  .meta({ id: 'Hook' });
export const hookList = z.looseObject({ hooks: z.array(hook) }).meta({ id: 'HookList' });

const delivery = z
  .looseObject({
    id: uuid,
    hook_id: uuid,
    received_at: moment,
    outcome: z.enum(['started', 'filtered', 'failed', 'captured', 'rejected']),
    error: z.looseObject({ code: z.string(), message: z.string() }).nullable().meta({ id: 'HookError' }),
    run_pk: uuid.nullable(),
    run_id: uuid.nullable(),
    redelivery_of: uuid.nullable(),
    request: z
      .looseObject({ method: z.string(), headers: jsonObject, query: jsonObject, body: json })
      .meta({ id: 'HookRequest' }),
    input: jsonObject.nullable(),
    response: z
      .looseObject({
        status: z.int(),
        content_type: z.string(),
        headers: z.record(z.string(), z.string()).meta({ id: 'SentHeaders' }),
        body: json,
      })
      .nullable()
      .meta({ id: 'HookSentResponse' }),
  })
  .meta({ id: 'HookDelivery' });
export const hookDeliveryQuery = z.object(offsetPage(20));
export const hookDeliveryList = z
  .looseObject({ deliveries: z.array(delivery), ...pageOfList })
  .meta({ id: 'HookDeliveryList' });

/** The answer to a sender, unless the hook answers with the result of the run. */
export const received = z
  .looseObject({
    status: z.enum(['accepted', 'duplicate', 'filtered', 'captured']),
    delivery_id: uuid,
    run_id: uuid.nullable(),
  })
  .meta({ id: 'HookReceived' });
