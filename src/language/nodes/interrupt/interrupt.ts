/** The interrupt: opens a question, or waits for a time (SPEC DEF-2.6). */
import { z } from 'zod';
import { systemClock } from '../../../base/clock.ts';
import { readDecimal } from '../../graph/values/decimal.ts';
import { readIsoMoment } from '../../graph/values/iso8601.ts';
import type { Json } from '../../graph/values/value.ts';
import { ownValue, readText } from '../../graph/values/value.ts';
import type { NodeCall, NodeResult } from '../kind.ts';
import { NodeError, defineNode } from '../kind.ts';
import { describeMessages, listRecipients, nameAssignees, recipientFields } from './recipients.ts';
import { discriminator, addProblem, anyJson, jsonSchema, orNull, readConfig } from '../read-config.ts';
import { ABOUT_ASSIGNEES } from '../fields.ts';
import { INTERRUPT_EXAMPLES } from './examples.ts';

const ABOUT_PAYLOAD = 'Data to show with the question, or a template of it; null: none';
const ABOUT_ROLES = 'Roles in the organization, any of which is sufficient';
const ABOUT_ON_TIMEOUT =
  'On timeout: fails the node, follows the handle `timeout`, or answers with `default_response`';

/** One year: a longer wait is a wrong unit. */
export const MAX_WAIT_SECONDS = 366 * 86_400;
/** A service that has not called back for a week never will; a longer wait is written into the node. A guess. */
const CALLBACK_TIMEOUT_SECONDS = 7 * 86_400;
/** A guess: more people do not answer one question. */
export const MAX_RESPONSES = 100;
/** Handles that an action may not take (SPEC DEF-2.10). */
const RESERVED_HANDLES: ReadonlySet<string> = new Set(['default', 'error', 'timeout']);

/** The people who may answer; empty: any member of the organization. */
export const assignees = z
  .object({
    roles: z.array(z.string()).default([]).meta({ description: ABOUT_ROLES }),
    user_ids: z
      .array(z.string())
      .default([])
      .meta({ description: 'Ids of users, any of whom is sufficient' }),
  })
  .nullish()
  .transform((given) => given ?? { roles: [], user_ids: [] });

export const assigneesWithEmails = z
  .object({
    roles: z.array(z.string()).default([]).meta({ description: ABOUT_ROLES }),
    user_ids: z
      .array(z.string())
      .default([])
      .meta({ description: 'Ids of users, any of whom is sufficient' }),
    emails: z
      .array(z.string().min(1).max(1_000))
      .max(20)
      .default([])
      .meta({ description: 'E-mail addresses that get a link to the question, or templates of them' }),
  })
  .nullish()
  .transform((given) => given ?? { roles: [], user_ids: [], emails: [] });

/** A callback is given to no person; any member may answer it in place of the service. */
const NOBODY = { roles: [], user_ids: [] };

const questionFields = {
  title: z.string().default('').meta({ description: 'Title of the question' }),
  message: z.string().default('').meta({ description: 'Text of the question' }),
  payload: anyJson.nullish().meta({ description: ABOUT_PAYLOAD }),
  form: jsonSchema.nullish().meta({ description: "JSON Schema of the answer's data; null: any data" }),
  assignees: assigneesWithEmails.meta({ description: ABOUT_ASSIGNEES }),
  ...recipientFields,
  required_responses: z
    .int()
    .min(1)
    .max(MAX_RESPONSES)
    .default(1)
    .meta({ description: 'How many people must give the same answer; one when it is absent' }),
  timeout_seconds: z
    .int()
    .min(1)
    .max(MAX_WAIT_SECONDS)
    .nullish()
    .meta({ description: 'Timeout of the question, in seconds; null: none' }),
  on_timeout: z.enum(['fail', 'branch', 'default']).default('fail').meta({ description: ABOUT_ON_TIMEOUT }),
  default_response: z
    .object({
      action: orNull(z.string()).meta({ description: 'The action of the answer; null: none' }),
      data: anyJson.nullish().meta({ description: 'The data of the answer; null: none' }),
    })
    .nullish()
    .meta({ description: 'The answer on timeout; null: none' }),
};
const action = z
  .object({
    id: z.string().min(1).max(64).meta({ description: 'The handle of the answer' }),
    label: z.string().optional().meta({ description: 'Display name; the id by default' }),
    required_responses: z.int().min(1).max(MAX_RESPONSES).optional().meta({
      description: 'How many people must select this action; `required_responses` of the question by default',
    }),
  })
  .transform(({ id, label, required_responses: requiredResponses }) => ({
    id,
    label: label ?? id,
    ...(requiredResponses === undefined ? {} : { requiredResponses }),
  }));

