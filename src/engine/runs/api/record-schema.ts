/** Schemas of the record of a run: its steps with their attempts and failures, and what it was charged. */
import { z } from 'zod';
import { describeJsonObject } from '../../../platform/http/wire.ts';
import { json, moment, uuid } from '../../../platform/http/wire.ts';
import { runListItem } from './history-schema.ts';
import { stepOutline } from './outline-schema.ts';
import { childWait, interruptRecord } from './question-schema.ts';
import {
  completedAt,
  createdBy,
  modelName,
  readableMessage,
  stableCode,
} from '../../../platform/http/fields.ts';
import {
  ABOUT_HANDLED_ERROR_COUNT,
  ABOUT_IS_PRIVATE,
  ABOUT_RESUMED_FROM_RUN_ID,
  attemptNumber,
  chatId,
  credits,
  durationMs,
  nodeId,
  nodeName,
  nodeType,
  outputTruncated,
  selectedHandle,
  stepId,
  stepOutput,
  threadId,
  visit,
  workflowName,
  workflowSource,
  workflowVersion,
} from './fields.ts';
import { failure } from './failure-schema.ts';

const ABOUT_BYOK = "Whether the organization's own account was used, which costs no credits";

export const tokenUsage = z
  .looseObject({
    input_tokens: z.int().meta({ description: 'Number of input tokens' }),
    output_tokens: z.int().meta({ description: 'Number of output tokens' }),
    total_tokens: z.int().meta({ description: 'Sum of input and output tokens' }),
    cached_tokens: z
      .int()
      .optional()
      .meta({ description: "Number of input tokens from the provider's cache" }),
    byok: z.boolean().optional().meta({ description: ABOUT_BYOK }),
  })
  .meta({ id: 'TokenUsage' });
export const stepWarning = z
  .looseObject({ code: stableCode, message: readableMessage })
  .meta({ id: 'StepWarning' });

const attempt = z
  .looseObject({
    attempt: attemptNumber,
    status: z
      .enum(['running', 'succeeded', 'failed', 'cancelled', 'lost'])
      .meta({ description: 'Status of the attempt; `lost`: its worker crashed or was unreachable' }),
    started_at: moment.meta({ description: 'Time of the start, ISO 8601 UTC' }),
    completed_at: completedAt,
    duration_ms: durationMs,
    error: failure.nullable().meta({ description: 'Reason of the failure; null without one' }),
  })
  .meta({ id: 'StepAttempt' });
const toolCall = z
  .looseObject({
    id: z.string().meta({ description: 'Id of the call, assigned by the model' }),
    name: z.string().meta({ description: 'Name of the tool' }),
    arguments: json.meta({ description: 'Arguments of the call' }),
    result: json.meta({ description: 'Result of the tool; null when it failed or has not ended' }),
    error: failure.nullable().meta({ description: 'Reason of the failure; null without one' }),
    duration_ms: durationMs,
  })
  .meta({ id: 'StepToolCall' });
export const stepReply = z
  .looseObject({
    step_id: stepId,
    node_id: nodeId,
    node_type: nodeType,
    node_name: nodeName,
    status: z.string().meta({
      description:
        '`running`, `succeeded`, `failed`, `skipped`, `cancelled`, `interrupted`, or `reused` from another run',
    }),
    depth: z.int().meta({ description: 'Number of nodes on the path up to this one' }),
    visit: visit,
    parent_step_id: uuid.nullable().meta({
      description:
        'For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise',
    }),
    item_index: z
      .int()
      .nullable()
      .meta({ description: 'For an item: its index, from 0; null or absent otherwise' }),
    iteration: z.int().nullable().meta({
      description: 'Iteration of the innermost loop around the node, from 0; null or absent outside of loops',
    }),
    input: json.meta({
      description: 'Input of the node, without secrets; null when it is too large for the list',
    }),
    input_truncated: z
      .boolean()
      .meta({ description: 'The input is too large to include; request the step for it' }),
    output: stepOutput,
    output_truncated: outputTruncated,
    error: failure.nullable().meta({ description: 'Reason of the failure; null without one' }),
    error_handled: z
      .boolean()
      .meta({ description: 'Whether the definition handled the failure, so that the run continued' }),
    selected_handle: selectedHandle,
    warnings: z.array(stepWarning).meta({ description: 'Problems that did not prevent the operation' }),
    usage: tokenUsage.nullable().meta({ description: 'Token usage; null when no model was called' }),
    credits: credits,
    attempt: attemptNumber,
    attempts: z.array(attempt).meta({ description: 'The attempts' }),
    logs: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Console output of the function; null for other nodes' }),
    tool_calls: z
      .array(toolCall)
      .nullable()
      .meta({ description: 'Tool calls of the agent, each also a step; null for other nodes' }),
    child_run_id: uuid
      .nullable()
      .meta({ description: 'The `run_id` of the sub-workflow run that the step started; null: none' }),
    reused_from_step_id: uuid
      .nullable()
      .meta({ description: 'Id of the step of an earlier run with the values of a reused step' }),
    started_at: moment.nullable().meta({ description: 'Time of the start, ISO 8601 UTC; null before' }),
    completed_at: completedAt,
    duration_ms: durationMs,
  })
  .meta({ id: 'RunStep' });

