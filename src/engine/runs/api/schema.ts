/** Schemas of starting, answering and cancelling runs. */
import { z } from 'zod';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { givenDefinition } from '../../../platform/http/wire.ts';
import { json, jsonObject, uuid } from '../../../platform/http/wire.ts';
import { BATCH_INTERVAL_MS, RECURSION_LIMIT } from '../accept/limits.ts';
import { runMetadata } from '../accept/metadata.ts';
import { MAX_WAIT_SECONDS } from '../stream/await-run.ts';
import {
  createdAt,
  readableMessage,
  runId,
  stableCode,
  uniqueId,
  workflowId,
} from '../../../platform/http/fields.ts';
import {
  ABOUT_EPHEMERAL,
  ABOUT_IS_PRIVATE,
  ABOUT_RESUMED_FROM_RUN_ID,
  chatId,
  interruptId,
  nodeId,
  threadId,
  workflowName,
  workflowVersion,
} from './fields.ts';
import { failure } from './failure-schema.ts';
import { tokenUsage } from './record-schema.ts';

const ABOUT_METADATA =
  'Up to 20 names and values to find the run by, such as `{"customer": "acme"}`; not secret: members of the organization and operators see them';
const ABOUT_ACTION = 'Id of the selected action, if the question has actions';
const ABOUT_DATA = 'Data of the answer, matching the `form` of the question';

/** Overrides of the execution config (SPEC API-run); other keys are ignored with a warning. */
const runConfig = z
  .object({
    thread_id: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'Id of the thread to run on; a new thread by default' }),
    recursion_limit: z
      .int()
      .min(RECURSION_LIMIT.min)
      .max(RECURSION_LIMIT.max)
      .optional()
      .meta({ description: 'Maximum number of nodes on one path of a run, including loops; 100 by default' }),
    batch_interval_ms: z.int().min(BATCH_INTERVAL_MS.min).max(BATCH_INTERVAL_MS.max).optional().meta({
      description:
        'Interval at which model tokens are batched into one frame, in milliseconds; 50 by default',
    }),
  })
  .meta({ id: 'RunConfig' });

/** The body of a start. source.ts refuses contradicting selectors with 400, not 422. */
const startBody = z.strictObject({
  workflow_id: uuid
    .nullish()
    .meta({ description: 'Runs the live deployment of this workflow; not together with `workflow`' }),
  workflow: givenDefinition.nullish().meta({
    description: 'An inline definition to run without a deployment; not together with `workflow_id`',
  }),
  system_workflow: z
    .string()
    .min(1)
    .max(100)
    .nullish()
    .meta({ description: 'Name of a built-in workflow, instead of `workflow` and `workflow_id`' }),
  attribution_workflow_id: uuid
    .nullish()
    .meta({ description: 'With `workflow`: the workflow in whose history the run is listed' }),
  llm: z.unknown().optional().meta({ description: 'Removed: a body with only `llm` is answered 410.' }),
  input: jsonObject
    .nullish()
    .meta({ description: 'Input of the run, merged over the default input of the deployment' }),
  config: runConfig.nullish().meta({
    description: 'Settings of the run; they override those of the deployment and of the definition',
  }),
  stream: z.boolean().default(true).meta({
    description: 'Whether the client intends to stream the events; the stream is available either way',
  }),
  ephemeral: z.boolean().default(false).meta({ description: ABOUT_EPHEMERAL }),
  is_private: z.boolean().default(false).meta({ description: ABOUT_IS_PRIVATE }),
  metadata: runMetadata.nullish().meta({ description: ABOUT_METADATA }),
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
    workflow_id: workflowId,
    inputs: z.array(jsonObject).min(1).max(MAX_BATCH).meta({ description: 'The input of each run' }),
    config: runConfig
      .omit({ thread_id: true })
      .strict()
      .meta({ id: 'BatchConfig' })
      .nullish()
      .meta({ description: 'Limits of each run, over those of the deployment' }),
    is_private: z.boolean().default(false).meta({ description: ABOUT_IS_PRIVATE }),
    metadata: runMetadata.nullish().meta({ description: ABOUT_METADATA }),
  })
  .meta({ id: 'CreateRunBatch' });
export type BatchBody = z.output<typeof batchBody>;

const answer = {
  interrupt_id: z.string().min(1).max(100).meta({ description: 'Id of the question, sent with the answer' }),
  action: z.string().max(100).nullish().meta({ description: ABOUT_ACTION }),
  data: json.optional().meta({ description: ABOUT_DATA }),
};
/** One answer, or several under `responses` (SPEC RUN-4.1). */
export const resumeBody = z
  .strictObject({
    interrupt_id: answer.interrupt_id
      .optional()
      .meta({ description: 'Id of the question, sent with the answer' }),
    action: answer.action.meta({ description: ABOUT_ACTION }),
    data: answer.data.meta({ description: ABOUT_DATA }),
    responses: z
      .array(z.strictObject(answer).meta({ id: 'InterruptAnswer' }))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Several answers; not together with `interrupt_id`' }),
    stream: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the client intends to stream the events; by default as at the start' }),
  })
  // resume.ts checks it and names the missing or excess field.
  .meta({
    id: 'RunAnswer',
    override: { oneOf: [{ required: ['interrupt_id'] }, { required: ['responses'] }] },
  });
