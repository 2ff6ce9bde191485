/** A trigger of type `webhook`, and what it has in common with a webhook that people make: who may send, and what becomes of a request. */
import { z } from 'zod';
import { findTemplateProblem } from '../../graph/template/given-values.ts';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { jsonObject, ruleGroup } from '../read-config.ts';
import { responseHeader, responseHeaderValue } from '../transformer/respond.ts';
import { DUPLICATES, METHODS, VERIFICATIONS } from './choices.ts';
import { signature } from './signature.ts';

/** Roots of the templates in a filter or a mapping: `{{body.id}}`. */
const REQUEST_ROOTS = ['method', 'headers', 'query', 'body'] as const;
/** Roots of the templates in a response: `{{output.text}}`. */
const RESPONSE_ROOTS = ['output', 'run_id'] as const;

/** As `config.thread_id` of a run; a template may be longer than what it makes. */
export const MAX_THREAD_ID = 255;
const MAX_THREAD_TEMPLATE = 500;

/** Refuses malformed templates, and names that no request has. */
const withTemplates = <Schema extends z.ZodType>(schema: Schema, roots: readonly string[]) =>
  schema.superRefine((value, ctx) => {
    const problem = findTemplateProblem(value as Json, roots);
    if (problem !== null)
      ctx.addIssue({ code: 'custom', message: problem, params: { type: 'template_invalid' } });
  });

/** Any JSON value, which the OpenAPI document calls `Json`. */
const anyValue = z.unknown().meta({ override: { $ref: '#/components/schemas/Json' } });

/** Rules over a request. */
const requestFilter = withTemplates(
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

/** Templates that make the input of a run. */
const requestMapping = withTemplates(
  jsonObject.meta({ override: { $ref: '#/components/schemas/JsonObject' } }),
  REQUEST_ROOTS,
) as unknown as z.ZodType<JsonObject>;

/** A template of the answer to a sender. */
const answerBody = withTemplates(anyValue, RESPONSE_ROOTS) as unknown as z.ZodType<Json>;

/** The answer to a sender. */
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
        body: answerBody.optional().meta({
          description: 'Template of the answer over `output` and `run_id`; the output by default',
        }),
      })
      .meta({ id: 'HookResult' }),
    z.object({ mode: z.literal('respond').meta({ description: 'Discriminator of the alternatives' }) }).meta({
      id: 'HookRespond',
      description: 'The response of the first node with `respond`; the output when the run ends without one',
    }),
  ])
  .meta({ id: 'HookResponse' });

/** The parts of a webhook, without defaults. */
export const webhookParts = {
  name: z.string().min(1).max(255),
  verification: z.enum(VERIFICATIONS),
  signature,
  methods: z.array(z.enum(METHODS)).min(1).max(METHODS.length),
  filter: requestFilter,
  mapping: requestMapping,
  thread_id: withTemplates(z.string().min(1).max(MAX_THREAD_TEMPLATE), REQUEST_ROOTS),
  deduplicate_by: z.enum(DUPLICATES),
  id_header: z.string().regex(/^[A-Za-z0-9-]{1,100}$/),
  response,
};

/** Descriptions of the parts. */
export const ABOUT_WEBHOOK = {
  name: 'Name of the webhook, for people',
  verification:
    'How requests prove their sender: in the way of a known service, or by `hmac` as `signature` says',
  signature: 'How the sender signs; for `hmac` alone',
  methods:
    'Methods whose requests start runs; others are 405. HEAD starts none. Link previews send GET, so it is for senders that can do no other',
  filter: 'Rules over `method`, `headers`, `query` and `body`; null: every request starts a run',
  mapping: 'Templates that make the input of the run; null: the body, or the query of a request without one',
  thread_id:
    'Template of the id of the thread that a run goes on with, such as `chat-{{body.message.chat.id}}`; null: a new thread for each run',
  deduplicate_by:
    'How requests of 24 hours are recognized as one event: by the id of the sender, where a request without one starts a run; by method, query and body; or not at all. Of a sender that signs, only what is signed counts: the body by content, and the body for both ways of `github`',
  id_header:
    'Header with the id of an event, for `sender_id`; null: `Idempotency-Key` for `none`, `bearer` and `basic`, `webhook-id` for `standard`, the body for `github`, its `id` for `stripe` and its `event_id` for `slack`, or time and body without one. A header that is named here is not signed',
  response:
    'How the sender is answered: by default 202 once the run is accepted, the result of the run, or what `respond` of a node says',
} as const;

/** The parts of a new webhook beside its name, with their defaults. */
export const newWebhookFields = {
  verification: webhookParts.verification.default('none').meta({ description: ABOUT_WEBHOOK.verification }),
  signature: webhookParts.signature.nullish().meta({ description: ABOUT_WEBHOOK.signature }),
  methods: webhookParts.methods.default(['POST', 'PUT']).meta({ description: ABOUT_WEBHOOK.methods }),
  filter: webhookParts.filter.nullish().meta({ description: ABOUT_WEBHOOK.filter }),
  mapping: webhookParts.mapping.nullish().meta({ description: ABOUT_WEBHOOK.mapping }),
  thread_id: webhookParts.thread_id.nullish().meta({ description: ABOUT_WEBHOOK.thread_id }),
  deduplicate_by: webhookParts.deduplicate_by
    .default('sender_id')
    .meta({ description: ABOUT_WEBHOOK.deduplicate_by }),
  id_header: webhookParts.id_header.nullish().meta({ description: ABOUT_WEBHOOK.id_header }),
  response: webhookParts.response.default({ mode: 'accepted' }).meta({ description: ABOUT_WEBHOOK.response }),
};

/** Finds why a verification and a signature do not belong together; null when they do. */
export function findSignatureMismatch(verification: string, given: object | null): string | null {
  if ((verification === 'hmac') === (given !== null)) return null;
  return given === null ? 'Is required for hmac' : 'Is for the verification hmac alone';
}

/** A webhook of a definition. Its address, its secrets and whether it is switched on belong to the environment. */
export const webhookTrigger = z
  .strictObject({
    type: z.literal('webhook').meta({ description: 'Discriminator of the alternatives' }),
    name: webhookParts.name
      .optional()
      .meta({ description: 'Name of the webhook, for people; the id of the trigger by default' }),
    ...newWebhookFields,
  })
  .superRefine((given, ctx) => {
    const message = findSignatureMismatch(given.verification, given.signature ?? null);
    if (message !== null) ctx.addIssue({ code: 'custom', message, path: ['signature'] });
  });
export type WebhookTrigger = z.output<typeof webhookTrigger>;