const charge = z
  .looseObject({
    step_id: z.string().meta({ description: 'Id of the step' }),
    kind: z.string().meta({ description: 'Type of the node' }),
    model: modelName,
    byok: z.boolean().meta({ description: ABOUT_BYOK }),
    credits: credits,
  })
  .meta({ id: 'RunCharge' });

export const recordReply = z
  .looseObject({
    ...runListItem,
    thread_id: threadId,
    chat_id: chatId,
    workflow_name: workflowName,
    workflow_version: workflowVersion,
    workflow_source: workflowSource,
    deployment_version: z
      .string()
      .nullable()
      .meta({ description: 'Version of the deployment of the run; null: none' }),
    is_private: z.boolean().meta({ description: ABOUT_IS_PRIVATE }),
    created_by: createdBy,
    input: json.meta({ description: 'The input of the run' }),
    output: stepOutput,
    state: describeJsonObject({
      description: 'Declared fields, and the latest output of each node by its id',
    }),
    error: failure.nullable().meta({ description: 'Reason of the failure; null without one' }),
    usage: tokenUsage.nullable().meta({ description: 'Token usage; null when no model was called' }),
    handled_error_count: z.int().meta({ description: ABOUT_HANDLED_ERROR_COUNT }),
    cancel_reason: z
      .string()
      .nullable()
      .meta({ description: 'Reason of the cancellation; null: not cancelled, or no reason was given' }),
    credits: z
      .looseObject({
        charged: z.number().meta({ description: 'Total credits, including sub-workflows' }),
        items: z.array(charge).meta({ description: 'Usage by step and model' }),
      })
      .meta({ id: 'RunCredits' })
      .meta({ description: 'Credits charged for the run' }),
    steps: z.array(stepReply).meta({ description: 'One step for each execution of a node, in order' }),
    outline: z.array(stepOutline).optional().meta({
      description: 'The steps without their values, in order, when there are more than `max_steps`',
    }),
    interrupts: z
      .array(z.looseObject(interruptRecord).meta({ id: 'Interrupt' }))
      .meta({ description: 'The questions' }),
    waits_for: z
      .array(childWait)
      .meta({ description: 'Runs of sub-workflows, at any depth, whose questions this run waits for' }),
    resumed_from_run_id: uuid.nullable().meta({ description: ABOUT_RESUMED_FROM_RUN_ID }),
    resumed_by_run_ids: z
      .array(uuid)
      .meta({ description: 'The `run_id` of each run that continues this one' }),
    rerun_of: uuid.nullable().meta({ description: 'The `run_id` of the run that this is a rerun of' }),
    rerun_of_run_pk: uuid
      .nullable()
      .meta({ description: 'The `id`, in the history, of the run that this is a rerun of; null: none' }),
    parent_run_id: uuid
      .nullable()
      .meta({ description: 'The `run_id` of the parent run, whose node started this one; null: none' }),
    truncated: z
      .boolean()
      .meta({ description: 'Whether values of steps are too large to include; request the steps for them' }),
  })
  .meta({ id: 'Run' });