const hasTemplate = (text: string): boolean => text.includes('{{');
const duration = z
  .string()
  .min(1)
  .refine((text) => hasTemplate(text) || readDecimal(text) !== null, 'must be a number of seconds');
const until = z
  .string()
  .min(1)
  .refine(
    (text) => hasTemplate(text) || readIsoMoment(text.trim()) !== null,
    'must be an ISO 8601 time, such as 2030-02-01T12:30:00Z',
  );

const shape = z.discriminatedUnion('kind', [
  z.object({
    kind: discriminator('approval'),
    ...questionFields,
    actions: z.array(action).min(1).meta({ description: 'The possible answers' }),
  }),
  z.object({
    kind: discriminator('input'),
    ...questionFields,
  }),
  z.object({
    kind: discriminator('callback'),
    title: questionFields.title.meta({ description: 'Title that people see while the run waits' }),
    message: questionFields.message.meta({ description: 'Text that people see while the run waits' }),
    payload: questionFields.payload.meta({ description: ABOUT_PAYLOAD }),
    timeout_seconds: z
      .int()
      .min(1)
      .max(MAX_WAIT_SECONDS)
      .default(CALLBACK_TIMEOUT_SECONDS)
      .meta({ description: 'Timeout of the callback, in seconds; a week by default' }),
    on_timeout: questionFields.on_timeout.meta({ description: ABOUT_ON_TIMEOUT }),
    default_response: questionFields.default_response.meta({
      description: 'The answer on timeout; null: none',
    }),
  }),
  z.object({
    kind: discriminator('wait'),
    duration_seconds: orNull(z.union([z.number().min(0).max(MAX_WAIT_SECONDS), duration])).meta({
      description: 'Duration of the wait in seconds, or a template of it; at most a year',
    }),
    until: orNull(until).meta({
      description: 'End of the wait, ISO 8601, or a template of it; a time in the past does not wait',
    }),
  }),
]);
type Config = z.output<typeof shape>;
type QuestionConfig = Exclude<Config, { kind: 'wait' }>;
type PeopleConfig = Exclude<QuestionConfig, { kind: 'callback' }>;

/** Named people are counted; how many have a role is known when they answer. */
export function checkRequiredResponses(
  {
    assignees: { roles, user_ids: userIds, emails },
    required_responses: required,
  }: Pick<PeopleConfig, 'assignees' | 'required_responses'>,
  ctx: z.core.$RefinementCtx,
): void {
  if (roles.length > 0 || userIds.length === 0 || new Set(userIds).size + emails.length >= required) return;
  addProblem(ctx, {
    code: 'too_few_assignees',
    message: 'must not exceed the number of assignees',
    path: ['required_responses'],
  });
}

function checkQuestion(given: QuestionConfig, ctx: z.core.$RefinementCtx): void {
  if (given.kind !== 'callback') checkRequiredResponses(given, ctx);
  if (given.on_timeout === 'default' && !given.default_response) {
    addProblem(ctx, {
      code: 'missing_default_response',
      message: 'on_timeout "default" needs one',
      path: ['default_response'],
    });
  }
  const ids = new Set<string>();
  for (const [at, { id }] of (given.kind === 'approval' ? given.actions : []).entries()) {
    if (RESERVED_HANDLES.has(id))
      addProblem(ctx, {
        code: 'reserved_handle',
        message: `"${id}" is a reserved word`,
        path: ['actions', at, 'id'],
      });
    if (ids.has(id))
      addProblem(ctx, {
        code: 'duplicate_action',
        message: `another action has the id "${id}"`,
        path: ['actions', at, 'id'],
      });
    ids.add(id);
  }
  const chosen = given.default_response?.action;
  if (
    given.kind === 'approval' &&
    given.default_response &&
    (typeof chosen !== 'string' || !ids.has(chosen))
  ) {
    addProblem(ctx, {
      code: 'unknown_action',
      message: 'is not one of the actions',
      path: ['default_response', 'action'],
    });
  }
}