export type ResumeBody = z.output<typeof resumeBody>;

export const cancelBody = z
  .strictObject({
    reason: z.string().max(500).nullish().meta({ description: 'Reason, shown in the history' }),
  })
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
    id: uniqueId,
    role: z.enum(['human', 'ai']).meta({ description: 'Author of the message' }),
    content: z
      .string()
      .meta({ description: 'Text of the message, at most 2,000 characters; empty until there is an answer' }),
    status: z
      .enum(['completed', 'pending'])
      .meta({ description: 'An answer is pending until its run has ended' }),
    run_id: runId,
    chat_id: chatId,
    created_at: createdAt,
  })
  .meta({ id: 'RunMessage' });

/** The run start response; the Assistant and the Composer add fields. */
export const runStart = {
  status: z.literal('running').meta({ description: 'The run was started' }),
  run_id: runId,
  thread_id: threadId,
  chat_id: chatId,
  ephemeral: z.boolean().meta({ description: ABOUT_EPHEMERAL }),
  stream: z.boolean().meta({ description: 'The value of `stream` at the start' }),
  workflow_name: workflowName,
  workflow_version: workflowVersion,
  workflow_source: z.string().meta({ description: '`database`, `request`, or `system:` and a name' }),
  elapsed_ms: z.int().meta({ description: 'Duration of the request, in milliseconds' }),
  human_message: message.meta({
    description: 'The message of the user: the message or text of the input, else the input as JSON',
  }),
  ai_message: message.meta({ description: 'The answer of the run; empty until it is complete' }),
  message: z.string().meta({ description: 'Description of the result, human-readable' }),
  warnings: bodyWarnings,
};
export const runStartReply = z.looseObject(runStart).meta({ id: 'RunStarted' });
export const resumeReply = z
  .looseObject({
    ...runStart,
    resumed_from_run_id: uuid.meta({ description: ABOUT_RESUMED_FROM_RUN_ID }),
    interrupt_ids: z.array(z.string()).meta({ description: 'Ids of the answered questions' }),
  })
  .meta({ id: 'RunResumed' });
export const recordedReply = z
  .looseObject({
    status: z.literal('interrupted').meta({ description: 'The run waits for the answers of other people' }),
    run_id: runId,
    thread_id: uuid
      .nullable()
      .meta({ description: 'Id of the thread of the run; null: none, such as for an ephemeral run' }),
    interrupt_ids: z.array(z.string()).meta({ description: 'Ids of the answered questions' }),
    interrupts: z
      .array(
        z
          .looseObject({
            interrupt_id: interruptId,
            responses: z.int().meta({ description: 'How many people have given this answer' }),
            required_responses: z.int().meta({ description: 'How many people must give it' }),
          })
          .meta({ id: 'AnswerCount' }),
      )
      .meta({ description: 'How many answers the questions have' }),
  })
  .meta({ id: 'AnswerRecorded' });
export const cancelReply = z
  .looseObject({
    success: z.boolean().meta({ description: 'Whether the operation succeeded' }),
    run_id: runId,
    status: runStatus.meta({ description: 'Current status of the run' }),
    previous_status: runStatus.meta({ description: 'Status of the run before the request' }),
    already_terminal: z.boolean().meta({ description: 'Whether the run had ended before the request' }),
    message: readableMessage,
  })
  .meta({ id: 'RunCancelled' });

/** The answer to a start that may have waited: the fields of the result are there when it has. */
export const startedReply = z
  .looseObject({
    ...runStart,
    message: readableMessage,
    status: runStatus.meta({ description: 'Current status' }),
    output: json
      .optional()
      .meta({ description: 'The output; null when there is none, or when it is too large to include' }),
    output_truncated: z
      .boolean()
      .optional()
      .meta({ description: 'The output is too large to include; request the step or the record for it' }),
    error: failure.nullish().meta({ description: 'Reason of the failure; null without one' }),
    interrupts: z
      .array(z.looseObject({ interrupt_id: interruptId, node_id: nodeId }).meta({ id: 'OpenQuestion' }))
      .optional()
      .meta({ description: 'The questions' }),
    usage: tokenUsage.nullish().meta({ description: 'Token usage; null when no model was called' }),
    duration_ms: z.int().optional().meta({ description: 'Duration in milliseconds; null until the end' }),
  })
  .meta({ id: 'RunStartedOrEnded' });

const batchReceipt = z
  .looseObject({
    status: z.enum(['running', 'refused']).meta({ description: 'Whether the run was started' }),
    run_id: uuid.nullable().meta({
      description:
        'Id of the run for its stream and for cancelling; answering a question continues the run under a new one',
    }),
    thread_id: threadId,
    error: z
      .looseObject({ code: stableCode, message: readableMessage })
      .nullable()
      .meta({ id: 'StartRefusal' })
      .meta({ description: 'Reason of the failure; null without one' }),
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
