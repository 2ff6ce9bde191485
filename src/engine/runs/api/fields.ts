/** Fields that recur in the schemas of this room, each with its description. */
import { z } from 'zod';
import { json, uuid } from '../../../platform/http/wire.ts';

export const interruptId = z.string().meta({ description: 'Id of the question, sent with the answer' });
export const nodeId = z.string().meta({ description: 'Id of the node in the definition' });
export const runPk = uuid.meta({ description: 'Id of the run in the history: `run_pk` in paths' });
export const workflowName = z.string().meta({ description: 'Name of the workflow at the start of the run' });
export const threadId = z
  .string()
  .nullable()
  .meta({ description: 'Id of the thread of the run; null: none, such as for an ephemeral run' });
export const workflowId = uuid.nullable().meta({
  description: 'Id of the workflow; null when there is none, such as for a run of an inline definition',
});
export const stepId = uuid.meta({ description: 'Id of the step: one execution of a node' });
export const nodeType = z.string().meta({ description: 'Type of the node, such as `llm`' });
export const nodeName = z.string().meta({ description: 'Name of the node; its id when it has none' });
export const attemptNumber = z.int().meta({ description: 'Number of the attempt, from 1' });
export const itemIndex = z
  .int()
  .optional()
  .meta({ description: 'For an item: its index, from 0; null or absent otherwise' });
export const parentStepId = uuid.optional().meta({
  description:
    'For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise',
});
export const iteration = z.int().optional().meta({
  description: 'Iteration of the innermost loop around the node, from 0; null or absent outside of loops',
});
export const stepOutput = json.meta({
  description: 'The output; null when there is none, or when it is too large to include',
});
export const outputTruncated = z
  .boolean()
  .meta({ description: 'The output is too large to include; request the step or the record for it' });
export const selectedHandle = z
  .string()
  .nullable()
  .meta({ description: 'The handle whose edges were taken; null: none' });
export const credits = z.number().meta({ description: 'Credits charged; 100 credits are one currency unit' });
export const respondedBy = uuid
  .nullable()
  .meta({ description: 'Id of the user who answered; null without an answer, or by a link' });
export const stepStatus = z.string().meta({ description: 'Status of the step, as in the record of the run' });
export const workflowVersion = z
  .string()
  .meta({ description: 'Version of the deployment, or the version in an inline definition' });
export const visit = z
  .int()
  .meta({ description: 'Number of the visit of the node, from 1; loops visit a node again' });
export const durationMs = z
  .int()
  .nullable()
  .meta({ description: 'Duration in milliseconds; null until the end' });
export const workflowSource = z
  .string()
  .meta({ description: '`database`, `request`, or `system:` and a name' });
export const ABOUT_EPHEMERAL = 'Whether the run is left out of the history and of threads';
export const ABOUT_RESUMED_FROM_RUN_ID =
  'The `run_id` of the run that was answered and that this one continues; null: none';
export const ABOUT_HANDLED_ERROR_COUNT = 'Number of node failures that the definition handled';
export const chatId = uuid.nullable().meta({ description: 'Id of the chat of the run; null: none' });
export const ABOUT_IS_PRIVATE = 'Whether only its creator and owners of the organization see the run';
