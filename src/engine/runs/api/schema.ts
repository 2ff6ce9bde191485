/** Schemas of the requests and replies of runs. */
import { z } from 'zod';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { describeJsonObject, givenDefinition } from '../../../platform/http/wire.ts';
import { json, jsonObject, moment, uuid } from '../../../platform/http/wire.ts';
import { BATCH_INTERVAL_MS, RECURSION_LIMIT } from '../accept/limits.ts';
import { runMetadata } from '../accept/metadata.ts';
import { MAX_WAIT_SECONDS } from '../stream/await-run.ts';
import { failure } from './failure-schema.ts';
import { runListItem } from './history-schema.ts';
import { stepOutline } from './outline-schema.ts';
import { childWait, interruptRecord } from './question-schema.ts';

/** Overrides of the execution config (SPEC API-run); other keys are ignored with a warning. */
const runConfig = z
  .object({
    thread_id: z.string().min(1).max(255).optional(),
    recursion_limit: z.int().min(RECURSION_LIMIT.min).max(RECURSION_LIMIT.max).optional(),
    batch_interval_ms: z.int().min(BATCH_INTERVAL_MS.min).max(BATCH_INTERVAL_MS.max).optional(),
  })
  .meta({ id: 'RunConfig' });

/** The body of a start. source.ts refuses contradicting selectors with 400, not 422. */
const startBody = z.strictObject({
  workflow_id: uuid.nullish(),
  workflow: givenDefinition.nullish(),
  system_workflow: z.string().min(1).max(100).nullish(),
  attribution_workflow_id: uuid.nullish(),
  llm: z.unknown().optional().meta({ description: 'Removed: a body with only `llm` is answered 410.' }),
  input: jsonObject.nullish(),
  config: runConfig.nullish(),
  stream: z.boolean().default(true),
  ephemeral: z.boolean().default(false),
  is_private: z.boolean().default(false),
  metadata: runMetadata.nullish(),
});
export type StartBody = z.output<typeof startBody>;

/** A start that may wait for the result; `wait` is no part of the run, so an Idempotency-Key covers the rest alone. */
export const waitingStartBody = startBody
  .extend({
    wait: z.int().min(0).max(MAX_WAIT_SECONDS).optional().meta({
      description:
        'Seconds to wait for the result: the answer is 200 with the output, or 202 while the run goes on. `Prefer: wait=30` says the same.',
    }),
  })
  .meta({ id: 'CreateRun' });

/** The most runs that one request starts. */
const MAX_BATCH = 1_000;
export const batchBody = z
  .strictObject({
    workflow_id: uuid,
    inputs: z.array(jsonObject).min(1).max(MAX_BATCH).meta({ description: 'The input of each run' }),
    config: runConfig
      .omit({ thread_id: true })
      .strict()
      .meta({ id: 'BatchConfig' })
      .nullish()
      .meta({ description: 'Limits of each run, over those of the deployment' }),
    is_private: z.boolean().default(false),
    metadata: runMetadata.nullish(),
  })
  .meta({ id: 'CreateRunBatch' });
export type BatchBody = z.output<typeof batchBody>;

const answer = {
  interrupt_id: z.string().min(1).max(100),
  action: z.string().max(100).nullish(),
  data: json.optional(),
};
/** One answer, or several under `responses` (SPEC RUN-4.1). */
export const resumeBody = z
  .strictObject({
    interrupt_id: answer.interrupt_id.optional(),
    action: answer.action,
    data: answer.data,
    responses: z
      .array(z.strictObject(answer).meta({ id: 'InterruptAnswer' }))
      .min(1)
      .max(100)
      .optional(),
    stream: z.boolean().optional(),
  })
  // resume.ts checks it and names the missing or excess field.
  .meta({
    id: 'RunAnswer',
    override: { oneOf: [{ required: ['interrupt_id'] }, { required: ['responses'] }] },
  });