const config = shape.superRefine((given, ctx) => {
  if (given.kind !== 'wait') checkQuestion(given, ctx);
  else if ((given.duration_seconds === null) === (given.until === null)) {
    addProblem(ctx, {
      code: 'invalid_config',
      message: 'exactly one of duration_seconds and until is required',
      path: ['duration_seconds'],
    });
  }
});

async function ask(call: NodeCall<Config>, given: QuestionConfig): Promise<NodeResult> {
  const late = given.default_response;
  const recipients = given.kind === 'callback' ? [] : await listRecipients(call, given);
  return {
    outcome: 'interrupted',
    ...(recipients.length > 0 ? { recipients } : {}),
    question: {
      kind: given.kind,
      title: call.renderText(given.title),
      message: call.renderText(given.message),
      payload: call.render(given.payload ?? null),
      form: given.kind === 'callback' ? null : (given.form ?? null),
      actions: given.kind === 'approval' ? given.actions : [],
      ...(given.kind !== 'callback' && given.required_responses > 1
        ? { requiredResponses: given.required_responses }
        : {}),
      assignees: given.kind === 'callback' ? NOBODY : nameAssignees(given.assignees, recipients),
      timeoutSeconds: given.timeout_seconds ?? null,
      onTimeout: given.on_timeout,
      defaultResponse: late
        ? { action: given.kind === 'callback' ? null : late.action, data: call.render(late.data ?? null) }
        : null,
    },
  };
}

/** The end of the wait in milliseconds since the epoch; null for an invalid value. */
function readMoment(value: Json, isDuration: boolean, now: number): number | null {
  if (!isDuration) return typeof value === 'string' ? readIsoMoment(value.trim()) : null;
  const seconds = readDecimal(value)?.rounded ?? null;
  // A negative duration is an error; a timestamp in the past is not, and ends the wait immediately.
  return seconds !== null && seconds >= 0 ? now + seconds * 1000 : null;
}

function computeWakeTime(call: NodeCall<Config>, given: Extract<Config, { kind: 'wait' }>): number {
  const now = systemClock.now();
  const isDuration = given.until === null;
  const at = readMoment(call.render(given.duration_seconds ?? given.until), isDuration, now);
  if (at === null) {
    const problem = isDuration ? 'duration_seconds is no number from 0' : 'until is no moment of ISO 8601';
    throw new NodeError('invalid_wait', `The wait has no end: ${problem}`);
  }
  if (at > now + MAX_WAIT_SECONDS * 1000) {
    throw new NodeError('invalid_wait', 'The wait must end within a year');
  }
  return Math.round(at);
}

/** The kind `interrupt`. `approval` and `input` ask people, `callback` waits for another service, `wait` sleeps. The node does not run again on resume. */
export const interrupt = defineNode<Config>({
  type: 'interrupt',
  config,
  examples: INTERRUPT_EXAMPLES,
  guide: `asks people. {"kind": "approval", "title": "...", "actions": [{"id": "approve"}, {"id": "reject"}]}; edges leave with source_handle = the action's id.`,
  schemaPaths: [['form']],
  literalKeys: ['kind', 'form', 'on_timeout', 'actions'],
  parse: (given) => readConfig(config, given),
  policy: (given) => ({
    placement: 'fold',
    effect: 'pure',
    timeoutMs: 5_000,
    maxAttempts: 1,
    handles: [...(given.kind === 'approval' ? given.actions.map(({ id }) => id) : []), 'timeout'],
  }),
  describe: (given) => (given.kind === 'callback' || given.kind === 'wait' ? [] : describeMessages(given)),
  selectHandle: (output) =>
    readText(ownValue(output, 'action')) ?? (ownValue(output, 'timed_out') === true ? 'timeout' : undefined),
  run: (call) => {
    const given = call.config;
    if (given.kind !== 'wait') return ask(call, given);
    const untilMs = computeWakeTime(call, given);
    return { outcome: 'waiting', untilMs, output: { until: new Date(untilMs).toISOString() } };
  },
});