export type ResumeBody = z.output<typeof resumeBody>;

export const cancelBody = z
  .strictObject({ reason: z.string().max(500).nullish() })
  .meta({ id: 'Cancellation' });

export const listenQuery = z.object({
  after_seq: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .optional()
    .transform((text) => (text === undefined ? undefined : Number(text)))
    .meta({
      description: 'The last received `seq`: the stream resumes after it',
      override: { type: 'integer', minimum: 0, maximum: 999_999_999, default: 0 },
    }),
});

const runStatus = z.enum(['running', 'interrupted', 'completed', 'failed', 'cancelled']);
const message = z
  .looseObject({
    id: uuid,
    role: z.enum(['human', 'ai']),
    content: z.string(),
    status: z.enum(['completed', 'pending']),
    run_id: uuid,
    chat_id: uuid.nullable(),
    created_at: moment,
  })
  .meta({ id: 'RunMessage' });

/** The run start response; the Assistant and the Composer add fields. */
export const runStart = {
  status: z.literal('running'),
  run_id: uuid,
  thread_id: z.string().nullable(),
  chat_id: uuid.nullable(),
  ephemeral: z.boolean(),
  stream: z.boolean(),
  workflow_name: z.string(),
  workflow_version: z.string(),
  workflow_source: z.string().meta({ description: '`database`, `request`, or `system:` and a name' }),
  elapsed_ms: z.int(),
  human_message: message,
  ai_message: message,
  message: z.string(),
  warnings: bodyWarnings,
};
export const runStartReply = z.looseObject(runStart).meta({ id: 'RunStarted' });
export const resumeReply = z
  .looseObject({ ...runStart, resumed_from_run_id: uuid, interrupt_ids: z.array(z.string()) })
  .meta({ id: 'RunResumed' });
export const recordedReply = z
  .looseObject({
    status: z.literal('interrupted'),
    run_id: uuid,
    thread_id: uuid.nullable(),
    interrupt_ids: z.array(z.string()),
    interrupts: z.array(
      z
        .looseObject({ interrupt_id: z.string(), responses: z.int(), required_responses: z.int() })
        .meta({ id: 'AnswerCount' }),
    ),
  })
  .meta({ id: 'AnswerRecorded' });
export const cancelReply = z
  .looseObject({
    success: z.boolean(),
    run_id: uuid,
    status: runStatus,
    previous_status: runStatus,
    already_terminal: z.boolean(),
    message: z.string(),
  })
  .meta({ id: 'RunCancelled' });

export const tokenUsage = z
  .looseObject({
    input_tokens: z.int(),
    output_tokens: z.int(),
    total_tokens: z.int(),
    cached_tokens: z.int().optional(),
    byok: z.boolean().optional(),
  })
  .meta({ id: 'TokenUsage' });
export const stepWarning = z
  .looseObject({ code: z.string(), message: z.string() })
  .meta({ id: 'StepWarning' });

/** The answer to a start that may have waited: the fields of the result are there when it has. */
export const startedReply = z
  .looseObject({
    ...runStart,
    status: runStatus,
    output: json.optional(),
    output_truncated: z.boolean().optional(),
    error: failure.nullish(),
    interrupts: z
      .array(z.looseObject({ interrupt_id: z.string(), node_id: z.string() }).meta({ id: 'OpenQuestion' }))
      .optional(),
    usage: tokenUsage.nullish(),
    duration_ms: z.int().optional(),
  })
  .meta({ id: 'RunStartedOrEnded' });

const batchReceipt = z
  .looseObject({
    status: z.enum(['running', 'refused']).meta({ description: 'Whether the run was started' }),
    run_id: uuid.nullable(),
    thread_id: z.string().nullable(),
    error: z.looseObject({ code: z.string(), message: z.string() }).nullable().meta({ id: 'StartRefusal' }),
  })
  .meta({ id: 'BatchReceipt' });
export const batchReply = z
  .looseObject({
    runs: z.array(batchReceipt).meta({ description: 'One receipt for each input, in their order' }),
    accepted: z.int().meta({ description: 'Number of runs that were started' }),
    refused: z.int().meta({ description: 'Number of inputs that the plan refused' }),
    warnings: bodyWarnings,
  })
  .meta({ id: 'RunBatchStarted' });

const attempt = z
  .looseObject({
    attempt: z.int(),
    status: z.enum(['running', 'succeeded', 'failed', 'cancelled', 'lost']),
    started_at: moment,
    completed_at: moment.nullable(),
    duration_ms: z.int().nullable(),
    error: failure.nullable(),
  })
  .meta({ id: 'StepAttempt' });
const toolCall = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    arguments: json,
    result: json,
    error: failure.nullable(),
    duration_ms: z.int().nullable(),
  })
  .meta({ id: 'StepToolCall' });
export const stepReply = z
  .looseObject({
    step_id: uuid,
    node_id: z.string(),
    node_type: z.string(),
    node_name: z.string(),
    status: z.string(),
    depth: z.int(),
    visit: z.int(),
    parent_step_id: uuid.nullable(),
    item_index: z.int().nullable(),
    iteration: z.int().nullable(),
    input: json,
    input_truncated: z.boolean(),
    output: json,
    output_truncated: z.boolean(),
    error: failure.nullable(),
    error_handled: z.boolean(),
    selected_handle: z.string().nullable(),
    warnings: z.array(stepWarning),
    usage: tokenUsage.nullable(),
    credits: z.number(),
    attempt: z.int(),
    attempts: z.array(attempt),
    logs: z.array(z.string()).nullable(),
    tool_calls: z.array(toolCall).nullable(),
    child_run_id: uuid.nullable(),
    reused_from_step_id: uuid
      .nullable()
      .meta({ description: 'Id of the step of an earlier run with the values of a reused step' }),
    started_at: moment.nullable(),
    completed_at: moment.nullable(),
    duration_ms: z.int().nullable(),
  })
  .meta({ id: 'RunStep' });

const charge = z
  .looseObject({
    step_id: z.string(),
    kind: z.string(),
    model: z.string(),
    byok: z.boolean(),
    credits: z.number(),
  })
  .meta({ id: 'RunCharge' });

export const recordReply = z
  .looseObject({
    ...runListItem,
    thread_id: z.string().nullable(),
    chat_id: uuid.nullable(),
    workflow_name: z.string(),
    workflow_version: z.string(),
    workflow_source: z.string(),
    deployment_version: z.string().nullable(),
    is_private: z.boolean(),
    created_by: uuid.nullable(),
    input: json,
    output: json,
    state: describeJsonObject({
      description: 'Declared fields, and the latest output of each node by its id',
    }),
    error: failure.nullable(),
    usage: tokenUsage.nullable(),
    handled_error_count: z.int(),
    cancel_reason: z.string().nullable(),
    credits: z.looseObject({ charged: z.number(), items: z.array(charge) }).meta({ id: 'RunCredits' }),
    steps: z.array(stepReply),
    outline: z.array(stepOutline).optional().meta({
      description: 'The steps without their values, in order, when there are more than `max_steps`',
    }),
    interrupts: z.array(z.looseObject(interruptRecord).meta({ id: 'Interrupt' })),
    waits_for: z.array(childWait),
    resumed_from_run_id: uuid.nullable(),
    resumed_by_run_ids: z.array(uuid),
    rerun_of: uuid.nullable().meta({ description: 'The `run_id` of the run that this is a rerun of' }),
    rerun_of_run_pk: uuid.nullable(),
    parent_run_id: uuid.nullable(),
    truncated: z
      .boolean()
      .meta({ description: 'Whether values of steps are too large to include; request the steps for them' }),
  })
  .meta({ id: 'Run' });
